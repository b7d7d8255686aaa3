"""What a run takes back: all of it goes back to a snapshot, or one process to what it saved; and when who was down."""

import math
from dataclasses import dataclass

from app.core.notes import Down, Restored, Returned, Stored
from app.simulator.run import Run


@dataclass(frozen=True, slots=True)
class Setback:
    """What happened until ``step`` has not happened. ``snapshot`` is what all go back to (0: the beginning), or, where
    only ``process`` does, the number of what it had saved, in the step ``since``."""

    step: int
    snapshot: int
    process: str | None = None
    since: int = 0


def setbacks(run: Run, step: int) -> tuple[Setback, ...]:
    """All of them, by ``step``."""
    if not run.system.recovers:
        return ()
    saves: dict[str, list[int]] = {}
    found = []
    for done in run.steps[:step]:
        for note in done.notes:
            if isinstance(note, Stored):
                saves.setdefault(note.process, []).append(done.number)
            elif isinstance(note, Restored):
                found.append(Setback(done.number, note.snapshot))
            elif isinstance(note, Returned):
                mine = saves[note.process] = saves.get(note.process, [])[: note.saved]
                found.append(Setback(done.number, note.saved, note.process, mine[-1] if mine else 0))
    return tuple(found)


def saves(run: Run, step: int) -> tuple[tuple[str, int], ...]:
    """Who saved what it had, and in which step."""
    return tuple((n.process, done.number) for done in run.steps[:step] for n in done.notes if isinstance(n, Stored))


def downs(run: Run, step: int) -> dict[str, list[tuple[int, float]]]:
    """While who was down: from a step to a step, infinity where it is so still."""
    found: dict[str, list[tuple[int, float]]] = {}
    for done in run.steps[:step] if run.system.recovers else ():
        for note in done.notes:
            if isinstance(note, Down):
                found.setdefault(note.process, []).append((done.number, math.inf))
            elif isinstance(note, Restored | Returned):
                back = (note.process,) if isinstance(note, Returned) else tuple(found)
                for name in back:
                    if name in found and found[name][-1][1] == math.inf:
                        found[name][-1] = (found[name][-1][0], done.number)
    return found
