"""The name of a link to one of our pages: a run has its scenario's title, an algorithm its name."""

from urllib.parse import urlsplit

from app.algorithms.registry import ALGORITHMS
from app.scenario.library import LIBRARY
from app.words.catalogues import word

PAGES = {
    "tradeoffs": "tradeoffs.link",
    "recovery": "claim.title",
    "compare": "compare.link",
    "spark": "inside.link",
    "lab": "lab.link",
    "cuts": "tool.cuts",
    "swap": "tool.swap",
    "theorem": "tool.theorem",
    "family": "page.family",
    "states": "tool.states",
    "stable": "tool.stable",
    "blank": "tool.blank",
    "lessons": "page.lessons",
}
"""The words for pages that are not a run."""


def door(address: str, spoken: str) -> str:
    """Return the name of the page at ``address``. Raises KeyError for a page without one."""
    place, _, name = urlsplit(address).path.lstrip("/").partition("/")
    if place == "run":
        return str(getattr(LIBRARY.scenario(name).form.title, spoken))
    if place == "algorithms" and name in ALGORITHMS:
        return word(f"algorithm.{name}", spoken)
    said = word(PAGES[place], spoken)
    if name in LIBRARY.names():
        title = getattr(LIBRARY.scenario(name).form.title, spoken)
        return word("tool.of", spoken, page=said, title=title)
    return said
