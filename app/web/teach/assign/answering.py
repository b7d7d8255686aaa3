"""Answer an assignment: ``/assign/sheet?…`` asks for a name, then that person's questions, and gives back the signed
answers. Name and answers are posted, so they stand in no address and in no log; nothing is stored.

What ``assign_sheet.html`` gets
-------------------------------
``given``    the Assignment; ``action`` where the form is posted; ``name``, empty before it is given; ``refused`` what
             is wrong with it, or None
``asked``    [Asked], see ``app.web.shared.question_view``; ``wrong``: is one of their answers none?

What ``assign_done.html`` gets
------------------------------
``given`` ``action`` ``name``; ``string`` the signed answers; ``answers`` [(field, value)] as they were posted, to be
corrected; ``count`` of questions, and ``open`` those without an answer; ``when`` they were signed
"""

import threading
import time
from collections.abc import Mapping, Sequence

from fastapi import APIRouter, Depends
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from app.core.model.values import BluecutError, Phrase
from app.course.assignment.assignment import Assignment, named, sheet
from app.course.assignment.handed_in import HandedIn, opened, signed
from app.course.question import MOST, Answer, Question, sent
from app.web.base.errors import answers
from app.web.base.form_fields import form_fields
from app.web.base.language import language
from app.web.base.same_origin import same_origin
from app.web.base.templates import page
from app.web.shared.given_answer import Given
from app.web.shared.question_view import Asked
from app.web.teach.assign.address import GivenAssignment, lessons, link
from app.web.teach.assign.key import server_key


class _Order:
    """Numbers that grow with everything that is signed, whatever the clock is set to; they begin with its
    milliseconds, so that they grow over the restarts of a server, too."""

    def __init__(self) -> None:
        self._last = 0
        self._counting = threading.Lock()

    def next(self) -> int:
        """Return the next number."""
        with self._counting:
            self._last = max(self._last + 1, time.time_ns() // 1_000_000)
            return self._last


_ORDER = _Order()

router = APIRouter(responses=answers(400))


@router.get("/assign/sheet", response_class=HTMLResponse)
def begin(request: Request, given: GivenAssignment) -> Response:
    """Return the page that asks for a name."""
    return _sheet_page(request, given)


@router.post("/assign/sheet", include_in_schema=False, dependencies=[Depends(same_origin)])
async def answer(request: Request, given: GivenAssignment) -> Response:
    """Ask the questions of a person, or sign the answers to them."""
    fields: dict[str, list[str]] = {}
    for name, value in await form_fields(request):
        fields.setdefault(name, []).append(value)
    return await run_in_threadpool(_answer, request, given, fields)


def _answer(request: Request, given: Assignment, fields: Mapping[str, Sequence[str]]) -> Response:
    if "string" in fields:
        return _file(server_key(request), fields["string"][0])
    try:
        name = named(fields.get("name", [""])[0][:1_000])
    except BluecutError as error:
        return _sheet_page(request, given, refused=error.phrase)
    asked = sheet(given, name, lessons(request))
    answers = [(field, value) for field in fields if field.startswith(("answer-", "place-")) for value in fields[field]]
    if "done" not in fields and not answers:
        return _sheet_page(request, given, name, [_asked(request, one, at) for at, one in enumerate(asked, 1)])
    found: list[Answer | None] = []
    seen: list[Asked] = []
    for at, one in enumerate(asked, 1):
        values = Given(tuple(fields.get(f"answer-{at}", ())), tuple(fields.get(f"place-{at}", ())))
        said, refused = _read(one, values)
        found.append(said)
        seen.append(_asked(request, one, at, said, refused, tuple(each[:400] for each in values.answer[:MOST])))
    wrong = any(one.refused for one in seen)
    if wrong or "done" not in fields:
        return _sheet_page(request, given, name, seen, status=400 if wrong else 200)
    return _done_page(request, given, name, asked, found, answers)


def _read(asked: Question, values: Given) -> tuple[Answer | None, Phrase | None]:
    """Return an answer, or None where the question was left open; and what is wrong with it."""
    try:
        given = values.parts()
        if (asked.ticked or not asked.many) and not "".join(given).strip():
            return None, None
        return sent(asked, given), None
    except BluecutError as error:
        return None, error.phrase


def _asked(
    request: Request,
    asked: Question,
    at: int,
    given: Answer | None = None,
    refused: Phrase | None = None,
    typed: tuple[str, ...] = (),
) -> Asked:
    return Asked(asked, language(request), given=given, refused=refused, typed=typed, voting="open", mark=f"-{at}")


def _sheet_page(
    request: Request,
    given: Assignment,
    name: str = "",
    asked: Sequence[Asked] = (),
    *,
    refused: Phrase | None = None,
    status: int = 200,
) -> Response:
    return page(
        request,
        "assign_sheet.html",
        status=400 if refused else status,
        given=given,
        action=link(request, "/sheet", given),
        name=name,
        refused=refused,
        asked=asked,
        wrong=any(one.refused for one in asked),
    )


def _done_page(
    request: Request,
    given: Assignment,
    name: str,
    asked: Sequence[Question],
    found: Sequence[Answer | None],
    answers: Sequence[tuple[str, str]],
) -> Response:
    key, minute = server_key(request), int(time.time() // 60)
    string = signed(key, given, name, asked, found, minute, _ORDER.next())
    return page(
        request,
        "assign_done.html",
        given=given,
        action=link(request, "/sheet", given),
        name=name,
        string=string,
        answers=answers,
        count=len(asked),
        open=sum(one is None for one in found),
        when=HandedIn("", name, minute, "", ()).when,
    )


def _file(key: bytes, string: str) -> Response:
    """Return a signed string as a file. Raises BluecutError if it is none of this server's."""
    if opened(key, string) is None:
        raise BluecutError("these are not answers that this server signed; hand in once more")
    headers = {"content-disposition": 'attachment; filename="answers.txt"'}
    return Response(string + "\n", media_type="text/plain", headers=headers)
