"""The membership log of a snapshot: which members joined, left or crashed during it, and the standing of each.

Source: the advice to record changes of membership together with a snapshot. It is necessary: without it, nothing says
whose parts to expect. It is not sufficient: see ``app.algorithms.broken.merge_joiner``.
"""

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from app.core.model.notes import Absent, Crashed, Joined, Left, Merged, Recorded, Unusable
from app.core.model.value import Frozen
from app.run.run import Run

EXPECTED, IN, AFTER, BEFORE, MISSING, MERGED = "expected", "in", "after", "before", "missing", "merged"
"""The standing of a process: its part is still expected; it is in the snapshot; it came after the cut; it left before
it recorded, and all that it did lies before the cut; it left without its part; it was added afterwards."""


Told: TypeAlias = Joined | Left | Crashed | Recorded | Absent | Unusable | Merged


class Change(Frozen):
    """``process`` joined, left or crashed (``event``) in ``step``; ``standings`` are (step, its standing from then
    on)."""

    process: str
    event: str
    step: int
    standings: tuple[tuple[int, str], ...]

    def stands(self, step: int) -> str:
        """Return the standing of the process after a step."""
        return [where for since, where in self.standings if since <= step][-1]


def membership(run: Run) -> dict[int, tuple[Change, ...]]:
    """Return the log of each snapshot with changes, from its start until it was complete or aborted, or the run was
    over."""
    if not run.history.came and not run.history.went:
        return {}
    changed = [(step.number, note) for step in run.steps for note in step.notes if isinstance(note, Told)]
    found = {}
    for number, seen in sorted(run.history.recordings.items()):
        until = seen.completed or seen.aborted or len(run.steps)
        made = [
            Change(note.process, note.key, step, tuple(_standings(changed, number, note.process)))
            for step, note in changed
            if isinstance(note, Joined | Left | Crashed) and seen.started < step <= until
        ]
        if made:
            found[number] = tuple(made)
    return found


def _standings(changed: Iterable[tuple[int, Told]], number: int, process: str) -> Iterator[tuple[int, str]]:
    """Yield the standing of a process in a snapshot, whenever that changes."""
    yield 0, EXPECTED
    merged = False
    for step, note in changed:
        if note.process != process or (not isinstance(note, Joined | Left | Crashed) and note.snapshot != number):
            continue
        match note:
            case Joined():  # it takes part unless the same step says otherwise
                yield step, EXPECTED
            case Absent():
                yield step, BEFORE if note.inside else AFTER
            case Unusable():
                yield step, MISSING
            case Merged():
                merged = True
                yield step, MERGED
            case Recorded() if not merged:
                yield step, IN
