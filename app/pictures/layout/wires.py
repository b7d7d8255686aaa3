"""Up to twelve processes with many channels: slim bands, straight unless a process is in the way.

The two directions of a pair run side by side; each band meets a process at its own place along the process's sides.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from msgspec.structs import replace

from app.core.model.value import Frozen
from app.pictures.layout.circle import FEW, Placed, placed_around
from app.pictures.layout.paths import Point, Way, cubic
from app.pictures.layout.plan import (
    CLEAREST,
    MARGIN,
    NARROW,
    THREAD,
    Box,
    Content,
    Link,
    Plan,
    Track,
    arrowhead,
    hanging,
    least_bent,
)
from app.pictures.layout.room import busiest, crowded, grown, shortest, spread
from app.pictures.layout.stretches import MIDDLE, Sizes, beyond, stretched, trays
from app.pictures.layout.taken import walls


class Measures(Frozen):
    """The thickness of a band, the distance between the middles of a pair, the size of a message on it, the thickness
    of its tray, and how small a message may be if there is little room."""

    band: float
    apart: float
    pill: tuple[float, float]
    font: float
    badges: tuple[float, ...]
    tray: float
    smallest: float = 0

    def louder(self, least: float, more: float = 1) -> "Measures":
        """Return the same with messages that much larger, or so large that their letters have the ``least`` size."""
        more = max(more, least / self.font)
        pill, font = _times(self.pill, more), self.font * more
        if not least:
            return replace(self, pill=pill, font=font)
        badges = (*(w * more for w in self.badges), font + 8)
        return replace(self, pill=pill, font=font, badges=badges, smallest=SHRUNK)

    def sizes(self, sheet: tuple[float, float], middle: float = MIDDLE) -> Sizes:
        """Return the sizes of what has its place on channels."""
        return Sizes(*self.pill, self.badges, self.font + 6, sheet, middle, self.smallest)


ROOMY = Measures(10, 23, (35, 21), 14, (64, 44, 26), 6)
TIGHT = Measures(8, 20, (29, 17.5), 13, (46, 34, 22), 5)
TRAY, SHEET = 1.5, (14, 17)
"""From a band to its tray, and the size of a report."""
BETWEEN = 8
"""Free space between bands that meet the same process."""
CORNER = 5
TIP, TOUCH = 10, 3
"""The length of an arrowhead, and its distance from the process."""
BENDS = (0, *(side * by for by in (16, 32, 48, 64, 84, 110, 140) for side in (1, -1)))
"""How far a band is bent around a process, tried in turn, to either side."""
MORE_BENT = 0.03
"""What one unit of a bend counts, in points behind a process."""
FLAT = 0.5
"""The least sine of the angle between a band and the side that it meets; flatter angles count as this."""
RING = 5
BESIDE = 14
"""How much wider a small copy is than its process: its camera takes room."""
SHRUNK = 0.75
"""How small messages may be whose letters keep their size."""
FOLLOWS = 1.4
"""How much larger messages are at most where processes are larger."""
LONG, SHORT = 110, 90
"""How long the shortest channel must stay where everything is drawn larger: of few processes, and of many."""
LOW, TALL, HIGHER = 176, 640, 12
"""The heights that are tried on a phone: from the least one to the greatest, in such steps."""
NEAR, CLOSE = 112, 44
"""How long the shortest channel must be there: of few processes, and of many."""
EACH, MORE = 14, 16
"""How much height a channel of the busiest process takes there."""
SMALLER, LEAST, CLEAR = 0.95, 0.45, 8
"""The stage is made smaller in such steps, down to the second value, until processes are as far apart as the third."""


@dataclass(slots=True)
class _Bundle:
    a: int
    b: int
    links: list[int]
    start: Point
    stop: Point
    wide: float = 0
    part: float = 1
    bend: float = 0


@dataclass(slots=True)
class _End:
    bundle: _Bundle
    begins: bool
    side: int
    want: float
    steep: float
    takes: float = 0


def wires(places: Sequence[Point], links: Sequence[Link], width: float, height: float, content: Content) -> Plan:
    """Return the plan of a stage of that size."""
    small = len(places) > FEW
    measures = TIGHT if small else ROOMY
    (w, h), (card_w, card_h) = boxes(content, small, width < NARROW)
    slot = h + THREAD + card_h
    need_w, need_h = (w * 6.6, slot * 4) if small else (w * 3 + 170, slot * 2 + 112)
    # A large stage makes bands longer before it makes everything larger.
    eased = min(2, width / (need_w * (2 if small else 1.35)), height / (need_h * (1.3 if small else 1.18)))
    zoom = max(LEAST, min(1, width / need_w, height / need_h), eased)
    narrow = width < NARROW
    margin = MARGIN / 2 if narrow else MARGIN

    def placed_at(zoom: float) -> Placed:
        size, upright = (width / zoom, height / zoom), content.loud > 0
        return placed_around(places, *size, (w, h), (card_w, card_h), margin, upright=upright, air=10)

    def roomy(zoom: float) -> bool:
        if height / zoom < slot * 2 + busiest(links) * (MORE if small else EACH):
            return False
        tried = placed_at(zoom)
        return not crowded(tried.nodes, tried.cards) and shortest(tried.nodes, links) >= (SHORT if small else LONG)

    # On a phone letters are as large as they need be, and the rest is for the channels.
    zoom = CLEAREST if narrow else grown(zoom, roomy)
    placed = placed_at(zoom)
    while zoom > LEAST and crowded(placed.nodes, placed.cards, CLEAR):
        zoom *= SMALLER
        placed = placed_at(zoom)
    nodes, cards, sides = placed.nodes, placed.cards, placed.sides
    # Where processes are larger, what is said on channels follows them as far as it has room.
    measures = measures.louder(content.loud / zoom, min(content.larger, FOLLOWS))
    width, height = width / zoom, height / zoom
    centre = Point(width / 2, height / 2)
    bare: dict[int, Track] = {}
    for bundle in _docked(nodes, cards, sides, links, measures, centre):
        for i in bundle.links:
            bare[i] = _track(links[i], bundle, nodes, measures)
    taken = [
        *(Box(node.x, node.y - 1.5, w + 2 * RING, h + 2 * RING + 3) for node in nodes),
        *(Box(card.x, card.y, card_w + 4, card_h + 4) for card in cards),
    ]
    sizes = measures.sizes(SHEET)
    hung = trays([bare[i] for i in range(len(links))], taken, measures.tray, TRAY)
    tracks = stretched(hung, taken + walls(width, height), sizes)
    shown, low = 0 if small else 3, foot(content, small)
    return Plan("wires", width, height, nodes, cards, tracks, *measures.pill[::-1], measures.font, shown, low)


def preferred(places: Sequence[Point], links: Sequence[Link], width: float, content: Content) -> float:
    """Return the least height of a narrow stage of that width on which letters can be read."""
    small = len(places) > FEW
    sizes, near = boxes(content, small, narrow=True), CLOSE if small else NEAR
    slot = sizes[0][1] + THREAD + sizes[1][1]
    least = max(LOW, math.ceil((slot * 2 + busiest(links) * EACH) * CLEAREST))

    def roomy(height: float) -> bool:
        size = (width / CLEAREST, height / CLEAREST)
        tried = placed_around(places, *size, *sizes, MARGIN / 2, upright=False, air=10)
        return shortest(tried.nodes, links) >= near and not crowded(tried.nodes, tried.cards, CLEAR)

    return next(filter(roomy, range(least, TALL, HIGHER)), TALL)


TALLER = 20
"""How much higher small processes are if one of them writes logs."""


def foot(content: Content, small: bool) -> float:
    """Return the height of a process's cells."""
    return (20 if small else 24) * content.larger if content.foot else 0


