"""Uncoordinated checkpoints in space and time: their names, and the recovery line."""

import math
from collections.abc import Iterable, Sequence

from app.core.model.algorithm import Kind
from app.core.model.notes import Note, Returned, Stored
from app.core.model.value import Frozen
from app.pictures.layout.colours import Text
from app.pictures.spacetime.options import FINE
from app.pictures.spacetime.rollbacks import Setback
from app.run.recovery_line import Fall
from app.run.run import Run
from app.wire.recovery_line_notes import orphans
from app.words.catalogues import word
from app.words.checkpoint_names import called

AWAY = 8
"""How far from the line that goes through a checkpoint its name is."""


class Taken(Frozen):
    """A checkpoint, taken in ``step`` and deleted in the step ``until``, infinity if it still exists."""

    process: str
    number: int
    step: int
    until: float = math.inf


def taken(run: Run, step: int) -> list[Taken]:
    """Return all uncoordinated checkpoints that were ever taken by ``step``, oldest first."""
    found: list[Taken] = []
    if run.system.algorithm.KIND is not Kind.PRIVATE:
        return found
    for at, note in run.told(Note, step):
        if isinstance(note, Stored):
            found.append(Taken(note.process, note.saved, at))
        elif isinstance(note, Returned):
            found = [
                Taken(one.process, one.number, one.step, at)
                if one.process == note.process and one.number > note.saved and one.until == math.inf
                else one
                for one in found
            ]
    return found


def _fallen(run: Run, step: int) -> Fall | None:
    """Return the latest crash whose recovery line is known by ``step``."""
    known = [fall for fall in run.falls if fall.since is not None and fall.since <= step]
    return known[-1] if known and run.system.algorithm.KIND is Kind.PRIVATE else None


def names(
    run: Run, step: int, placed: Iterable[tuple[Taken, tuple[float, float]]], line: Sequence[float]
) -> tuple[Text, ...]:
    """Return the names of what was taken, each at its place under its square, beside the ``line`` that goes through
    them, by process, if there is one; those unusable at the latest crash are crossed out with ×."""
    fall, said = _fallen(run, step), []
    known = fall.useless if fall and fall.over(step) else {}
    for one, (x, y) in placed:
        useless = fall and one.step < fall.crash < one.until and one.number in known.get(one.process, ())
        text = called(one.process, one.number) + (" ×" if useless else "")
        away, anchor = _beside(line, run.system.topology.process_order[one.process], x)
        said.append(Text(x + away, y, FINE, text, anchor, 700, "mute" if useless or one.until != math.inf else "tone"))
    return tuple(said)


def _beside(line: Sequence[float], row: int, x: float) -> tuple[float, str]:
    """Return how far from the middle of its square a name is, away from where the line goes, and its anchor."""
    if not line or abs(line[row] - x) > AWAY:
        return 0, "middle"
    return (AWAY, "start") if line[min(row + 1, len(line) - 1)] < line[row] else (-AWAY, "end")


def line(run: Run, step: int) -> list[int] | None:
    """Return the step at which the latest recovery line crosses each process; None if there is no line."""
    fall = _fallen(run, step)
    if fall is None or fall.since is None:
        return None
    found = []
    for name in run.system.topology.names:
        place = fall.seen(step).get(name)
        mine = [one.step for one in taken(run, fall.since) if (one.process, one.number) == (name, place)]
        found.append(fall.since if place is None else mine[-1] if place and mine else 0)
    return found


def title(run: Run, step: int, language: str) -> str:
    """Return the text at the recovery line."""
    fall = _fallen(run, step)
    if fall is None or not fall.over(step):
        return word("spacetime.line.far", language)
    beginning = all(place == 0 for place in fall.line.values())
    return word("spacetime.line.beginning" if beginning else "spacetime.line", language)


def returned(run: Run, setback: Setback, language: str) -> str:
    """Return the text where one process rolls back to its own checkpoint."""
    name, number = setback.process or "", setback.snapshot
    if run.system.algorithm.DATAFLOW.batches:
        return word("spacetime.retried", language, process=name)
    if run.system.algorithm.KIND is not Kind.PRIVATE:
        return word("spacetime.returned", language, process=name, saved=number)
    key = "spacetime.returned.own" if number else "spacetime.returned.own.beginning"
    return word(key, language, process=name, checkpoint=called(name, number))


def unsent(run: Run, step: int) -> list[int]:
    """Return the ids of the messages received by ``step`` whose sending was undone."""
    if run.system.algorithm.KIND is not Kind.PRIVATE:
        return []
    known = [messages for at, messages in orphans(run).items() if at <= step]
    return known[-1] if known else []
