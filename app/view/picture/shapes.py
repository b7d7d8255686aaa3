"""The shapes of which a stage is made: what the template draws."""

from dataclasses import dataclass

from app.view.picture.marks import Text
from app.view.picture.paths import Point
from app.view.picture.plan import Box, Plan, Track


@dataclass(frozen=True, slots=True)
class Node:
    """A live process; ``filled``: it has recorded, and there is no room for a copy beside it."""

    name: str
    box: Box
    round: float
    acts: bool
    filled: bool
    texts: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """What a process recorded. ``thread`` is the dotted line to the live process."""

    process: str
    box: Box
    round: float
    thread: tuple[float, float, float]
    camera: tuple[float, float, float] | None
    texts: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Pill:
    """A message where it is. ``kind`` is app, marker or part; ``wrong``: a failed check is about it."""

    message: int
    kind: str
    place: Point
    width: float
    height: float
    said: Text | None
    fresh: bool
    wrong: bool
    scale: float


@dataclass(frozen=True, slots=True)
class Copy:
    """A recorded message beside its channel, or what is printed in the channel. ``open``: still being recorded;
    ``wrong``: what a failed check found there."""

    place: Point
    width: float
    height: float
    said: Text
    open: bool
    wrong: bool = False


@dataclass(frozen=True, slots=True)
class Tube:
    """A channel. ``mode`` is none, recording, recorded, or unwatched where the algorithm does not look."""

    name: str
    track: Track
    mode: str
    fresh: bool
    pills: tuple[Pill, ...]
    copies: tuple[Copy, ...]
    texts: tuple[Text, ...]
    more: Copy | None
    lane: bool


@dataclass(frozen=True, slots=True)
class Stage:
    """Everything that the template draws."""

    plan: Plan
    tone: str
    hatch: str
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
