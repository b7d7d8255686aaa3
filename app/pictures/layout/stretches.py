"""Stretches: the parts of crossing channels along which messages move, and where recorded states are printed.

They are found once, with the plan, and each channel has a place that is its own, so that nothing covers anything else,
whatever the channels hold. Only where a channel has no room at all, its messages are drawn very small, on whatever is
there.
"""

import math
from collections.abc import Sequence
from functools import cache
from itertools import compress, product
from typing import TypeAlias

from msgspec.structs import replace

from app.core.model.value import Frozen
from app.pictures.layout.paths import Way
from app.pictures.layout.plan import Badge, Box, Station, Stretch, Track, Tray
from app.pictures.layout.taken import AIR, THROUGH, Spot, Taken

STEP = 3
"""The interval at which a path is searched for a free place."""
SCALES = (1.0, 0.75, 0.55, 0.36)
"""How small the messages of a channel may be if there is little room, tried in turn."""
FAR = 150
"""How far from its ideal position a place is searched for."""
SHORTER = 0.3
"""The part of a channel by which its tray may be shorter at either end."""
MIDDLE = 0.45
HALFWAY = 0.6
"""Where on a channel without any room its messages are: a little farther, so that those of two opposite ones lie
apart."""
FEW = 40
"""With no more channels than this, a badge is first looked for a place where no other channel runs."""
DENSE = 1_000
"""With more channels than this, nobody looks for room between them."""
MANY = 6
"""The distance between points that show accurately enough where channels run."""


class Sizes(Frozen):
    """The size of a message, the widths to try for a badge, and its height; the size of a sheet, the part of a channel
    at which the badge is placed, and the least scale of a message: with one, everything has a place, if need be
    on top of what is on other channels."""

    w: float
    h: float
    badges: tuple[float, ...]
    tall: float
    sheet: tuple[float, float]
    middle: float = MIDDLE
    smallest: float = 0


def stretched(tracks: Sequence[Track], taken: Sequence[Box], sizes: Sizes) -> tuple[Track, ...]:
    """Return crossing tracks with their stretches; ``taken`` are the boxes of processes and copies."""
    chart = Taken(taken)
    # The channel with the least room chooses first.
    order = sorted(range(len(tracks)), key=lambda i: tracks[i].way.length)
    homes: dict[int, Station] = {}
    bare = Taken(taken)
    for i in order:
        home = _homed(chart, tracks[i].way, sizes.w, sizes.h, i, sizes.smallest)
        if not home and sizes.smallest:
            home = _homed(bare, tracks[i].way, sizes.w, sizes.h, THROUGH, sizes.smallest)
        homes[i] = home or Station(tracks[i].way.length * HALFWAY, SCALES[-1])
        if home:
            chart.take(tracks[i].way.spot(home.at), sizes.w * home.scale, sizes.h * home.scale, i)
    alone = _tubes(tracks, ()) if len(tracks) <= FEW else None
    badges = {i: _pinned(chart, tracks[i], sizes, others=(alone, i) if alone else None) for i in order}
    if sizes.smallest:
        badges |= {i: _pinned(bare, tracks[i], sizes) for i in order if not badges[i]}
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
    if len(tracks) > DENSE:
        return tuple(_bare(track, sizes) for track in tracks)
    chart, badges = Taken(taken), Taken(taken)
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


def _bare(track: Track, sizes: Sizes) -> Track:
    """Return a thin track among so many that there is no room beside it, and that it is free of processes nowhere."""
    way, lane = track.way.length, track.lane.length
    return replace(
        track,
        stretches=(Stretch(0, way),),
        gap=_clearance(track.way, sizes.w, sizes.h),
        home=Station(way, 1),
        sheets=(Stretch(0, lane),),
        perch=Station(lane, 1),
    )


def badged(tracks: Sequence[Track], taken: Sequence[Box], sizes: Sizes) -> tuple[Track, ...]:
    """Return tubes, in which messages never cross, with badges beside them, and with the stretches of their lanes."""
    # If some take so much room that one finds none, all have less.
    for first in range(0, len(sizes.badges), 2):
        chart, less = _tubes(tracks, taken), replace(sizes, badges=sizes.badges[first:])
        found = [_pinned(chart, track, less, i) for i, track in enumerate(tracks)]
        if all(found):
            break
    narrow, part = sizes.badges[-1], sizes.middle
    badges = [
        each or Badge(*_edge(track, track.way.length * part, sizes), narrow)
        for each, track in zip(found, tracks, strict=True)
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
            next(compress(places, chart.free((way.spot(at, by) for at in places), thick, thick, i)), places[-1])
            for places in (ends, [way.length - at for at in ends])
        )
        hung = way.part(begin, end, by)
        for at in _downwards(hung.length, MANY, math.inf):
            chart.take(hung.spot(at), thick, thick, i)
        found.append(replace(track, tray=Tray(hung, thick)))
    return tuple(found)


def _tubes(tracks: Sequence[Track], taken: Sequence[Box]) -> Taken:
    """Return a chart with the channels themselves."""
    chart = Taken(taken)
    for i, track in enumerate(tracks):
        for at in _downwards(track.way.length, MANY, math.inf):
            chart.take(track.way.spot(at), track.tube, track.tube, i)
    return chart


