"""Words: the catalogues, and the formatting of values in them.

Each language has one catalogue, in the files of ``catalogue/<language>/`` and those beside the algorithms: flat keys,
whole sentences, values as ``{name}``. The browser uses the same words and the same rule for values.
"""

import json
import logging
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from app.algorithms import registry
from app.core.model.values import Json
from app.words.sentence_fields import Sentence

LANGUAGES = ("en", "zh")
JOIN = {"en": ", ", "zh": "、"}
PAUSE = {"en": "; ", "zh": "；"}
LISTS = ("open", "ended", "pending")
COLON = {"en": ": ", "zh": "："}
GLUE = {"en": " ", "zh": ""}
BETWEEN = re.compile(r"(?<=[一-鿿]) (?=[一-鿿])")
"""A space between two Chinese characters: before or after a value that turns out to be Chinese, too."""


@cache
def catalogue(language: str) -> dict[str, str]:
    """Return all words of a language, by key."""
    words: dict[str, str] = {}
    for path in sorted((Path(__file__).parent / "catalogue" / language).glob("*.json")):
        words.update(json.loads(path.read_text(encoding="utf-8")))
    return words | registry.words(language)


@cache
def texts(language: str, asked: tuple[str, ...]) -> Mapping[str, str]:
    """Return the words of the keys in ``asked``, for a script; one that ends with a dot is the beginning of keys."""
    families = tuple(each for each in asked if each.endswith("."))
    return {key: text for key, text in catalogue(language).items() if key in asked or key.startswith(families)}


def word(key: str, language: str, **fields: Json) -> str:
    """Return the text of ``key`` with ``fields`` filled in; the key where there is no text, and key and field
    where there is no value."""
    text = catalogue(language).get(key) or missing(key, language)
    if "{" not in text:
        return text

    def given(field: re.Match[str]) -> str:
        return readable(fields[field[1]], language) if field[1] in fields else missing(f"{key} {field[0]}", language)

    filled = re.sub(r"\{(\w+)\}", given, text)
    return BETWEEN.sub("", filled) if language == "zh" else filled


def missing(key: str, language: str) -> str:
    """Return what stands in for a text that is missing, and log it: our mistake must not cost a reader the page."""
    logging.getLogger(__name__).warning("no text for %s in %s", key, language)
    return key


def readable(value: Json, language: str) -> str:
    """Return a value as people read it: lists joined, mappings as name = value, channels with an arrow, control words
    by their names, states and messages that we know in the reader's language."""
    if isinstance(value, dict):
        if list(value) == ["word"] and (name := catalogue(language).get(f"spoken.{value['word']}")):
            return name
        parts = [
            (name, readable(told, language), mark) for name, told, mark in (named(k, value, language) for k in value)
        ]
        between = PAUSE if any(mark == COLON[language] for _, _, mark in parts) else JOIN
        return between[language].join(f"{name}{mark if name else ''}{said}" for name, said, mark in parts)
    match value:
        case list() | tuple():
            return JOIN[language].join(readable(item, language) for item in value) or "∅"
        case None:
            return "∅"
        case bool():
            return "true" if value else "false"
        case str():
            return catalogue(language).get(f"state.said.{value}") or value.replace("->", "→")
    return str(value)


def named(key: str, state: dict[str, Json], language: str) -> tuple[str, Json, str]:
    """Return one entry of a state as (name, value, the sign between them). The state of a dataflow's operator is named
    in words; prepared transactions and the two sides of a join list their items, and a total among them needs no name.
    The values show whether a name is one of ours, because a key or a variable may have the same name."""
    colon, value = COLON[language], state[key]
    if key == "sealed" and isinstance(value, dict | list):
        records = [one for each in value.values() for one in each] if isinstance(value, dict) else value
        return word("state.sealed", language), records, colon
    if key == "sides" and isinstance(value, list):
        return word("state.sides", language), " | ".join(readable(side, language) for side in value), colon
    if key in LISTS and isinstance(value, list):
        return word(f"state.{key}", language), value, colon
    if key in ("total", "offset") and any(isinstance(state.get(other), list) for other in LISTS):
        return word("state.offset", language) if key == "offset" else "", value, colon
    if key.isdecimal() and isinstance(value, str):
        return word("state.batch", language, number=key), value, colon
    return key, value, "="


def tell(said: Iterable[Sentence], language: str) -> str:
    """Return the sentences as one text; ``**`` still marks the most important words."""
    return GLUE[language].join(word(f"say.{s.key}", language, **s.fields()) for s in said)


def plain(text: str) -> str:
    """Return the text without its marks."""
    return text.replace("**", "")


def pieces(text: str) -> list[tuple[bool, str]]:
    """Return the text as (is it important?, words), for pages."""
    return [(i % 2 == 1, part) for i, part in enumerate(text.split("**")) if part]


def languages_of(header: str) -> Any:
    """Return the language that an Accept-Language header asks for."""
    wanted = [part.split(";")[0].strip().lower()[:2] for part in header.split(",")]
    return next((language for language in wanted if language in LANGUAGES), LANGUAGES[0])
