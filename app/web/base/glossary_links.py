"""The terms of the glossary in the texts of other pages: each first occurrence is a link to its meaning."""

import logging
from collections.abc import Iterable
from functools import lru_cache

from markupsafe import Markup

from app.core.model.values import BluecutError
from app.course.glossary import GLOSSARY, Glossary, Piece
from app.run.run import Run
from app.web.base.root import at

LINK = Markup('<a class="term" href="{}" title="{}">{}</a>')


def known() -> Glossary:
    """Return the glossary; an empty one if its file is wrong, so that other pages still work."""
    try:
        return GLOSSARY.glossary()
    except BluecutError as error:
        logging.getLogger("bluecut").warning("no terms are linked: %s", error)
        return Glossary({})


@lru_cache(maxsize=4_096)
def _pieces(text: str, spoken: str, glossary: Glossary) -> tuple[Piece, ...]:
    """Return the text in pieces; see ``Glossary.pieces``. Cached, because every visit to a run asks for the same
    ones."""
    return glossary.pieces(text, spoken)


def terms(text: str, spoken: str, lang: str | None) -> Markup:
    """Return the text with its terms as links, for a page. ``lang`` is the language that the page's address names."""
    glossary = known()
    made = Markup()
    for words, name in _pieces(text, spoken, glossary):
        if name is None:
            made += words
        else:
            made += LINK.format(f"{_page_of(lang)}#{name}", glossary.term(name, spoken).means, words)
    return made


def linked(run: Run, texts: Iterable[str], spoken: str, lang: str | None) -> dict[str, object]:
    """Return the terms in the author's words about a run, for the player: ``texts`` {text: its pieces} of the given
    texts and all captions with terms, ``means`` {name: meaning}, and ``page``, the address that they link to."""
    glossary = known()
    told_by_author = (*run.scenario.captions, run.scenario.form.ending)
    captions = (getattr(words, spoken) for words in told_by_author if words)
    told = {text: _pieces(text, spoken, glossary) for text in dict.fromkeys((*texts, *captions))}
    found = {text: parts for text, parts in told.items() if any(name for _, name in parts)}
    names = dict.fromkeys(name for parts in found.values() for _, name in parts if name)
    means = {name: glossary.term(name, spoken).means for name in names}
    return {"texts": found, "means": means, "page": at(_page_of(lang))}


def _page_of(lang: str | None) -> str:
    """Return the glossary's address."""
    return f"/glossary?lang={lang}" if lang else "/glossary"
