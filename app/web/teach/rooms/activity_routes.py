"""An activity in a room: what people do, and how the presenter leads from round to round.

What ``table.html`` (the page of a phone) gets: ``code``; ``group`` and ``role``, see ``app.web.teach.rooms.play``;
``form`` the activity; ``document`` what the group sees; ``turn`` the last request of the seat; ``lead``: does the
presenter act for somebody? ``crowd.html``, of those without a role, gets ``code``, ``document`` and ``mine``,
what the seat has voted. ``sheet.html`` (to print) gets ``form``, ``name``, ``begin``, see ``LiveRun.as_json``, and
``counts``: is there something to count? ``others`` [(name, title)] are the other activities.
"""

from typing import Annotated, Literal

from fastapi import APIRouter, Depends
from fastapi import Path as InPath
from fastapi import Query as Parameter
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from app.analysis.outcome import outcomes
from app.core.model.values import Json
from app.course.live_run import Gone, LiveRun
from app.forms.fields import STEPS
from app.web.base.errors import NoSuchStep, Stale, answers
from app.web.base.language import language
from app.web.base.same_origin import same_origin
from app.web.base.templates import page, script_texts
from app.web.shared.compare_links import door
from app.web.shared.last_word import told
from app.web.teach.rooms import crowd
from app.web.teach.rooms.access import AnyRoom, LedRoom, leads, rooms, seat_of
from app.web.teach.rooms.hub import Live
from app.web.teach.rooms.live_room import LiveRoom
from app.web.teach.rooms.play import Group, Play
from app.wire.run_url import Address, stamp

router = APIRouter(responses=answers(400, 403, 404))

Number = Annotated[int | None, Parameter(ge=0, le=99, description="the group; for the presenter")]
Role = Annotated[str, Parameter(max_length=80, description="the process or channel; for the presenter")]


class DeedRequest(BaseModel):
    """Somebody does something, as an address names it. ``turn`` counts the requests of a phone; ``group`` and ``role``
    are for the presenter, who may act for anybody."""

    model_config = ConfigDict(extra="forbid")
    action: Annotated[str, Field(max_length=200)]
    turn: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    group: Annotated[int | None, Field(ge=0, le=99)] = None
    role: Annotated[str, Field(max_length=80)] = ""


class Ballot(BaseModel):
    """Somebody without a role votes on what happens after a ``step``, or foretells the ``verdict``; ``turn`` counts the
    latter."""

    model_config = ConfigDict(extra="forbid")
    action: Annotated[str, Field(max_length=200)] = ""
    step: Annotated[int, Field(ge=0, le=STEPS)] = 0
    verdict: Literal["", "right", "wrong"] = ""
    turn: Annotated[int, Field(ge=0, le=1_000_000)] = 0


class Led(BaseModel):
    """What the presenter wants: ``begin`` an activity, start the snapshot ``now``, say that the round is ``over``, go
    to the ``next`` one, ``freeze`` it or let it go on, ``undo`` what came last, play the round ``again``, or ``stop``.
    ``seen`` is where the activity was for the presenter, its round and stage, ``frozen`` whether it had stopped,
    ``begun`` which one it was (0: there was none), and ``again`` how often they had gone back: a repeated request
    changes nothing."""

    model_config = ConfigDict(extra="forbid")
    do: Literal["begin", "now", "over", "next", "freeze", "undo", "again", "stop"]
    name: Annotated[str, Field(max_length=80)] = ""
    seen: tuple[int, Literal["play", "snapshot", "over"]] | None = None
    frozen: bool | None = None
    begun: Annotated[int | None, Field(ge=0)] = None
    again: Annotated[int | None, Field(ge=0)] = None


# Routes are tried in this order, and a whole hall does and votes at once.


@router.post("/r/{code}/act", include_in_schema=False, dependencies=[Depends(same_origin)])
async def act(request: Request, live: AnyRoom, asked: DeedRequest) -> Response:
    """Do something. A repeated request does it once."""
    play, seat = _playing(live), seat_of(request, live)
    mine, who = await _who(request, live, asked.group, asked.role)
    counted = seat if asked.group is None and asked.turn else None
    if counted is not None and asked.turn <= mine.turns.get(counted, 0):
        await rooms(request).keep_deeds(live, play, mine)  # the disk may have refused it the first time
        return JSONResponse({"done": True})
    made = play.act(mine, who, asked.action)
    if counted is not None:
        mine.turns[counted] = asked.turn
    await rooms(request).made(live, play, made, seat, asked.turn)
    return JSONResponse({"done": True})


