"""The phases of a snapshot that a run shows: initiating, propagating, terminating, and collecting.

Initiating lasts until the last initiator has recorded and sent its own markers, propagating until the last process has
recorded, terminating until nothing is open any more, collecting until the initiator holds every part. A phase that
takes no step of its own is left out.

Source: the three parts in which popular accounts describe K. M. Chandy, L. Lamport, ACM TOCS 3(1), 1985, sections 3.2
and 3.3 (rules and termination).
"""

from collections.abc import Iterable

from app.core.model.notes import Assembled, Sent
from app.core.model.value import Frozen
from app.core.model.values import MARKER, Start, Wake
from app.core.oracle.history import Recording
from app.run.asked_again import asked_again
from app.run.run import Run

INITIATING, PROPAGATING, TERMINATING, COLLECTING = "initiating", "propagating", "terminating", "collecting"
ENDS, OPEN, ABORTED = "ends", "open", "aborted"
"""How a phase ends: it does, it does not in this run, or the snapshot is aborted in it."""


class Phase(Frozen):
    """One phase, from its ``first`` step to its ``last``, and how it ends."""

    name: str
    first: int
    last: int
    end: str = ENDS

    @property
    def steps(self) -> int:
        """Return how many steps it takes."""
        return self.last - self.first + 1


@asked_again
def phases(run: Run) -> dict[int, tuple[Phase, ...]]:
    """Return the phases of every snapshot, by number. Where each process must start by itself there are none."""
    if run.system.algorithm.KIND.alone:
        return dict.fromkeys(sorted(run.history.recordings), ())
    started, assembled = _signs(run)
    return {
        number: _cut_short(run, seen, _ends(run, seen, started.get(number, 0), assembled.get(number)))
        for number, seen in sorted(run.history.recordings.items())
    }


def _signs(run: Run) -> tuple[dict[int, int], dict[int, int]]:
    """Return, by snapshot, the last step in which an initiator sent a marker that no other marker caused, on a channel
    without one, and the step in which all parts were together."""
    sent: set[tuple[int, str]] = set()
    started: dict[int, int] = {}
    assembled: dict[int, int] = {}
    for step in run.steps:
        starts = isinstance(step.action, Start | Wake)
        for note in step.notes:
            if isinstance(note, Sent):
                number = note.message.snapshot
                if note.message.kind == MARKER and number is not None and (number, note.channel) not in sent:
                    sent.add((number, note.channel))
                    if starts and note.process in run.history.recordings[number].initiators:
                        started[number] = step.number
            elif isinstance(note, Assembled):
                assembled.setdefault(note.snapshot, step.number)
    return started, assembled


def _ends(run: Run, seen: Recording, started: int, assembled: int | None) -> Iterable[tuple[str, int | None]]:
    """Return the phases in their order, each with the step in which it ends, None where it does not."""
    root = run.system.topology.root if run.system.algorithm.COORDINATED else None  # it has nothing to record
    recorded = {name: at for name, at in seen.recorded.items() if name != root and at <= (seen.completed or at)}
    first = last = None
    if all(name in recorded or name == root for name in seen.initiators):
        first = max([seen.started, started, *(recorded[name] for name in seen.initiators if name != root)])
    members = [name for name in run.system.topology.names if run.end.member(name) and name not in seen.absent]
    if seen.completed is not None or all(name in recorded or name == root for name in members):
        last = max(recorded.values(), default=seen.started)
    yield INITIATING, first
    yield PROPAGATING, last
    yield TERMINATING, seen.completed
    if assembled is not None:
        yield COLLECTING, assembled


def _cut_short(run: Run, seen: Recording, found: Iterable[tuple[str, int | None]]) -> tuple[Phase, ...]:
    """Return the phases that take steps, up to the first one that does not end or in which the snapshot is aborted."""
    made: list[Phase] = []
    begin = seen.started
    limit = seen.aborted if seen.aborted is not None else len(run.steps)
    end = ABORTED if seen.aborted is not None else OPEN
    for name, last in found:
        if last is None or last > limit:
            return (*made, Phase(name, begin, limit, end))
        if last >= begin:
            made.append(Phase(name, begin, last))
            begin = last + 1
    return tuple(made)
