"""What is asked in a room, as pages that are the same for all phones: each is made once for a language. Only who has
voted by a form alone gets one with the own answer."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace
from starlette.requests import Request

from app.web.base.language import language
from app.web.base.root import at
from app.web.base.templates import Context, page
from app.web.shared.given_answer import Given
from app.web.shared.question_view import question_view
from app.web.teach.rooms import floor
from app.web.teach.rooms.access import rooms, seat_of
from app.web.teach.rooms.ballots import Tally, choices, of_floor, of_question
from app.web.teach.rooms.live_room import LiveRoom, Votes
from app.web.teach.rooms.room import ROUNDS, Poll, Room, winner
from app.web.teach.rooms.subject import question_at, visit_at
from app.words.catalogues import word

MINE = "mine"
"""The field of the query that asks for the page with the sender's own answer; all other pages are the same for all."""


def poll_page(request: Request, live: LiveRoom) -> bytes:
    """Return the page of what is asked now, or of the answer. It takes a while the first time."""
    room, spoken = live.room, language(request)
    if room.last is not None:
        room = replace(room, phase=room.last.phase, poll=room.last.poll)
    poll = room.poll
    if poll is None:
        return bytes(page(request, "room_wait.html", code=live.code).body)

    won = winner(poll, choices(live.voted())) if poll.floor and room.phase == "reveal" else ""
    mine = _own(request, live, poll, room.round) if MINE in request.query_params else None
    if mine is not None:
        return bytes(_poll_page(request, live.code, room, poll, won, mine).body)

    def made() -> bytes:
        return bytes(_poll_page(request, live.code, room, poll, won).body)

    return rooms(request).pages.get((live.code, poll, room.phase, won, spoken, at("/")), made)


def _own(request: Request, live: LiveRoom, poll: Poll, part: int) -> tuple[int, Sequence[str]] | None:
    """Return how the sender has voted in a round."""
    return live.votes.get((poll.number, part), {}).get(seat_of(request, live) or 0)


def _poll_page(
    request: Request, code: str, now: Room, poll: Poll, won: str, mine: tuple[int, Sequence[str]] | None = None
) -> Any:
    context: Context = {"code": code, "phase": now.phase, "poll": poll, "round": now.round, "given": mine}
    action = f"/r/{code}/vote"
    if poll.floor:
        offered = offers_of(request, poll)
        return page(request, "room_floor.html", **context, action=action, offered=offered, won=won)
    seen = question_view(
        request,
        question_at(request, poll.at),
        Given((), (), show=now.phase == "reveal"),
        action=action,
        fresh=f"/r/{code}/question",
        judged=now.phase == "reveal",
        keeps=[("poll", str(poll.number)), ("round", str(now.round))],
        always=True,
        voting="open" if now.round else "closed",
    )
    return page(request, "room_question.html", **context, asked=seen)


def rounds_of(live: LiveRoom, poll: Poll) -> Sequence[Votes]:
    """Return the votes of each round that has been open."""
    return [live.voted(poll.number, part) for part in ROUNDS.values() if (poll.number, part) in live.votes]


def tally_of(request: Request, live: LiveRoom, poll: Poll) -> Tally:
    """Return the votes of a poll in the visitor's language."""
    rounds = rounds_of(live, poll)
    if not poll.floor:
        return of_question(question_at(request, poll.at), rounds, language(request))
    won = winner(poll, choices(rounds[-1])) if rounds else ""
    return of_floor(offers_of(request, poll), rounds, won)


def asks(request: Request, poll: Poll) -> str:
    """Return what was asked, in the visitor's language."""
    if poll.floor:
        return word("room.floor.after", language(request), step=poll.step)
    return str(getattr(question_at(request, poll.at).asks, language(request)))


def offers_of(request: Request, poll: Poll) -> list[floor.Offer]:
    """Return what an open floor offers, in the visitor's language."""
    return floor.worded(visit_at(request, poll.at, poll.step), poll, language(request))
