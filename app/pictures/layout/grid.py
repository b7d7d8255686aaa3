"""Many processes: small boxes with names, thin straight channels; in rings where these have room, else in ranks, and a
long queue in rows."""

import math
from collections.abc import Mapping, Sequence
from statistics import fmean

from app.pictures.layout.paths import Point, Way, straight
from app.pictures.layout.plan import MARGIN, Box, Content, Link, Plan, Track, Tray, arrowhead, hanging, leaving
from app.pictures.layout.rings import Rings, apart, placed, sorted_out
from app.pictures.layout.stretches import Sizes, beyond, thinned

CELL_W, CELL_H = 58, 40
"""The least room for a process."""
SHIFT = 4
"""The distance of the two lines of a pair from their middle."""
TIP = 6
DOT = 9
"""A message."""
UNDER, THICK, SHORT = 2.9, 2.4, 5
"""From a line to its tray, how thick that is, and how much shorter at either end."""
SHEET = (8, 10)
"""A report."""
FONT = 11
"""The font size of names."""
RING = (28, 16)
"""The least width, and the height, of a process in a ring."""
AIR = (7, 6)
"""The least room between two processes in rings."""
APART = (16, 8)
"""The least room between two processes in ranks."""
LARGEST = 1.5
LEGIBLE, SMALLER = 0.75, 0.8
"""How small rings may be drawn, and how much smaller than rows if those are smaller than that."""
FINER = 0.95
FULL = 3.5
"""With fewer processes in an average ring than this, they are a queue rather than rings."""

SWEEPS = 12
"""How often every rank is sorted anew by the places of its neighbours."""


def grid(
    places: Sequence[Point], links: Sequence[Link], width: float, height: float, content: Content, first: int
) -> Plan:
    """Return the plan of a stage of that size; the states of the processes are not shown. They stand in rings around
    the ``first`` one, in ranks from it, or in rows."""
    columns, rows, zoom = _rows(len(places), width, height)
    nodes: tuple[Box, ...] = ()
    rings = sorted_out(len(places), links, first)
    if len(rings.turns) >= FULL * (len(rings.levels) - 1):
        size = (min(46.0, max(RING[0], content.name * FONT + 9)), float(RING[1]))
        found = _in_rings(rings, width, height, size, zoom) or _in_ranks(rings, links, width, height, size, zoom)
        zoom, nodes = found or (zoom, ())
    nodes = nodes or _in_rows(places, columns, rows, width / zoom, height / zoom)
    tracks = [_line(nodes[c.source], nodes[c.target], SHIFT if c.paired else 0) for c in links]
    return lined(width / zoom, height / zoom, nodes, tracks)


def lined(width: float, height: float, nodes: tuple[Box, ...], tracks: Sequence[Track]) -> Plan:
    """Return the plan of small processes with thin channels."""
    taken = [Box(box.x, box.y, box.w + 5, box.h + 5) for box in nodes]
    found = thinned(tracks, taken, Sizes(DOT, DOT, (16,), 11, SHEET))
    # The copy is the box itself, filled: there is no room for a second one.
    return Plan("grid", width, height, nodes, nodes, found, DOT - 1, DOT, 8, 0)


def _rows(n: int, width: float, height: float) -> tuple[int, int, float]:
    """Return the columns and the rows of ``n`` processes in rows, and how large to draw them. On a stage that is higher
    than wide, rows and columns change places."""
    columns = math.ceil(math.sqrt(2 * n))
    rows = math.ceil(n / columns)
    if height > width:
        columns, rows = rows, columns
    zoom = max(0.4, min(1.5, width / (columns * CELL_W + 2 * MARGIN), height / (rows * CELL_H + 2 * MARGIN)))
    return columns, rows, zoom


