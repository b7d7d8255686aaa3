"""A possible next line for a script: something that can happen at its end."""

from typing import Any

from app.core.kernel.enabled import enabled
from app.core.kernel.step import step
from app.core.model.values import Action, BluecutError, Collect, Deed, Deliver, Into, Move, Restore, Start, Wake
from app.forms.yaml_source import Source
from app.run.run import OWN
from app.scenario.scenario import build
from app.schedules.protocol import due

WANTED = (Deliver, Restore, Move, Wake, Start, Collect)
"""The preferred actions for a new line: a delivery first, then the way back after a crash, then what a program does,
then its deferred steps, then a snapshot."""


def continued(values: dict[str, object]) -> dict[str, object] | None:
    """Return a line that can happen after the script of these values, or None: the script has a mistake, other things
    happen between its lines, or no such action is possible."""
    try:
        scenario = build(Source("scenario", values, {}))
        if scenario.form.schedule.kind != "script":
            return None
        system = scenario.system(OWN)
        world = system.begin()
        for entry in scenario.entries:
            world, _ = step(system, world, due(world, entry.action))
    except BluecutError:
        return None
    possible = enabled(system, world)
    chosen = next((action for kind in WANTED for action in possible if isinstance(action, kind)), None)
    return _line(chosen, scenario.form.program.kind, system.program.show) if chosen else None


def _line(action: Action, program: str, show: Any) -> dict[str, object] | None:
    match action:
        case Deliver():
            return {"deliver": action.channel}
        case Start():
            return {"start": action.process}
        case Collect():
            return {"collect": action.channel}
        case Wake():
            return {"wake": action.process, "what": str(action.what)}
        case Restore():
            return {"restore": "latest"}
        case Move(detail=Deed.READ):
            return {"read": action.process}
        case Move(channel=str(channel)):
            message = {} if program == "token" else {"message": show(action.payload)}
            state = {"state": action.detail.state} if program == "scripted" and isinstance(action.detail, Into) else {}
            return {"send": {"on": channel} | message | state}
    return None
