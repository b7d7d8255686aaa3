"""Words: the catalogues, and how values are put into them.

There is one catalogue a language, in the files of ``catalogue/<language>/``: flat keys, whole sentences, values as
``{name}``.
The browser uses the same files and the same rule for values.
"""

import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from app.core.model import Json
from app.narration.fields import Sentence

LANGUAGES = ("en", "zh")
JOIN = {"en": ", ", "zh": "、"}
GLUE = {"en": " ", "zh": ""}


@cache
def catalogue(language: str) -> dict[str, str]:
    """All words of a language, by key."""
    words: dict[str, str] = {}
    for path in sorted((Path(__file__).parent / "catalogue" / language).glob("*.json")):
        words.update(json.loads(path.read_text(encoding="utf-8")))
    return words


def word(key: str, language: str, **fields: Json) -> str:
    """The text of ``key`` with ``fields`` put in. A key that is missing is a mistake of ours: KeyError."""
    text = catalogue(language)[key]
    return re.sub(r"\{(\w+)\}", lambda m: readable(fields[m[1]], language), text)


def readable(value: Json, language: str) -> str:
    """A value as people read it: lists joined, mappings as name = value, channels with an arrow, control words by their
    names."""
    if isinstance(value, dict):
        if list(value) == ["word"] and (name := catalogue(language).get(f"spoken.{value['word']}")):
            return name
        return JOIN[language].join(f"{k}={readable(v, language)}" for k, v in value.items())
    if isinstance(value, list | tuple):
        return JOIN[language].join(readable(item, language) for item in value) or "∅"
    if value is None:
        return "∅"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value).replace("->", "→")


def tell(said: Iterable[Sentence], language: str) -> str:
    """The sentences as one text; ``**`` still marks what matters most."""
    return GLUE[language].join(word(f"say.{s.key}", language, **s.fields()) for s in said)


def plain(text: str) -> str:
    """The text without its marks."""
    return text.replace("**", "")


def pieces(text: str) -> list[tuple[bool, str]]:
    """The text as (does it matter most?, words), for pages."""
    return [(i % 2 == 1, part) for i, part in enumerate(text.split("**")) if part]


def languages_of(header: str) -> Any:
    """The language that an Accept-Language header asks for."""
    wanted = [part.split(";")[0].strip().lower()[:2] for part in header.split(",")]
    return next((language for language in wanted if language in LANGUAGES), LANGUAGES[0])
