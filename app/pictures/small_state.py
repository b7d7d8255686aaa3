"""Global states in small, so that they can be compared: what each process has, and what is in each channel.

All of a state can be read, or it is not drawn at all: a part that is shortened might be the one that differs.
"""

import math
from collections.abc import Mapping, Sequence
from itertools import combinations

from app.core.model.system import System
from app.core.model.topology import Topology
from app.core.model.value import Frozen
from app.core.model.values import Json
from app.pictures.layout.colours import Text
from app.pictures.layout.paths import Point
from app.pictures.layout.plan import Box, leaving
from app.pictures.layout.text_width import measure
from app.pictures.render import draw
from app.pictures.stage.coins import Coin, as_coins, coins
from app.pictures.stage.coins import wide as coins_wide
from app.words.catalogues import readable

WIDTHS = (216, 320)
"""How wide the pictures are: the first of these that has room. Phones have room for the last one."""
FONT, LINE = 13.0, 16.0
"""The size of letters, and of a line of them. The picture is never shown smaller than it is drawn."""
AHEAD = 0.56
"""How far along a channel its contents stand."""
COIN = 7.0
"""The radius of a coin."""
MOST = 4
"""With more lines than this, a state is not drawn."""
HIGH = 20.0
"""The height of what is in a channel."""
PAD, EDGE, APART, DOWN, LONG, HEAD = 8.0, 2.0, 15.0, 48.0, 24.0, 7.0
"""Beside the words in a process or a message, around the picture, from a channel to the line between its processes,
and between two processes one below the other; the length of the shortest channel, and of an arrowhead."""


class Node(Frozen):
    """A process: its box and its lines, the first of which is its name; and instead of a second line, its ``coins``."""

    name: str
    box: Box
    lines: tuple[str, ...]
    coins: int | None = None

    def y(self, index: int) -> float:
        """Return where a line stands, from the middle."""
        return (index - (len(self.lines) - 1) / 2) * LINE + FONT * 0.36

    @property
    def drawn(self) -> tuple[list[Coin], list[Text]]:
        """Its coins as on the stage, from the middle, and the number of too many."""
        if self.coins is None:
            return [], []
        return coins(self.coins, -coins_wide(self.coins, COIN) / 2, LINE / 2, COIN, "tone")


class Arrow(Frozen):
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
    def free(self) -> bool:
        """Is the channel long enough, and is its head not covered by its contents?"""
        dx, dy = abs(self.b.x - self.a.x), abs(self.b.y - self.a.y)
        far = math.hypot(dx, dy)
        if far < LONG or not self.said:
            return far >= LONG
        covered = min(self.w / 2 / dx if dx else math.inf, HIGH / 2 / dy if dy else math.inf) * far
        return far * (1 - AHEAD) >= covered + HEAD

    @property
    def turn(self) -> float:
        """The direction of its head, in degrees."""
        return math.degrees(math.atan2(self.b.y - self.a.y, self.b.x - self.a.x))


State = tuple[Mapping[str, Json], str]
"""The states of the processes and the contents of the channels by name; and the same in words."""


def small_states(system: System, states: Sequence[State], language: str) -> list[str]:
    """Return global states as pictures of the same width; none at all where one of them has too little room."""
    for width in WIDTHS:
        found = [_laid_out(system, parts, language, width) for parts, _ in states]
        drawn = [
            draw("_state.svg", (width, each[2]), nodes=each[0], arrows=each[1], said=said, font=FONT, high=HIGH)
            for each, (_, said) in zip(found, states, strict=True)
            if each is not None
        ]
        if len(drawn) == len(states):
            return drawn
    return []


