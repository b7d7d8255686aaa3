"""The wait-for graph as it is drawn: each process in its place on the stage, with an arrow to each process it waits
for."""

import math

from app.core.model.topology import Topology
from app.core.model.value import Frozen
from app.core.oracle.deadlock import Wait, Waits

WIDTH, HEIGHT, EDGE = 300.0, 170.0, 46.0
RADIUS = 22.0
ASIDE = 8.0
"""The distance of an arrow from the straight line, so that two in opposite directions do not meet."""
MOST = 12
"""More processes are described in words alone."""


class Knot(Frozen):
    """A process; ``stuck``: it waits forever with others."""

    name: str
    x: float
    y: float
    stuck: bool


class Arrow(Frozen):
    """A wait, from (x1, y1) to (x2, y2); ``head`` has the corners of its tip. ``stuck``: both its ends are; ``coming``:
    the message that ends it is in flight."""

    wait: Wait
    x1: float
    y1: float
    x2: float
    y2: float
    head: str
    stuck: bool
    coming: bool


class Graph(Frozen):
    """The whole drawing."""

    width: float
    height: float
    radius: float
    knots: tuple[Knot, ...]
    arrows: tuple[Arrow, ...]


def graph(topology: Topology, found: Waits) -> Graph | None:
    """Return the drawing; None if there are too many processes for one."""
    if len(topology.names) > MOST:
        return None
    places = {
        name: (EDGE + x * (WIDTH - 2 * EDGE), EDGE + y * (HEIGHT - 2 * EDGE))
        for name, (x, y) in topology.layout.items()
    }
    knots = tuple(Knot(name, *places[name], name in found.stuck) for name in topology.names)
    arrows = tuple(_arrow(wait, places[wait.process], places[wait.source], found) for wait in found.waits)
    return Graph(WIDTH, HEIGHT, RADIUS, knots, arrows)


def _arrow(wait: Wait, start: tuple[float, float], end: tuple[float, float], found: Waits) -> Arrow:
    dx, dy = end[0] - start[0], end[1] - start[1]
    long = math.hypot(dx, dy) or 1.0
    ux, uy = dx / long, dy / long
    px, py = -uy * ASIDE, ux * ASIDE
    reach = math.sqrt(RADIUS**2 - ASIDE**2) + 3
    x1, y1 = start[0] + ux * reach + px, start[1] + uy * reach + py
    x2, y2 = end[0] - ux * reach + px, end[1] - uy * reach + py
    corners = [(x2, y2), (x2 - 11 * ux - 6 * uy, y2 - 11 * uy + 6 * ux), (x2 - 11 * ux + 6 * uy, y2 - 11 * uy - 6 * ux)]
    head = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
    both = wait.process in found.stuck and wait.source in found.stuck
    return Arrow(wait, round(x1, 1), round(y1, 1), round(x2, 1), round(y2, 1), head, both, wait.coming is not None)
