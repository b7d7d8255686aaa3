"""Many processes in rings around the one that starts the first snapshot: one ring for every number of channels that a
marker needs from there, so that the recorded states spread as a wave.

A ring without room for all of its processes becomes a band: they stand alternately on two or more lines.
"""

import cmath
import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import islice, pairwise

from app.core.model.value import Frozen
from app.pictures.layout.paths import Point
from app.pictures.layout.plan import Link

STEPS = 720
SWEEPS = 24
"""How often every ring is turned and sorted anew by the places of its neighbours."""
PITCH = 1.08
"""The least distance of neighbours in a ring, in processes with their room."""
ROUND = 2.6
"""The exponent of the rings' shape: 2 is an ellipse, more fills the corners of the stage."""


class Rings(Frozen):
    """The processes from the middle outwards, each ring in its order, and where in it each is, in 0..1."""

    levels: Sequence[Sequence[int]]
    turns: Mapping[int, float]


def sorted_out(n: int, links: Sequence[Link], first: int) -> Rings:
    """Return the rings of ``n`` processes around the ``first``."""
    levels = _levels(n, links, first)
    turns = _turns(levels, links)
    return Rings([sorted(level, key=lambda one: turns.get(one, 0)) for level in levels], turns)


def placed(rings: Rings, room: tuple[float, float], cell: tuple[float, float]) -> list[Point]:
    """Return the places of the processes, from the middle of a place of the size ``room``, which their middles do not
    leave. ``cell`` is the size of a process with the room that it needs around it."""
    levels, turns = rings.levels, rings.turns
    rx, ry = room[0] / 2, room[1] / 2
    rim = _rim(rx / cell[0], ry / cell[1])
    lines = _lines([len(level) for level in levels[1:]], rim[-1], min(rx / cell[0], ry / cell[1]))
    total = sum(lines)
    found = [Point(0, 0)] * sum(map(len, levels))
    before = 0
    for level, count in zip(levels[1:], lines, strict=True):
        for i, each in enumerate(level):
            part = (before + 1 + i % count) / total
            across, down = _shape(bisect_left(rim, turns[each] * rim[-1]) / STEPS)
            found[each] = Point(across * rx * part, down * ry * part)
        before += count
    return _filling(found, room)


def _filling(places: Sequence[Point], room: tuple[float, float]) -> list[Point]:
    """Return the places moved and stretched to the edges of the room: the outer rings may be only parts of rings."""
    left, right = min(p.x for p in places), max(p.x for p in places)
    top, low = min(p.y for p in places), max(p.y for p in places)
    wide, high = room[0] / ((right - left) or room[0]), room[1] / ((low - top) or room[1])
    return [Point((p.x - (left + right) / 2) * wide, (p.y - (top + low) / 2) * high) for p in places]


def apart(places: Sequence[Point], cell: tuple[float, float]) -> bool:
    """Is there room for processes of the size ``cell``, so that no two of them meet?"""
    wide, high = cell
    row = sorted((p.x, p.y) for p in places)
    for i, (x, y) in enumerate(row, 1):
        for right, low in islice(row, i, None):
            if (right - x) / wide >= 1:
                break
            if abs(low - y) / high < 1:
                return False
    return True


def _levels(n: int, links: Sequence[Link], first: int) -> list[list[int]]:
    """Return the processes by their distance from the first. Those that it does not reach are the last."""
    onward: dict[int, list[int]] = {}
    for link in links:
        onward.setdefault(link.source, []).append(link.target)
    levels, known = [[first]], {first}
    while level := sorted({there for here in levels[-1] for there in onward.get(here, ())} - known):
        levels.append(level)
        known |= set(level)
    rest = [each for each in range(n) if each not in known]
    return [*levels, rest] if rest else levels


def _lines(sizes: Sequence[int], rim: float, reach: float) -> list[int]:
    """Return on how many lines the processes of each ring stand. ``rim`` is how many have room on the outermost one,
    ``reach`` how many lines have room."""
    lines = [1] * len(sizes)
    while sum(lines) < reach:
        total, inner, tight = sum(lines), 0, []
        for i, (size, count) in enumerate(zip(sizes, lines, strict=True)):
            room = rim * (inner + 1) / total
            tight.append((size / count * PITCH / room, i))
            inner += count
        worst, at = max(tight)
        if worst <= 1:
            break
        lines[at] += 1
    return lines


def _turns(levels: Sequence[Sequence[int]], links: Sequence[Link]) -> dict[int, float]:
    """Return where in its ring each process is, in 0..1: near the processes it has channels with, first of all those
    nearer to the middle."""
    ring = {each: i for i, level in enumerate(levels) for each in level}
    beside: dict[int, list[int]] = {each: [] for each in ring}
    for link in links:
        beside[link.source].append(link.target)
        beside[link.target].append(link.source)
    turns: dict[int, float] = {}
    spins: dict[int, complex] = {}
    for _ in range(SWEEPS):
        for i, level in enumerate(levels):
            if i:
                # At first only what is nearer to the middle has a place.
                near = {each: [one for one in beside[each] if one in turns and ring[one]] for each in level}
                _settle(level, near, ring, turns, spins)
    return turns


def _settle(
    level: Sequence[int],
    near: Mapping[int, Sequence[int]],
    ring: Mapping[int, int],
    turns: dict[int, float],
    spins: dict[int, complex],
) -> None:
    """Place a ring at equal distances, in the order and at the turn that its neighbours suggest; ``spins`` are the
    turns as points around 0."""
    wish = dict[int, float]()
    for i, each in enumerate(level):
        pull = sum([spins[one] * (2 if ring[one] < ring[each] else 1) for one in near[each]], 0j)
        own = turns.get(each, (i + 0.5) / len(level))
        wish[each] = round(cmath.phase(pull) / (2 * math.pi) % 1, 6) if abs(pull) > 1e-6 else own
    order = sorted(level, key=lambda one: (wish[one], one))
    size = len(order)
    lean = sum((cmath.rect(1, 2 * math.pi * (wish[one] - i / size)) for i, one in enumerate(order)), 0j)
    by = cmath.phase(lean) / (2 * math.pi) if abs(lean) > 1e-6 else 0.0
    for i, each in enumerate(order):
        turns[each] = (i / size + by) % 1
        spins[each] = cmath.rect(1, 2 * math.pi * turns[each])


def _rim(rx: float, ry: float) -> list[float]:
    """Return the lengths along the outermost ring, from the right and downwards."""
    edge = [_shape(i / STEPS) for i in range(STEPS + 1)]
    sums = [0.0]
    for (x, y), (right, low) in pairwise(edge):
        sums.append(sums[-1] + math.hypot((right - x) * rx, (low - y) * ry))
    return sums


def _shape(turn: float) -> tuple[float, float]:
    angle = 2 * math.pi * turn
    x, y = math.cos(angle), math.sin(angle)
    return math.copysign(abs(x) ** (2 / ROUND), x), math.copysign(abs(y) ** (2 / ROUND), y)
