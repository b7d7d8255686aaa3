"""Lines and curves: their path data, and points along them."""

import math
from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise

from app.core.model.value import Value

SAMPLES = 32
"""Points for measuring the length of a curve."""
PARTS = 24
"""Points of a part of a curve."""
BEND = 6
"""Parts for measuring a rounded corner."""


class Point(Value):
    """A place, x to the right and y down."""

    x: float
    y: float


class Way(Value):
    """A line or a curve. ``d`` is its path data, ``lengths`` are the distances of its points from the first."""

    d: str
    points: tuple[Point, ...]
    lengths: tuple[float, ...]

    @property
    def length(self) -> float:
        """From end to end."""
        return self.lengths[-1]

    def at(self, distance: float, beside: float = 0) -> Point:
        """Return the point at a distance, ``beside`` units to the right; beyond its ends the path continues
        straight."""
        return Point(*self.spot(distance, beside))

    def spot(self, distance: float, beside: float = 0) -> tuple[float, float]:
        """Return the same as two numbers: a large plan asks for a million of them."""
        lengths = self.lengths
        i = bisect_left(lengths, distance, 1, len(lengths) - 1)
        a, b = self.points[i - 1], self.points[i]
        before = lengths[i - 1]
        span = lengths[i] - before or 1
        part = (distance - before) / span
        across, down = b.x - a.x, b.y - a.y
        if not beside:
            return a.x + across * part, a.y + down * part
        return a.x + across * part - down / span * beside, a.y + down * part + across / span * beside

    def beside(self, by: float) -> "Way":
        """Return the same path, ``by`` units to its right."""
        points = tuple(self.at(length, by) for length in self.lengths)
        return measured("M" + "L".join(f"{r(p.x)} {r(p.y)}" for p in points), points)

    def clear(self, w: float, h: float, side: int) -> "Way":
        """Return the path beside this one on which the middles of two boxes, together ``w`` by ``h`` large, are so far
        apart that they do not touch."""
        points = []
        for length in self.lengths:
            (x, y), (beside_x, beside_y) = self.spot(length), self.spot(length, side)
            nx, ny = beside_x - x, beside_y - y
            away = abs(nx) * w / 2 + abs(ny) * h / 2
            points.append(Point(x + nx * away, y + ny * away))
        return measured("M" + "L".join(f"{r(p.x)} {r(p.y)}" for p in points), points)

    def part(self, begin: float, end: float, by: float) -> "Way":
        """Return a part of the same path, ``by`` units to its right."""
        if len(self.points) == 2:
            return straight(self.at(begin, by), self.at(end, by))
        points = [self.at(begin + (end - begin) * i / PARTS, by) for i in range(PARTS + 1)]
        return measured("M" + "L".join(f"{r(p.x)} {r(p.y)}" for p in points), points)


def straight(a: Point, b: Point) -> Way:
    """Return a line."""
    return Way(f"M{r(a.x)} {r(a.y)}L{r(b.x)} {r(b.y)}", (a, b), (0.0, math.hypot(b.x - a.x, b.y - a.y)))


def quadratic(a: Point, control: Point, b: Point) -> Way:
    """Return a curve."""
    points = []
    for i in range(SAMPLES + 1):
        t = i / SAMPLES
        u = 1 - t
        x = u * u * a.x + 2 * u * t * control.x + t * t * b.x
        y = u * u * a.y + 2 * u * t * control.y + t * t * b.y
        points.append(Point(x, y))
    return measured(f"M{r(a.x)} {r(a.y)}Q{r(control.x)} {r(control.y)} {r(b.x)} {r(b.y)}", tuple(points))


def cubic(a: Point, first: Point, second: Point, b: Point) -> Way:
    """Return a curve with two control points."""
    points = []
    for i in range(SAMPLES + 1):
        t = i / SAMPLES
        u = 1 - t
        k = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
        x = k[0] * a.x + k[1] * first.x + k[2] * second.x + k[3] * b.x
        y = k[0] * a.y + k[1] * first.y + k[2] * second.y + k[3] * b.y
        points.append(Point(x, y))
    control = f"C{r(first.x)} {r(first.y)} {r(second.x)} {r(second.y)} {r(b.x)} {r(b.y)}"
    return measured(f"M{r(a.x)} {r(a.y)}{control}", tuple(points))


def rounded(corners: Sequence[Point], radius: float) -> Way:
    """Return a line through all points, its corners rounded as far as there is room."""
    points = [corners[0]]
    d = f"M{r(corners[0].x)} {r(corners[0].y)}"
    for a, corner, b in zip(corners, corners[1:], corners[2:], strict=False):
        before, after = _towards(corner, a, radius), _towards(corner, b, radius)
        d += f"L{r(before.x)} {r(before.y)}Q{r(corner.x)} {r(corner.y)} {r(after.x)} {r(after.y)}"
        for k in range(BEND + 1):
            t = k / BEND
            p, q, s = (1 - t) * (1 - t), 2 * t * (1 - t), t * t
            x = p * before.x + q * corner.x + s * after.x
            points.append(Point(x, p * before.y + q * corner.y + s * after.y))
    last = corners[-1]
    return measured(f"{d}L{r(last.x)} {r(last.y)}", [*points, last])


def _towards(corner: Point, other: Point, radius: float) -> Point:
    """Return where the rounding of a corner begins on the line to another."""
    far = math.hypot(other.x - corner.x, other.y - corner.y) or 1
    by = min(radius, far / 2) / far
    return Point(corner.x + (other.x - corner.x) * by, corner.y + (other.y - corner.y) * by)


def measured(d: str, points: Sequence[Point]) -> Way:
    """Return the path through these points, with their distances from the first."""
    lengths = [0.0]
    for a, b in pairwise(points):
        lengths.append(lengths[-1] + math.hypot(b.x - a.x, b.y - a.y))
    return Way(d, tuple(points), tuple(lengths))


def r(value: float) -> str:
    """Return a number in few digits, the same on every machine."""
    if abs(value) >= 10_000:
        return f"{value:.0f}"
    text = f"{value:.1f}".removesuffix(".0")
    return text if text != "-0" else "0"
