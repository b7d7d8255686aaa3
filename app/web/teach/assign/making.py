"""Make an assignment: ``/assign?title=…&seed=…&key=…&q=…``, and with ``add`` or ``drop`` the same with one question
more or less. Nothing is stored: the assignment is its address.

What ``assign.html`` gets
-------------------------
``given``    the Assignment, and ``key`` its owner's; ``chosen`` [(item, what it asks)]; ``most`` questions
``focused``  the number of the question that was added, or that follows the one left out; 0 if neither was done
``on``       the system that is asked about; ``systems`` [(name, title, address of this page for it)]
``kinds``    [(item, name)] of that system; ``lessons`` [(title, [(item, what it asks)])]
``links``    {page: address} of what was made, and ``whole`` {page: the same with the server's name}; without questions,
             nothing
"""

import secrets
from collections.abc import Iterator, Sequence
from typing import Annotated

from fastapi import APIRouter
from fastapi import Query as Parameter
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from app.core.model.values import BluecutError
from app.course.assignment import every
from app.course.assignment.assignment import LESSON, MOST, Assignment, called, kind_called, kinds_of, owner
from app.course.assignment.variation import SYSTEMS
from app.scenario.library import LIBRARY
from app.web.base.errors import answers
from app.web.base.language import language
from app.web.base.root import for_phones
from app.web.base.templates import Context, page
from app.web.shared.lessons_of import shelf
from app.web.teach.assign.address import Items, Key, Title, lessons, link
from app.words.catalogues import word

PAGES = ("sheet", "read", "paper")
"""What was made; the first is for students."""
SEEDS = 1_000_000

router = APIRouter(responses=answers(400))


@router.get("/assign", response_class=HTMLResponse)
def assign(
    request: Request,
    title: Title = "",
    seed: Annotated[int | None, Parameter(ge=0, le=2**31 - 1, description="other seeds give other numbers")] = None,
    q: Items = None,
    key: Key = "",
    add: Annotated[str, Parameter(max_length=120, description="one more question")] = "",
    drop: Annotated[int, Parameter(ge=0, le=MOST, description="the question to leave out, from 1")] = 0,
    on: Annotated[str, Parameter(max_length=40, description="the system to ask about")] = SYSTEMS[0],
) -> Response:
    """Return the page on which an assignment is made."""
    items = [one for i, one in enumerate(q or (), 1) if i != drop] + ([add] if add else [])
    if len(items) > MOST:
        raise BluecutError("q: an assignment has at most {most} questions", most=MOST)
    spoken, find, key = language(request), lessons(request), key or secrets.token_urlsafe(16)
    given = Assignment(
        " ".join(title.split()), secrets.randbelow(SEEDS) if seed is None else seed, tuple(items), owner(key)
    )
    chosen = [(item, getattr(called(item, find), spoken)) for item in items]
    on = on if on in SYSTEMS else SYSTEMS[0]
    links = {name: link(request, f"/{name}", given, "" if name == PAGES[0] else key) for name in PAGES} if items else {}
    context: Context = {
        "given": given,
        "key": key,
        "chosen": chosen,
        "most": MOST,
        "focused": len(items) if add else min(drop, len(items)),
        "on": on,
        "systems": [
            (name, getattr(LIBRARY.scenario(name).form.title, spoken), link(request, "", given, key, on=name))
            for name in SYSTEMS
        ],
        "kinds": list(_kinds(on, spoken)),
        "lessons": list(_lessons(request, items, spoken)),
        "links": links,
        "whole": {name: for_phones(request) + address for name, address in links.items()},
    }
    return page(request, "assign.html", **context)


def _kinds(system: str, spoken: str) -> Iterator[tuple[str, str]]:
    """Yield what can be asked about the runs of a system, with its name."""
    yield every.NAME, getattr(kind_called(every.NAME), spoken)
    for kind in kinds_of(system):
        yield f"{kind}:{system}", getattr(kind_called(kind), spoken)


def _lessons(request: Request, items: Sequence[str], spoken: str) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield the lessons, with their questions; and one of them for each person, as long as some are left."""
    for lesson in shelf(request).lessons:
        drawn = f"{LESSON}:{lesson.name}"
        rows = [(f"{drawn}:{one.id}", getattr(one.asks, spoken)) for one in lesson.form.questions]
        if items.count(drawn) + sum(one in items for one, _ in rows) < len(rows):
            rows.insert(0, (drawn, word("assign.add.any", spoken)))
        yield getattr(lesson.form.title, spoken), rows
