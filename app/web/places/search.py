"""The search: ``/search?q=…`` as a page, and, for htmx, as the list below the box in the header.

What ``search.html`` and ``_search_found.html`` get
---------------------------------------------------
``words``   what was looked for
``groups``  [(kind, what is shown of it, how many there are)]; a result is (address, title, title in the other language
            or "", line). A page that was asked for nothing lists the pages
``meant``   where nothing was found, words that are nearly these and with which something is; or None
``count``   how many were found; ``brief``: is it the list below the box?
"""

from typing import Annotated

from fastapi import APIRouter
from fastapi import Query as Parameter
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from app.web.base.errors import answers
from app.web.base.htmx import part_only
from app.web.base.language import language
from app.web.base.templates import page
from app.web.places.index import Entry, Group, folded, meant, pages, search
from app.web.shared.lessons_of import shelf
from app.words.catalogues import LANGUAGES

BRIEF, WHOLE = 4, 30
"""The most results shown of a kind, below the box and on the page."""

router = APIRouter(responses=answers(400))


@router.get("/search", response_class=HTMLResponse)
def found(
    request: Request, q: Annotated[str, Parameter(max_length=100, description="words to look for")] = ""
) -> Response:
    """Return what was found."""
    brief = part_only(request)
    spoken = language(request)
    groups = search(q, shelf(request).lessons) if brief or q.strip() else [Group("page", pages())]
    shown = [
        (group.kind, [_told(one, spoken, q) for one in group.found[: BRIEF if brief else WHOLE]], len(group.found))
        for group in groups
    ]
    count = sum(count for _, _, count in shown)
    return page(
        request,
        "_search_found.html" if brief else "search.html",
        words=q,
        groups=shown,
        count=count,
        meant=None if count else meant(q, shelf(request).lessons),
        brief=brief,
    )


def _told(one: Entry, spoken: str, words: str) -> tuple[str, str, str, str]:
    """Return what is shown of a result. The title in the other language is shown where only that has the words."""
    here = LANGUAGES.index(spoken)
    there = 1 - here
    asked = folded(words).split()
    only = all(word in one.title[there] for word in asked) and not all(word in one.title[here] for word in asked)
    return one.address, one.titles[here], one.titles[there] if only else "", one.lines[here]
