"""Where processes, recorded copies and channels are on the stage: for pictures and for the player.

Four looks, by the number of processes, their places and the number of channels:

``row``     all on one height (two processes, chains): straight tubes with captions, copies hang below
``circle``  few processes with few channels (rings, stars): processes on an ellipse, curved tubes, copies hang outside
``wires``   up to twelve: processes on an ellipse, slim straight channels that may cross
``grid``    more: small processes, in rings, in ranks or in rows, thin straight channels, states on hover

A dataflow is drawn in layers; it is a row if that is enough, and otherwise looks like wires or like a grid.
"""

import math
from collections.abc import Sequence
from functools import lru_cache

from msgspec.structs import replace

from app.core.model.value import Frozen
from app.pictures.layout.circle import circle
from app.pictures.layout.dataflow import layers
from app.pictures.layout.dataflow import preferred as preferred_in_layers
from app.pictures.layout.grid import grid
from app.pictures.layout.paths import Point, straight
from app.pictures.layout.plan import (
    CLEAREST,
    FINE,
    GAP,
    HEAD,
    LEGIBLE,
    MANY,
    MARGIN,
    NARROW,
    THREAD,
    Box,
    Content,
    Link,
    Plan,
    Track,
    arrowhead,
    sent,
)
from app.pictures.layout.wires import preferred as preferred_of_wires
from app.pictures.layout.wires import wires

APART = 44
"""Half the distance between the two tubes of a pair in a row."""
ABOVE = 21
"""From a process's upper edge to a line above it."""
ROW, TUBES, WIRES = 6, 6, MANY
"""The most processes in a row, for tubes, and for wires."""
FLOW = 4
"""The most processes of a dataflow in a row."""
ROOM = 1.5
"""The most channels per process for which tubes have room."""
BROAD = 520
"""The narrowest stage with room for curved tubes."""
SQUARE = 0.95
"""A stage on which processes stand around a middle is so much as high as wide, if its height is free."""


LARGEST, SMALLEST = 2.2, 0.45
"""How large and how small a row may be drawn."""
LONG, TOLD = 7, 152
"""Rows so wide, in em, have long words, and so have messages: in large letters two processes are so far apart."""
WIDEST = 136
"""The most that a process in a row is wide on a phone."""
ENLARGED = (1, 1.1, 1.2, 1.3, 1.45, 1.6, 1.8, 2, 2.25, 2.5)
"""How much larger than all else processes are drawn, tried in turn, until their letters are as large as asked for."""
STUB = 1.5
"""How many times as long as thick the shortest tube on a circle is; shorter ones are drawn as wires."""
LARGER = 14
"""The most units that the smallest letters get, where everything is drawn small."""


@lru_cache(maxsize=256)
def arrange(
    places: Sequence[Point],
    links: tuple[Link, ...],
    width: float,
    height: float,
    content: Content,
    layered: bool = False,
    first: int = 0,
) -> Plan:
    """Return the plan of a stage of that size in px. ``places`` are in 0..1; ``layered``: it is a dataflow, drawn in
    layers; ``first``: the process in the middle of many. A large plan takes a tenth of a second, so the latest are
    cached."""
    looks = {"row": _row, "circle": circle, "wires": wires, "layers": layers}
    shown = look(places, links, width, layered)
    if shown == "grid":
        return sent(grid(places, links, width, height, content, first))
    plan = looks[shown](_bent(places) if shown == "wires" else places, links, width, height, content)
    if shown == "circle" and min((track.way.length / track.tube for track in plan.tracks), default=STUB) < STUB:
        plan = wires(places, links, width, height, content)
    least = min(LARGER, LEGIBLE * plan.width / width)
    larger = 1 if shown == "row" else content.larger
    return sent(replace(plan, least=least, larger=larger, loud=max(least, content.loud * plan.width / width)))


