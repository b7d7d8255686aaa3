"""Stations: the places along crossing channels where messages rest and recorded states are printed.

They are assigned once, with the plan, so that nothing ever covers anything else, whatever the channels hold.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from app.pictures.layout.paths import Point
from app.pictures.layout.plan import Badge, Box, Station, Track

STEP = 3
"""The interval at which a path is searched for a free place."""
AIR = 1.5
SCALES = (1.0, 0.75, 0.55)
"""How small a station may be if there is little room, tried in turn."""
ANY = (*SCALES, 0.36)
"""The scales for the first station of a channel, which is never left out for lack of space."""
LONG = 96
"""A channel at least this long gets a badge before a second station, unless the sizes say otherwise."""
FAR = 150
"""How far from its ideal position a place is searched for."""
CELL = 40
MANY = 6
"""The distance between points that show accurately enough where the other channels run."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """The size of a station, the most per channel, the widths to try for a badge, and the size of a sheet; the length
    from which a channel gets a badge before a second station, and the part of it at which the badge is placed."""

    w: float
    h: float
    most: int
    badges: tuple[float, ...]
    tall: float
    sheet: tuple[float, float]
    long: float = LONG
    middle: float = 0.45


@dataclass(slots=True)
class _Made:
    track: Track
    stations: list[Station]
    full: bool = False
    badge: Badge | None = None
    sheet: Station | None = None


def stationed(tracks: Sequence[Track], taken: Sequence[Box], sizes: Sizes) -> tuple[Track, ...]:
    """Return the tracks with their stations; ``taken`` are the boxes of processes and copies."""
    chart = _Chart(taken)
    lines = _Lines(tracks)
    made = [_Made(track, []) for track in tracks]
    # The channel with the least room chooses first.
    order = sorted(made, key=lambda one: one.track.way.length)

    def fill(scales: Sequence[float]) -> None:
        for one in order:
            # Places are never released, so a full channel stays full.
            if not one.full and len(one.stations) < sizes.most:
                begin = one.stations[-1].at if one.stations else one.track.way.length
                found = chart.seek(one.track, _downwards(begin), sizes.w, sizes.h, scales)
                if found:
                    one.stations.append(found)
                else:
                    one.full = True

    def pin(one: _Made) -> Badge | None:
        way = one.track.way
        for w in sizes.badges:
            places = _middle(way.length, sizes.middle) if way.length > 2 * w else []
            free = [at for at in places if chart.free(one.track, at, w, sizes.tall)]
            # Prefer a place on no other channel to the exact middle.
            found = next((at for at in free if lines.alone(one.track, at, w, sizes.tall)), free[0] if free else None)
            if found is not None:
                chart.take(chart.box(one.track, found, w, sizes.tall))
                return Badge(found, w)
        return None

    fill(ANY)
    for one in order:
        if one.track.way.length > sizes.long:
            one.badge = pin(one)
    fill(SCALES)
    for one in order:
        one.badge = one.badge or pin(one)
    for one in order:
        one.sheet = chart.seek(one.track, _downwards(one.track.way.length), *sizes.sheet, SCALES)
    for _ in range(2, sizes.most):
        fill((1.0,))
    return tuple(replace(o.track, stations=tuple(o.stations), badge=o.badge, sheet=o.sheet) for o in made)


def _downwards(begin: float, step: float = STEP, far: float = FAR) -> list[float]:
    """Return distances towards the beginning of a path."""
    return [begin - i * step for i in range(math.floor(max(0.0, min(begin, far)) / step) + 1)]


def _middle(length: float, part: float) -> list[float]:
    """Return distances from that part of the length, the nearest first, then those far from it on the sender's side."""
    best = length * part
    places = _downwards(min(length * 0.7, best + FAR / 2))
    return sorted((at for at in places if at > length * 0.12), key=lambda at: abs(at - best))


def _cells(box: Box) -> Iterator[tuple[int, int]]:
    """Yield the cells of a map that a box touches."""
    for x in range(math.floor((box.x - box.w / 2) / CELL), math.floor((box.x + box.w / 2) / CELL) + 1):
        for y in range(math.floor((box.y - box.h / 2) / CELL), math.floor((box.y + box.h / 2) / CELL) + 1):
            yield x, y


class _Lines:
    """The paths of all channels, as a map of points that shows whether a place on one is on no other."""

    def __init__(self, tracks: Sequence[Track]) -> None:
        self.widest = max((track.tube for track in tracks), default=0)
        self.cells: dict[tuple[int, int], list[tuple[Point, Track]]] = {}
        for track in tracks:
            for at in _downwards(track.way.length, MANY, math.inf):
                p = track.way.at(at)
                self.cells.setdefault((math.floor(p.x / CELL), math.floor(p.y / CELL)), []).append((p, track))

    def alone(self, track: Track, at: float, w: float, h: float) -> bool:
        """Is this place of the track on no other?"""
        spot = track.way.at(at)
        return not any(
            other is not track and abs(p.x - spot.x) < (w + other.tube) / 2 and abs(p.y - spot.y) < (h + other.tube) / 2
            for cell in _cells(Box(spot.x, spot.y, w + self.widest, h + self.widest))
            for p, other in self.cells.get(cell, ())
        )


class _Chart:
    """Which boxes are taken, found by the cells of a map."""

    def __init__(self, taken: Sequence[Box]) -> None:
        self.cells: dict[tuple[int, int], list[Box]] = {}
        for box in taken:
            self.take(box)

    def take(self, box: Box) -> None:
        for cell in _cells(box):
            self.cells.setdefault(cell, []).append(box)

    def hits(self, box: Box) -> bool:
        # Most of the time of a large plan is spent here, so there is no generator.
        x, y, w, h = box.x, box.y, box.w, box.h
        for cell in _cells(box):
            for other in self.cells.get(cell, ()):
                if abs(x - other.x) < (w + other.w) / 2 and abs(y - other.y) < (h + other.h) / 2:
                    return True
        return False

    def box(self, track: Track, at: float, w: float, h: float) -> Box:
        spot = track.way.at(at)
        return Box(spot.x, spot.y, w + 2 * AIR, h + 2 * AIR)

    def free(self, track: Track, at: float, w: float, h: float) -> bool:
        return not self.hits(self.box(track, at, w, h))

    def seek(
        self, track: Track, places: Sequence[float], w: float, h: float, scales: Sequence[float] = (1.0,)
    ) -> Station | None:
        """Take and return the first free place, as large as possible."""
        for i, scale in enumerate(scales):
            if i == 1:  # what is too near for the smallest is too near for all
                places = [at for at in places if self.free(track, at, w * scales[-1], h * scales[-1])]
            for at in places:
                if self.free(track, at, w * scale, h * scale):
                    self.take(self.box(track, at, w * scale, h * scale))
                    return Station(at, scale)
        return None
