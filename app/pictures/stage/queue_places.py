"""Where the messages of a queue are in their channel: as far as they have come, in their order, and never touching.

The rules are those of ``static/js/stage/places.js``.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from app.core.model.value import Value
from app.pictures.layout.paths import Way
from app.pictures.layout.plan import Station, Stretch

SPACE = 5
"""Between two messages in a tube."""
COUNTER = 30
"""The width of the "+n" that counts hidden messages."""
SCALES = (1.0, 0.8, 0.62)
"""How small messages on a wire may be if there is little room, tried in turn."""
STEP = 4
"""The interval at which a free place is searched for on a crossing channel."""
AIR, EDGE = 1.6, 3
"""Between messages of different channels, at either side, and between two of the same one."""


class Rest(Value):
    """The places of the visible messages, the head's first; ``hidden`` many are counted at ``more``, or, if the tube is
    too short, ``aside`` of it."""

    stations: tuple[Station, ...]
    hidden: int
    more: Station
    aside: bool


NOTHING = Rest((), 0, Station(0, 1), False)
"""The places of no messages."""


@dataclass(slots=True)
class Crowd:
    """The messages that have their places on crossing channels: their middles, and half their sizes."""

    boxes: list[tuple[float, float, float, float]] = field(default_factory=list)

    def free(self, x: float, y: float, w: float, h: float) -> bool:
        """Is nothing there?"""
        return not any(abs(x - ox) < w + ow + AIR and abs(y - oy) < h + oh + AIR for ox, oy, ow, oh in self.boxes)


def spread(wants: Sequence[float | None]) -> list[float]:
    """Return how far messages have come; where nothing says so, they are equally far apart."""
    return [1 - (i + 1) / (len(wants) + 1) if want is None else want for i, want in enumerate(wants)]


def order(wants: Sequence[float], loose: bool) -> list[int]:
    """Return the messages from the head on; in a ``loose`` channel one may have passed another."""
    return sorted(range(len(wants)), key=lambda i: -wants[i]) if loose else [*range(len(wants))]


def tube(widths: Sequence[float], wants: Sequence[float], length: float, pad: float, loose: bool) -> Rest:
    """Return places in a tube; ``pad`` is how far messages may rest beyond its ends. If they do not fit as they should,
    they are in a row."""
    line = order(wants, loose)
    ends = [(widths[i] / 2 - pad, length + pad - widths[i] / 2) for i in line]
    goals = [low + (high - low) * wants[i] for i, (low, high) in zip(line, ends, strict=True)]
    gaps = [(widths[a] + widths[b]) / 2 + SPACE for a, b in pairwise(line)] + [0]
    floor = -math.inf
    floors: list[float] = []
    for at in reversed(range(len(line))):
        floor = max(ends[at][0], floor + gaps[at])
        floors.insert(0, floor)
    if any(floor > high for floor, (_, high) in zip(floors, ends, strict=True)):
        return slots(widths, length, pad)
    places = [0.0] * len(line)
    limit = math.inf
    for at, i in enumerate(line):
        places[i] = max(min(goals[at], ends[at][1], limit), floors[at])
        limit = places[i] - gaps[at]
    return Rest(tuple(Station(at, 1) for at in places), 0, Station(0, 1), False)


def slots(widths: Sequence[float], length: float, pad: float) -> Rest:
    """Return places in a tube, one behind another; ``pad`` is how far messages may rest beyond its ends."""
    places: list[float] = []
    edge = length + pad
    for i, width in enumerate(widths):
        begin = edge - width - (SPACE if i else 0)
        if begin < -pad + (0 if i == len(widths) - 1 else COUNTER):
            break
        places.append(begin + width / 2)
        edge = begin
    aside = bool(widths) and not places
    if aside:
        places.append(length / 2)
    more = 0 if aside else max(edge - SPACE - COUNTER / 2, 0)
    return Rest(tuple(Station(at, 1) for at in places), len(widths) - len(places), Station(more, 1), aside)


class Wire(Value):
    """A channel that others may cross: see ``Track``. ``wide`` and ``high`` are the size of a message that needs its
    gap, and ``least`` is how small messages may be so that their letters can be read."""

    way: Way
    stretches: tuple[Stretch, ...]
    home: Station | None
    gap: float
    wide: float
    high: float
    least: float = 0

    def apart(self, wide: float, scale: float) -> float:
        """Return how far apart two messages are; ``wide`` is the mean of their widths."""
        a, b = self.way.points[0], self.way.points[-1]
        across, down = abs(b.x - a.x), abs(b.y - a.y)
        apart = math.hypot(wide, self.high) + 2 * EDGE
        if len(self.way.points) == 2 and self.way.length:
            needs = [size / part for size, part in ((wide, across), (self.high, down)) if part]
            apart = min(needs) * self.way.length + EDGE
        return min(self.gap * max(1, wide / self.wide), apart) * scale


def wire(on: Wire, widths: Sequence[float], wants: Sequence[float], loose: bool, crowd: Crowd | None) -> Rest:
    """Return places on a wire: as near as possible to those wanted, but in its stretches and clear of the ``crowd``, if
    that matters. If there is not enough room, messages are smaller, and at last they are counted at home."""
    for scale in dict.fromkeys(max(each, on.least) for each in SCALES):
        found = _placed(on, widths, wants, scale, loose, crowd)
        if found is not None:
            return found
    return _at_home(on, len(wants))


def _placed(
    on: Wire, widths: Sequence[float], wants: Sequence[float], scale: float, loose: bool, crowd: Crowd | None
) -> Rest | None:
    places = [0.0] * len(wants)
    line, limit = order(wants, loose), on.way.length
    gaps = [on.apart((widths[i] + widths[j]) / 2, scale) for i, j in pairwise(line)]
    floors = _floors(on.stretches, gaps)
    taken: list[tuple[float, float, float, float]] = []
    for rank, i in enumerate(line):
        half = (widths[i] / 2 * scale, on.high / 2 * scale)
        at = _nearest(on, wants[i] * on.way.length, floors[rank], limit, half, crowd)
        if at is None:
            return None
        taken.append((*on.way.spot(at), *half))
        places[i] = at
        if rank < len(gaps):
            limit = max(at - gaps[rank], floors[rank + 1])
    if crowd is not None:
        crowd.boxes += taken
    return Rest(tuple(Station(at, scale) for at in places), 0, Station(0, 1), False)


def _floors(stretches: Sequence[Stretch], gaps: Sequence[float]) -> list[float]:
    """Return how far each message must have come, so that those behind it have room."""
    floors: list[float] = []
    for gap in (0.0, *reversed(gaps)):
        least = floors[0] + gap if floors else 0.0
        floors.insert(0, min((max(least, part.begin) for part in stretches if part.end >= least), default=math.inf))
    return floors


def _nearest(
    on: Wire, want: float, floor: float, limit: float, half: tuple[float, float], crowd: Crowd | None
) -> float | None:
    """Return the free place nearest to the one wanted, between two limits."""
    goal = max(floor, min(want, limit))
    found: list[float] = []
    for part in on.stretches:
        low, high = max(part.begin, floor), min(part.end, limit)
        if low > high:
            continue
        near = max(low, min(goal, high))
        if crowd is None:
            found.append(near)
            continue
        steps = range(math.floor(max(near - low, high - near) / STEP) + 1)
        tries = (near + side * k * STEP for k in steps for side in ((-1, 1) if k else (1,)))
        free = (at for at in tries if low <= at <= high and crowd.free(*on.way.spot(at), *half))
        found += [at for at in [next(free, None)] if at is not None]
    return min(found, key=lambda at: abs(at - goal), default=None)


def _at_home(on: Wire, count: int) -> Rest:
    """Return the only message at its channel's own place, or there the number of them all."""
    if on.home is None:
        return Rest((), 0, Station(0, 1), False)
    alone = count == 1
    return Rest((on.home,) if alone else (), 0 if alone else count, on.home, False)
