"""The parts of a plan of the stage, and the measures that all looks share. The player draws the same plan.

A plan in JSON
--------------
Lengths and places are in units of the plan, rounded to a hundredth; ``place`` is {x, y}, y down.

``look``      row, circle, wires or grid
``width`` ``height``   of the plan: the picture's ``viewBox``
``pill`` ``wide`` ``font`` ``rows`` ``foot`` ``least`` ``larger`` ``loud`` ``small``   see Plan
``nodes``     the processes, in their order: [{x, y, w, h}, …], by their middles; ``cards`` the same of their copies
``tracks``    the channels, in their order: [{tube, room, inner, gap, …}, …], see Track; with
              ``path`` and ``lane``: {d, points}, ``d`` for drawing and the ``points`` [[x, y], …] on it for finding
              places along it; ``head`` [place, …], the tip first; ``label`` place;
              ``wrong`` place or null; ``tray`` {d, points, thick} or null; ``stretches`` [{begin, end}, …] or null;
              ``badge`` {x, y, nx, ny, w, gap} or null; ``sheets`` as the stretches; ``home`` and ``perch`` {at, scale}
              or null
"""

import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from msgspec import to_builtins
from msgspec.structs import astuple, replace

from app.core.model.value import Value
from app.core.model.values import Json
from app.pictures.layout.paths import Point, Way, measured

MANY = 12
"""With more processes than this, processes are small and their channels thin lines."""
NARROW = 480
"""A stage less wide than this is that of a phone."""
LEGIBLE = 11
"""The size of the smallest letters, in px."""
FINE = 13
"""The size of the smallest letters in a process, in units."""
CLEAREST = 0.86
"""So large is everything drawn on a phone that FINE letters can be read."""
MARGIN = 20
THREAD = 12
"""From a live process to its recorded copy."""
GAP = 14
HEAD = 16
"""From a process to where a tube begins, and to where it ends; the arrowhead fills the latter gap."""
BOW = 0.09
"""How far a curved tube bows out, as a part of its length."""
SIDE = 5
"""Between the tubes of a process."""


class Box(Value):
    """A rectangle by its middle."""

    x: float
    y: float
    w: float
    h: float


class Link(Value):
    """A channel: the indices of its two processes, whether another leads back, and whether, in a dataflow, it leads
    against the flow."""

    source: int
    target: int
    paired: bool
    against: bool = False


class Station(Value):
    """A place along a path reserved for one message, and how large that may be."""

    at: float
    scale: float


class Stretch(Value):
    """A part of a path on which nothing but other messages is ever in the way."""

    begin: float
    end: float


class Badge(Value):
    """Where a recorded state is printed: the point of its edge next to the channel, the direction away from the
    channel, how wide it may be, and how far it is from the tray, to which a line of that length leads."""

    x: float
    y: float
    nx: float
    ny: float
    w: float
    gap: float = 0.0

    def box(self, w: float, h: float) -> Box:
        """Return the box of a content of that size: it touches the edge."""
        away = abs(self.nx) * w / 2 + abs(self.ny) * h / 2
        return Box(self.x + self.nx * away, self.y + self.ny * away, w, h)


class Tray(Value):
    """What hangs beside a channel and takes the copies of its messages."""

    way: Way
    thick: float


class Track(Value):
    """A channel on the stage. ``tube`` is its thickness, ``lane`` the path of recorded parts, ``label`` the place of
    its caption and ``room`` the caption's greatest width. ``tray`` is None in a row, where it is as wide as its
    caption. If many channels cross, messages move along ``stretches`` (the head's first), at least ``gap`` apart; where
    that is impossible, they are counted at ``home``. ``badge`` is the place of the recorded state, ``sheets`` are the
    stretches of the lane, and ``perch`` is its home.
    ``wrong`` is the separate line for failed checks. ``inner`` is the side of the channel without caption and tray: 1
    right, -1 left."""

    way: Way
    tube: float
    head: tuple[Point, ...]
    lane: Way
    label: Point
    room: float
    tray: Tray | None = None
    stretches: tuple[Stretch, ...] | None = None
    gap: float = 0
    badge: Badge | None = None
    home: Station | None = None
    sheets: tuple[Stretch, ...] | None = None
    perch: Station | None = None
    wrong: Point | None = None
    inner: int = -1

    @property
    def outer(self) -> int:
        """The side of the channel with its tray."""
        return -self.inner


SMALL, LARGEST = 13.0, 16.0
"""The size of small letters, and the largest that they have room for in a row."""


class Plan(Value):
    """The whole stage. ``pill`` is the height of a message, ``wide`` its greatest width, ``rows`` the number of rows of
    a state that a process shows (0: one line), ``foot`` the height of the cells at the lower end of a process,
    ``least`` the size of the smallest letters, and ``loud`` that on channels. Processes and their copies are drawn
    ``larger`` than all else."""

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
    least: float = 0
    larger: float = 1
    loud: float = 0

    @property
    def small(self) -> float:
        """The size of small letters. In a row nothing else is drawn larger in a lecture, so they are."""
        lecture = self.look == "row" and self.loud > self.least
        return min(max(SMALL, self.loud), LARGEST) if lecture else SMALL

    def letter(self, size: float, scale: float = 1) -> float:
        """Return a font size, or that of the smallest letters if it is less, in what is drawn at that scale."""
        return max(size, self.least / scale)


