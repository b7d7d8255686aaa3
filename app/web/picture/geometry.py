"""Where processes, recorded copies and channels are on the stage.

The rules are those of ``static/js/geometry.js``, so that a picture looks like the player. Three looks: ``row`` (two
processes, chains), ``circle`` (up to twelve), ``grid`` (more).
"""

import math
from collections.abc import Sequence

from app.web.picture.circle import circle
from app.web.picture.paths import Point, straight
from app.web.picture.plan import GAP, HEAD, MARGIN, THREAD, Box, Content, Link, Plan, Track, arrowhead

APART = 44
"""Half the distance between the two tubes of a pair in a row."""
SPACE = 5
"""Between two messages in a tube."""
CIRCLE = 12
"""The most processes on a circle."""
COUNTER = 30
"""The width of the "+n" that counts what does not fit."""


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
    w = max(92 if n > 3 else 116, min(180, 18 * content.name + 36), min(190, 15 * content.line + 56))
    h: float = 50 + 24 * min(content.rows, 5) if content.rows else 92
    sheet = max(w, 124 if n > 3 else 164)
    lines = math.ceil(content.rows * (content.line * 14 + 12) / (sheet - 16))
    card_h: float = 42 + 20 * min(lines, 3) if content.rows else 62
    tube = 96 if n > 3 else 132
    reach = max(h / 2, APART + 38 if any(c.paired for c in links) else 30) + 8
    need_w = n * sheet + (n - 1) * tube + 2 * MARGIN
    need_h = reach + h / 2 + THREAD + 10 + card_h + 12
    zoom = max(0.45, min(2.2, width / need_w, height / need_h))
    width, height = width / zoom, height / zoom
    y = max(0.0, height - need_h) / 2 + reach
    inner = min(width - 2 * MARGIN - sheet, (n - 1) * 620)
    side = (width - inner) / 2
    nodes = tuple(Box(width / 2 if n == 1 else side + p.x * inner, y, w, h) for p in places)
    cards = tuple(Box(node.x, y + h / 2 + THREAD + 10 + card_h / 2, sheet, card_h) for node in nodes)
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
