"""The history of the field: ``/history``.

What ``history.html`` gets
--------------------------
``milestones``  see ``app.course.history``; the earliest first
``scale``       the same on a line of years, see ``app.web.shared.years``
``terms``       {name: term of the glossary}
``door``        a function: the name of a link
"""

from functools import partial
from urllib.parse import urlsplit

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from app.algorithms.registry import ALGORITHMS
from app.course.glossary import GLOSSARY
from app.course.history import history
from app.scenario.library import LIBRARY
from app.web.base.errors import answers
from app.web.base.language import language
from app.web.base.templates import page
from app.web.shared.years import scale
from app.words.catalogues import word

router = APIRouter(responses=answers(400))

PAGES = {
    "costs": "page.costs",
    "recovery": "claim.title",
    "compare": "tab.compare",
    "spark": "page.spark",
    "lab": "page.lab",
    "cuts": "tool.cuts",
    "swap": "tool.swap",
    "theorem": "tool.theorem",
    "family": "page.family",
    "states": "tool.states",
    "stable": "tool.stable",
    "blank": "tab.blank",
    "lessons": "page.lessons",
}
"""The words for pages that are not a run."""


@router.get("/history", response_class=HTMLResponse)
def milestones(request: Request) -> Response:
    """Return the history."""
    spoken, known = language(request), history()
    terms = {name: getattr(form.term, spoken) for name, form in GLOSSARY.glossary().forms.items()}
    return page(
        request,
        "history.html",
        milestones=known,
        scale=scale(known),
        terms=terms,
        door=partial(door, spoken=spoken),
    )


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
