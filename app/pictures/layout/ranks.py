"""Very many processes in ranks: in one or more columns for every number of channels that a marker needs from the first
process, from left to right, so that the recorded states spread as a wave. A higher stage has them from top to bottom.

Where rings would be too small, ranks have room: they fill a broad stage from edge to edge.
"""

import math
from collections.abc import Sequence
from statistics import fmean

from app.pictures.layout.paths import Point
from app.pictures.layout.plan import Link

SWEEPS = 12
"""How often every rank is sorted anew by the places of its neighbours."""


def ranked(
    levels: Sequence[Sequence[int]], links: Sequence[Link], room: tuple[float, float], cell: tuple[float, float]
) -> list[Point] | None:
    """Return the places of the processes, within a place of the size ``room``; None if there is too little room for
    processes that take a ``cell`` each."""
    along, across = (0, 1) if room[0] >= room[1] else (1, 0)
    deep = max(1, math.floor(room[across] / cell[across]))
    columns = [math.ceil(len(level) / deep) for level in levels]
    if sum(columns) * cell[along] > room[along]:
        return None
    places = _ordered(levels, links)
    found = [Point(0, 0)] * len(places)
    step, before = room[along] / sum(columns), 0
    for level, count in zip(levels, columns, strict=True):
        line = sorted(level, key=lambda one: places[one])
        # In several columns each of them begins at the edge.
        pad = room[across] / len(line) / 2 if count == 1 else cell[across] / 2
        for i, each in enumerate(line):
            far, aside = (before + i % count + 0.5) * step, pad + i * (room[across] - 2 * pad) / max(1, len(line) - 1)
            found[each] = Point(far, aside) if along == 0 else Point(aside, far)
        before += count
    return found


def _ordered(levels: Sequence[Sequence[int]], links: Sequence[Link]) -> dict[int, float]:
    """Return where in its rank each process is, in 0..1: near the processes it has channels with."""
    beside: dict[int, list[int]] = {each: [] for level in levels for each in level}
    for link in links:
        beside[link.source].append(link.target)
        beside[link.target].append(link.source)
    places = {each: (i + 0.5) / len(level) for level in levels for i, each in enumerate(level)}
    for _ in range(SWEEPS):
        for level in levels:
            wish = {each: fmean(places[one] for one in beside[each]) if beside[each] else 0.5 for each in level}
            for i, each in enumerate(sorted(level, key=lambda one: (wish[one], one))):
                places[each] = (i + 0.5) / len(level)
    return places