def _homed(chart: Taken, way: Way, w: float, h: float, owner: int, smallest: float = 0) -> Station | None:
    """Return the place nearest to the end of a path that is free, as large as possible."""
    places = _downwards(way.length, far=math.inf)
    spots = [way.spot(at) for at in places]
    for scale in (each for each in SCALES if each >= smallest):
        for at, free in zip(places, chart.free(spots, w * scale, h * scale, owner), strict=True):
            if free:
                return Station(at, scale)
    return None


def _free(chart: Taken, way: Way, w: float, h: float, owner: int) -> tuple[Stretch, ...]:
    """Return where on a path such a box is in nobody's way, the end first."""
    places = _downwards(way.length, MANY, math.inf)
    found: list[Stretch] = []
    end: float | None = None
    begin = 0.0
    for at, free in zip(places, chart.free((way.spot(at) for at in places), w, h, owner), strict=True):
        if free:
            end, begin = at if end is None else end, at
        elif end is not None:
            found.append(Stretch(begin, end))
            end = None
    return (*found, Stretch(begin, end)) if end is not None else tuple(found)


def _pinned(
    chart: Taken, track: Track, sizes: Sizes, owner: int = THROUGH, others: tuple[Taken, int] | None = None
) -> Badge | None:
    """Reserve the place of the badge beside the channel, outside its messages. ``others``: the channels, and which of
    them is its own; it lies on another only where no place of that width is free of them."""
    way, least = track.way, sizes.badges[-1]
    edges = cache(lambda at: _edge(track, at, sizes))  # each width is tried at the same places
    tried = [*((w, FAR) for w in sizes.badges), (least, math.inf), (min(least, sizes.tall + 2), math.inf)]
    own = (chart, owner)
    for (w, far), heeded in product(tried, ((own, others), (own,)) if others else ((own,),)):
        places = _middle(way.length, sizes.middle, far) if way.length > 1.5 * w else []
        # Beside a channel that is aslant, a short content is elsewhere than in the middle of a long one.
        wides = (w, min(w, sizes.tall + 2))
        spots = (_centre(edges(at), w, sizes.tall) for at in places)
        for at, free in zip(places, chart.free(spots, w, sizes.tall, owner), strict=False):
            if not free:
                continue
            edge = edges(at)
            boxes = [(_centre(edge, wide, sizes.tall), wide) for wide in wides]
            if all(next(one.free((spot,), wide, sizes.tall, of)) for one, of in heeded for spot, wide in boxes):
                for spot, wide in boxes:
                    chart.take(spot, wide, sizes.tall)
                return Badge(*edge, w, _gap(track, at, edge))
    return None


_Edge: TypeAlias = tuple[float, float, float, float]


def _edge(track: Track, at: float, sizes: Sizes) -> _Edge:
    """Return the point of a badge's edge, and the direction away from the channel, so that it touches neither this nor
    the messages on it."""
    (x, y), (beside_x, beside_y) = track.way.spot(at), track.way.spot(at, track.outer)
    nx, ny = beside_x - x, beside_y - y
    away = max(track.tube / 2 + 1, abs(nx) * sizes.w / 2 + abs(ny) * sizes.h / 2 + 2 * AIR)
    return x + nx * away, y + ny * away, nx, ny


def _gap(track: Track, at: float, edge: _Edge) -> float:
    """Return how far the edge of a badge is from the channel's tray."""
    if track.tray is None:
        return 0.0
    hung, (x, y), (edge_x, edge_y, nx, ny) = track.tray.way, track.way.spot(at), edge
    middle_x, middle_y = hung.spot(hung.length / 2)
    tray = (middle_x - x) * nx + (middle_y - y) * ny + track.tray.thick / 2
    return max(0.0, round((edge_x - x) * nx + (edge_y - y) * ny - tray, 1))


def _centre(edge: _Edge, w: float, h: float) -> Spot:
    """Return the middle of a content of that size that touches the edge; see ``Badge.box``."""
    x, y, nx, ny = edge
    away = abs(nx) * w / 2 + abs(ny) * h / 2
    return x + nx * away, y + ny * away


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
    spots = [way.spot(i * STEP) for i in range(count)]
    most = math.ceil((w + h) / STEP)
    apart = 0
    for i, (x, y) in enumerate(spots):
        for k in range(apart + 1, min(most, count - i)):
            across, down = spots[i + k]
            if abs(x - across) < w and abs(y - down) < h:
                apart = k
    return float((apart + 2) * STEP)


def _downwards(begin: float, step: float = STEP, far: float = FAR) -> list[float]:
    """Return distances towards the beginning of a path."""
    return [begin - i * step for i in range(math.floor(max(0.0, min(begin, far)) / step) + 1)]


def _middle(length: float, part: float, far: float) -> list[float]:
    """Return distances from that part of the length, the nearest first, then those far from it on the sender's side,
    within ``far`` in all."""
    best = length * part
    places = _downwards(min(length * (0.7 if far == FAR else 0.9), best + far / 2), far=far)
    return sorted((at for at in places if at > length * 0.12), key=lambda at: abs(at - best))
