"""Where every message of a world is on the stage, see ``static/js/stage/traffic.js``."""

from collections.abc import Callable, Sequence

from app.core.model.system import System
from app.core.model.value import Frozen
from app.core.model.values import Message, World
from app.pictures.layout.plan import Plan, Track
from app.pictures.stage.queue_places import NOTHING, Crowd, Rest, Wire, spread, tube, wire

SHEET = {"grid": 10.0}
"""How high a report is, if not so high as usual, and its usual size."""
HIGH, WIDE = 17.0, 16.0


class Measure(Frozen):
    """How wide a message is, how small its letters let it be, and how far it has come; None if that is not known."""

    wide: Callable[[Message], float]
    least: Callable[[Message], float]
    come: Callable[[Message], float | None]


def traffic(plan: Plan, system: System, world: World, measure: Measure) -> dict[str, tuple[Rest, Rest]]:
    """Return, by channel, the places of its messages, and of what travels beside it."""
    crossing = plan.look in ("wires", "circle")
    crowd = Crowd() if crossing else None
    found: dict[str, tuple[Rest, Rest]] = {}
    for name, track in zip(system.topology.channels, plan.tracks, strict=True):
        queue, lane = world.queues.get(name, ()), world.lanes.get(name, ())
        found[name] = (
            _inside(plan, track, queue, measure, not system.ordered(name), crowd) if queue else NOTHING,
            _beside(plan, track, lane, measure, crowd) if lane else NOTHING,
        )
    return found


def _inside(
    plan: Plan, track: Track, queue: Sequence[Message], measure: Measure, loose: bool, crowd: Crowd | None
) -> Rest:
    widths, wants = _sizes(queue, measure)
    if track.stretches is None:
        return tube(widths, wants, track.way.length, max(0.0, track.tube / 2 - 4), loose)
    least = max(map(measure.least, queue), default=0)
    on = Wire(track.way, track.stretches, track.home, track.gap, plan.wide, plan.pill, least)
    return wire(on, widths, wants, loose, crowd)


def _beside(plan: Plan, track: Track, lane: Sequence[Message], measure: Measure, crowd: Crowd | None) -> Rest:
    widths, wants = _sizes(lane, measure)
    if track.sheets is None:
        return tube(widths, wants, track.lane.length, 0, True)
    high = SHEET.get(plan.look, HIGH)
    on = Wire(track.lane, track.sheets, track.perch, high, WIDE, high)
    return wire(on, widths, wants, True, crowd)


def _sizes(messages: Sequence[Message], measure: Measure) -> tuple[list[float], list[float]]:
    return [measure.wide(each) for each in messages], spread([measure.come(each) for each in messages])
