"""Rollbacks in a run: of all processes to a snapshot, or of one process to what it saved; and when processes were
down."""

import math

from app.core.model.notes import Down, Note, Received, Recorded, Restored, Returned, Sent, Stored
from app.core.model.value import Frozen
from app.core.model.values import APP
from app.run.run import Run


class Setback(Frozen):
    """The events until ``step`` are undone. ``snapshot`` is what all processes roll back to (0: the beginning), or, if
    only ``process`` does, the number of its own checkpoint, saved in the step ``since``."""

    step: int
    snapshot: int
    process: str | None = None
    since: int = 0


def setbacks(run: Run, step: int) -> tuple[Setback, ...]:
    """Return all rollbacks by ``step``."""
    if not run.system.recovers:
        return ()
    saves: dict[str, list[int]] = {}
    found = []
    for at, note in run.told(Note, step):
        match note:
            case Stored():
                saves.setdefault(note.process, []).append(at)
            case Restored():
                found.append(Setback(at, note.snapshot))
                left = run.world(at).durable.saved
                saves = {name: mine[: len(left.get(name, ()))] for name, mine in saves.items()}
            case Returned():
                mine = saves[note.process] = saves.get(note.process, [])[: note.saved]
                found.append(Setback(at, note.saved, note.process, mine[-1] if mine else 0))
    return tuple(found)


def saves(run: Run, step: int) -> tuple[tuple[str, int], ...]:
    """Return which processes saved their states, and in which steps, unless that was the state they recorded."""
    recorded = {(note.process, at) for at, note in run.told(Recorded, step)}
    stored = ((note.process, at) for at, note in run.told(Stored, step))
    return tuple(one for one in stored if one not in recorded)


def acts(run: Run, step: int) -> list[tuple[int, str, str]]:
    """Return the first application event of each step by ``step``, undone or not: its step, its process, its kind."""
    found = []
    for done in run.steps[:step]:
        events = (note for note in done.notes if isinstance(note, Received | Sent) and note.message.kind == APP)
        note, name = next(events, None), run.system.actor(done.action)
        if note is not None and name is not None:
            found.append((done.number, name, "receive" if isinstance(note, Received) else "send"))
    return found


def downs(run: Run, step: int) -> dict[str, list[tuple[int, float]]]:
    """Return when each process was down: from a step to a step, infinity if it still is."""
    found: dict[str, list[tuple[int, float]]] = {}
    for at, note in run.told(Note, step if run.system.recovers else 0):
        if isinstance(note, Down):
            found.setdefault(note.process, []).append((at, math.inf))
        elif isinstance(note, Restored | Returned):
            back = (note.process,) if isinstance(note, Returned) else tuple(found)
            for name in back:
                if name in found and found[name][-1][1] == math.inf:
                    found[name][-1] = (found[name][-1][0], at)
    return found