def lettered(
    places: Sequence[Point],
    links: tuple[Link, ...],
    width: float,
    height: float,
    content: Content,
    letters: float,
    layered: bool = False,
    first: int = 0,
) -> Plan:
    """Return the plan of a stage of that size in px, with processes and messages so large that no letter on them is
    smaller than ``letters`` px, or as near to that as there is room."""
    found: list[tuple[float, Plan]] = []
    least = 0.0
    for larger in ENLARGED:
        if larger < least:
            continue
        plan = arrange(places, links, width, height, replace(content, larger=larger, loud=letters), layered, first)
        row = plan.look == "row" or content.foot or content.rows or not plan.rows
        size = (FINE if row else 13.5) * plan.larger * width / plan.width  # of the smallest letters in a process
        found.append((size, plan))
        if size >= letters or plan.look == "grid":
            return plan
        # Larger processes never let all else be drawn larger, so that what is in between is too little.
        least = larger * letters / size
    return max(found, key=lambda each: each[0])[1]


@lru_cache(maxsize=256)
def preferred(
    places: Sequence[Point], links: tuple[Link, ...], width: float, content: Content, layered: bool = False
) -> int:
    """Return the height in px that suits a stage of that width, for a page on which the height is free. Many heights
    are tried, so the latest answers are cached."""
    shown = look(places, links, width, layered)
    if shown == "row":
        measures, most = _measured(places, links, width, content), LARGEST if width >= NARROW else CLEAREST
        return round(measures.need_h * max(SMALLEST, min(most, width / measures.need_w)))
    narrow = preferred_in_layers(places, links, width, content) if shown == "layers" else None
    if shown == "wires" and width < NARROW:
        narrow = preferred_of_wires(_bent(places), links, width, content)
    return round(width * SQUARE if narrow is None else narrow)


def _bent(places: Sequence[Point]) -> Sequence[Point]:
    """Return processes that would stand in a row, in the same order around a middle: a phone is too narrow for them."""
    n = len(places)
    if not _level(places):
        return places
    rank = {x: i for i, x in enumerate(sorted(p.x for p in places))}
    # The middle one is above; four stand on corners.
    turns = [2 * math.pi * ((rank[p.x] - (n - 1) / 2) / n - (0.125 if n == 4 else 0.25)) for p in places]
    return tuple(Point(0.5 + math.cos(turn) / 2, 0.5 + math.sin(turn) / 2) for turn in turns)


def _level(places: Sequence[Point]) -> bool:
    return len(places) <= ROW and all(abs(p.y - 0.5) < 0.01 for p in places)


def look(places: Sequence[Point], links: Sequence[Link], width: float, layered: bool = False) -> str:
    """Return the look that suits so many processes in these places, with these channels."""
    n = len(places)
    if n > WIRES:
        return "layers" if layered else "grid"
    level = _level(places)
    joined = all(abs(places[c.source].x - places[c.target].x) < 1.01 / max(1, n - 1) for c in links)
    # In a dataflow, channels that lead back go around.
    crowded = not level or not joined or n > FLOW or (n > 2 and width < BROAD)
    if layered and (crowded or any(c.against for c in links)):
        return "layers"
    if level and (n < 3 or (joined and width >= BROAD)):
        return "row"
    return "circle" if n <= TUBES and len(links) <= n * ROOM and width >= BROAD else "wires"


class _Row(Frozen):
    """How large everything in a row is. ``reach`` is the distance from the upper edge to the middle of the
    processes; ``need_w`` and ``need_h`` are the room that the row needs."""

    box: tuple[float, float]
    card: tuple[float, float]
    foot: float
    reach: float
    need_w: float
    need_h: float


