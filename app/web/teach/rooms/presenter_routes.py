"""What the presenter asks for: ``POST /rooms`` opens a room for the page that it is sent from, ``/r/CODE/present`` is
its page, and ``?key=TOKEN`` leads there from another device.

What ``room.html`` gets
-----------------------
``code`` ``document``  see ``app.web.teach.rooms.live_room``; ``frame``: what is shown, in large type
``join``     the path that phones are pointed at, ``joined`` the whole address; ``mine`` the presenter's own link
``phases``   {phase: the phases that may follow}; ``held`` the phases in which what is asked stays in sight
``activities``  [(name, form)], ``mistakes`` of files of others
``items``    [(what a room calls it, address)] of a playlist; ``choices`` [(kind, [Item])], all that can be shown
``near``     do only devices of this machine reach the server?

``room_ended.html`` gets ``code``, ``links``, see ``app.web.teach.rooms.shown``, ``asked`` [(what was asked, on an open
floor?, Tally)] and ``lasts``, the hours that a room lasts.
``_room_tally.html`` gets ``tally``, ``revealed``, ``floor``, and ``offered``, which is listed without votes.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Annotated, Literal

from fastapi import APIRouter, Depends
from fastapi import Query as Parameter
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.core.model.values import BluecutError, Json
from app.csv_text import spreadsheet
from app.forms.fields import STEPS
from app.web.base.errors import answers
from app.web.base.form_fields import form_fields
from app.web.base.language import language, language_pair
from app.web.base.quota import client_of
from app.web.base.root import at as rooted
from app.web.base.root import for_phones, public, within
from app.web.base.same_origin import same_origin
from app.web.base.templates import page, script_texts
from app.web.shared.items import MOST, Items, choices, item_of
from app.web.shared.visit import branched
from app.web.teach.rooms import ballots, floor, room
from app.web.teach.rooms.access import AnyRoom, LedRoom, give, is_token, leads, rooms
from app.web.teach.rooms.ballots import Tally
from app.web.teach.rooms.live_room import LiveRoom
from app.web.teach.rooms.pages import asks, offers_of, rounds_of, tally_of
from app.web.teach.rooms.room import HELD, NEXT, Phase, Poll, Room
from app.web.teach.rooms.rooms import LASTS
from app.web.teach.rooms.shown import shown_in
from app.web.teach.rooms.subject import LONGEST, Subject, question_at, subject_of, visit_at
from app.wire.run_url import written_url

ELSEWHERE_NAMED = ("", "teach", "playlist")
"""Pages whose button opens a room for what its form names, and not for the page itself."""

router = APIRouter(responses=answers(400, 403, 404, 429, 503))

By = Annotated[str, Field(max_length=40)]


class Show(BaseModel):
    """The presenter shows an address; ``by`` names the page that says so."""

    model_config = ConfigDict(extra="forbid")
    at: Annotated[str, Field(max_length=LONGEST)]
    step: Annotated[int | None, Field(ge=0, le=STEPS)] = None
    by: By = ""


class Turn(BaseModel):
    """The presenter goes to another phase, opens the floor at the step that is shown, or undoes that the room went to
    the phase ``now``."""

    model_config = ConfigDict(extra="forbid")
    phase: Phase | Literal["floor", "undo"]
    now: Phase = "follow"


class Take(BaseModel):
    """What won the vote happens."""

    model_config = ConfigDict(extra="forbid")
    by: By = ""


@router.post("/rooms", include_in_schema=False, dependencies=[Depends(same_origin)])
async def opened(request: Request) -> Response:
    """Open a room for the page from which this is sent, or for the address in ``at``."""
    sent = await form_fields(request)
    fields, items = dict(sent), [("item", value) for name, value in sent if name == "item"][:MOST]
    sent_from = _path(request.headers.get("referer", ""))
    wanted = fields.get("at", "") if sent_from.partition("?")[0].strip("/") in ELSEWHERE_NAMED else sent_from
    shown = await run_in_threadpool(_subject, request, wanted)
    begun = room.shown(Room(shown.at), shown.at, shown.step, "", shown.asks)
    live, token = await rooms(request).open(begun, client_of(request))
    query = written_url("", [*items, *language_pair(request)])
    answer = RedirectResponse(f"/r/{live.code}/present{query}", 303)
    give(request, answer, live, "lead", token)
    return answer


@router.get("/r/{code}/present", response_class=HTMLResponse)
async def present(
    request: Request,
    live: AnyRoom,
    key: Annotated[str, Parameter(max_length=60, description="the token")] = "",
    item: Items = None,
) -> Response:
    """Return the presenter's page, with the way through a playlist; with the token, from a new device."""
    listed = (item or [])[:MOST]
    pairs = [("item", each) for each in listed] + language_pair(request)
    if key:
        if not is_token(live, key):
            raise HTTPException(403)
        answer = RedirectResponse(f"/r/{live.code}/present{written_url('', pairs)}", 303)
        give(request, answer, live, "lead", key)
        return answer
    if not leads(request, live):
        raise HTTPException(403)
    if live.room.ended:
        return await run_in_threadpool(_ended, request, live)
    link, known = f"/r/{live.code}", rooms(request).activities.known()
    again = written_url(f"{link}/present", [("key", request.cookies.get("lead", "")), *pairs])
    shown = page(
        request,
        "room.html",
        code=live.code,
        document=live.document() | live.counts(),
        frame=_large(live.room),
        join=link,
        joined=for_phones(request) + link,
        mine=for_phones(request) + again,
        items=await run_in_threadpool(lambda: list(_items(request, listed))),
        choices=await run_in_threadpool(choices, request),
        phases=NEXT,
        held=HELD,
        activities=[(name, each.form) for name, each in known.items()],
        mistakes=[error.phrase for error in rooms(request).activities.mistakes],
        near=not request.app.state.settings.exposed,
        words=script_texts(language(request), ("room.says.", "room.floor")),
    )
    shown.headers["cache-control"] = "no-store"  # the token stands in it
    return shown