@router.post("/r/{code}/crowd", include_in_schema=False, dependencies=[Depends(same_origin)])
async def ballot(request: Request, live: AnyRoom, asked: Ballot) -> Response:
    """Count a vote of somebody without a role. A repeated request counts once."""
    play, seat = _playing(live), seat_of(request, live)
    group = (await _who(request, live, None, ""))[0]
    if not group.crowd or seat is None:
        raise HTTPException(403)
    step = len(group.run.choices)
    offered = [each["text"] for each in group.options(play.form_of_round)]
    late = asked.step != step or asked.action not in offered
    if play.stage == "over" or (late and not asked.verdict):
        raise Stale("this vote is closed")
    part, turn = (crowd.VERDICT, asked.turn) if asked.verdict else (crowd.NEXT, step)
    poll = crowd.poll_of(play.round)
    await rooms(request).vote(live, seat, poll, part, turn, (asked.verdict or asked.action,))
    if not asked.verdict and len(group.run.choices) != step:  # it was written too late to count
        raise Stale("this vote is closed")
    return JSONResponse(_voted(live, play, seat))


@router.post("/r/{code}/activity", include_in_schema=False, dependencies=[Depends(same_origin)])
async def lead(request: Request, live: LedRoom, asked: Led) -> Json:
    """Lead an activity."""
    there = rooms(request)
    if asked.do == "begin":
        if asked.name not in there.activities.known():
            raise NoSuchStep("no activity is called {name!r}", name=asked.name)
        if asked.begun in (None, live.room.playing.begun if live.room.playing else 0):
            await there.begin(live, asked.name)
        return live.document()
    if asked.do == "stop":
        await there.stop(live)  # perhaps once more: the disk may have refused it the first time
        return live.document()
    play = _playing(live)
    if asked.do in ("next", "undo", "again") and (
        asked.seen not in (None, (play.round, play.stage)) or asked.again not in (None, play.backs)
    ):
        await there.keep_stage(live, play)  # the disk may have refused it the first time
    elif asked.do == "next":
        play.next()
        await there.keep_stage(live, play)
    elif asked.do in ("undo", "again"):
        await there.back(live, play, asked.do == "again")
        if play.stage == "over":
            await _judged(request, live, play)
    elif asked.do == "freeze":
        if asked.frozen in (None, play.frozen):
            play.frozen = not play.frozen
            play.tell_all()
        await there.keep_stage(live, play)
    else:
        await there.made(live, play, play.now() if asked.do == "now" else play.over())
        if asked.do == "over":
            for group in play.groups:  # of a repeated request
                await there.keep_deeds(live, play, group)
            await _judged(request, live, play)
    live.count_soon()
    return live.document()


@router.get("/r/{code}/table", response_class=HTMLResponse, include_in_schema=False)
async def table(request: Request, live: AnyRoom, group: Number = None, role: Role = "") -> Response:
    """Return the page of somebody who is a process or a channel."""
    play = _playing(live)
    mine, who = await _who(request, live, group, role)
    if play.stage == "over" and not mine.end:
        await _judged(request, live, play)
    if mine.crowd:
        return page(
            request,
            "crowd.html",
            code=live.code,
            mine=_voted(live, play, seat_of(request, live) or 0),
            document=play.document(mine),
            words=script_texts(language(request), ("table.says.", "net.says.", "room.says.")),
        )
    return page(
        request,
        "table.html",
        code=live.code,
        form=play.form,
        group=mine.number,
        role=who,
        lead=group is not None,
        turn=mine.turns.get(seat_of(request, live) or 0, 0),
        document=play.document(mine),
        words=script_texts(language(request), ("table.says.", "room.says.completed", "room.says.completed.")),
    )


@router.get("/r/{code}/table/live", include_in_schema=False)
async def table_events(request: Request, live: AnyRoom, group: Number = None) -> Response:
    """Return what happens in the group."""
    play = _playing(live)
    mine = (await _who(request, live, group, ""))[0]
    mine.hub.newest = play.event(mine)
    return Live(mine.hub, 1_000)