class Content(Value):
    """How much room the states need: the most rows, and the widest row, value and name in em; ``foot``: do processes
    have cells at their feet, as in a dataflow? ``logs``: does one of them write logs? ``larger``: how much larger than
    all else they are drawn; ``loud``: the size in px that no letter on a channel should be below."""

    rows: int
    line: float
    value: float
    name: float
    foot: bool = False
    logs: bool = False
    larger: float = 1
    loud: float = 0


def arrowhead(way: Way, away: float, long: float, half: float) -> tuple[Point, ...]:
    """Return the corners of the arrowhead that stands ``away`` units beyond the end of a path. It has a notch: of three
    corners alone, any could be the tip."""
    base = way.length + away
    return way.at(base + long), way.at(base, half), way.at(base + long / 4), way.at(base, -half)


def leaving(start: Point, dx: float, dy: float, box: Box) -> float:
    """Return the distance from ``start`` in that direction to the edge of the box."""
    across = (box.x + math.copysign(box.w / 2, dx) - start.x) / dx if dx else math.inf
    down = (box.y + math.copysign(box.h / 2, dy) - start.y) / dy if dy else math.inf
    return max(0.0, min(across, down))


def hanging(way: Way) -> int:
    """Return the side of a path that is below it: 1 right, -1 left."""
    a, b = way.points[0], way.points[-1]
    return 1 if b.x >= a.x else -1


def sent(plan: Plan) -> Plan:
    """Return the plan exactly as the browser receives it: otherwise both would find places that differ a little."""
    done: Plan = replace(_part(plan), width=plan.width, height=plan.height)
    return done


def _part(value: Value) -> Any:
    """Return a part of a plan with its numbers rounded to a hundredth: a large plan has a hundred thousand."""
    return type(value)(*_each(astuple(value)))


def _each(values: Sequence[object]) -> list[Any]:
    return [rounds(one) if (rounds := _ROUNDS.get(type(one))) else one for one in values]


def _way(way: Way) -> Way:
    a, b = way.points[0], way.points[-1]
    straight = way.length - math.hypot(b.x - a.x, b.y - a.y) < 0.01
    points = (a, b) if straight else way.points
    return measured(way.d, [Point(round(p.x, 2), round(p.y, 2)) for p in points])


_ROUNDS: dict[type, Callable[[Any], Any]] = {
    float: partial(round, ndigits=2),
    Point: lambda value: Point(round(value.x, 2), round(value.y, 2)),
    Way: _way,
    Tray: lambda value: Tray(_way(value.way), value.thick),
    tuple: lambda value: tuple(_each(value)),
    **dict.fromkeys((Box, Station, Stretch, Badge, Track), _part),
}


def in_json(plan: Plan) -> dict[str, Json]:
    """Return the plan as the browser receives it: see the top."""
    tracks: list[Json] = []
    for track in plan.tracks:
        tray = track.tray and {**_path(track.tray.way), "thick": track.tray.thick}
        rest = {name: value for name, value in to_builtins(track).items() if name not in ("way", "lane", "tray")}
        tracks.append({"path": _path(track.way), "lane": _path(track.lane), "tray": tray, **rest})
    rest = {name: value for name, value in to_builtins(replace(plan, tracks=())).items() if name != "tracks"}
    return {**rounded(rest), "small": rounded(plan.small), "tracks": tracks}


def _path(way: Way) -> dict[str, Json]:
    return {"d": way.d, "points": [[p.x, p.y] for p in way.points]}


def rounded(value: object) -> Any:
    """Return the same with its numbers rounded to a hundredth."""
    if isinstance(value, dict):
        return {name: rounded(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [rounded(each) for each in value]
    return round(value, 2) if isinstance(value, float) else value


def least_bent(
    bends: Iterable[float], bent: Callable[[float], Way], around: Sequence[Box], margin: float, price: float
) -> float:
    """Return the bend of the path that passes least behind the boxes; each unit of a bend counts as much as ``price``
    points there. The ``bends`` come from the least one on."""
    best, least = 0.0, math.inf
    for bend in bends:
        if abs(bend) * price >= least:
            break
        cost = _covered(bent(bend), around, margin) + abs(bend) * price
        if cost < least:
            best, least = bend, cost
    return best


def _covered(way: Way, around: Sequence[Box], margin: float) -> int:
    """Count the points of the path that lie behind the boxes."""
    across, down = [p.x for p in way.points], [p.y for p in way.points]
    left, right, top, low = min(across), max(across), min(down), max(down)
    hits = 0
    for box in around:
        w, h = box.w / 2 + margin, box.h / 2 + margin
        if left - w < box.x < right + w and top - h < box.y < low + h:  # most are nowhere near
            hits += sum(abs(p.x - box.x) < w and abs(p.y - box.y) < h for p in way.points)
    return hits
