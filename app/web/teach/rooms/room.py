"""What everybody in a room sees: a document with a version. It is sent whole, so whoever comes late, comes back or has
missed something is up to date with the next event."""

from typing import Literal, TypeAlias

from msgspec.structs import replace

from app.core.model.value import Value
from app.core.model.values import BluecutError

Phase: TypeAlias = Literal["follow", "think", "vote", "discuss", "again", "reveal"]
ROUNDS: dict[str, int] = {"vote": 1, "again": 2}
"""The phases in which the class votes."""
NEXT: dict[str, tuple[Phase, ...]] = {
    "follow": (),
    "think": ("vote", "reveal"),
    "vote": ("discuss", "reveal"),
    "discuss": ("again", "reveal"),
    "again": ("reveal",),
    "reveal": (),
}
"""Where the presenter may go from a phase, besides back to ``follow``."""

HELD = ("vote", "discuss", "again")
"""The phases in which what is asked stays in sight: the class answers, and what comes is its answer."""
KEPT = 100
"""How many runs and questions a room remembers for its end."""


class Poll(Value):
    """What the class is asked: a question of this site, at its address, or on an open floor what happens next after
    ``step`` of the run at it. ``offered`` are the actions of an open floor, ``first`` those of its first round."""

    number: int
    at: str
    step: int = 0
    offered: tuple[str, ...] = ()
    first: tuple[str, ...] = ()

    @property
    def floor(self) -> bool:
        """Is it about what happens next?"""
        return bool(self.offered)


class Before(Value):
    """Where the class was before the presenter went on: the phase, and what was asked."""

    phase: Phase
    poll: Poll | None = None


class Playing(Value):
    """An activity that is going on: its name, its round from 0, its stage, and how many groups there are. ``ends`` says
    of each round that is over how many choices each group had made before; ``again`` is how often the presenter has
    gone back, ``begun`` the version of the room in which it began."""

    name: str
    groups: int
    round: int = 0
    stage: str = "play"
    frozen: bool = False
    ends: tuple[tuple[int, ...], ...] = ()
    again: int = 0
    begun: int = 0


CROWD = -1
"""The group of those without a role."""


class MadeRun(Value):
    """A run that people have made in an activity: its address, the name of the activity, its round from 0, and, where
    there were several groups, the group from 0, or CROWD."""

    at: str
    name: str
    round: int
    group: int | None = None


class Room(Value):
    """The document. ``at`` is the address of what is shown, for a run without ``step``; ``by`` names the page of the
    presenter that changed it last; ``polls``, ``runs`` and ``made`` are what the room has shown so far, ``before`` what
    can be undone, the latest last."""

    at: str
    step: int = 0
    phase: Phase = "follow"
    poll: Poll | None = None
    by: str = ""
    version: int = 1
    polls: tuple[Poll, ...] = ()
    runs: tuple[str, ...] = ()
    made: tuple[MadeRun, ...] = ()
    playing: Playing | None = None
    before: tuple[Before, ...] = ()
    ended: bool = False

    @property
    def last(self) -> Before | None:
        """What the class has voted on last, if the presenter has gone on but shows nothing else: it stays on the
        phones, with the answer if that was revealed, and takes no votes."""
        last = self.before[-1] if self.phase == "follow" and self.before and not self.playing else None
        if last is None or last.phase == "think" or last.poll is None or last.poll.floor or last.poll.at != self.at:
            return None
        return last if last.phase == "reveal" else replace(last, phase="discuss")

    @property
    def round(self) -> int:
        """The round of votes that is open; 0 if none is."""
        return ROUNDS.get(self.phase, 0)


def shown(room: Room, at: str, step: int, by: str, question: bool) -> Room:
    """Return the room in which the presenter shows an address. A question is thought about at once; whoever goes on
    from an answer leaves it. Raises BluecutError while the class votes: what it is asked stays."""
    moved = at != room.at
    if room.phase in HELD:
        if moved or step != room.step:
            raise BluecutError("the class is voting; first choose Reveal or Go on")
        return replace(room, by=by)
    runs = room.runs if question or at in room.runs else (*room.runs, at)[-KEPT:]
    room = replace(room, at=at, step=step, by=by, runs=runs)
    if room.phase == "reveal" and not moved:
        return room
    if moved:
        room = replace(room, before=())
    if not question:
        return replace(room, phase="follow", poll=None)
    if room.poll is not None and room.poll.at == at:
        return room
    return asked(room, at)


def asked(room: Room, at: str, step: int = 0, offered: tuple[str, ...] = ()) -> Room:
    """Return the room in which something is asked: a question, or with ``offered`` what happens next, on which the
    class votes at once. A question that was asked before is asked anew."""
    poll = Poll(len(room.polls) + 1, at, step, offered)
    if poll.number > KEPT:
        raise BluecutError("a room asks at most {most} questions; end this one, and start another", most=KEPT)
    before = (Before(room.phase, room.poll),) if offered else ()
    return replace(room, poll=poll, polls=(*room.polls, poll), phase="vote" if offered else "think", before=before)


def turned(room: Room, phase: Phase) -> Room:
    """Return the room in another phase. Raises BluecutError if it does not come next."""
    if phase == "follow":
        before = () if room.phase == phase else (*room.before, Before(room.phase, room.poll))
        return replace(room, phase=phase, poll=None, before=before)
    if phase not in NEXT[room.phase]:
        raise BluecutError(
            "phase: after {now!r} comes {known}, not {phase!r}", now=room.phase, known=NEXT[room.phase], phase=phase
        )
    return replace(room, phase=phase, before=(*room.before, Before(room.phase, room.poll)))


def undone(room: Room, phase: Phase) -> Room:
    """Return the room as it was before the presenter went to a phase; what was voted stays. A repeated request, for
    which the room is in another phase already, changes nothing."""
    if room.phase != phase or not room.before:
        return room
    *before, last = room.before
    polls = tuple(last.poll if last.poll and each.number == last.poll.number else each for each in room.polls)
    return replace(room, phase=last.phase, poll=last.poll, polls=polls, before=tuple(before))


def proposals(room: Room, votes: dict[str, int]) -> Room:
    """Return the room whose open floor offers only what somebody has proposed; all, if nobody has."""
    poll = room.poll
    assert poll is not None
    kept = tuple(each for each in poll.offered if votes.get(each)) or poll.offered
    if kept != poll.offered:
        poll = replace(poll, offered=kept, first=poll.offered)
    return replace(room, poll=poll, polls=(*room.polls[:-1], poll))


def winner(poll: Poll, votes: dict[str, int]) -> str:
    """Return the action of an open floor with the most votes; of several, the one that is listed first; nothing if
    nobody has voted."""
    return "" if not votes else max(poll.offered, key=lambda each: (votes.get(each, 0), -poll.offered.index(each)))


def ended(room: Room) -> Room:
    """Return the room after its end."""
    return replace(room, phase="follow", poll=None, ended=True)
