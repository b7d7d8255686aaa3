"""What phones ask for: ``/r`` asks for a code, ``/r/CODE`` is the page of a phone.

``room_join.html`` gets ``typed``, what was typed, and ``wrong``, what is wrong with it, or None.

What ``seat.html`` gets
-----------------------
``code`` ``document``  see ``app.web.teach.rooms.live_room``; ``seat``: the number of the seat, or None
``words``    what its script needs

``room_question.html`` gets ``asked``, see ``app.web.shared.question_view``; ``room_floor.html`` gets ``action``,
``offered``, see ``floor.Offer``, and ``won``; both get ``code`` ``phase`` ``poll`` ``round``, and ``given``: (turn,
answers) of who voted by a form alone, or None.
"""

from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi import Query as Parameter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from app.core.model.values import BluecutError, Json
from app.course.question import sent
from app.forms.whole_number import whole_number
from app.web.base.errors import Stale, answers
from app.web.base.form_fields import form_fields
from app.web.base.language import language, language_query
from app.web.base.same_origin import same_origin
from app.web.base.templates import page, script_texts
from app.web.shared.given_answer import Given
from app.web.teach.rooms import secret
from app.web.teach.rooms.access import AnyRoom, give, leads, room_of, rooms, seat_of, seat_token
from app.web.teach.rooms.hub import Live
from app.web.teach.rooms.live_room import LiveRoom
from app.web.teach.rooms.pages import MINE, poll_page
from app.web.teach.rooms.rooms import NoRoom
from app.web.teach.rooms.shown import shown_in
from app.web.teach.rooms.subject import question_at

RETRY, APART = 1_000, 37
"""How long a browser waits before it comes back, in milliseconds, and by how much the seats differ: when a server
starts again, they do not come in one instant."""
TURNS = 1_000_000
"""The most answers of a phone."""

router = APIRouter(responses=answers(400, 404, 429))


@router.get("/r", response_class=HTMLResponse)
async def join(
    request: Request, code: Annotated[str, Parameter(max_length=40, description="the code of a room")] = ""
) -> Response:
    """Return the page that asks for a code, or lead to the room of one; a code that is none is asked for again."""
    if not (found := secret.typed(code)):
        return page(request, "room_join.html", typed="", wrong=None)
    try:
        live = await room_of(request, found)
    except NoRoom as error:
        return page(request, "room_join.html", status=404, typed=code.strip(), wrong=error.phrase)
    return RedirectResponse(f"/r/{live.code}" + language_query(request), 303)


@router.get("/join", include_in_schema=False)
@router.get("/rooms", include_in_schema=False)
def elsewhere(request: Request) -> Response:
    """Lead to the page that asks for a code from addresses that somebody may guess."""
    return RedirectResponse("/r" + language_query(request), 302)


@router.get("/r/{code}", response_class=HTMLResponse)
async def seat(request: Request, live: AnyRoom) -> Response:
    """Return the page of a phone."""
    if live.room.ended:
        links = await run_in_threadpool(shown_in, request, live)
        return page(request, "room_over.html", code=live.code, links=links)
    return page(
        request,
        "seat.html",
        code=live.code,
        document=live.document(),
        seat=seat_of(request, live),
        words=script_texts(language(request), ("seat.says.",)),
    )


@router.post("/r/{code}/seat", include_in_schema=False, dependencies=[Depends(same_origin)])
async def sit(request: Request, live: AnyRoom) -> Response:
    """Return the number of the phone's seat, and its token: in a cookie, and for a script, which keeps it in case the
    cookie is lost."""
    _going_on(live)
    number, token = await rooms(request).seat(live, seat_token(request, live))
    answer = JSONResponse({"seat": number, "token": token}, headers={"cache-control": "no-store"})
    give(request, answer, live, "seat", token)
    return answer


@router.get("/r/{code}/live", include_in_schema=False)
async def events(request: Request, live: AnyRoom, lead: bool = False) -> Response:
    """Return what happens in the room, as it happens. An ended room tells browsers not to come back."""
    if lead and leads(request, live):
        live.presenters.newest = live.newest()
        return Live(live.presenters, RETRY)
    if live.room.ended:
        return Response(status_code=204)
    number = seat_of(request, live) or 0
    return Live(live.followers, RETRY + APART * (number % 50))


@router.get("/r/{code}/question", response_class=HTMLResponse, include_in_schema=False)
async def question(request: Request, live: AnyRoom) -> Response:
    """Return what is asked now."""
    made = await run_in_threadpool(poll_page, request, live)
    headers = {"cache-control": "no-store", "content-language": language(request)}
    return HTMLResponse(made, headers=headers)


@router.post("/r/{code}/vote", include_in_schema=False, dependencies=[Depends(same_origin)])
async def vote(request: Request, live: AnyRoom) -> Response:
    """Count an answer. A form that was sent before its script was there is led back to the question."""
    _going_on(live)
    fields = await form_fields(request)
    poll, open_round, room = live.room.poll, live.room.round, live.room
    posted = dict(fields)
    if (
        poll is None
        or not open_round
        or (posted.get("poll"), posted.get("round")) != (str(poll.number), str(open_round))
    ):
        raise Stale("this vote is closed")
    given = await run_in_threadpool(_checked, request, live, fields)
    if live.room.poll != poll or live.room.phase != room.phase:
        raise Stale("this vote is closed")
    number, token = await rooms(request).seat(live, seat_token(request, live))
    known = live.votes.get((poll.number, open_round), {}).get(number)
    turn = _number(posted.get("turn"), known[0] + 1 if known else 1)
    turn, counted = await rooms(request).vote(live, number, poll.number, open_round, turn, given)
    told: Json = {"seat": number, "turn": turn, "answer": list(counted)}
    scripted = "application/json" in request.headers.get("accept", "")
    answer = JSONResponse(told) if scripted else RedirectResponse(f"/r/{live.code}/question?{MINE}=1", 303)
    give(request, answer, live, "seat", token)
    return answer


def _checked(request: Request, live: LiveRoom, fields: list[tuple[str, str]]) -> tuple[str, ...]:
    """Return the answer in a form. Raises BluecutError if it is none to what is asked."""
    poll = live.room.poll
    assert poll is not None
    answer, place = (tuple(value for name, value in fields if name == asked) for asked in ("answer", "place"))
    given = Given(answer, place).parts()
    if poll.floor:
        if len(given) != 1 or given[0] not in poll.offered:
            raise BluecutError("answer: choose one")
        return (given[0],)
    found = sent(question_at(request, poll.at), given)
    return (found,) if isinstance(found, str) else found


def _number(text: str | None, otherwise: int) -> int:
    """Return a number that a form has sent."""
    asked = whole_number(text or "", digits=9)
    return otherwise if asked is None else min(asked, TURNS)


def _going_on(live: LiveRoom) -> None:
    """Raise BluecutError if the room has ended."""
    if live.room.ended:
        raise BluecutError("this room has ended")
