"""Stations: the places along crossing channels where messages rest and recorded content is printed.

They are given out once, when the plan is made, so that nothing covers anything else, whatever the channels will hold.
The rules are those of ``static/js/stations.js``.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from app.web.picture.paths import Point
from app.web.picture.plan import Badge, Box, Station, Track

STEP = 3
"""Steps in which a way is searched for a free place."""
AIR = 1.5
SCALES = (1.0, 0.75, 0.55)
"""How small a station may become where there is little room, in turn."""
ANY = (*SCALES, 0.36)
"""The first one of a channel is never left out for its size."""
LONG = 96
"""A channel as long as this has a badge before it has a second station."""
CELL = 40
MANY = 6
"""Of the other channels, points so far apart are enough to know where they run."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """Of a station, how many a channel may have, the widths tried for a badge, and a sheet's."""

    w: float
    h: float
    most: int
    badges: tuple[float, ...]
    tall: float
    sheet: tuple[float, float]


@dataclass(slots=True)
class _Made:
    track: Track
    stations: list[Station]
    badge: Badge | None = None
    sheet: Station | None = None


def stationed(tracks: Sequence[Track], taken: Sequence[Box], sizes: Sizes) -> tuple[Track, ...]:
    """The tracks with their stations; ``taken`` is where processes and copies are."""
    chart = _Chart(taken)
    lines = [[track.way.at(at) for at in downwards(track.way.length, MANY)] for track in tracks]
    made = [_Made(track, []) for track in tracks]
    # Who has least room chooses first.
    order = sorted(made, key=lambda one: one.track.way.length)

    def fill(scales: Sequence[float]) -> None:
        for one in order:
            if len(one.stations) < sizes.most:
                begin = one.stations[-1].at if one.stations else one.track.way.length
                found = chart.seek(one.track, downwards(begin), sizes.w, sizes.h, scales)
                if found:
                    one.stations.append(found)

    def pin(one: _Made) -> Badge | None:
        way = one.track.way
        for w in sizes.badges:
            places = middle(way.length) if way.length > 2 * w else []
            # Rather on no other channel than in the very middle.
            clear = [at for at in places if alone(one, way.at(at), w)]
            found = chart.seek(one.track, clear, w, sizes.tall) or chart.seek(one.track, places, w, sizes.tall)
            if found:
                return Badge(found.at, w)
        return None

    def alone(one: _Made, spot: Point, w: float) -> bool:
        return not any(
            abs(p.x - spot.x) < w / 2 + other.track.tube / 2 and abs(p.y - spot.y) < (sizes.tall + other.track.tube) / 2
            for other, points in zip(made, lines, strict=True)
            if other is not one
            for p in points
        )

    fill(ANY)
    for one in order:
        if one.track.way.length > LONG:
            one.badge = pin(one)
    fill(SCALES)
    for one in order:
        one.badge = one.badge or pin(one)
    for one in order:
        one.sheet = chart.seek(one.track, downwards(one.track.way.length), *sizes.sheet, SCALES)
    for _ in range(2, sizes.most):
        fill((1.0,))
    return tuple(replace(o.track, stations=tuple(o.stations), badge=o.badge, sheet=o.sheet) for o in made)


def downwards(begin: float, step: float = STEP) -> list[float]:
    """Distances from one end of a way to the other."""
    return [begin - i * step for i in range(math.floor(max(0.0, begin) / step) + 1)]


def middle(length: float) -> list[float]:
    """Distances in the middle third, then those beyond it on the sender's side."""
    best = length * 0.45
    return sorted((at for at in downwards(length * 0.7) if at > length * 0.12), key=lambda at: abs(at - best))


class _Chart:
    """Which boxes are taken, found by the cells of a map."""

    def __init__(self, taken: Sequence[Box]) -> None:
        self.cells: dict[tuple[int, int], list[Box]] = {}
        for box in taken:
            self.take(box)

    def near(self, box: Box) -> Iterator[tuple[int, int]]:
        for x in range(math.floor((box.x - box.w / 2) / CELL), math.floor((box.x + box.w / 2) / CELL) + 1):
            for y in range(math.floor((box.y - box.h / 2) / CELL), math.floor((box.y + box.h / 2) / CELL) + 1):
                yield x, y

    def take(self, box: Box) -> None:
        for cell in self.near(box):
            self.cells.setdefault(cell, []).append(box)

    def hits(self, box: Box) -> bool:
        return any(
            abs(box.x - other.x) < (box.w + other.w) / 2 and abs(box.y - other.y) < (box.h + other.h) / 2
            for cell in self.near(box)
            for other in self.cells.get(cell, ())
        )

    def seek(
        self, track: Track, places: Sequence[float], w: float, h: float, scales: Sequence[float] = (1.0,)
    ) -> Station | None:
        """The first of the places that is free, as large as it can be; it is taken then."""
        for scale in scales:
            for at in places:
                spot = track.way.at(at)
                box = Box(spot.x, spot.y, w * scale + 2 * AIR, h * scale + 2 * AIR)
                if not self.hits(box):
                    self.take(box)
                    return Station(at, scale)
        return None
