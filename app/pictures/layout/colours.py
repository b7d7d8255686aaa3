"""Parts of pictures other than paths: texts with a place, and the two tones of snapshots."""

from app.core.model.value import Value
from app.run.run import Run
from app.wire.part_status import went_back


class Text(Value):
    """A text with its place. ``ink``: ``ink``, ``mute``, ``paper`` (white), ``tone`` (the snapshot's), ``wrong``."""

    x: float
    y: float
    size: float
    said: str
    anchor: str = "start"
    weight: int = 400
    ink: str = "ink"


TONES = ("#0072B2", "#882255")
"""The first snapshot is blue, the second purple, and so on alternately."""
TINTS = ("#e6f1f8", "#f6e9f0")
HATCHES = ("#cfe8f6", "#ecd3e0")


def hue(run: Run, number: int) -> int:
    """Return the tone of a snapshot."""
    return (number - run.system.first) % 2


def current(run: Run, step: int) -> int | None:
    """Return the snapshot that a picture is about: the one that the step completes; otherwise the latest to begin, or
    the one to which the system has rolled back since. One that nobody started is passed over (see
    ``app.analysis.outcome``)."""
    recordings, started = run.history.recordings.items(), run.world(step).snapshots
    if step and (done := [number for number, seen in recordings if seen.completed == step]):
        return min(done)
    begun = [(seen.started, number) for number, seen in recordings if seen.started <= step and number in started]
    back = went_back(run, step)
    fresh = [one for one in begun if back is None or one[0] > back[0]]
    if not fresh and back is not None and back[1]:
        return back[1]
    return max(fresh or begun)[1] if begun else None
