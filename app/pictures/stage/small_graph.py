"""A scenario's graph in small, and if its run is quickly made, what its first snapshot recorded."""

import math

from app.core.model import recorded_state
from app.core.model.topology import Topology, source_of, target_of
from app.core.model.value import Frozen
from app.pictures.layout.colours import TONES
from app.pictures.layout.dataflow import deepest
from app.pictures.layout.paths import Point, Way, quadratic, rounded
from app.pictures.layout.plan import arrowhead
from app.pictures.layout.text_width import fit, measure
from app.pictures.quick_run import quick_run
from app.scenario.scenario import Scenario

WIDTH, HEIGHT = 320, 180
FONTS = (15.0, 13.0, 11.5)
"""The sizes of names, best first: the last one is used even if names must be cut."""
NAMED = 12
"""With more processes than this, they are dots without names."""
UNDER, NEXT = 26, 8
"""In layers: from the lowest process to the channels that lead back below it, and from one of them to the next."""


class Dot(Frozen):
    """A process; ``recorded``: it is in the snapshot."""

    name: str
    said: str
    place: Point
    recorded: bool


class Line(Frozen):
    """A channel; ``held`` counts the messages in its recorded state; ``against``: in dataflow, it leads back."""

    name: str
    way: Way
    head: tuple[Point, ...]
    held: int
    against: bool = False

    @property
    def middle(self) -> Point:
        """Where the count stands."""
        return self.way.at(self.way.length / 2)


class SmallGraph(Frozen):
    """What the template draws. ``broken``: a check of the snapshot fails."""

    radius: float
    font: float
    dots: tuple[Dot, ...]
    lines: tuple[Line, ...]
    broken: bool
    tone: str

    @property
    def large(self) -> bool:
        """Are there too many processes to name them?"""
        return len(self.dots) > NAMED


def small_graph(scenario: Scenario) -> SmallGraph:
    """Return the scenario in small."""
    topology = scenario.topology
    n = len(topology.names)
    radius = 28.0 if n <= 3 else 22.0 if n <= 6 else 15.0 if n <= NAMED else 5.0
    if topology.layers:
        radius = min(radius, _slim(topology))
    recorded, crossing, broken = _cut(scenario)
    places = _placed(topology, radius)
    room = radius * 2 - 4
    longest = max(measure(name, 1) for name in topology.names)
    font = next((size for size in FONTS if longest * size <= room), FONTS[-1])
    dots = tuple(Dot(name, fit(name, font, room), places[name], name in recorded) for name in topology.names)
    lines = []
    ways = _beneath(topology, places, radius) if topology.layers else {}
    for name, channel in topology.channels.items():
        against = name in ways
        paired = f"{channel.target}->{channel.source}" in topology.channels and not topology.layers
        way = ways.get(name) or _link(places[channel.source], places[channel.target], radius, paired)
        held = crossing.get(name, 0)
        long = 4.0 if n > NAMED else 12.0 if held else 9.0
        lines.append(Line(name, way, arrowhead(way, -1, long, long * 0.55), held, against))
    return SmallGraph(radius, font, dots, tuple(lines), broken, TONES[0])


def _slim(topology: Topology) -> float:
    """Return the radius of processes in layers that leaves room for channels between them."""
    columns = len({x for x, _ in topology.layout.values()})
    rows = deepest([Point(*place) for place in topology.layout.values()])
    below = UNDER + NEXT * len(topology.back_edges) if topology.back_edges else 0
    return min((WIDTH - 16) / (3.6 * (columns - 1) + 2), (HEIGHT - 16 - below) / (2.6 * rows))


def _placed(topology: Topology, radius: float) -> dict[str, Point]:
    """Return the positions of the processes in the picture."""
    if not topology.layers:
        return {name: _spread(place, radius) for name, place in topology.layout.items()}
    rows = deepest([Point(*place) for place in topology.layout.values()])
    wide, side = WIDTH - 2 * (radius + 8), radius + 8
    below = UNDER + NEXT * (len(topology.back_edges) - 1) if topology.back_edges else 0
    pitch = min((HEIGHT - 16 - below) / rows, 3.4 * radius)
    top = (HEIGHT - below - rows * pitch) / 2
    return {name: Point(side + x * wide, top + y * rows * pitch) for name, (x, y) in topology.layout.items()}


def _beneath(topology: Topology, places: dict[str, Point], radius: float) -> dict[str, Way]:
    """Return the channels that lead back: from below a process, beneath all others, to below another; the shorter ones
    inside."""

    def long(name: str) -> float:
        return abs(places[source_of(name)].x - places[target_of(name)].x)

    found: dict[str, Way] = {}
    floor = max(place.y for place in places.values()) + radius
    for i, name in enumerate(sorted(topology.back_edges, key=long)):
        a, b = places[source_of(name)], places[target_of(name)]
        y = floor + UNDER + i * NEXT
        # Midway between two layers, past anything below.
        away = (WIDTH - 2 * (radius + 8)) / max(1, len({place.x for place in places.values()}) - 1) / 2
        first = [Point(a.x, a.y + radius + 2), *_detour(a, a.x - away, y, places, radius)]
        last = [Point(b.x, b.y + radius + 12), *_detour(b, b.x + away, y, places, radius)]
        found[name] = rounded([*first, *reversed(last)], 10)
    return found


def _detour(place: Point, beside: float, y: float, places: dict[str, Point], radius: float) -> list[Point]:
    """Return the path from below a process down to ``y``."""
    if not any(abs(other.x - place.x) < radius and other.y > place.y for other in places.values()):
        return [Point(place.x, y)]
    ledge = place.y + radius * 1.35
    return [Point(place.x, ledge), Point(beside, ledge), Point(beside, y)]


def _spread(place: tuple[float, float], radius: float) -> Point:
    """Return the position in the picture of a place in 0..1."""
    side = radius + 14
    wide = min(WIDTH - 2 * side, 236)
    return Point(WIDTH / 2 + (place[0] - 0.5) * wide, side + place[1] * (HEIGHT - 2 * side))


def _link(a: Point, b: Point, radius: float, paired: bool) -> Way:
    """Return the path from rim to rim; one of a pair bends to its right."""
    far = math.hypot(b.x - a.x, b.y - a.y) or 1
    dx, dy = (b.x - a.x) / far, (b.y - a.y) / far
    turn = 0.5 if paired and radius > 6 else 0.0
    out = Point(dx * math.cos(turn) - dy * math.sin(turn), dx * math.sin(turn) + dy * math.cos(turn))
    into = Point(-dx * math.cos(turn) - dy * math.sin(turn), dx * math.sin(turn) - dy * math.cos(turn))
    start = Point(a.x + out.x * (radius + 4), a.y + out.y * (radius + 4))
    stop = Point(b.x + into.x * (radius + 14), b.y + into.y * (radius + 14))
    bend = far * 0.1 if turn else 0.0
    middle = Point((start.x + stop.x) / 2 - dy * bend, (start.y + stop.y) / 2 + dx * bend)
    return quadratic(start, middle, stop)


def _cut(scenario: Scenario) -> tuple[frozenset[str], dict[str, int], bool]:
    """Return which processes recorded for the first snapshot, how many messages it holds by channel, and whether a
    check fails; nothing for a long run."""
    run = quick_run(scenario)
    if run is None:
        return frozenset(), {}, False
    for number, verdict in run.verdicts.items():
        parts = recorded_state.parts(run.system, run.end, number)
        held = {c: len(messages) for c, messages in recorded_state.channels(run.system, parts).items()}
        return frozenset(parts), held, bool(verdict.broken)
    return frozenset(), {}, False