def boxes(content: Content, small: bool, narrow: bool = False) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the size of a process and of its copy: no larger than their contents."""
    rows = 0 if small else min(content.rows, 3)
    if small:
        wide = max(content.name * 13 + 22, min(content.value, 5) * 13 + 22)
    else:
        wide = max(content.name * 15 + 26, 13 * content.line + 30 if content.rows else content.value * 18 + 24)
    w = max(58 if small else 66 if narrow else 84, min(84 if small else 136, wide))
    h = (26 + 17 * rows + 5 if rows else 40 if small else 66) + foot(content, small) / content.larger
    h += TALLER if small and content.logs else 0
    card = (w + (0 if content.foot else BESIDE), 20) if small else (max(w + (24 if rows else 12), 96), 24)
    return _times((w, h), content.larger), _times(card, content.larger)


def _times(size: tuple[float, float], by: float) -> tuple[float, float]:
    return size[0] * by, size[1] * by


# --- where bands meet processes -----------------------------------------------------------------------------------


def _docked(
    nodes: Sequence[Box],
    cards: Sequence[Box],
    sides: Sequence[int],
    links: Sequence[Link],
    measures: Measures,
    centre: Point,
) -> list[_Bundle]:
    """Return the channels by pairs of processes, how far each is bent, and where it meets its two processes."""
    pairs: dict[tuple[int, int], _Bundle] = {}
    for i, link in enumerate(links):
        a, b = sorted((link.source, link.target))
        start, stop = Point(nodes[a].x, nodes[a].y), Point(nodes[b].x, nodes[b].y)
        pairs.setdefault((a, b), _Bundle(a, b, [], start, stop)).links.append(i)
    bundles = list(pairs.values())
    for bundle in bundles:
        bundle.wide = measures.band + (measures.apart if len(bundle.links) > 1 else 0)
        bundle.bend = _bending(bundle, nodes, cards, centre)
    meets: list[tuple[_End, Point]] = []
    for i, node in enumerate(nodes):
        ends = []
        for bundle in bundles:
            if i in (bundle.a, bundle.b):
                begins = bundle.a == i
                aim = _controls(bundle.start, bundle.stop, bundle.bend)[0 if begins else 1]
                ends.append(_End(bundle, begins, *_leaving(node, aim, sides[i])))
        ranges = (
            (CORNER, node.h - 2),
            (node.h + 2, node.h + node.w - 2),
            (node.h + node.w + 2, 2 * node.h + node.w - CORNER),
        )
        for side, (least, most) in enumerate(ranges):
            here = sorted((end for end in ends if end.side == side), key=lambda end: end.want)
            for end in here:
                end.takes = end.bundle.wide / max(FLAT, end.steep)
            asked = sum(end.takes + BETWEEN for end in here) - BETWEEN
            part = min(1.0, (most - least) / asked) if here else 1.0
            gaps = [((p.takes + q.takes) / 2 + BETWEEN) * part for p, q in pairwise(here)]
            edges = (here[0].takes / 2 * part, here[-1].takes / 2 * part) if here else (0.0, 0.0)
            places = spread([end.want for end in here], gaps, least + edges[0], most - edges[1])
            for end, place in zip(here, places, strict=True):
                end.bundle.part = min(end.bundle.part, part)
                meets.append((end, _rim(node, place, sides[i])))
    for end, port in meets:
        if end.begins:
            end.bundle.start = port
        else:
            end.bundle.stop = port
    return bundles


def _leaving(node: Box, aim: Point, side: int) -> tuple[int, float, float]:
    """Return the side by which a line to a point leaves (0 left, 1 the one without a copy, 2 right), how far along the
    sides from the corner next to the copy, and how steeply."""
    dx, dy = aim.x - node.x or 1e-6, (aim.y - node.y) * side
    far = math.hypot(dx, dy)
    w, h = node.w, node.h
    if dy < 0 and -dy * w > abs(dx) * h:
        return 1, h + w / 2 + dx / -dy * (h / 2), -dy / far
    # A line that would leave on the copy's side uses the corner beside it.
    y = min(h / 2, dy / abs(dx) * (w / 2)) + dy / far * 1e-3
    return (0, h / 2 - y, abs(dx) / far) if dx < 0 else (2, h + w + h / 2 + y, abs(dx) / far)


def _rim(node: Box, place: float, side: int) -> Point:
    """Return the point that far along the sides."""
    w, h = node.w, node.h
    if place < h:
        x, y = -w / 2, h / 2 - place
    elif place < h + w:
        x, y = place - h - w / 2, -h / 2
    else:
        x, y = w / 2, place - h - w - h / 2
    return Point(node.x + x, node.y + y * side)


# --- the bands ----------------------------------------------------------------------------------------------------


def _bending(bundle: _Bundle, nodes: Sequence[Box], cards: Sequence[Box], centre: Point) -> float:
    """Return the smallest bend that leads the bands of a pair around the processes between."""
    others = [
        box for i, pair in enumerate(zip(nodes, cards, strict=True)) if i not in (bundle.a, bundle.b) for box in pair
    ]
    a, b = bundle.start, bundle.stop
    inward = -1 if (b.x - a.x) * (centre.y - a.y) - (b.y - a.y) * (centre.x - a.x) < 0 else 1
    bends = (by * inward for by in BENDS)
    return least_bent(bends, lambda bend: _bent(a, b, bend), others, bundle.wide / 2 + 6, MORE_BENT)


def _controls(start: Point, stop: Point, bend: float) -> tuple[Point, Point]:
    """Return the control points of the curve that leaves the line by ``bend`` to its right."""
    far = math.hypot(stop.x - start.x, stop.y - start.y) or 1
    ux, uy = (stop.x - start.x) / far, (stop.y - start.y) / far
    nx, ny = -uy * bend, ux * bend
    third = far * 0.3
    return (
        Point(start.x + ux * third + nx, start.y + uy * third + ny),
        Point(stop.x - ux * third + nx, stop.y - uy * third + ny),
    )


def _bent(start: Point, stop: Point, bend: float) -> Way:
    """Return a line, or the curve that leaves it by ``bend`` to its right."""
    return cubic(start, *_controls(start, stop, bend), stop)


def _track(link: Link, bundle: _Bundle, nodes: Sequence[Box], measures: Measures) -> Track:
    """Return one channel of a bundle: on its own right side of the axis, from edge to edge."""
    band, apart = max(2.0, measures.band * bundle.part), measures.apart * bundle.part
    along = link.source == bundle.a
    a, b = (bundle.start, bundle.stop) if along else (bundle.stop, bundle.start)
    bend = bundle.bend if along else -bundle.bend
    far = math.hypot(b.x - a.x, b.y - a.y) or 1
    ux, uy = (b.x - a.x) / far, (b.y - a.y) / far
    beside = apart / 2 if len(bundle.links) > 1 else 0.0
    sx, sy = -uy * beside, ux * beside
    # A curve leaves in the direction of its first control point.
    rise = bend / (far * 0.3)
    start = _edge(Point(a.x + sx, a.y + sy), _turn(ux, uy, rise), nodes[link.source], 0)
    stop = _edge(Point(b.x + sx, b.y + sy), _turn(-ux, -uy, -rise), nodes[link.target], TIP + TOUCH)
    way = _bent(start, stop, bend)
    head = arrowhead(way, 0, TIP, max(3.5, band / 2 + 2.5))
    inner = -1 if len(bundle.links) > 1 else -hanging(way)
    lane = beyond(way, measures.pill, SHEET, -inner)
    return Track(way, band, head, lane, way.points[len(way.points) // 2], way.length, inner=inner)


def _turn(x: float, y: float, slope: float) -> Point:
    """Return a direction turned by a slope to its right."""
    size = math.hypot(1, slope)
    return Point((x - y * slope) / size, (y + x * slope) / size)


def _edge(start: Point, way: Point, box: Box, beyond: float) -> Point:
    """Return where the line through ``start`` in that direction leaves the box, and ``beyond`` units more."""
    first, last = -math.inf, math.inf
    for at, d, mid, half in ((start.x, way.x, box.x, box.w / 2), (start.y, way.y, box.y, box.h / 2)):
        if d:
            reach = math.copysign(half, d)
            first, last = max(first, (mid - reach - at) / d), min(last, (mid + reach - at) / d)
        elif abs(at - mid) >= half:
            first = math.inf
    # A band that would pass the corner begins beside it.
    far = (last if first < last else 0) + beyond
    return Point(start.x + way.x * far, start.y + way.y * far)