def _in_rows(places: Sequence[Point], columns: int, rows: int, width: float, height: float) -> tuple[Box, ...]:
    """Return processes in rows."""
    if height > width:
        places = [Point(p.y, p.x) for p in places]
    cell_w, cell_h = (width - 2 * MARGIN) / (columns + 0.5), (height - 2 * MARGIN) / rows
    w, h = min(46, cell_w * 0.68), min(22, cell_h * 0.46)
    low = MARGIN + h / 2 - 4
    return tuple(
        Box(MARGIN + w / 2 - 4 + p.x * (width - 2 * MARGIN - w + 8), low + p.y * (height - 2 * low - 4), w, h)
        for p in places
    )


def _in_rings(
    rings: Rings, width: float, height: float, size: tuple[float, float], rows: float
) -> tuple[float, tuple[Box, ...]] | None:
    """Return how large to draw processes in rings, and these; None where there is no room for rings. ``rows``: how
    large they would be in rows."""
    w, h = size
    cell, zoom = (w + AIR[0], h + AIR[1]), rows
    while zoom >= min(LEGIBLE, rows * SMALLER):
        across, down = width / zoom, height / zoom
        around = placed(rings, (across - w - MARGIN, down - h - MARGIN), cell)
        if apart(around, cell):
            return zoom, tuple(Box(across / 2 + p.x, down / 2 + p.y, w, h) for p in around)
        zoom *= FINER
    return None


def _in_ranks(
    rings: Rings, links: Sequence[Link], width: float, height: float, size: tuple[float, float], rows: float
) -> tuple[float, tuple[Box, ...]] | None:
    """Return how large to draw processes in ranks, and these; None where they would be much smaller than in rows."""
    (w, h), zoom, turns = size, LARGEST, _ordered(rings.levels, links)
    while zoom >= rows * SMALLER:
        across, down = width / zoom - MARGIN, height / zoom - MARGIN
        places = _ranked(rings.levels, turns, (across, down), (w + APART[0], h + APART[1]))
        if places:
            return zoom, tuple(Box(MARGIN / 2 + p.x, MARGIN / 2 + p.y, w, h) for p in places)
        zoom *= FINER
    return None


def _line(a: Box, b: Box, shift: float) -> Track:
    """Return a straight channel from edge to edge."""
    far = math.hypot(b.x - a.x, b.y - a.y) or 1
    dx, dy = (b.x - a.x) / far, (b.y - a.y) / far
    start = Point(a.x - dy * shift, a.y + dx * shift)
    stop = Point(b.x - dy * shift, b.y + dx * shift)
    out = leaving(start, dx, dy, a)
    into = leaving(stop, -dx, -dy, b) + TIP + 1
    way = straight(Point(start.x + dx * out, start.y + dy * out), Point(stop.x - dx * into, stop.y - dy * into))
    inner = -1 if shift else -hanging(way)
    return thin(way, inner)


def thin(way: Way, inner: int) -> Track:
    """Return a channel that is a line, and its tray a line beside it."""
    short = min(SHORT, way.length / 4)
    tray = Tray(way.part(short, way.length - short, -inner * UNDER), THICK)
    lane = beyond(way, (DOT, DOT), SHEET, -inner)
    return Track(way, 2, arrowhead(way, 0, TIP, 2.8), lane, way.points[0], way.length, tray, inner=inner)


def _ranked(
    levels: Sequence[Sequence[int]], places: Mapping[int, float], room: tuple[float, float], cell: tuple[float, float]
) -> list[Point] | None:
    """Return the places of the processes, within a place of the size ``room``; None if there is too little room for
    processes that take a ``cell`` each. ``places``: where in its rank each is, in 0..1."""
    along, across = (0, 1) if room[0] >= room[1] else (1, 0)
    deep = max(1, math.floor(room[across] / cell[across]))
    columns = [math.ceil(len(level) / deep) for level in levels]
    if sum(columns) * cell[along] > room[along]:
        return None
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
            wish = {each: fmean([places[one] for one in beside[each]]) if beside[each] else 0.5 for each in level}
            for i, each in enumerate(sorted(level, key=lambda one: (wish[one], one))):
                places[each] = (i + 0.5) / len(level)
    return places
