"""The parts of a plan of the stage, and the measures that all looks share. The player draws the same plan.

A plan in JSON
--------------
Lengths and places are in units of the plan, rounded to a hundredth; ``place`` is {x, y}, y down.

``look``      row, circle, wires or grid
``width`` ``height``   of the plan: the picture's ``viewBox``
``pill`` ``wide`` ``font`` ``rows`` ``foot``   see Plan
``nodes``     the processes, in their order: [{x, y, w, h}, …], by their middles; ``cards`` the same of their copies
``tracks``    the channels, in their order: [{tube, room, inner, print, …}, …], see Track; with
              ``path`` and ``lane``: {d, points}, ``d`` for drawing and the ``points`` [[x, y], …] on it for finding
              places along it; ``lane`` is null if it is the path; ``head`` [place, place, place]; ``label`` place;
              ``wrong`` place or null; ``stations`` [{at, scale}, …] or null; ``badge`` {at, w} or null; ``sheet``
              {at, scale} or null
"""

import math
from dataclasses import asdict, dataclass, replace
from typing import Any

from app.core.model.values import Json
from app.pictures.layout.paths import Point, Way

MANY = 12
"""With more processes than this, processes are small and their channels thin lines."""
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


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle by its middle."""

    x: float
    y: float
    w: float
    h: float


@dataclass(frozen=True, slots=True)
class Link:
    """A channel: the indices of its two processes, whether another leads back, and whether, in a dataflow, it leads
    against the flow."""

    source: int
    target: int
    paired: bool
    against: bool = False


@dataclass(frozen=True, slots=True)
class Station:
    """A place along a path reserved for one message or recorded state, and how large that may be."""

    at: float
    scale: float


@dataclass(frozen=True, slots=True)
class Badge:
    """Where along a path its recorded state is printed, and how wide that may be."""

    at: float
    w: float


@dataclass(frozen=True, slots=True)
class Track:
    """A channel on the stage. ``tube`` is its thickness, ``lane`` the path of recorded parts, ``label`` the place of
    its caption and ``room`` the caption's greatest width, ``print`` the part of the tube at which its recorded state is
    printed. If many channels cross, messages rest at ``stations`` (the head's first), the recorded state at ``badge``,
    a recorded part in flight at ``sheet``. ``wrong`` is the separate line for failed checks. ``inner`` is the side of
    the channel without a caption: 1 right, -1 left."""

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
    inner: int = 1


@dataclass(frozen=True, slots=True)
class Plan:
    """The whole stage. ``pill`` is the height of a message, ``wide`` its greatest width, ``rows`` the number of rows of
    a state that a process shows (0: one line), ``foot`` the height of the cells at the lower end of a process."""

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
    """How much room the states need: the most rows, and the widest row, value and name in em; ``foot``: do processes
    have cells at their feet, as in a dataflow? ``logs``: does one of them write logs?"""

    rows: int
    line: float
    value: float
    name: float
    foot: bool = False
    logs: bool = False


def arrowhead(way: Way, away: float, long: float, half: float) -> tuple[Point, Point, Point]:
    """Return the three corners of the arrowhead that stands ``away`` units beyond the end of a path."""
    base = way.length + away
    return way.at(base + long), way.at(base, half), way.at(base, -half)


def in_json(plan: Plan) -> dict[str, Json]:
    """Return the plan as the browser receives it: see the top."""
    tracks: list[Json] = []
    for track in plan.tracks:
        lane = None if track.lane is track.way else _path(track.lane)
        rest = {name: value for name, value in asdict(track).items() if name not in ("way", "lane")}
        tracks.append({"path": _path(track.way), "lane": lane, **rounded(rest)})
    rest = {name: value for name, value in asdict(replace(plan, tracks=())).items() if name != "tracks"}
    return {**rounded(rest), "tracks": tracks}


def _path(way: Way) -> Json:
    a, b = way.points[0], way.points[-1]
    straight = way.length - math.hypot(b.x - a.x, b.y - a.y) < 0.01
    points = (a, b) if straight else way.points
    return {"d": way.d, "points": [[round(p.x, 2), round(p.y, 2)] for p in points]}


def rounded(value: Any) -> Any:
    """Return the same with its numbers rounded to a hundredth."""
    if isinstance(value, dict):
        return {name: rounded(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [rounded(each) for each in value]
    return round(value, 2) if isinstance(value, float) else value