def _measured(places: Sequence[Point], links: Sequence[Link], width: float, content: Content) -> _Row:
    n = len(places)
    narrow = width < NARROW
    told = n == 2 and content.loud > 0 and content.line > LONG
    beside = 34 if told else 56
    w = max(92 if n > 3 or narrow else 116, min(180, 18 * content.name + 36), min(190, 15 * content.line + beside))
    w = min(w, WIDEST) if narrow else w
    foot = 26.0 if content.foot else 0.0
    h = (50.0 + 24 * min(content.rows, 5) if content.rows else 92.0) + foot
    sheet = max(w, 124 if n > 3 or narrow or (n > 2 and content.loud) else 164)
    lines = math.ceil(content.rows * (content.line * 14 + 12) / (sheet - 16))
    card_h: float = 42 + 20 * min(lines, 3) if content.rows else 62
    # What is drawn larger leaves shorter tubes.
    tube = TOLD if told else 96 if n > 3 or narrow else max(96, 132 / content.larger)
    # Between two processes with one channel, faults have a separate line above the boxes.
    pairs = any(c.paired for c in links)
    reach = max(h / 2, APART + 51 if pairs else h / 2 + ABOVE + 12 if n == 2 else 30) + 8
    need_w = n * sheet + (n - 1) * tube + 2 * _margin(width)
    need_h = reach + h / 2 + THREAD + 10 + card_h + 12
    return _Row((w, h), (sheet, card_h), foot, reach, need_w, need_h)


def _margin(width: float) -> float:
    return MARGIN / 2 if width < NARROW else MARGIN


def _row(places: Sequence[Point], links: Sequence[Link], width: float, height: float, content: Content) -> Plan:
    """Return a plan with all processes on one height and straight tubes; copies hang below."""
    n = len(places)
    measures, margin = _measured(places, links, width, content), _margin(width)
    (w, h), card = measures.box, measures.card
    zoom = max(SMALLEST, min(LARGEST, width / measures.need_w, height / measures.need_h))
    width, height = width / zoom, height / zoom
    y = max(0.0, height - measures.need_h) / 2 + measures.reach
    inner = min(width - 2 * margin - card[0], (n - 1) * 620)
    side = (width - inner) / 2
    nodes = tuple(Box(width / 2 if n == 1 else side + p.x * inner, y, w, h) for p in places)
    cards = tuple(Box(node.x, y + h / 2 + THREAD + 10 + card[1] / 2, *card) for node in nodes)
    alone = n == 2 and not any(c.paired for c in links)
    tracks = tuple(_tube(nodes[c.source], nodes[c.target], c.paired, card[0], n > 3, alone) for c in links)
    return Plan("row", width, height, nodes, cards, tracks, 28, 120, 14, 5, measures.foot)


def _tube(a: Box, b: Box, paired: bool, sheet: float, many: bool, alone: bool) -> Track:
    """Return the tube of a row from ``a`` to ``b``; ``sheet`` is the width of a copy."""
    thick = 38.0
    right = 1 if b.x > a.x else -1
    lift = -right * APART if paired else 0
    start = Point(a.x + right * (a.w / 2 + GAP + thick / 2), a.y + lift)
    stop = Point(b.x - right * (b.w / 2 + GAP + HEAD + thick / 2), a.y + lift)
    way = straight(start, stop)
    outward = 1 if lift > 0 else -1
    lane = straight(Point(start.x, start.y - outward * 31), Point(stop.x, stop.y - outward * 31))
    y = start.y + outward * (thick / 2 + 17)
    label, room = Point((start.x + stop.x) / 2, y), way.length + thick
    if lift > 0:
        # Below, the tray stands between the two copies.
        edges = sorted((a.x, b.x))
        left = max(min(start.x, stop.x) - thick / 2, edges[0] + sheet / 2 + 8)
        end = min(max(start.x, stop.x) + thick / 2, edges[1] - sheet / 2 - 8)
        label, room = Point((left + end) / 2, y), end - left
    elif not many and (lift == 0 or a.h / 2 < APART + 18):
        # Above low processes nothing limits what stands beside the tray.
        room = abs(b.x - a.x) - 16
    wrong = Point(label.x, a.y - a.h / 2 - ABOVE) if alone else None
    head = arrowhead(way, thick / 2 + 4, 13, 8)
    return Track(way, thick, head, lane, label, room, wrong=wrong, inner=1 if lift else right)
