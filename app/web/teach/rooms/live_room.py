"""A room with those who are in it."""

import asyncio
from collections.abc import Mapping

from app.core.model.values import Json
from app.web.teach.rooms import crowd
from app.web.teach.rooms.hub import Hub, event
from app.web.teach.rooms.play import Play
from app.web.teach.rooms.room import ROUNDS, Room

AWAY = 3.0
"""Seconds that a presenter may be gone, for instance to load the page again, before the phones are told."""
COUNTED = 0.2
"""Seconds between two counts that the presenter is sent."""

Votes = Mapping[int, tuple[str, ...]]
"""What each seat answers."""


class LiveRoom:
    """A room with those who are in it. ``opened`` is the time of day, as on the disk; ``until`` when it ends, by a
    clock that nobody sets."""

    def __init__(self, code: str, token: str, opened: float, room: Room, until: float) -> None:
        self.code, self.token, self.opened, self.room, self.until = code, token, opened, room, until
        self.kept = 0  # the version that is on the disk
        self.seats: dict[str, int] = {}
        self.addresses: set[str] = set()  # at which somebody of the room is, kept nowhere else
        self.votes: dict[tuple[int, int], dict[int, tuple[int, tuple[str, ...]]]] = {}
        self.followers = Hub(self.count_soon)
        self.presenters = Hub(self._led)
        self.led = False
        self.play: Play | None = None
        self._counting: asyncio.TimerHandle | None = None

    @property
    def hubs(self) -> list[Hub]:
        """Everybody who reads what happens here."""
        return [self.followers, self.presenters, *(each.hub for each in (self.play.groups if self.play else ()))]

    def publish(self) -> None:
        """Let everybody know the document."""
        self.followers.publish(event(self.document()))
        self.presenters.publish(self.newest())

    def document(self) -> dict[str, Json]:
        """Return what everybody may know."""
        room, poll = self.room, self.room.poll
        return {
            "version": room.version,
            "at": room.at,
            "step": room.step,
            "phase": room.phase,
            "poll": poll.number if poll else 0,
            "floor": poll is not None and poll.floor,
            "last": [room.last.poll.number, room.last.phase] if room.last and room.last.poll else None,
            "outcome": self._outcome(),
            "led": self.led,
            "by": room.by,
            "undo": bool(room.before),
            "playing": self._playing(),
            "ended": room.ended,
        }

    def _outcome(self) -> str:
        """Return how the vote on an open floor has ended: ``decided``, or ``nobody`` if nobody has voted; nothing
        before, and where there is none. Without votes in the second round, those of the first decide."""
        if self.room.poll is None or not self.room.poll.floor or self.room.phase != "reveal":
            return ""
        return "decided" if self.voted() else "nobody"

    def _playing(self) -> Json:
        """Return where the activity is, if there is one; ``last``: is it the last round? ``undo``: can something be
        undone? ``begun`` and ``again`` tell it from others, see ``Playing``."""
        now, play = self.room.playing, self.play
        if now is None or play is None:
            return None
        last = now.round + 1 == len(play.form.rounds)
        which = {"begun": now.begun, "again": now.again}
        return {"round": now.round, "stage": now.stage, "last": last, "undo": play.undoes} | which

    def counts(self) -> dict[str, Json]:
        """Return what only the presenter may know: how many are here, and how many of them have voted."""
        wall: dict[str, Json] = {}
        if (play := self.play) is not None:
            votes = [self.votes.get((crowd.poll_of(play.round), part)) for part in (crowd.NEXT, crowd.VERDICT)]
            wall = {"wall": list(play.wall(*votes)), "frozen": play.frozen}
        return {"here": self.followers.readers, "voted": len(self.voted()), **wall}

    def voted(self, poll: int | None = None, round_: int | None = None) -> Votes:
        """Return the votes of a round; by default of the one that is open, or was open last."""
        number = poll if poll is not None else self.room.poll.number if self.room.poll else 0
        again = ROUNDS["again"]
        part = round_ or self.room.round or (again if (number, again) in self.votes else ROUNDS["vote"])
        known = list(self.votes.get((number, part), {}).items())  # threads read while more are counted
        return {seat: answer for seat, (_, answer) in known}

    def count_soon(self) -> None:
        """Send the counts soon: many votes in one instant are one message."""
        if self._counting is None:
            self._counting = asyncio.get_running_loop().call_later(COUNTED, self._count)

    def _count(self) -> None:
        self._counting = None
        self.presenters.publish(self.newest())

    def newest(self) -> bytes:
        """Return the event that the presenter gets now."""
        return event(self.document() | self.counts())

    def _led(self) -> None:
        """Let the phones know if the presenter has come or gone."""
        asyncio.get_running_loop().call_later(0.0 if self.presenters.readers else AWAY, self._looked)

    def _looked(self) -> None:
        if self.led != (led := self.presenters.readers > 0):
            self.led = led
            self.publish()
