"""Mistakes in the visitor's language.

English needs no catalogue, because the source is in English. Every other language has a file
``catalogue/mistakes/<language>.json`` that maps the English template to a translation with the same fields.
"""

import json
from functools import cache
from pathlib import Path

from app.core.model.values import Phrase
from app.words.catalogues import JOIN, catalogue


@cache
def _templates(language: str) -> dict[str, str]:
    """Return the templates of a language by their English ones; none for English."""
    file = Path(__file__).parent / "catalogue" / "mistakes" / f"{language}.json"
    found: dict[str, str] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return found


def error_text(phrase: Phrase, language: str) -> str:
    """Return the phrase as people read it. Names of channels stay as the scenario writes them; an algorithm has its
    name on the pages."""
    template, known, words = phrase.template, _templates(language), catalogue(language)
    fields = dict(phrase.fields)
    if "algorithm" in fields:
        fields["algorithm"] = words.get(f"algorithm.{fields['algorithm']}", fields["algorithm"])
    return Phrase(template, **fields).said(lambda text: known.get(text, text), JOIN[language])
