"""An assignment in an address, see ``app.course.assignment.assignment``.

``?title=…&seed=…&for=…&q=…&q=…`` is what students get, and ``?title=…&seed=…&key=…&q=…&q=…`` what stays with the person
who made it: ``for`` follows from ``key``, and not the other way round. So students cannot judge their own answers.
"""

from typing import Annotated

from fastapi import Depends
from fastapi import Query as Parameter
from pydantic import StringConstraints
from starlette.requests import Request

from app.core.model.values import BluecutError
from app.course.assignment.assignment import MOST, Assignment, Lessons, owner, sheet
from app.web.base.language import language_pair
from app.web.shared.lessons_of import shelf
from app.wire.run_url import written_url

Title = Annotated[str, Parameter(max_length=120, description="what the assignment is called")]
Seed = Annotated[int, Parameter(ge=0, le=2**31 - 1, description="other seeds give other numbers")]
Items = Annotated[
    list[Annotated[str, StringConstraints(max_length=120)]] | None,
    Parameter(max_length=MOST, description="what is asked: KIND:SCENARIO, every, entry:SCENARIO or lesson:NAME:ID"),
]
Owner = Annotated[str, Parameter(alias="for", max_length=40, description="whose assignment it is")]
Key = Annotated[str, Parameter(max_length=40, description="the key of the person who made it")]


def lessons(request: Request) -> Lessons:
    """Return what finds the lessons of this server."""
    return shelf(request).lesson


def _for_students(
    request: Request, title: Title = "", seed: Seed = 0, q: Items = None, whose: Owner = ""
) -> Assignment:
    """Return the assignment of an address. Raises BluecutError if it asks nothing, or what does not exist."""
    if not q or not whose:
        raise BluecutError("q: this link asks nothing; copy it again, from its beginning to its end")
    sheet(Assignment("", 0, tuple(q)), "", lessons(request))
    return Assignment(" ".join(title.split()), seed, tuple(q), whose)


def _for_its_owner(request: Request, title: Title = "", seed: Seed = 0, q: Items = None, key: Key = "") -> Assignment:
    """Return the assignment of an address with a key. Raises BluecutError if it has none."""
    if not key:
        raise BluecutError("key: this page is for the person who made the assignment; it opens with their link alone")
    return _for_students(request, title, seed, q, owner(key))


GivenAssignment = Annotated[Assignment, Depends(_for_students)]
OwnAssignment = Annotated[Assignment, Depends(_for_its_owner)]


def link(request: Request, page: str, given: Assignment, key: str = "", **more: str) -> str:
    """Return the address of a page of an assignment, in the language that this address names; without its key, the one
    for students."""
    whose = ("key", key) if key else ("for", given.owner)
    items = [("q", item) for item in given.items]
    fields = [("title", given.title), ("seed", str(given.seed)), whose, *items, *more.items(), *language_pair(request)]
    return written_url(f"/assign{page}", [pair for pair in fields if pair[1]])
