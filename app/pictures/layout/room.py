"""How large processes around a middle are drawn: as large as leaves their channels long, and all of them apart."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations

from app.pictures.layout.paths import Point
from app.pictures.layout.plan import Box, Link

LARGEST, FINER = 2.2, 0.96
"""The largest scale, and the steps in which it is made smaller."""
CLEAR = 16
"""The least distance between a process, with its copy, and another."""


def busiest(links: Sequence[Link]) -> int:
    """Return how many channels meet the process that has most."""
    ends = Counter(end for link in links for end in (link.source, link.target))
    return max(ends.values(), default=0)


def grown(least: float, roomy: Callable[[float], bool]) -> float:
    """Return the largest scale with enough room, but not less than ``least``."""
    zoom = LARGEST
    while zoom > least and not roomy(zoom):
        zoom *= FINER
    return max(zoom, least)


def crowded(nodes: Sequence[Box], cards: Sequence[Box], clear: float = CLEAR) -> bool:
    """Does a process or a copy come too near to those of another?"""
    pairs = list(zip(nodes, cards, strict=True))
    return any(
        abs(a.x - b.x) < (a.w + b.w) / 2 + clear and abs(a.y - b.y) < (a.h + b.h) / 2 + clear
        for one, other in combinations(pairs, 2)
        for a in one
        for b in other
    )


def shortest(nodes: Sequence[Box], links: Sequence[Link]) -> float:
    """Return the least distance between two processes with a channel."""
    return min((_apart(nodes[link.source], nodes[link.target]) for link in links), default=math.inf)


def _apart(a: Box, b: Box) -> float:
    across, down = abs(a.x - b.x) - (a.w + b.w) / 2, abs(a.y - b.y) - (a.h + b.h) / 2
    return math.hypot(max(0, across), max(0, down))


def filled(spots: Sequence[Point], centre: Point, rx: float, ry: float) -> list[Point]:
    """Return the places moved apart until they fill the ellipse's own box: three would leave a part of it empty."""

    def stretched(values: list[float], middle: float, reach: float) -> list[float]:
        low, high = min(values), max(values)
        if high - low < reach * 0.5:
            return values
        return [middle - reach + (value - low) / (high - low) * 2 * reach for value in values]

    across = stretched([p.x for p in spots], centre.x, rx)
    down = stretched([p.y for p in spots], centre.y, ry)
    return [Point(x, y) for x, y in zip(across, down, strict=True)]


def spread(wants: Sequence[float], gaps: Sequence[float], least: float, most: float) -> list[float]:
    """Return places along a line, each as near to the one that is wanted as the ``gaps`` between neighbours allow."""
    up: list[float] = []
    for i, want in enumerate(wants):
        up.append(max(want, up[-1] + gaps[i - 1] if i else least))
    down: list[float] = []
    for i, want in enumerate(reversed(wants), 1):
        down.append(min(want, down[-1] - gaps[-i + 1] if i > 1 else most))
    places: list[float] = []
    for i, (low, high) in enumerate(zip(up, reversed(down), strict=True)):
        places.append(max((low + high) / 2, places[-1] + gaps[i - 1] if i else least))
    for i in reversed(range(len(places))):
        places[i] = min(places[i], places[i + 1] - gaps[i] if i + 1 < len(places) else most)
    return places
