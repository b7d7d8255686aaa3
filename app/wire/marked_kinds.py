"""The kinds of events that the timeline of a run marks, as ``static/js/run/happen.js`` tells them."""

from app.core.model.notes import Completed, Hurried, Note, Received, Recorded, Restored, Returned, Sent, Stored
from app.core.model.values import APP, MARKER
from app.run.run import Run

KINDS = ("record", "complete", "marker", "message", "restore")
"""All of them, as the legend names them."""
ALWAYS: dict[type[Note], str] = {
    Recorded: "record",
    Stored: "record",
    Completed: "complete",
    Hurried: "marker",
    Restored: "restore",
    Returned: "restore",
}


def marked_kinds(run: Run) -> tuple[str, ...]:
    """Return the kinds that occur in a run."""
    found: set[str] = set()
    possible = len(KINDS) - (not run.system.recovers)
    for step in run.steps:
        for note in step.notes:
            if isinstance(note, Sent | Received):
                if note.message.kind == APP:
                    found.add("message")
                elif note.message.kind == MARKER and isinstance(note, Received):
                    found.add("marker")
            elif kind := ALWAYS.get(type(note)):
                found.add(kind)
        if len(found) == possible:
            break
    return tuple(kind for kind in KINDS if kind in found)
