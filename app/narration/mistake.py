"""Mistakes in the visitor's language.

English needs no catalogue, because it is what the source says. Of every other language there is a file
``catalogue/mistakes/<language>.json``: the English template, and the same words with the same fields.
"""

import json
from functools import cache
from pathlib import Path

from app.core.model import Phrase
from app.narration.tell import JOIN, catalogue


@cache
def templates(language: str) -> dict[str, str]:
    """The templates of a language by their English ones; none for English."""
    file = Path(__file__).parent / "catalogue" / "mistakes" / f"{language}.json"
    found: dict[str, str] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return found


def told(phrase: Phrase, language: str) -> str:
    """The phrase as people read it. Names of channels stay as they are written in a scenario; an algorithm has the name
    that the pages give it."""
    template, known, words = phrase.template, templates(language), catalogue(language)
    fields = dict(phrase.fields)
    if "algorithm" in fields:
        fields["algorithm"] = words.get(f"algorithm.{fields['algorithm']}", fields["algorithm"])
    return Phrase(template, **fields).said(lambda text: known.get(text, text), JOIN[language])
