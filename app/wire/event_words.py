"""An application event in words, the same on every page."""

from app.core.model.values import Deed, Move
from app.core.oracle.history import RECEIVE, SEND, Event
from app.run.run import Run

PLAIN = {
    Deed.OUT: "action.output",
    Deed.SEAL: "action.seal",
    Deed.COMMIT: "action.commit",
    Deed.EXPIRE: "action.expire",
}
"""The actions of a dataflow that involve no message, as catalogue keys."""


def described(run: Run, event: Event) -> tuple[str, dict[str, object]]:
    """Return an application event as a catalogue key and its fields."""
    program = run.system.program
    if event.kind in (SEND, RECEIVE) and event.message:
        fields = {"process": event.process, "channel": event.channel, "message": program.show(event.message.payload)}
        return ("action.send" if event.kind == SEND else "action.deliver"), fields
    if isinstance(event.action, Move) and event.action.detail in PLAIN:
        shown = "" if event.action.payload is None else program.show(event.action.payload)
        return PLAIN[event.action.detail], {"process": event.process, "message": shown}
    state = program.view(event.state)
    return ("action.change" if state != "" else "action.change.bare"), {"process": event.process, "state": state}
