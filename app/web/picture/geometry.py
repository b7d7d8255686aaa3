"""Where processes, recorded copies and channels are on the stage.

The rules are those of ``static/js/geometry.js``, so that a picture looks like the player. Three looks: ``row`` (two
processes, chains), ``circle`` (up to twelve), ``grid`` (more).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from app.web.picture.paths import Point, Way, quadratic, straight

MARGIN = 20
THREAD = 12
GAP = 12
HEAD = 16
APART = 44
BOW = 0.09
SIDE = 5
SPACE = 5
CIRCLE = 12
COUNTER = 30


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle by its middle."""

    x: float
    y: float
    w: float
    h: float


@dataclass(frozen=True, slots=True)
class Link:
    """A channel: the indices of its two processes, and whether another leads back."""

    source: int
    target: int
    paired: bool


@dataclass(frozen=True, slots=True)
class Track:
    """A channel on the stage. ``tube`` is how thick it is, ``lane`` where recorded parts travel, ``label`` where its
    caption stands, ``print`` the part of the tube at which its recorded content is printed."""

    way: Way
    tube: float
    head: tuple[Point, Point, Point]
    lane: Way
    label: Point
    print: float


@dataclass(frozen=True, slots=True)
class Plan:
    """The whole stage."""

    look: str
    width: float
    height: float
    nodes: tuple[Box, ...]
    cards: tuple[Box, ...]
    tracks: tuple[Track, ...]
    pill: float
    font: float
    rows: int


@dataclass(frozen=True, slots=True)
class Content:
    """How much room the states need: the most rows, and the widest row, value and name in em."""

    rows: int
    line: float
    value: float
    name: float


def arrange(places: Sequence[Point], links: Sequence[Link], width: float, height: float, content: Content) -> Plan:
    """The plan of a stage of that size. ``places`` are in 0..1."""
    n = len(places)
    level = n <= 6 and all(abs(p.y - 0.5) < 0.01 for p in places)
    joined = all(abs(places[c.source].x - places[c.target].x) < 1.01 / max(1, n - 1) for c in links)
    if n > CIRCLE:
        return grid(places, links, width, height)
    if level and (joined or n < 3):
        return row(places, links, width, height, content)
    return circle(places, links, width, height, content)


def row(places: Sequence[Point], links: Sequence[Link], width: float, height: float, content: Content) -> Plan:
    """All on one height, with straight tubes; copies hang below."""
    n = len(places)
    rows = min(content.rows, 5)
    w = max(92 if n > 3 else 116, min(180, 18 * content.name + 36), min(190, 15 * content.line + 56))
    h: float = 50 + 24 * rows if rows else 92
    card_w = max(w, 150)
    card_h: float = 46 + 20 * min(math.ceil(content.rows / 2) + (content.rows > 4), 3) if rows else 62
    tube = 96 if n > 3 else 132
    need_w = n * card_w + (n - 1) * tube + 2 * MARGIN
    reach = max(h / 2, APART + 46 if any(c.paired for c in links) else 0)
    need_h = reach + h / 2 + THREAD + 10 + card_h + 2 * MARGIN
    zoom = max(0.45, min(2.2, width / need_w, height / need_h))
    width, height = width / zoom, height / zoom
    free = height - reach - h / 2 - THREAD - 10 - card_h
    y = max(MARGIN, free / 2) + reach
    inner = min(width - 2 * MARGIN - card_w, (n - 1) * 620)
    side = (width - inner) / 2
    nodes = tuple(Box(width / 2 if n == 1 else side + p.x * inner, y, w, h) for p in places)
    cards = tuple(Box(node.x, y + h / 2 + THREAD + 10 + card_h / 2, card_w, card_h) for node in nodes)
    thick = 38.0
    tracks = []
    for c in links:
        a, b = nodes[c.source], nodes[c.target]
        right = 1 if b.x > a.x else -1
        lift = -right * APART if c.paired else 0
        start = Point(a.x + right * (a.w / 2 + GAP + thick / 2), y + lift)
        stop = Point(b.x - right * (b.w / 2 + GAP + HEAD + thick / 2), y + lift)
        way = straight(start, stop)
        inward = -1 if lift > 0 else 1
        lane = straight(Point(start.x, start.y + inward * 31), Point(stop.x, stop.y + inward * 31))
        outward = 1 if lift > 0 else -1
        label = Point((start.x + stop.x) / 2, start.y + outward * (thick / 2 + 16))
        tracks.append(Track(way, thick, arrowhead(way, thick / 2 + 4, 13, 8), lane, label, 0.5))
    return Plan("row", width, height, nodes, cards, tuple(tracks), 28, 14, 5)


