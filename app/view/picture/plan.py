"""What a plan of the stage is made of, and the measures that all looks share.

The measures are those of ``static/js/stage/geometry.js``, so that a picture looks like the player.
"""

from dataclasses import dataclass

from app.view.picture.paths import Point, Way

MANY = 12
"""More processes than this are small, and their channels thin lines."""
MARGIN = 20
THREAD = 12
"""From a live process to its recorded copy."""
GAP = 14
HEAD = 16
"""From a process to where a tube begins, and to where it ends: there its arrowhead stands."""
BOW = 0.09
"""How far a curved tube bows out, as a part of its length."""
SIDE = 5
"""Between the tubes of a process."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle by its middle."""

    x: float
    y: float
    w: float
    h: float


@dataclass(frozen=True, slots=True)
class Link:
    """A channel: the indices of its two processes, whether another leads back, and whether, in dataflow, it leads
    against the flow."""

    source: int
    target: int
    paired: bool
    against: bool = False


@dataclass(frozen=True, slots=True)
class Station:
    """A place along a way that nothing else needs, and how large what is there may be."""

    at: float
    scale: float


@dataclass(frozen=True, slots=True)
class Badge:
    """Where along a way its recorded content is printed, and how wide that may be."""

    at: float
    w: float


@dataclass(frozen=True, slots=True)
class Track:
    """A channel on the stage. ``tube`` is how thick it is, ``lane`` where recorded parts travel, ``label`` where its
    caption stands and ``room`` how wide it may be, ``print`` the part of the tube at which its recorded content is
    printed. Where many channels cross, messages rest at ``stations`` (the head's first), the recorded content at
    ``badge``, a recorded part on its way at ``sheet``. ``wrong`` is where what failed has a line of its own."""

    way: Way
    tube: float
    head: tuple[Point, Point, Point]
    lane: Way
    label: Point
    room: float
    print: float
    stations: tuple[Station, ...] | None = None
    badge: Badge | None = None
    sheet: Station | None = None
    wrong: Point | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """The whole stage. ``pill`` is how high a message is, ``wide`` how wide it may be, ``rows`` how many rows of a
    state a process shows (0: one line), ``foot`` how much of a process, at its lower end, belongs to its cells."""

    look: str
    width: float
    height: float
    nodes: tuple[Box, ...]
    cards: tuple[Box, ...]
    tracks: tuple[Track, ...]
    pill: float
    wide: float
    font: float
    rows: int
    foot: float = 0


@dataclass(frozen=True, slots=True)
class Content:
    """How much room the states need: the most rows, and the widest row, value and name in em; ``foot``: have processes
    cells at their feet, as those of a dataflow? ``logs``: does one of them write logs?"""

    rows: int
    line: float
    value: float
    name: float
    foot: bool = False
    logs: bool = False


def arrowhead(way: Way, away: float, long: float, half: float) -> tuple[Point, Point, Point]:
    """The three corners of the arrowhead that stands ``away`` units behind the end of a way."""
    base = way.length + away
    return way.at(base + long), way.at(base, half), way.at(base, -half)