@router.post("/r/{code}/show", include_in_schema=False, dependencies=[Depends(same_origin)])
async def show(request: Request, live: LedRoom, asked: Show) -> Json:
    """Show an address on every phone."""
    shown = await run_in_threadpool(_subject, request, asked.at)
    step = shown.step if asked.step is None else asked.step
    await rooms(request).change(live, room.shown(live.room, shown.at, step, asked.by, shown.asks))
    return live.document()


@router.post("/r/{code}/phase", include_in_schema=False, dependencies=[Depends(same_origin)])
async def turn(request: Request, live: LedRoom, asked: Turn) -> Json:
    """Go to another phase."""
    now = live.room
    opened = now.phase == "vote" and now.poll is not None and now.poll.floor
    if asked.phase == now.phase or (asked.phase == "floor" and opened):
        changed = now  # a repeated request: to open the floor anew would lose its votes
    elif asked.phase == "floor":
        offered = await run_in_threadpool(_offered, request, now)
        changed = room.asked(now, now.at, now.step, offered) if live.room is now else live.room  # another was first
    elif asked.phase == "undo":
        changed = room.undone(now, asked.now)
    else:
        changed = room.turned(now, asked.phase)
        if asked.phase == "again" and now.poll is not None and now.poll.floor:
            changed = room.proposals(changed, ballots.choices(live.voted(now.poll.number, room.ROUNDS["vote"])))
    await rooms(request).change(live, changed)
    return live.document()


@router.post("/r/{code}/take", include_in_schema=False, dependencies=[Depends(same_origin)])
async def take(request: Request, live: LedRoom, asked: Take) -> Json:
    """Let what won the vote happen: return the address of the run in which it does."""
    poll, polls = live.room.poll, live.room.polls
    if poll is None and asked.by and live.room.by == asked.by and polls and polls[-1].floor:
        return {"frame": rooted(_large(live.room))}  # a repeated request
    if poll is None or not poll.floor:
        raise BluecutError("there is no open floor")
    if not (won := room.winner(poll, ballots.choices(live.voted(poll.number)))):
        raise BluecutError("nobody has voted; choose Go on, or Undo to vote again")
    address = await run_in_threadpool(lambda: branched(visit_at(request, poll.at, poll.step), won).here)
    shown = await run_in_threadpool(_subject, request, address)
    changed = room.shown(room.turned(live.room, "follow"), shown.at, shown.step, asked.by, question=False)
    await rooms(request).change(live, changed)
    return {"frame": rooted(_large(changed))}