def circle(places: Sequence[Point], links: Sequence[Link], width: float, height: float, content: Content) -> Plan:
    """Nodes at equal distances on an ellipse, curved tubes; copies hang outside."""
    n = len(places)
    small = n > 6
    name = 13 if small else 15
    table = 13 * content.line + 30 if content.rows else (content.name + content.value) * name + 44
    w = max(68 if small else 88, min(108 if small else 132, max(content.name * name + 26, table)))
    rows = min(content.rows, 1 if small else 3)
    h: float = 26 + 17 * rows + 5 if rows else 32 if small else 38
    card_w, card_h = (w if small else w + 12), 24
    slot = h + THREAD + card_h
    need_w, need_h = (w * 5.4, slot * 4.1) if small else (w * 3 + 150, slot * 2 + 96)
    zoom = max(0.45, min(2, width / need_w, height / need_h))
    width, height = width / zoom, height / zoom
    centre = Point(width / 2, height / 2)
    rx = min(width / 2 - MARGIN - card_w / 2, max(height, 240) * 1.35)
    ry = height / 2 - MARGIN / 2 - slot + h / 2
    nodes = tuple(Box(p.x, p.y, w, h) for p in around(places, centre, rx, ry))
    cards = tuple(
        Box(b.x, b.y + (-1 if b.y < centre.y - 4 else 1) * (h / 2 + THREAD + card_h / 2), card_w, card_h) for b in nodes
    )
    ends = [0] * n
    for c in links:
        ends[c.source] += 1
        ends[c.target] += 1
    most = max(1, *ends) if ends else 1
    tube = 24 if most <= 4 else 20 if most <= 6 else 15 if most <= 8 else 11 if most <= 12 else 7
    tracks = tuple(curved(c, nodes, cards, tube, centre) for c in links)
    font = 12 if tube >= 24 else 10.5
    return Plan("circle", width, height, nodes, cards, tracks, max(tube - 4, 15), font, 1 if small else 3)


def around(places: Sequence[Point], centre: Point, rx: float, ry: float) -> list[Point]:
    """Places on the rim of a circle, moved to an ellipse with equal distances along it."""
    on = [math.hypot(p.x - 0.5, p.y - 0.5) > 0.4 for p in places]
    steps = 720

    def at(i: int) -> Point:
        angle = i / steps * 2 * math.pi - math.pi / 2
        return Point(centre.x + rx * math.cos(angle), centre.y + ry * math.sin(angle))

    rim = [at(i) for i in range(steps + 1)]
    sums = [0.0]
    for i in range(1, steps + 1):
        sums.append(sums[-1] + math.hypot(rim[i].x - rim[i - 1].x, rim[i].y - rim[i - 1].y))
    found = []
    for p, outside in zip(places, on, strict=True):
        if not outside or sum(on) < 5:
            found.append(Point(centre.x + (p.x - 0.5) * 2 * rx, centre.y + (p.y - 0.5) * 2 * ry))
            continue
        turn = (math.atan2(p.y - 0.5, p.x - 0.5) + math.pi / 2 + 4 * math.pi + 1e-9) % (2 * math.pi)
        goal = turn / (2 * math.pi) * sums[steps]
        found.append(rim[next(i for i in range(steps + 1) if i == steps or sums[i] >= goal)])
    return found


def curved(link: Link, nodes: Sequence[Box], cards: Sequence[Box], tube: float, centre: Point) -> Track:
    """A tube that bows to its own right-hand side, so that the two of a pair never touch."""
    a, b = nodes[link.source], nodes[link.target]
    far = math.hypot(b.x - a.x, b.y - a.y) or 1
    ax, ay = (b.x - a.x) / far, (b.y - a.y) / far
    rx, ry = -ay, ax
    shift = tube / 2 + SIDE if link.paired else 0
    start = Point(a.x + rx * shift, a.y + ry * shift)
    stop = Point(b.x + rx * shift, b.y + ry * shift)
    out = leaving(start, ax, ay, a, cards[link.source]) + GAP / 2 + tube / 2
    into = leaving(stop, -ax, -ay, b, cards[link.target]) + HEAD * 0.75 + tube / 2
    first = Point(start.x + ax * out, start.y + ay * out)
    last = Point(stop.x - ax * into, stop.y - ay * into)
    length = math.hypot(last.x - first.x, last.y - first.y)
    bend = length * BOW if link.paired else 0.0
    if not link.paired:
        mx, my = (first.x + last.x) / 2 - centre.x, (first.y + last.y) / 2 - centre.y
        if math.hypot(mx, my) > 1:
            side = mx * rx + my * ry
            bend = math.copysign(length * BOW * 0.8, side) if side else 0.0
    control = Point((first.x + last.x) / 2 + rx * 2 * bend, (first.y + last.y) / 2 + ry * 2 * bend)
    way = quadratic(first, control, last)
    beside = (tube / 2 + 9) * (-1 if bend < 0 else 1)
    head = arrowhead(way, tube / 2 + 2, 10 if tube > 12 else 8, 7 if tube > 12 else 5)
    return Track(way, tube, head, way.beside(beside), way.at(way.length / 2, beside + 8), 0.24)