@router.get("/r/{code}/table/result", include_in_schema=False)
async def result(request: Request, live: AnyRoom, group: Number = None) -> Json:
    """Return what became of the round: the verdict in words, and the addresses of the run, and of the page that shows
    it beside the one in which the rule is followed."""
    play = _playing(live)
    mine = (await _who(request, live, group, ""))[0]
    if play.stage != "over":
        raise NoSuchStep("the round is not over")
    return await run_in_threadpool(_result, request, play, mine)


@router.get("/activities/{name}/sheet", response_class=HTMLResponse)
def sheet(request: Request, name: Annotated[str, InPath(max_length=80)]) -> Response:
    """Return the same activity for a room without any network, to print: cards for processes, markers, and a ledger."""
    known = rooms(request).activities.known()
    found = known.get(name)
    if found is None:
        raise NoSuchStep("no activity is called {name!r}", name=name)
    spoken = language(request)
    others = [(other, getattr(each.form.title, spoken)) for other, each in known.items() if other != name]
    live = LiveRun(found.scenario)
    return page(
        request,
        "sheet.html",
        form=found.form,
        name=name,
        begin=live.as_json(),
        counts=live.counted() is not None,
        others=others,
    )


def _playing(live: LiveRoom) -> Play:
    """Return the activity. Raises NoSuchStep if there is none."""
    if live.play is None:
        raise NoSuchStep("there is no activity in this room now")
    return live.play


async def _who(request: Request, live: LiveRoom, number: int | None, role: str) -> tuple[Group, str]:
    """Return for whom a request acts: for its own seat, or, if the presenter says so, for anybody."""
    play = _playing(live)
    if number is not None:
        if not leads(request, live):
            raise HTTPException(403)
        if number >= len(play.groups) or (role and role not in play.roles):
            raise NoSuchStep("there is no such group, or nobody of that name in it")
        return play.groups[number], role or play.roles[0]
    seat = seat_of(request, live)
    if seat is None:
        raise HTTPException(403)
    group = await rooms(request).join(live, seat)
    if live.play is not play:  # it was ended while somebody got a role
        raise Gone("the presenter has stopped the round")
    return group, group.roles[seat]


def _voted(live: LiveRoom, play: Play, seat: int) -> dict[str, Json]:
    """Return how somebody in the crowd has voted: the last event and after which step, the verdict and its turn."""
    poll = crowd.poll_of(play.round)
    step, event = live.votes.get((poll, crowd.NEXT), {}).get(seat, (-1, ("",)))
    turn, verdict = live.votes.get((poll, crowd.VERDICT), {}).get(seat, (0, ("",)))
    return {"step": step, "action": event[0], "turn": turn, "verdict": verdict[0]}


async def _judged(request: Request, live: LiveRoom, play: Play) -> None:
    """Judge the snapshot of every group, as the oracle judges every run. Meanwhile the presenter may have gone on."""
    over = [(group, group.run) for group in play.groups]

    def judge() -> list[str]:
        runs = request.app.state.runs
        found = [runs.recorded(play.scenario, run.key).run for _, run in over]
        return [next((each.end for each in outcomes(run)), "never") for run in found]

    for (group, run), end in zip(over, await run_in_threadpool(judge), strict=True):
        if group.run is run:
            group.end = end
    play.tell_all()
    live.count_soon()


def _result(request: Request, play: Play, group: Group) -> Json:
    run = group.run
    spoken, scenario, counted, crash = language(request), run.scenario, run.counted(), play.form_of_round.crash
    here = Address(play.ref, scenario, run.key)
    recorded = request.app.state.runs.recorded(scenario, run.key)
    verdict = told(recorded.card, spoken)
    return {
        "tone": verdict.tone,
        "headline": verdict.headline,
        "why": verdict.why,
        "sums": [list(each) for each in verdict.sums],
        "completed": [[name, verbs] for name, verbs in play.completed(group).items()],
        "claim": run.claim(),
        "crash": None if crash is None or counted is None else [crash, run.left(), counted[1]],
        "run": here.url(v=stamp(scenario)),
        "rule": door(here),
        "step": recorded.card.step,
    }
