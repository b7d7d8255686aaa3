"""A few processes on a circle: nodes at equal distances on an ellipse, curved tubes that keep apart, copies outside."""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from app.core.model.value import Frozen
from app.pictures.layout.paths import Point, cubic
from app.pictures.layout.plan import (
    BOW,
    MARGIN,
    SIDE,
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
from app.pictures.layout.room import busiest, crowded, filled, grown, shortest, spread
from app.pictures.layout.stretches import Sizes, badged, trays
from app.pictures.layout.taken import walls

FEW = 6
"""With more processes than this, they are small and show their states on one line."""
HALO = 16
"""From a process to the ellipse on which its tubes begin and end."""
CLOSED = math.radians(52)
"""No tube meets a process within this angle to either side of its copy."""
LONG = 120
"""How long the shortest tube must stay where everything is drawn larger."""
EACH = 20
"""How much height a tube of the busiest process takes there."""
DETOURS = (0, 24, 48, 72, 100, 130)
"""How far a tube is bent so as not to pass behind a process."""
MORE_BENT = 0.04
"""What one unit of that counts: a corner that is barely touched is better than a wide detour."""
ROUND = 360
STEPS = 720
UNIT = [
    (math.cos(angle), math.sin(angle)) for angle in (i / STEPS * 2 * math.pi - math.pi / 2 for i in range(STEPS + 1))
]
"""A circle, from above clockwise."""
CORNER = 0.6
"""Farther from the middle than that are only the corners of rows and columns, which are not turned."""
TRAY, APART = 9, 2.5
"""How thick a tray is, and how far from its tube."""
BADGES = (110, 84, 54, 40, 26, 20)
"""Widths of what is printed there, tried in turn."""
TIP = 14
"""How long the arrowhead of a tube is; it stands beyond the tube's round end."""
MOST = 14
"""How far a tube may bend outwards: a long one would leave the picture."""


class Port(Frozen):
    """Where a tube meets a process, and the direction straight away from it."""

    x: float
    y: float
    nx: float
    ny: float


def circle(places: Sequence[Point], links: Sequence[Link], width: float, height: float, content: Content) -> Plan:
    """Return the plan of a stage of that size."""
    rows = min(content.rows, 3)
    wide = max(content.name * 15 + 26, 13 * content.line + 30 if content.rows else content.value * 18 + 24)
    w = max(84, min(136, wide))
    h: float = 26 + 17 * rows + 5 if rows else 54
    w, h = w * content.larger, h * content.larger
    card_w, card_h = w + (24 if rows else 12) * content.larger, 24 * content.larger
    slot = h + THREAD + card_h
    need_w, need_h = w * 3 + 170, slot * 2 + 112
    # A large stage makes tubes longer before it makes everything larger.
    eased = min(2, width / (need_w * 1.4), height / (need_h * 1.35))
    zoom = max(0.45, min(1, width / need_w, height / need_h), eased)

    def placed_at(zoom: float) -> Placed:
        size, upright = (width / zoom, height / zoom), content.loud > 0
        return placed_around(places, *size, (w, h), (card_w, card_h), MARGIN, upright=upright, air=8)

    def roomy(zoom: float) -> bool:
        if height / zoom < slot * 2 + busiest(links) * EACH:
            return False
        tried = placed_at(zoom)
        return not crowded(tried.nodes, tried.cards) and shortest(tried.nodes, links) >= LONG

    zoom = grown(zoom, roomy)
    placed = placed_at(zoom)
    nodes, cards, sides = placed.nodes, placed.cards, placed.sides
    width, height = width / zoom, height / zoom
    centre = Point(width / 2, height / 2)
    # Letters of a certain size need thicker tubes.
    least = content.loud / zoom
    ports, room = _dock(nodes, sides, links, max(24.0, least * 1.35 + 4) + SIDE)
    tube = max(3.0, room - SIDE)
    bare = tuple(
        _clear(
            ports[2 * i],
            ports[2 * i + 1],
            link.paired,
            tube,
            [box for k, box in enumerate(nodes) if k not in (link.source, link.target)],
            centre,
        )
        for i, link in enumerate(links)
    )
    font, pill = max(12.5 if tube >= 22 else 11, least), max(tube - 4, 16, least * 1.3)
    taken = [Box(node.x, node.y, node.w + 14, node.h + 14) for node in nodes] + [*cards]
    hung = trays(bare, taken, TRAY, APART)
    tracks = badged(hung, taken + walls(width, height), Sizes(44, pill, BADGES, max(font, 11) + 6, (14, 17), 0.42))
    return Plan("circle", width, height, nodes, cards, tracks, pill, max(60, font * 4), font, 3)


class Placed(Frozen):
    """Where processes and their copies are, and on which side each copy hangs: -1 is above its process, 1 below."""

    nodes: tuple[Box, ...]
    cards: tuple[Box, ...]
    sides: tuple[int, ...]


def placed_around(
    places: Sequence[Point],
    width: float,
    height: float,
    box: tuple[float, float],
    card: tuple[float, float],
    margin: float,
    *,
    upright: bool,
    air: float,
) -> Placed:
    """Return where processes and their copies are on a stage of that size: at least ``margin`` from its sides, and
    ``air`` from above and below; many stand on a broader ellipse."""
    (w, h), (card_w, card_h) = box, card
    slot = h + THREAD + card_h
    centre = Point(width / 2, height / 2)
    rx = min(width / 2 - margin - card_w / 2, max(height, 240) * (1.7 if len(places) > FEW else 1.2))
    ry = height / 2 - air - slot + h / 2
    spots = filled(turned(places, centre, rx, ry, w + 80, slot + 30, upright), centre, rx, ry)
    nodes = tuple(Box(p.x, p.y, w, h) for p in spots)
    # A copy hangs outside the circle, where no channel passes: above the upper processes, below all others.
    sides = tuple(-1 if node.y < centre.y - 4 else 1 for node in nodes)
    cards = tuple(
        Box(node.x, node.y + side * (h / 2 + THREAD + card_h / 2), card_w, card_h)
        for node, side in zip(nodes, sides, strict=True)
    )
    return Placed(nodes, cards, sides)


# --- where the processes are --------------------------------------------------------------------------------------


def _on_rim(place: Point) -> bool:
    """Is this a place on the circle, and not in its middle?"""
    return math.hypot(place.x - 0.5, place.y - 0.5) > 0.4


def turned(
    places: Sequence[Point], centre: Point, rx: float, ry: float, w: float, h: float, upright: bool = False
) -> list[Point]:
    """Return the places on the ellipse, turned to maximise the distance between the nearest two, measured in boxes of w
    by h. ``upright``: of three, one is above, because large letters need the long channel between the other two."""
    rim = sum(map(_on_rim, places))
    # Put four on corners: their diagonals cross in the middle, and nothing is in the way.
    turns = [math.pi / 4] if rim == 4 else [0, math.pi / max(1, rim), math.pi / 2]
    cornered = any(math.hypot(p.x - 0.5, p.y - 0.5) > CORNER for p in places)
    if cornered or (rim == 3 and upright):
        turns = [0]
    best: tuple[float, list[Point]] | None = None
    for turn in turns:
        found = _around(places, centre, rx, ry, turn)
        near = [max(abs(a.x - b.x) / w, abs(a.y - b.y) / h) for i, a in enumerate(found) for b in found[i + 1 :]]
        least = min(near, default=math.inf)
        if best is None or least > best[0] + 0.1:
            best = (least, found)
    assert best is not None
    return best[1]


def _around(places: Sequence[Point], centre: Point, rx: float, ry: float, by: float) -> list[Point]:
    """Return the places, with those on the rim of a circle moved to equal distances along an ellipse."""
    rim = sum(map(_on_rim, places))
    sums = _arcs(rx, ry) if rim >= 5 else []
    found = []
    for p in places:
        turn = (math.atan2(p.y - 0.5, p.x - 0.5) + math.pi / 2 + by + 4 * math.pi + 1e-9) % (2 * math.pi)
        if not _on_rim(p):
            found.append(Point(centre.x + (p.x - 0.5) * 2 * rx, centre.y + (p.y - 0.5) * 2 * ry))
        elif rim < 5:
            # Put a few on the corners of a box rather than on its rounded rim, for more space between them.
            stretch = 1.3 if rim == 4 and by else 1
            x, y = math.sin(turn) * stretch, -math.cos(turn) * stretch
            found.append(Point(centre.x + max(-1, min(1, x)) * rx, centre.y + max(-1, min(1, y)) * ry))
        else:
            x, y = UNIT[min(STEPS, bisect_left(sums, turn / (2 * math.pi) * sums[-1]))]
            found.append(Point(centre.x + rx * x, centre.y + ry * y))
    return found


def _arcs(rx: float, ry: float) -> list[float]:
    """Return the lengths along an ellipse, from above clockwise."""
    steps = (math.hypot((b[0] - a[0]) * rx, (b[1] - a[1]) * ry) for a, b in pairwise(UNIT))
    return [*accumulate(steps, initial=0.0)]


# --- where tubes meet them ----------------------------------------------------------------------------------------


@dataclass(slots=True)
class _End:
    at: int
    turn: float
    want: float


def _dock(nodes: Sequence[Box], sides: Sequence[int], links: Sequence[Link], wish: float) -> tuple[list[Port], float]:
    """Return two ports per channel, at its beginning and at its end, and the least distance between two.

    They are on an ellipse around each process, except beside its copy, ordered by the directions in which they leave.
    Of a pair, the outgoing one keeps to the right.
    """
    rim = _Rim(nodes[0].w / 2 + HALO, nodes[0].h / 2 + HALO)
    least, most = rim.length(CLOSED), rim.length(2 * math.pi - CLOSED)
    ports: dict[int, Port] = {}
    room = math.inf
    for i, (node, side) in enumerate(zip(nodes, sides, strict=True)):
        ends = []
        for c, link in enumerate(links):
            for at, here, there, lean in (
                (2 * c, link.source, link.target, 1e-3),
                (2 * c + 1, link.target, link.source, -1e-3),
            ):
                if here == i:
                    ends.append(_end(rim, node, nodes[there], side, at, lean, least, most))
        ends.sort(key=lambda end: end.turn)
        gap = min(wish, (most - least) / max(1, len(ends) - 1))
        if len(ends) > 1:
            room = min(room, gap)
        places = spread([end.want for end in ends], [gap] * (len(ends) - 1), least, most)
        for end, place in zip(ends, places, strict=True):
            ports[end.at] = rim.port(node, place, side)
    return [ports[at] for at in range(2 * len(links))], min(room, wish)


def _end(rim: "_Rim", node: Box, other: Box, side: int, at: int, lean: float, least: float, most: float) -> _End:
    # Assume that every copy hangs below; for one above, mirror both axes.
    turn = math.atan2(-(other.x - node.x) / rim.a, (other.y - node.y) * side / rim.b)
    turn = (turn + lean * side + 2 * math.pi) % (2 * math.pi)
    return _End(at, turn, min(most, max(least, rim.length(turn))))


class _Rim:
    """An ellipse and the lengths of its arc, from below clockwise."""

    def __init__(self, a: float, b: float) -> None:
        self.a, self.b = a, b
        self.lengths = [0.0]
        for i in range(1, ROUND + 1):
            s, t = math.radians(i - 1), math.radians(i)
            step = math.hypot(a * (math.sin(t) - math.sin(s)), b * (math.cos(t) - math.cos(s)))
            self.lengths.append(self.lengths[-1] + step)

    def length(self, turn: float) -> float:
        """Return the length of the arc up to that angle."""
        at = math.degrees(turn)
        i = min(ROUND - 1, int(at))
        return self.lengths[i] + (self.lengths[i + 1] - self.lengths[i]) * (at - i)

    def port(self, node: Box, length: float, side: int) -> Port:
        """Return the port at that length of the arc around ``node``, mirrored back if the copy hangs above."""
        i = max(0, min(ROUND - 1, bisect_left(self.lengths, length) - 1))
        part = (length - self.lengths[i]) / (self.lengths[i + 1] - self.lengths[i])
        turn = math.radians(i + part)
        x, y = -math.sin(turn) * self.a, math.cos(turn) * self.b * side
        nx, ny = x / self.a**2, y / self.b**2
        size = math.hypot(nx, ny)
        return Port(node.x + x, node.y + y, nx / size, ny / size)


# --- the tubes ----------------------------------------------------------------------------------------------------


def _clear(a: Port, b: Port, paired: bool, tube: float, others: Sequence[Box], centre: Point) -> Track:
    """Return the tube that passes behind no other process, bent towards the middle as little as possible."""

    def curved(inward: float) -> Track:
        return _curved(a, b, paired, tube, inward, centre)

    return curved(least_bent(DETOURS, lambda by: curved(by).way, others, tube / 2 + 3, MORE_BENT))


def _curved(a: Port, b: Port, paired: bool, tube: float, inward: float, centre: Point) -> Track:
    """Return a tube between two ports; each of a pair bows to its own right, and both ``inward`` towards the middle."""
    far = math.hypot(b.x - a.x, b.y - a.y) or 1
    dx, dy = (b.x - a.x) / far, (b.y - a.y) / far
    pull = min(0.28 * far, 80)
    # Short tubes are straight: there is no room for a curve.
    square = max(0.0, min(0.38, (far - 70) / 300))
    start, first = _lean(a, dx, dy, square, tube / 2 - 4, pull)
    long, half = (TIP, 9) if tube > 12 else (8, 5)
    stop, second = _lean(b, -dx, -dy, square, long + tube / 2, pull)
    bend = min(far * BOW, MOST) if paired else 0.0
    mx, my = centre.x - (a.x + b.x) / 2, centre.y - (a.y + b.y) / 2
    away = math.hypot(mx, my) or 1
    sx, sy = mx / away * inward - dy * bend, my / away * inward + dx * bend
    way = cubic(start, Point(first.x + sx, first.y + sy), Point(second.x + sx, second.y + sy), stop)
    inner = -1 if paired else -hanging(way)
    # Reports pass on the side that is free: beyond the tray, or, of a tube without a partner, opposite.
    beside = tube / 2 + TRAY + 12 if paired else -(tube / 2 + 9)
    head = arrowhead(way, tube / 2 + 3, long, half)
    return Track(way, tube, head, way.beside(-inner * beside), way.at(way.length / 2), way.length, inner=inner)


def _lean(port: Port, dx: float, dy: float, square: float, away: float, pull: float) -> tuple[Point, Point]:
    """Return where a tube begins at a port, and its control point: between straight out and straight on."""
    x, y = port.nx * square + dx * (1 - square), port.ny * square + dy * (1 - square)
    size = math.hypot(x, y) or 1
    x, y = x / size, y / size
    at = Point(port.x + x * away, port.y + y * away)
    return at, Point(at.x + x * pull, at.y + y * pull)
