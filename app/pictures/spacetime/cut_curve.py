"""The curve of a cut: vertical at every line, and in between bent away from arrows that would run along it."""

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

from app.pictures.layout.paths import Point, r

Bend = tuple[float, float]
"""How far a curve stays vertical after a line, and how far before the next one, as parts of the way between."""
EVEN: Bend = (0.5, 0.5)
BENDS: tuple[Bend, ...] = (EVEN, (0.75, 0.25), (0.25, 0.75), (0.9, 0.2), (0.2, 0.9), (0.25, 0.25), (0.0, 0.0))
"""All bends, the most even first, the last one straight: the same as in ``static/js/cut_curve.js``."""
NEAR = 14.0
"""An arrow nearer than this to the curve runs along it."""
MUCH = 320.0
"""How long an arrow runs along an even curve before that is bent; one that crosses it counts a little as well."""
AGAIN = 60.0
"""What each crossing of an arrow counts."""
FALSELY = 10_000.0
"""What it counts to cross an arrow and to come back: that message is on one side of the cut. A straight line never does
so to a message between the two lines."""
TOUCHES = 0.5
"""An arrow so near to a point of the curve is on neither side of it."""
PARTS = 24


def path(xs: Sequence[float], ys: Sequence[float], bends: Sequence[Bend], bottom: float) -> list[tuple[float, str]]:
    """Return the pieces of a curve that meets the lines at ``xs``, from the top, each with its beginning."""
    pieces = [(xs[0], f"V{r(ys[0])}")]
    for i in range(1, len(xs)):
        (a, b), (y, z), (leave, reach) = xs[i - 1 : i + 1], ys[i - 1 : i + 1], bends[i - 1]
        high, low = y + (z - y) * leave, z - (z - y) * reach
        pieces.append((a, f"C{r(a)} {r(high)} {r(b)} {r(low)} {r(b)} {r(z)}"))
    return [*pieces, (xs[-1], f"V{r(bottom)}")]


def even(rows: int) -> list[Bend]:
    """Return the bends of a curve that nothing is in the way of."""
    return [EVEN] * (rows - 1)


def bent(xs: Sequence[float], ys: Sequence[float], arrows: Iterable[tuple[Point, Point]]) -> list[Bend]:
    """Return how a curve bends between the lines, given the arrows from end to end."""
    return list(_bent(tuple(xs), tuple(ys), tuple((a, b) if a.y <= b.y else (b, a) for a, b in arrows)))


@lru_cache(maxsize=16)
def _bent(xs: tuple[float, ...], ys: tuple[float, ...], arrows: tuple[tuple[Point, Point], ...]) -> tuple[Bend, ...]:
    """Return the same for arrows that point down. A picture asks several times about the same curve."""
    found = []
    for i in range(1, len(xs)):
        start, end = Point(xs[i - 1], ys[i - 1]), Point(xs[i], ys[i])
        left, right = min(start.x, end.x) - NEAR, max(start.x, end.x) + NEAR
        beside = [
            (a, b)
            for a, b in arrows
            if a.y <= start.y + 1 and b.y >= end.y - 1 and min(a.x, b.x) < right and max(a.x, b.x) > left
        ]
        found.append(_best(start, end, beside))
    return tuple(found)


def _best(start: Point, end: Point, arrows: list[tuple[Point, Point]]) -> Bend:
    """Return the bend with the least of any arrow along it; an even one if that is good enough."""
    plain = _beside(start, end, EVEN, arrows)
    if plain <= MUCH:
        return EVEN
    costs = [(_beside(start, end, bend, arrows), i) for i, bend in enumerate(BENDS)]
    cost, best = min(costs)
    return BENDS[best] if cost < plain * 0.7 else EVEN


def _beside(start: Point, end: Point, bend: Bend, arrows: list[tuple[Point, Point]]) -> float:
    """Return how much of the arrows lies along a piece of a curve, in px, and what it counts to cross them."""
    points = [_at(start, end, bend, part / PARTS) for part in range(PARTS + 1)]
    total = 0.0
    for a, b in arrows:
        length = math.hypot(b.x - a.x, b.y - a.y) or 1
        sides = [((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)) / length for p in points]
        for i in range(1, PARTS):
            if abs(sides[i]) < NEAR:
                one, other = points[i - 1], points[i]
                total += (1 - abs(sides[i]) / NEAR) * math.hypot(other.x - one.x, other.y - one.y)
        between = [side < 0 for side in sides[1:PARTS] if abs(side) > TOUCHES]
        left = [sides[0] < 0, *between, sides[PARTS] < 0]
        crossings = sum(one != other for one, other in pairwise(left))
        total += AGAIN * crossings + FALSELY * (crossings - (left[0] != left[-1]))
    return total


def _at(start: Point, end: Point, bend: Bend, t: float) -> Point:
    """Return a point of a piece of a curve."""
    high, low = start.y + (end.y - start.y) * bend[0], end.y - (end.y - start.y) * bend[1]
    s = 1 - t
    y = s**3 * start.y + 3 * s * s * t * high + 3 * s * t * t * low + t**3 * end.y
    return Point(start.x + (end.x - start.x) * t * t * (3 - 2 * t), y)
