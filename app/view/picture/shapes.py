"""The shapes of which a stage is made: what the template draws."""

from dataclasses import dataclass

from app.view.picture.marks import Text
from app.view.picture.paths import Point
from app.view.picture.plan import Box, Plan, Track
from app.view.picture.strip import Strip


@dataclass(frozen=True, slots=True)
class Sign:
    """A word on the upper edge of a process: it is held up, goes, or has gone. ``bars``: with the bars of a pause."""

    place: Point
    width: float
    said: Text | None
    bars: bool


@dataclass(frozen=True, slots=True)
class Node:
    """A live process; ``filled``: it has recorded, and there is no room for a copy beside it. ``life`` is ``member`` or
    what ``app.view.members`` says. ``strip`` is what a process of a dataflow has at its foot, ``high`` how
    much of its height that takes, and ``low`` how much of it lies below its box; ``back``: it goes ``back`` to what was
    recorded in this step, or ``anew`` to the beginning."""

    name: str
    box: Box
    round: float
    acts: bool
    filled: bool
    texts: tuple[Text, ...]
    life: str = "member"
    sign: Sign | None = None
    strip: Strip | None = None
    low: float = 0
    high: float = 0
    back: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """What a process recorded, or saved by itself. ``thread`` is the dotted line to the live process, ``standing`` what
    the copy is worth (see ``app.view.standing``)."""

    process: str
    box: Box
    round: float
    thread: tuple[float, float, float]
    camera: tuple[float, float, float] | None
    texts: tuple[Text, ...]
    standing: str = "whole"


@dataclass(frozen=True, slots=True)
class Pill:
    """A message where it is. ``kind`` is app, marker, control, part or word; ``wrong``: a failed check is about it;
    ``tag``: where the ring with what it takes along is, its size, and whether it is red; ``bar``: it is a barrier,
    drawn as an upright bar; ``back``: it was put back in this step, as recorded."""

    message: int
    kind: str
    place: Point
    width: float
    height: float
    said: Text | None
    fresh: bool
    wrong: bool
    scale: float
    tag: tuple[float, float, bool, Text] | None = None
    bar: bool = False
    back: bool = False


@dataclass(frozen=True, slots=True)
class Copy:
    """A recorded message beside its channel, or what is printed in the channel. ``open``: still being recorded;
    ``wrong``: what a failed check found there, or what the network did; ``bolt``: the channel is cut; ``headed``: of
    messages that are only counted the first is a barrier."""

    place: Point
    width: float
    height: float
    said: Text
    open: bool
    wrong: bool = False
    bolt: bool = False
    headed: bool = False


@dataclass(frozen=True, slots=True)
class Tube:
    """A channel. ``mode`` is none, recording, recorded, or unwatched where the algorithm does not look; ``away``: one
    of its ends is no member; ``paused``: nothing may be sent on it; ``against``: in dataflow, it leads back. ``stop``
    is the bar across the end of an input from which nothing more is taken, ``jam`` the one across the beginning of a
    channel that is full; ``useless``: what was recorded is of use to nobody."""

    name: str
    track: Track
    mode: str
    fresh: bool
    pills: tuple[Pill, ...]
    copies: tuple[Copy, ...]
    texts: tuple[Text, ...]
    more: Copy | None
    lane: bool
    cut: bool = False
    away: bool = False
    paused: bool = False
    against: bool = False
    stop: tuple[Point, Point] | None = None
    jam: tuple[Point, Point] | None = None
    useless: bool = False


@dataclass(frozen=True, slots=True)
class Stage:
    """Everything that the template draws."""

    plan: Plan
    tone: str
    hatch: str
    tint: str
    tubes: tuple[Tube, ...]
    nodes: tuple[Node, ...]
    cards: tuple[Card, ...]

    @property
    def thin(self) -> bool:
        """Are the channels mere lines?"""
        return self.plan.look == "grid"

    @property
    def slim(self) -> bool:
        """Do channels end at their processes, and may they cross?"""
        return self.plan.look == "wires"