def _laid_out(
    system: System, parts: Mapping[str, Json], language: str, width: float
) -> tuple[tuple[Node, ...], tuple[Arrow, ...], float] | None:
    """Return the processes and the channels in their places, and the height of the picture; None where they would lie
    on each other."""
    topology = system.topology
    nodes, height = _nodes(topology, parts, language, width, as_coins(system))
    arrows = tuple(_arrow(topology, name, nodes, parts[name], language) for name in topology.channels)
    boxes = [one.box for one in nodes.values()]
    boxes += [Box(one.middle.x, one.middle.y, one.w, HIGH) for one in arrows if one.said]
    inside = all(abs(one.x - width / 2) + one.w / 2 <= width / 2 for one in boxes)
    apart = all(
        abs(a.x - b.x) >= (a.w + b.w) / 2 or abs(a.y - b.y) >= (a.h + b.h) / 2 for a, b in combinations(boxes, 2)
    )
    free = all(one.free for one in arrows)
    brief = all(len(one.lines) <= MOST + 1 for one in nodes.values())
    return (tuple(nodes.values()), arrows, height) if inside and apart and free and brief else None


def _nodes(
    topology: Topology, parts: Mapping[str, Json], language: str, width: float, pieces: bool
) -> tuple[dict[str, Node], float]:
    """Return the processes in their places, and the height of the picture. ``pieces``: their states are coins."""
    held = {name: state if pieces and isinstance(state := parts[name], int) else None for name in topology.names}
    lines = {name: (name, *(_lines(parts[name], language) if held[name] is None else [""])) for name in topology.names}
    rows = len({round(y, 2) for _, y in topology.layout.values()})
    widths = [measure(one, FONT) for mine in lines.values() for one in mine]
    widths += [coins_wide(count, COIN) for count in held.values() if count is not None]
    wide = max(44.0, max(widths) + 2 * PAD)
    tall = max(map(len, lines.values())) * LINE + 10
    left, top = EDGE + wide / 2, EDGE + max(tall / 2, APART + HIGH / 2)
    height = 2 * top + (rows - 1) * (tall + DOWN)
    found = {}
    lowest, highest = (f(y for _, y in topology.layout.values()) for f in (min, max))
    first, last = (f(x for x, _ in topology.layout.values()) for f in (min, max))
    for name, (x, y) in topology.layout.items():
        across = (x - first) / (last - first) if last > first else 0.5
        down = (y - lowest) / (highest - lowest) if highest > lowest else 0.5
        place = (left + across * (width - 2 * left), top + down * (height - 2 * top))
        found[name] = Node(name, Box(*place, wide, len(lines[name]) * LINE + 10), lines[name], held[name])
    return found, height


def _lines(state: Json, language: str) -> list[str]:
    """Return a state line by line; one that has nothing to show is a dash, as on the stage."""
    if isinstance(state, dict) and len(state) > 1:
        return [readable({key: value}, language) for key, value in state.items()]
    return ["–" if state == "" else readable(state, language)]


def _arrow(topology: Topology, name: str, nodes: Mapping[str, Node], found: Json, language: str) -> Arrow:
    """Return a channel between the edges of its processes. One of two between the same processes keeps to its right."""
    channel = topology.channels[name]
    here, there = nodes[channel.source].box, nodes[channel.target].box
    dx, dy = there.x - here.x, there.y - here.y
    far = math.hypot(dx, dy) or 1
    paired = any(one.source == channel.target and one.target == channel.source for one in topology.channels.values())
    aside = APART if paired else 0.0
    shift = Point(dy / far * aside, -dx / far * aside)
    a, b = (Point(one.x + shift.x, one.y + shift.y) for one in (here, there))
    begin, end = leaving(a, dx / far, dy / far, here) + 2, leaving(b, -dx / far, -dy / far, there) + 3
    a = Point(a.x + dx / far * begin, a.y + dy / far * begin)
    b = Point(b.x - dx / far * end, b.y - dy / far * end)
    items = [readable(one, language) for one in found]
    if dx > 0:
        items.reverse()  # the first to arrive is nearest to the head
    shown = " ".join(items)
    return Arrow(name, a, b, shown, max(HIGH, measure(shown, FONT) + PAD) if shown else 0.0)
