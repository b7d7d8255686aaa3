"""Read what was handed in: ``/assign/read?…`` takes many strings at once and judges them; with ``as=csv``, in a table
for a spreadsheet. Nothing is stored, here neither.

What ``assign_read.html`` gets
------------------------------
``given`` ``action``; ``text`` that was sent
``found``    the Read, see ``app.course.assignment.grading``; None before anything was sent
``columns``  for each question: what it asks, how many answered it rightly, and the most frequent misconceptions
             [(belief, how many)]
``letters``  of each sheet: [(``right``, ``wrong`` or ``open``, the answer in words)]
"""

import time
from collections import Counter
from collections.abc import Mapping, Sequence

from fastapi import APIRouter, Depends
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from app.core.model.values import BluecutError
from app.course.assignment.assignment import Assignment, called
from app.course.assignment.grading import Read, Sheet, read
from app.course.misconception import beliefs
from app.course.question import Grade
from app.csv_text import spreadsheet
from app.web.base.errors import answers
from app.web.base.form_fields import form_fields
from app.web.base.language import language
from app.web.base.same_origin import same_origin
from app.web.base.templates import page
from app.web.teach.assign.address import Key, OwnAssignment, lessons, link
from app.web.teach.assign.key import server_key
from app.words.catalogues import word

SECONDS = 30.0
"""The most seconds of processor time for what is read at once. A class of 300 with six questions takes five."""

FREQUENT = 2
"""So many misconceptions of a question are shown."""

router = APIRouter(responses=answers(400))


@router.get("/assign/read", response_class=HTMLResponse)
def reading(request: Request, given: OwnAssignment, key: Key = "") -> Response:
    """Return the page that takes the answers."""
    return _page(request, given, key, "", None)


@router.post("/assign/read", include_in_schema=False, dependencies=[Depends(same_origin)])
async def judged(request: Request, given: OwnAssignment, key: Key = "") -> Response:
    """Judge the answers."""
    fields = dict(await form_fields(request))
    return await run_in_threadpool(_judged, request, given, key, fields)


def _judged(request: Request, given: Assignment, key: str, fields: Mapping[str, str]) -> Response:
    text = fields.get("text", "")
    until = time.thread_time() + SECONDS
    found = read(server_key(request), given, text, lessons(request), lambda: time.thread_time() > until)
    if not found.sheets and not found.refused:
        raise BluecutError(
            "no answers here: they begin with {prefix}; paste them, or choose files", prefix="bluecut-1."
        )
    if fields.get("as") != "csv":
        return _page(request, given, key, text, found)
    headers = {"content-disposition": 'attachment; filename="assignment.csv"'}
    return Response(_csv(found, len(given.items), language(request)), media_type="text/csv", headers=headers)


def _page(request: Request, given: Assignment, key: str, text: str, found: Read | None) -> Response:
    spoken = language(request)
    sheets = found.sheets if found else ()
    return page(
        request,
        "assign_read.html",
        given=given,
        action=link(request, "/read", given, key),
        text=text,
        found=found,
        columns=[
            (getattr(called(item, lessons(request)), spoken), *_column([one.grades[at] for one in sheets], spoken))
            for at, item in enumerate(given.items)
        ],
        letters=[_letters(one, spoken) for one in sheets],
    )


def _column(grades: Sequence[Grade | None], spoken: str) -> tuple[int, list[tuple[str, int]]]:
    """Return how many answered a question rightly, and what the others most often believe."""
    thought = Counter(one.misconception for one in grades if one is not None and one.misconception)
    known = beliefs()
    frequent = [(getattr(known[name].belief, spoken), count) for name, count in thought.most_common(FREQUENT)]
    return sum(one is not None and one.right for one in grades), frequent


def _letters(sheet: Sheet, spoken: str) -> list[tuple[str, str]]:
    return [
        ("open", "") if one is None else ("right" if one.right else "wrong", asked.saying(one.given, spoken))
        for asked, one in zip(sheet.asked, sheet.grades, strict=True)
    ]


def _csv(found: Read, count: int, spoken: str) -> str:
    """Return a line for each person, and one for each string that was refused."""
    numbers = range(1, count + 1)
    heads = [head for at in numbers for head in (f"q{at}", f"q{at} answer", f"q{at} misconception")]
    rows: list[Sequence[object]] = [["name", "handed in (UTC)", "right", "questions", "times", "remark", *heads]]
    for sheet in found.sheets:
        cells: list[object] = []
        for asked, one in zip(sheet.asked, sheet.grades, strict=True):
            cells += (
                ["", "", ""]
                if one is None
                else [int(one.right), asked.saying(one.given, spoken), _thought(one, spoken)]
            )
        rows.append(
            [sheet.handed.name, sheet.handed.when, sheet.right, count, sheet.times, _remark(sheet, spoken), *cells]
        )
    rows += [[one.name, "", "", count, "", word(f"assign.refused.{one.why}", spoken)] for one in found.refused]
    return spreadsheet(rows)


def _thought(grade: Grade, spoken: str) -> str:
    """Return the misconception that an answer shows, in words."""
    return getattr(beliefs()[grade.misconception].belief, spoken) if grade.misconception else ""


def _remark(sheet: Sheet, spoken: str) -> str:
    like = sheet.copied
    if like is None:
        return ""
    return word("assign.copied", spoken, name=like.other, fitting=like.fitting, differing=like.differing)
