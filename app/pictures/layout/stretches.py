"""Stretches: the parts of crossing channels along which messages move, and where recorded states are printed.

They are found once, with the plan, and each channel has a place that is its own, so that nothing ever covers anything
else, whatever the channels hold.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from app.pictures.layout.paths import Point, Way
from app.pictures.layout.plan import Badge, Box, Station, Stretch, Track, Tray

STEP = 3
"""The interval at which a path is searched for a free place."""
AIR = 1.5
SCALES = (1.0, 0.75, 0.55, 0.36)
"""How small the messages of a channel may be if there is little room, tried in turn."""
FAR = 150
"""How far from its ideal position a place is searched for."""
CELL = 40
THROUGH = -2
"""The owner of what may cross."""
SHORTER = 0.3
"""The part of a channel by which its tray may be shorter at either end."""
MANY = 6
"""The distance between points that show accurately enough where channels run."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """The size of a message, the widths to try for a badge, and its height; the size of a sheet, and the part of a
    channel at which the badge is placed."""

    w: float
    h: float
    badges: tuple[float, ...]
    tall: float
    sheet: tuple[float, float]
    middle: float = 0.45


def stretched(tracks: Sequence[Track], taken: Sequence[Box], sizes: Sizes) -> tuple[Track, ...]:
    """Return crossing tracks with their stretches; ``taken`` are the boxes of processes and copies."""
    chart = _Chart(taken)
    # The channel with the least room chooses first.
    order = sorted(range(len(tracks)), key=lambda i: tracks[i].way.length)
    homes: dict[int, Station | None] = {}
    for i in order:
        homes[i] = home = _homed(chart, tracks[i].way, sizes.w, sizes.h, i)
        if home:
            chart.take(tracks[i].way.at(home.at), sizes.w * home.scale, sizes.h * home.scale, i)
    badges = {i: _pinned(chart, tracks[i], sizes) for i in order}
    return tuple(
        replace(
            track,
            stretches=_free(chart, track.way, sizes.w, sizes.h, i),
            gap=_clearance(track.way, sizes.w, sizes.h),
            badge=badges[i],
            home=homes[i],
            sheets=_free(chart, track.lane, *sizes.sheet, i),
            perch=_homed(chart, track.lane, *sizes.sheet, i),
        )
        for i, track in enumerate(tracks)
    )


def thinned(tracks: Sequence[Track], taken: Sequence[Box], sizes: Sizes) -> tuple[Track, ...]:
    """Return thin tracks, whose small messages may cross, but never cover a process."""
    chart, badges = _Chart(taken), _Chart(taken)
    return tuple(
        replace(
            track,
            stretches=_free(chart, track.way, sizes.w, sizes.h, THROUGH),
            gap=_clearance(track.way, sizes.w, sizes.h),
            badge=_pinned(badges, track, sizes),
            home=Station(track.way.length, 1),
            sheets=_free(chart, track.lane, *sizes.sheet, THROUGH),
            perch=Station(track.lane.length, 1),
        )
        for track in tracks
    )


def badged(tracks: Sequence[Track], taken: Sequence[Box], sizes: Sizes) -> tuple[Track, ...]:
    """Return tubes, in which messages never cross, with badges beside them, and with the stretches of their lanes."""
    chart = _tubes(tracks, taken)
    narrow, part = sizes.badges[-1], sizes.middle
    badges = [
        _pinned(chart, track, sizes) or _beside(track, track.way.length * part, sizes, narrow) for track in tracks
    ]
    return tuple(
        replace(
            track,
            badge=badges[i],
            sheets=_free(chart, track.lane, *sizes.sheet, i),
            perch=_homed(chart, track.lane, *sizes.sheet, i),
        )
        for i, track in enumerate(tracks)
    )


def trays(tracks: Sequence[Track], taken: Sequence[Box], thick: float, apart: float) -> tuple[Track, ...]:
    """Return the tracks with their trays, so long that they touch nothing near the channels' ends."""
    chart = _tubes(tracks, taken)
    found = []
    for i, track in enumerate(tracks):
        way, by = track.way, track.outer * (track.tube / 2 + apart + thick / 2)
        ends = [MANY * k for k in range(math.floor(way.length * SHORTER / MANY) + 1)]
        begin, end = (
            next((at for at in places if chart.free(way.at(at, by), thick, thick, i)), places[-1])
            for places in (ends, [way.length - at for at in ends])
        )
        hung = way.part(begin, end, by)
        for at in _downwards(hung.length, MANY, math.inf):
            chart.take(hung.at(at), thick, thick, i)
        found.append(replace(track, tray=Tray(hung, thick)))
    return tuple(found)


def _tubes(tracks: Sequence[Track], taken: Sequence[Box]) -> "_Chart":
    """Return a chart with the channels themselves."""
    chart = _Chart(taken)
    for i, track in enumerate(tracks):
        for at in _downwards(track.way.length, MANY, math.inf):
            chart.take(track.way.at(at), track.tube, track.tube, i)
    return chart


def _homed(chart: "_Chart", way: Way, w: float, h: float, owner: int) -> Station | None:
    """Return the place nearest to the end of a path that is free, as large as possible."""
    places = _downwards(way.length, far=math.inf)
    for scale in SCALES:
        for at in places:
            spot = way.at(at)
            if chart.free(spot, w * scale, h * scale, owner):
                return Station(at, scale)
    return None


