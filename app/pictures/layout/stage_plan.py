"""The layout of a system: the plan for its pictures, and for a stage of any size in the browser.

It depends on the system's first states and on who starts the first snapshot, so it does not change during a run.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from app.core.model.system import System
from app.core.model.topology import Topology
from app.core.model.values import Json, World
from app.pictures.layout.arrange import arrange, lettered, preferred
from app.pictures.layout.paths import Point
from app.pictures.layout.plan import MANY, Box, Content, Link, Plan, in_json, rounded
from app.pictures.layout.text_width import measure
from app.pictures.stage.dataflow_foot import feet
from app.run.run import Run
from app.wire.dataflow_roles import roles
from app.words.catalogues import named, readable

WIDTH, LOW, HIGH = 960, 440, 600
"""The size of a picture in px: high if there are many processes."""
FEW = 6
"""More processes than this get the high picture."""
LECTURE = (960, 540, 540)
"""About the size of a stage in a lecture."""
AIR = 8
"""Added to the height that suits a stage, in px."""


def plan_of(run: Run, language: str) -> Plan:
    """Return the plan of the run's pictures."""
    places, links = graph(run.system)
    height = HIGH if len(places) > FEW else LOW
    room = _content(run.system, run.begin, language)
    first = run.system.topology.process_order[run.scenario.starter]
    return arrange(places, links, WIDTH, height, room, run.system.topology.layers, first)


def as_json(
    system: System, language: str, width: int, least: int, most: int, starter: str | None = None, letters: int = 0
) -> dict[str, Json]:
    """Return the plan of a stage in JSON, see ``app.pictures.layout.plan``, and with it ``level`` and ``flow``, see
    ``outline``; ``tall``, the height in px that suits it; and ``feet``: [{low, high, line, font, box, below}, …], by
    process, see ``app.pictures.stage.dataflow_foot``."""
    plan, tall = fitted(system, language, width, least, most, starter, letters)
    parts = roles(system)
    # What is in a process is measured in units of the process.
    inner = replace(plan, foot=plan.foot / plan.larger)
    boxes = (Box(box.x, box.y, box.w / plan.larger, box.h / plan.larger) for box in plan.nodes)
    found = [feet(parts.get(name), inner, box) for name, box in zip(system.topology.names, boxes, strict=True)]
    cells = [rounded(to_builtins(each)) for each in found]
    return {**in_json(plan), **_shape(plan, system), "feet": cells, "tall": tall}


def fitted(
    system: System, language: str, width: int, least: int, most: int, starter: str | None = None, letters: int = 0
) -> tuple[Plan, int]:
    """Return the plan of a stage ``width`` px wide, and the height in px that suits it. The plan has that height as far
    as ``least`` and ``most`` allow; they are equal if the page decides the height. ``starter``: the process
    around which many stand; ``letters``: the size in px that no letter in a process should be below."""
    layered, room = system.topology.layers, _content(system, system.begin(), language)
    places, links = graph(system)
    tall = preferred(places, links, width, room, layered) + AIR
    first = system.topology.process_order[starter] if starter else 0
    height = min(most, max(least, tall))
    if letters:
        return lettered(places, links, width, height, room, letters, layered, first), tall
    return arrange(places, links, width, height, room, layered, first), tall


def outline(system: System, language: str, starter: str) -> dict[str, Json]:
    """Return what the room for the stage depends on in a lecture, before its plan is asked for: its ``look``, whether
    several stand on one ``level``, and in a dataflow the number of layers, its ``flow``. Empty for a grid."""
    if len(system.topology.names) > MANY:
        return {}
    return _shape(fitted(system, language, *LECTURE, starter)[0], system)


def _shape(plan: Plan, system: System) -> dict[str, Json]:
    level = len(plan.nodes) > (2 if plan.look == "row" else 3) and len({node.y for node in plan.nodes}) == 1
    return {"look": plan.look, "level": level, "flow": len({node.x for node in plan.nodes}) if roles(system) else 0}


class _Places(Sequence[Point]):
    """The places of many processes. To find them takes a tenth of a second, and only processes in rows need them. They
    follow from the channels, so that between the same channels they are equal."""

    def __init__(self, topology: Topology) -> None:
        self._topology = topology

    def __len__(self) -> int:
        return len(self._topology.names)

    def __getitem__(self, i: Any) -> Any:
        return Point(*self._topology.layout[self._topology.names[i]])

    def __hash__(self) -> int:
        return len(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Places) and len(other) == len(self)


def graph(system: System) -> tuple[Sequence[Point], tuple[Link, ...]]:
    """Return the places of the processes, in 0..1, and the channels between them."""
    topology = system.topology
    order = topology.process_order
    back = topology.back_edges if topology.layers else ()
    links = (
        Link(order[c.source], order[c.target], f"{c.target}->{c.source}" in topology.channels, c.name in back)
        for c in topology.channels.values()
    )
    many = len(order) > MANY and not topology.layers
    places = _Places(topology)
    return places if many else tuple(places), tuple(links)


def _content(system: System, begin: World, language: str) -> Content:
    """Return how much room the first states need."""
    rows, line, value = 0, 0.0, 0.0
    parts = roles(system)
    # Keyed state and transactions grow to rows, but are empty at first.
    if any(role.get("keyed") or role.get("sink") == "transactional" for role in parts.values()):
        rows, line = 2, 6.0
    logs = any(role.get("logs") for role in parts.values())
    for state in (system.program.view(begin.states[name]) for name in system.topology.names):
        if isinstance(state, dict):
            rows = max(rows, len(state))
            shown = [f"{named(key, state, language)[0]} {readable(told, language)}" for key, told in state.items()]
            line = max([line, *(measure(text, 1) + 0.8 for text in shown)])
        value = max(value, min(measure(readable(state, language), 1) + 0.6, 6))
    name = max(measure(name, 1) for name in system.topology.names)
    return Content(rows, line, value, name, bool(parts), logs)
