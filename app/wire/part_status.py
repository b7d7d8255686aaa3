"""The status of recorded parts at a step of a run with crashes, and what is blocked or has rolled back."""

from typing import Literal

from app.analysis.outcome import outcomes
from app.core.model.notes import Blocked, Down, Note, Restored, Returned, Unblocked, Unreachable
from app.core.model.values import World
from app.run.barrier_deadlock import deadlock
from app.run.run import Run

WHOLE, STORING, DIED, STRUCK = "whole", "storing", "died", "struck"
"""A recorded part is usable; is still being stored; was lost in a crash before that; is unusable, because its snapshot
was aborted."""


def went_back(run: Run, step: int) -> tuple[int, int] | None:
    """Return the step of the last rollback of all processes, by ``step``, and the snapshot that they returned to."""
    if not run.system.recovers:
        return None
    found = [(at, note.snapshot) for at, note in run.told(Restored, step)]
    return found[-1] if found else None


def standing(run: Run, step: int, number: int, name: str) -> str:
    """Return the status of the part of ``name`` in a snapshot after ``step``; see ``static/js/run/snapshot.js``."""
    if died(run, step, number, name):
        return DIED
    if run.world(step).snapshots[number].aborted:
        return STRUCK
    coordinated, done = run.system.algorithm.COORDINATED, run.history.recordings[number].done
    return STORING if coordinated and done.get(name, step + 1) > step else WHOLE


def died(run: Run, step: int, number: int, name: str) -> bool:
    """Did the process crash before its part was stored, while the snapshot was under way?"""
    if not run.system.recovers:
        return False
    seen = run.history.recordings[number]
    since, stored = seen.recorded.get(name, step + 1), seen.done.get(name, step + 1)
    for at, note in run.told(Down, step):
        if note.process == name and since < at < stored:
            before = run.world(at - 1)
            return number in before.snapshots and before.snapshots[number].running
    return False


def ruined(run: Run, step: int, number: int) -> Literal["given-up", "unusable", "never", "stuck"] | None:
    """Return why a snapshot can never be used, as far as is known after ``step``, None if it still can be; see
    ``static/js/run/snapshot.js``."""
    world, seen = run.world(step), run.history.recordings[number]
    progress = world.snapshots.get(number)
    if progress is None:
        return None
    if progress.aborted:
        return "given-up"
    if progress.unusable:
        return "unusable"
    if not progress.waiting:
        return None
    if _unreachable(run, step, number):
        return "never"
    if deadlock(run.system, world, number):
        return "stuck"
    ends = {each.snapshot: each.end for each in outcomes(run)} if step == len(run.steps) else {}
    return "never" if ends.get(number) == "never" or any(died(run, step, number, n) for n in seen.recorded) else None


def _unreachable(run: Run, step: int, number: int) -> bool:
    """Has a snapshot, by a step, no way to some process? Another process that starts it, too, may open one later."""
    notes = [note for _, note in run.told(Unreachable, step) if note.snapshot == number]
    return bool(notes and notes[-1].processes)


def blocked(run: Run, step: int) -> dict[str, int]:
    """Return the inputs that are blocked, each with the snapshot that waits."""
    found: dict[str, int] = {}
    for _, note in run.told(Note, step):
        match note:
            case Blocked():
                found[note.channel] = note.snapshot
            case Unblocked():
                found.pop(note.channel, None)
            case Restored():
                found.clear()
            case Returned():
                for channel in run.system.topology.processes[note.process].inputs:
                    found.pop(channel, None)
    return found


def full(run: Run, world: World) -> list[str]:
    """Return the channels that hold as many messages of the program as they can."""
    flying = world.in_flight()
    return [c for c, most in run.system.capacity.items() if len(flying.get(c, ())) >= most]


def going_back(notes: tuple[Note, ...], names: tuple[str, ...]) -> dict[str, str]:
    """Return the processes that roll back in a step: ``back`` to a recorded state, or ``anew`` to the beginning."""
    found: dict[str, str] = {}
    for note in notes:
        match note:
            case Restored():
                those = (name for name in names if name not in note.kept)
                found |= dict.fromkeys(those, "back" if note.snapshot else "anew")
            case Returned():
                found[note.process] = "back" if note.saved else "anew"
    return found
