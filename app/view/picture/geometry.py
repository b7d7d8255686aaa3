"""Where processes, recorded copies and channels are on the stage.

The rules are those of ``static/js/stage/geometry.js``, so that a picture looks like the player. Four looks: ``row``
(two processes, chains), ``circle`` (few processes, few channels), ``wires`` (up to twelve), ``grid`` (more). A dataflow
is drawn in layers; it is a row if that is enough, and otherwise looks like wires or like a grid.
"""

import math
from collections.abc import Sequence

from app.view.picture.circle import circle
from app.view.picture.grid import grid
from app.view.picture.layers import layers
from app.view.picture.paths import Point, straight
from app.view.picture.plan import GAP, HEAD, MANY, MARGIN, THREAD, Box, Content, Link, Plan, Track, arrowhead
from app.view.picture.wires import wires

APART = 44
"""Half the distance between the two tubes of a pair in a row."""
ABOVE = 21
"""From a process's upper edge to a line above it."""
ROW, TUBES, WIRES = 6, 6, MANY
"""The most processes in a row, for tubes, and for wires."""
FLOW = 4
"""The most processes of a dataflow in a row."""
ROOM = 1.6
"""The most channels per process for which tubes have room."""
BROAD = 520
"""The narrowest stage with room for curved tubes."""


def arrange(
    places: Sequence[Point],
    links: Sequence[Link],
    width: float,
    height: float,
    content: Content,
    layered: bool = False,
) -> Plan:
    """Return the plan of a stage of that size. ``places`` are in 0..1; ``layered``: it is a dataflow, drawn in
    layers."""
    looks = {"row": row, "circle": circle, "wires": wires, "grid": grid, "layers": layers}
    return looks[look(places, links, width, layered)](places, links, width, height, content)


def look(places: Sequence[Point], links: Sequence[Link], width: float, layered: bool = False) -> str:
    """Return the look that suits so many processes in these places, with these channels."""
    n = len(places)
    level = n <= ROW and all(abs(p.y - 0.5) < 0.01 for p in places)
    joined = all(abs(places[c.source].x - places[c.target].x) < 1.01 / max(1, n - 1) for c in links)
    # In a dataflow, channels that lead back go around.
    crowded = not level or not joined or n > FLOW or (n > 2 and width < BROAD)
    if layered and (crowded or any(c.against for c in links)):
        return "layers"
    if level and (joined or n < 3):
        return "row"
    if n > WIRES:
        return "grid"
    return "circle" if n <= TUBES and len(links) <= n * ROOM and width >= BROAD else "wires"


def row(places: Sequence[Point], links: Sequence[Link], width: float, height: float, content: Content) -> Plan:
    """Return a plan with all processes on one height and straight tubes; copies hang below."""
    n = len(places)
    w = max(92 if n > 3 else 116, min(180, 18 * content.name + 36), min(190, 15 * content.line + 56))
    foot = 26.0 if content.foot else 0.0
    h = (50.0 + 24 * min(content.rows, 5) if content.rows else 92.0) + foot
    sheet = max(w, 124 if n > 3 else 164)
    lines = math.ceil(content.rows * (content.line * 14 + 12) / (sheet - 16))
    card_h: float = 42 + 20 * min(lines, 3) if content.rows else 62
    tube = 96 if n > 3 else 132
    # Between two processes with one channel, faults have a separate line above the boxes.
    pairs = any(c.paired for c in links)
    alone = n == 2 and not pairs
    reach = max(h / 2, APART + 38 if pairs else h / 2 + ABOVE + 12 if alone else 30) + 8
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
        # If processes are close together, a caption keeps its distance from both.
        close = n > 3 and not lift
        label = Point((start.x + stop.x) / 2 + (right * HEAD / 2 if close else 0), start.y + outward * (thick / 2 + 16))
        # Below, the caption stands between the two copies; above low processes its width is not limited.
        room = way.length + thick + (28 if close else 40)
        if lift > 0:
            room = abs(b.x - a.x) - sheet - 16
        elif lift < 0 and h / 2 < APART + 17:
            room = abs(b.x - a.x) - 16
        wrong = Point(label.x, y - h / 2 - ABOVE) if alone else None
        tracks.append(Track(way, thick, arrowhead(way, thick / 2 + 4, 13, 8), lane, label, room, 0.5, wrong=wrong))
    return Plan("row", width, height, nodes, cards, tuple(tracks), 28, 120, 14, 5, foot)