def leaving(start: Point, dx: float, dy: float, node: Box, card: Box) -> float:
    """How far from ``start`` in that direction a process and its copy are left."""
    far = exit_of(start, dx, dy, node)
    edge = Point(start.x + dx * far, start.y + dy * far)
    if abs(edge.x - card.x) < card.w / 2 and abs(edge.y - card.y) < card.h / 2 + THREAD + 2:
        beyond = exit_of(start, dx, dy, card)
        end = Point(start.x + dx * beyond, start.y + dy * beyond)
        if abs(end.x - card.x) <= card.w / 2 + 1 and abs(end.y - card.y) <= card.h / 2 + 1 and beyond > far:
            return beyond
    return far


def exit_of(start: Point, dx: float, dy: float, box: Box) -> float:
    """How far it is from ``start`` in that direction to where the box is left."""
    across = (box.x + math.copysign(box.w / 2, dx) - start.x) / dx if dx else math.inf
    down = (box.y + math.copysign(box.h / 2, dy) - start.y) / dy if dy else math.inf
    return max(0.0, min(across, down))


def grid(places: Sequence[Point], links: Sequence[Link], width: float, height: float) -> Plan:
    """Small nodes and thin, straight channels."""
    n = len(places)
    columns = math.ceil(math.sqrt(2 * n))
    rows = math.ceil(n / columns)
    zoom = max(0.4, min(1.8, width / (columns * 74 + 2 * MARGIN), height / (rows * 50 + 2 * MARGIN)))
    width, height = width / zoom, height / zoom
    cell_w, cell_h = (width - 2 * MARGIN) / (columns + 0.5), (height - 2 * MARGIN) / rows
    w, h = min(64, cell_w * 0.6), min(26, cell_h * 0.42)
    nodes = tuple(Box(MARGIN + p.x * (width - 2 * MARGIN), MARGIN + p.y * (height - 2 * MARGIN), w, h) for p in places)
    cards = tuple(Box(box.x, box.y + h / 2 + 5, w, 6) for box in nodes)
    tracks = []
    for c in links:
        a, b = nodes[c.source], nodes[c.target]
        far = math.hypot(b.x - a.x, b.y - a.y) or 1
        dx, dy = (b.x - a.x) / far, (b.y - a.y) / far
        shift = 4 if c.paired else 0
        start = Point(a.x - dy * shift, a.y + dx * shift)
        stop = Point(b.x - dy * shift, b.y + dx * shift)
        out = exit_of(start, dx, dy, a) + 2
        into = exit_of(stop, -dx, -dy, b) + 9
        way = straight(Point(start.x + dx * out, start.y + dy * out), Point(stop.x - dx * into, stop.y - dy * into))
        head = arrowhead(way, 0, 7, 3.5)
        tracks.append(Track(way, 2, head, way.beside(7), way.at(way.length / 2, 10), 0.3))
    return Plan("grid", width, height, nodes, cards, tuple(tracks), 11, 8, 0)


def arrowhead(way: Way, away: float, long: float, half: float) -> tuple[Point, Point, Point]:
    """The three corners of the arrowhead that stands ``away`` units behind the end of a way."""
    base = way.length + away
    return way.at(base + long), way.at(base, half), way.at(base, -half)


def slots(widths: Sequence[float], length: float, pad: float) -> tuple[list[float], int, float]:
    """Where the messages of a queue rest: distances along a tube of this length, the head's first; how many do not
    fit; and where these are counted."""
    places: list[float] = []
    edge = length + pad
    for i, width in enumerate(widths):
        begin = edge - width - (SPACE if i else 0)
        if begin < -pad + (0 if i == len(widths) - 1 else COUNTER):
            break
        places.append(begin + width / 2)
        edge = begin
    if not places and widths:
        places.append(length / 2)
    return places, len(widths) - len(places), max(edge - SPACE - COUNTER / 2, 0)
