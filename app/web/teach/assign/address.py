"""An assignment in an address: ``?title=…&seed=…&q=…&q=…``, see ``app.course.assignment.assignment``."""

from typing import Annotated

from fastapi import Depends
from fastapi import Query as Parameter
from pydantic import StringConstraints
from starlette.requests import Request

from app.core.model.values import BluecutError
from app.course.assignment.assignment import MOST, Assignment, Lessons, question
from app.web.base.language import named
from app.web.shared.lessons_of import shelf
from app.web.shared.question_view import located

Title = Annotated[str, Parameter(max_length=120, description="what the assignment is called")]
Seed = Annotated[int, Parameter(ge=0, le=2**31 - 1, description="other seeds give other numbers")]
Items = Annotated[
    list[Annotated[str, StringConstraints(max_length=120)]] | None,
    Parameter(max_length=MOST, description="what is asked: KIND:SCENARIO, every, entry:SCENARIO or lesson:NAME:ID"),
]


def lessons(request: Request) -> Lessons:
    """Return what finds the lessons of this server."""
    return shelf(request).lesson


def _given(request: Request, title: Title = "", seed: Seed = 0, q: Items = None) -> Assignment:
    """Return the assignment of an address. Raises BluecutError if it asks nothing, or what does not exist."""
    if not q:
        raise BluecutError("q: this link asks nothing; copy it again, from its beginning to its end")
    for item in q:
        question(item, "0", "", lessons(request))
    return Assignment(" ".join(title.split()), seed, tuple(q))


GivenAssignment = Annotated[Assignment, Depends(_given)]


def link(request: Request, page: str, given: Assignment, **more: str) -> str:
    """Return the address of a page of an assignment, in the language that this address names."""
    lang = named(request)
    fields = [("title", given.title), ("seed", str(given.seed)), *(("q", item) for item in given.items), *more.items()]
    kept = [("lang", lang)] if lang else []
    return located(f"/assign{page}", [pair for pair in (*fields, *kept) if pair[1]])