def _free(chart: "_Chart", way: Way, w: float, h: float, owner: int) -> tuple[Stretch, ...]:
    """Return where on a path such a box is in nobody's way, the end first."""
    found: list[Stretch] = []
    joined = False
    for at in _downwards(way.length, MANY, math.inf):
        free = chart.free(way.at(at), w, h, owner)
        if free and joined:
            found[-1] = replace(found[-1], begin=at)
        elif free:
            found.append(Stretch(at, at))
        joined = free
    return tuple(found)


def _pinned(chart: "_Chart", track: Track, sizes: Sizes) -> Badge | None:
    """Reserve the place of the badge beside the channel, outside its messages."""
    for w in sizes.badges:
        places = _middle(track.way.length, sizes.middle) if track.way.length > 1.5 * w else []
        for at in places:
            found = _beside(track, at, sizes, w)
            # Beside a channel that is aslant, a short content is elsewhere than in the middle of a long one.
            boxes = [found.box(wide, sizes.tall) for wide in (w, min(w, sizes.tall + 2))]
            if all(chart.free(Point(box.x, box.y), box.w, box.h) for box in boxes):
                for box in boxes:
                    chart.take(Point(box.x, box.y), box.w, box.h)
                return found
    return None


def _beside(track: Track, at: float, sizes: Sizes, w: float) -> Badge:
    """Return a badge that touches neither the channel nor the messages on it."""
    spot, next_to = track.way.at(at), track.way.at(at, track.outer)
    nx, ny = next_to.x - spot.x, next_to.y - spot.y
    away = max(track.tube / 2 + 1, abs(nx) * sizes.w / 2 + abs(ny) * sizes.h / 2 + 2 * AIR)
    return Badge(spot.x + nx * away, spot.y + ny * away, nx, ny, w)


def beyond(way: Way, pill: tuple[float, float], sheet: tuple[float, float], side: int) -> Way:
    """Return the way of reports beside a channel: they touch none of its messages."""
    return way.clear(pill[0] + sheet[0] + 5 * AIR, pill[1] + sheet[1] + 5 * AIR, side)


def _clearance(way: Way, w: float, h: float) -> float:
    """Return how far apart on the path two messages must be so that they nowhere touch."""
    if len(way.points) == 2:
        a, b = way.points
        across, down = abs(b.x - a.x) / (way.length or 1), abs(b.y - a.y) / (way.length or 1)
        return min(w / across if across else math.inf, h / down if down else math.inf) + STEP
    count = max(2, math.ceil(way.length / STEP))
    spots = [way.at(i * STEP) for i in range(count)]
    most = math.ceil((w + h) / STEP)
    apart = 0
    for i, p in enumerate(spots):
        for k in range(apart + 1, min(most, count - i)):
            q = spots[i + k]
            if abs(p.x - q.x) < w and abs(p.y - q.y) < h:
                apart = k
    return float((apart + 2) * STEP)


def _downwards(begin: float, step: float = STEP, far: float = FAR) -> list[float]:
    """Return distances towards the beginning of a path."""
    return [begin - i * step for i in range(math.floor(max(0.0, min(begin, far)) / step) + 1)]


def _middle(length: float, part: float) -> list[float]:
    """Return distances from that part of the length, the nearest first, then those far from it on the sender's side."""
    best = length * part
    places = _downwards(min(length * 0.7, best + FAR / 2))
    return sorted((at for at in places if at > length * 0.12), key=lambda at: abs(at - best))


def _cells(x: float, y: float, w: float, h: float) -> Iterator[tuple[int, int]]:
    """Yield the cells of a map that a box touches."""
    for across in range(math.floor((x - w / 2) / CELL), math.floor((x + w / 2) / CELL) + 1):
        for down in range(math.floor((y - h / 2) / CELL), math.floor((y + h / 2) / CELL) + 1):
            yield across, down


class _Chart:
    """Which boxes are taken, and by which channel, found by the cells of a map."""

    def __init__(self, taken: Sequence[Box]) -> None:
        self.cells: dict[tuple[int, int], list[tuple[float, float, float, float, int]]] = {}
        for box in taken:
            self._take(box.x, box.y, box.w, box.h, -1)

    def take(self, spot: Point, w: float, h: float, owner: int = -1) -> None:
        self._take(spot.x, spot.y, w + 2 * AIR, h + 2 * AIR, owner)

    def _take(self, x: float, y: float, w: float, h: float, owner: int) -> None:
        for cell in _cells(x, y, w, h):
            self.cells.setdefault(cell, []).append((x, y, w, h, owner))

    def free(self, spot: Point, w: float, h: float, owner: int = THROUGH) -> bool:
        """Is there nothing but the channel's own messages?"""
        # Most of the time of a large plan is spent here, so there is no generator.
        x, y, w, h = spot.x, spot.y, w + 2 * AIR, h + 2 * AIR
        for cell in _cells(x, y, w, h):
            for ox, oy, ow, oh, whose in self.cells.get(cell, ()):
                if whose != owner and abs(x - ox) * 2 < w + ow and abs(y - oy) * 2 < h + oh:
                    return False
        return True
