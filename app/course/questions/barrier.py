"""The arrivals of barriers in a dataflow, of which other questions are made."""

from collections.abc import Iterator

from app.core.model.notes import Received, only
from app.core.model.values import MARKER, Json
from app.run.barrier_deadlock import held_back
from app.run.run import Run


def arrivals(run: Run) -> Iterator[tuple[int, Received]]:
    """Yield the steps in which one barrier arrives at a process."""
    rules = run.system.algorithm
    if not rules.COORDINATED or rules.DATAFLOW.logs or rules.DATAFLOW.batches:
        return
    for step in run.steps:
        found = [n for n in only(Received, step.notes) if n.message.kind == MARKER]
        if len(found) == 1 and found[0].message.snapshot is not None:
            yield step.number, found[0]


def arrival(run: Run, step: int) -> Received:
    """Return the barrier that arrives in a step, which is one of ``arrivals``."""
    return next(note for at, note in arrivals(run) if at == step)


def about(note: Received) -> dict[str, Json]:
    """Return the fields of an arrival: who takes it, on which channel, for which snapshot."""
    return {"process": note.process, "channel": note.channel, "snapshot": note.message.snapshot}


def inputs(run: Run, step: int, name: str) -> tuple[str, ...]:
    """Return the input channels of a process after a step."""
    return run.system.process(run.world(step), name).inputs


def held(run: Run, step: int, name: str) -> tuple[str, ...]:
    """Return the inputs from which a process takes no records after a step."""
    return held_back(run.system, run.world(step), name)


def missing(run: Run, step: int, note: Received) -> tuple[str, ...]:
    """Return the inputs on which the barrier has not arrived up to a step."""
    came = {
        each.channel
        for _, each in run.told(Received, step)
        if each.message.kind == MARKER
        and (each.process, each.message.snapshot) == (note.process, note.message.snapshot)
    }
    return tuple(channel for channel in inputs(run, step, note.process) if channel not in came)
