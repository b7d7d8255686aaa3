"""An assignment on paper: ``/assign/paper?…&first=1&count=4`` prints numbered sheets, and with ``solution=1`` the
answers to them. The number takes the place of the name.

What ``assign_paper.html`` gets
-------------------------------
``given`` ``first`` ``count``; ``most`` sheets; ``here`` the address of the sheets, ``solved`` that of the key;
``fields`` of the form; ``solution``: is the key shown?
``sheets``  [(number, [Asked])], and ``asks`` [what is asked]
"""

from typing import Annotated

from fastapi import APIRouter
from fastapi import Query as Parameter
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from app.course.assignment.assignment import Assignment, called, sheet
from app.web.base.errors import answers
from app.web.base.language import language, named
from app.web.base.templates import page
from app.web.shared.question_view import Asked
from app.web.teach.assign.address import Key, OwnAssignment, lessons, link

PAPER = "\0"
"""Nobody's name begins so: the key to paper is never that of somebody who answers here."""

MOST = 12
"""The most sheets on a page: each has a picture for every question."""

router = APIRouter(responses=answers(400))


@router.get("/assign/paper", response_class=HTMLResponse)
def paper(
    request: Request,
    given: OwnAssignment,
    key: Key = "",
    first: Annotated[int, Parameter(ge=1, le=9_999, description="the number of the first sheet")] = 1,
    count: Annotated[int, Parameter(ge=1, le=MOST, description="how many sheets")] = 1,
    solution: Annotated[bool, Parameter(description="the answers")] = False,
) -> Response:
    """Return numbered sheets, or the answers to them."""
    spoken = language(request)
    numbers = range(first, first + count)
    sheets = [(number, _asked(request, given, number)) for number in numbers]
    more = {"first": str(first), "count": str(count)}
    return page(
        request,
        "assign_paper.html",
        given=given,
        first=first,
        count=count,
        most=MOST,
        solution=solution,
        here=link(request, "/paper", given, key, **more),
        solved=link(request, "/paper", given, key, **more, solution="1"),
        fields=[("title", given.title), ("seed", given.seed), ("key", key), *(("q", one) for one in given.items)],
        sheets=sheets,
        asks=[getattr(called(item, lessons(request)), spoken) for item in given.items],
    )


def _asked(request: Request, given: Assignment, number: int) -> list[Asked]:
    """Return the questions of a sheet."""
    asked = sheet(given, f"{PAPER}{number}", lessons(request))
    return [
        Asked(one, language(request), voting="open", mark=f"-{number}-{at}", lang=named(request))
        for at, one in enumerate(asked, 1)
    ]
