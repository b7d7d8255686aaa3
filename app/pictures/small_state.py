"""A global state in small, so that several can be compared: what each process has, and what is in each channel."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from app.core.model.topology import Topology
from app.core.model.values import Json
from app.pictures.layout.paths import Point
from app.pictures.layout.text_width import fit, measure
from app.pictures.render import draw
from app.words.catalogues import readable

WIDTH = 216
FONT, LINE = 13.0, 16.0
"""The size of letters, and of a line of them. The picture is never shown smaller than it is drawn."""
AHEAD = 0.56
"""How far along a channel its contents stand."""
MOST = 4
"""So many lines of a state are shown."""
HIGH = 20.0
"""The height of what is in a channel."""
PAD, EDGE, APART, GAP, DOWN = 8.0, 2.0, 15.0, 62.0, 48.0
"""Beside the words in a process or a message, around the picture, from a channel to the line between its processes,
and between two processes, across and down."""


@dataclass(frozen=True, slots=True)
class Node:
    """A process: its middle, size and lines, the first of which is its name."""

    name: str
    place: Point
    w: float
    h: float
    lines: tuple[str, ...]

    def y(self, index: int) -> float:
        """Return where a line stands, from the middle."""
        return (index - (len(self.lines) - 1) / 2) * LINE + FONT * 0.36


@dataclass(frozen=True, slots=True)
class Arrow:
    """A channel: from ``a`` to ``b``; ``said`` is what is in it, in a box of width ``w`` around ``middle``."""

    name: str
    a: Point
    b: Point
    said: str
    w: float

    @property
    def middle(self) -> Point:
        """Where its contents stand: nearer to the head, so that two channels between the same processes keep apart."""
        return Point(self.a.x + (self.b.x - self.a.x) * AHEAD, self.a.y + (self.b.y - self.a.y) * AHEAD)

    @property
    def turn(self) -> float:
        """The direction of its head, in degrees."""
        return math.degrees(math.atan2(self.b.y - self.a.y, self.b.x - self.a.x))


def small_state(topology: Topology, parts: Mapping[str, Json], language: str, said: str) -> str:
    """Return a global state as a picture. ``parts`` are the states of the processes and the contents of the channels by
    name; ``said`` is the state in words."""
    nodes, height = _nodes(topology, parts, language)
    arrows = tuple(_arrow(topology, name, nodes, parts[name], language) for name in topology.channels)
    size = (WIDTH, height)
    return draw("_state.svg", size, nodes=tuple(nodes.values()), arrows=arrows, said=said, font=FONT, high=HIGH)


def _nodes(topology: Topology, parts: Mapping[str, Json], language: str) -> tuple[dict[str, Node], float]:
    """Return the processes in their places, and the height of the picture."""
    lines = {name: (name, *_lines(parts[name], language)) for name in topology.names}
    columns = len({round(x, 2) for x, _ in topology.layout.values()})
    rows = len({round(y, 2) for _, y in topology.layout.values()})
    room = (WIDTH - 2 * EDGE - GAP * (min(columns, 3) - 1)) / min(columns, 3)
    wide = min(room, max(measure(one, FONT) for mine in lines.values() for one in mine) + 2 * PAD)
    wide = max(wide, 44.0)
    tall = max(map(len, lines.values())) * LINE + 10
    left, top = EDGE + wide / 2, EDGE + max(tall / 2, APART + HIGH / 2)
    height = 2 * top + (rows - 1) * (tall + DOWN)
    found = {}
    lowest, highest = (f(y for _, y in topology.layout.values()) for f in (min, max))
    first, last = (f(x for x, _ in topology.layout.values()) for f in (min, max))
    for name, (x, y) in topology.layout.items():
        across = (x - first) / (last - first) if last > first else 0.5
        down = (y - lowest) / (highest - lowest) if highest > lowest else 0.5
        place = Point(left + across * (WIDTH - 2 * left), top + down * (height - 2 * top))
        shown = tuple(fit(one, FONT, wide - PAD) for one in lines[name])
        found[name] = Node(name, place, wide, len(shown) * LINE + 10, shown)
    return found, height


def _lines(state: Json, language: str) -> list[str]:
    """Return a state line by line; one that has nothing to show is a dash, as on the stage."""
    if isinstance(state, dict) and len(state) > 1:
        every = [readable({key: value}, language) for key, value in state.items()]
        return every if len(every) <= MOST else [*every[: MOST - 1], "…"]
    return ["–" if state == "" else readable(state, language)]


def _arrow(topology: Topology, name: str, nodes: Mapping[str, Node], found: Json, language: str) -> Arrow:
    """Return a channel between the edges of its processes. One of two between the same processes keeps to its right."""
    channel = topology.channels[name]
    here, there = nodes[channel.source], nodes[channel.target]
    dx, dy = there.place.x - here.place.x, there.place.y - here.place.y
    far = math.hypot(dx, dy) or 1
    paired = any(one.source == channel.target and one.target == channel.source for one in topology.channels.values())
    aside = APART if paired else 0.0
    shift = Point(dy / far * aside, -dx / far * aside)
    a, b = (Point(one.place.x + shift.x, one.place.y + shift.y) for one in (here, there))
    begin, end = _out(here, a, dx / far, dy / far) + 2, _out(there, b, -dx / far, -dy / far) + 3
    a = Point(a.x + dx / far * begin, a.y + dy / far * begin)
    b = Point(b.x - dx / far * end, b.y - dy / far * end)
    items = [readable(one, language) for one in found]
    if dx > 0:
        items.reverse()  # the first to arrive is nearest to the head
    room = 2 * (1 - AHEAD) * abs(b.x - a.x) - 2 if abs(dy) < HIGH else GAP
    shown = fit(" ".join(items), FONT, room - PAD)
    return Arrow(name, a, b, shown, max(HIGH, measure(shown, FONT) + PAD) if shown else 0.0)


def _out(node: Node, start: Point, dx: float, dy: float) -> float:
    """Return how far it is in a direction from a point in a process to its edge."""
    reach = []
    for step, at, middle, half in ((dx, start.x, node.place.x, node.w / 2), (dy, start.y, node.place.y, node.h / 2)):
        if abs(step) > 1e-6:
            reach.append((middle + math.copysign(half, step) - at) / step)
    return max(0.0, min(reach, default=0.0))