@router.get("/r/{code}/tally", response_class=HTMLResponse, include_in_schema=False)
async def tally(request: Request, live: LedRoom, counts: bool = True) -> Response:
    """Return the votes on what is asked now; of an open floor without ``counts``, what it offers."""
    poll = live.room.poll
    found = await run_in_threadpool(tally_of, request, live, poll) if poll else None
    revealed, asks = live.room.phase == "reveal", poll is not None and poll.floor
    offered = await run_in_threadpool(offers_of, request, poll) if poll and asks and not counts else ()
    return page(request, "_room_tally.html", tally=found, revealed=revealed, floor=asks, offered=offered)


@router.post("/r/{code}/end", include_in_schema=False, dependencies=[Depends(same_origin)])
async def end(request: Request, live: LedRoom) -> Response:
    """End the room."""
    await rooms(request).end(live)
    return RedirectResponse(f"/r/{live.code}/present", 303)


@router.get("/r/{code}/counts.csv", include_in_schema=False)
async def counts(request: Request, live: LedRoom) -> Response:
    """Return the counts of all votes as a table: nothing in it is about a person."""
    text = await run_in_threadpool(_table, request, live)
    headers = {"content-disposition": f'attachment; filename="room-{live.code}.csv"', "cache-control": "no-store"}
    return Response(text, media_type="text/csv; charset=utf-8", headers=headers)


def _items(request: Request, asked: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the items of a playlist that this server has: what a room calls each, and its address in large type."""
    for each in asked:
        with suppress(BluecutError):
            yield subject_of(request, each).at, item_of(request, each).large


def _subject(request: Request, address: str) -> Subject:
    """Return what an address shows. Raises BluecutError, too, where it asks nothing that can be answered."""
    found = subject_of(request, address)
    if found.asks:
        question_at(request, found.at)
    return found


def _offered(request: Request, now: Room) -> tuple[str, ...]:
    """Return what the class can choose from."""
    if not now.at.startswith("/run/"):
        raise BluecutError("the floor is opened at a step of a run; show a run first")
    found = floor.offered(visit_at(request, now.at, now.step))
    if not found:
        raise BluecutError("nothing can happen after this step; go back to an earlier one")
    return found


def _large(now: Room) -> str:
    """Return the address of what is shown, in large type."""
    path, _, query = now.at.partition("?")
    more = [("presenter", "1"), *([("step", str(now.step))] if now.step else [])]
    return f"{path}?{query}{'&' if query else ''}{written_url('', more)[1:]}"


def _path(referer: str) -> str:
    """Return an address of this site as a path, from the header of a form that was sent there."""
    return within("/" + referer.partition("://")[2].partition("/")[2])


def _ended(request: Request, live: LiveRoom) -> Response:
    asked = [(said, poll.floor, found) for poll, said, found in _asked(request, live)]
    return page(
        request, "room_ended.html", code=live.code, links=shown_in(request, live), asked=asked, lasts=LASTS // 3_600
    )


def _asked(request: Request, live: LiveRoom) -> Iterator[tuple[Poll, str, Tally]]:
    """Yield what was asked, its words, and the votes. What this server no longer has is left out."""
    for poll in live.room.polls:
        with suppress(BluecutError):
            yield poll, asks(request, poll), tally_of(request, live, poll)


def _table(request: Request, live: LiveRoom) -> str:
    rows: list[tuple[object, ...]] = [("question", "address", "answer", "right", "round_1", "round_2")]
    for poll, said, found in _asked(request, live):
        if not rounds_of(live, poll):
            continue
        address = public(request) + poll.at
        for bar in found.answers:
            one, two = (*bar.counts, "", "")[:2]
            rows.append((said, address, bar.text, int(bar.right), one, two))
    return spreadsheet(rows)
