"""Which channels are being recorded once a process has recorded."""

from collections.abc import Iterator
from itertools import islice

from app.core.model.notes import Opened, Recorded, only
from app.core.model.recorded_state import open_channels, parts
from app.course.phrases import joined, words_of
from app.course.question import Answer, Question
from app.course.questions.card import MOST_OPTIONS, Subject, card, channels, narrated, records, titled
from app.course.reasons.recording import channel, channel_missing
from app.run.run import Run

LEVEL = 2
MOST = 60
"""Only so many records are asked about."""


def subjects(run: Run) -> Iterator[Subject]:
    """Yield the steps in which a process records for a snapshot that records channels."""
    opened = {note.snapshot for _, note in run.told(Opened)}
    for step, note in islice(records(run), MOST):
        if (
            note.snapshot in opened
            and len(_offers(run, step, note)) > 1
            and len(_answer(run, step, note)) < MOST_OPTIONS
        ):
            yield (step,)


def _answer(run: Run, step: int, note: Recorded) -> tuple[str, ...]:
    """Return the channels that are open for the snapshot after the step."""
    return tuple(open_channels(parts(run.system, run.world(step), note.snapshot)))


def _offers(run: Run, step: int, note: Recorded) -> tuple[str, ...]:
    """Return the channels to choose from: all; if there are many, those that are open and those at the process."""
    every = tuple(run.system.topology.channels)
    if len(every) <= MOST_OPTIONS:
        return every
    here = run.system.topology.processes[note.process]
    near = dict.fromkeys((*_answer(run, step, note), *here.inputs, *here.outputs))
    few = tuple(near)[:MOST_OPTIONS]
    return tuple(name for name in every if name in few)


def ask(run: Run, step: int) -> Question:
    """Which channels are open after it?"""
    note = next(only(Recorded, run.steps[step - 1].notes))
    right = _answer(run, step, note)
    tempting: dict[Answer, str] = {(*right, note.channel): "M4"} if note.channel and note.channel not in right else {}
    fields = {"process": note.process, "snapshot": titled(run, note.snapshot), "channels": list(right)}
    return card(
        "set",
        run,
        step - 1,
        right,
        asks=words_of("quiz.opened.asks", step=step, **fields),
        options=channels(_offers(run, step, note)),
        tempting=tempting,
        wrong=lambda name: channel(run, note.snapshot, step, name),
        lacking=lambda name: channel_missing(run, name),
        why=joined(words_of("quiz.opened.why" if right else "quiz.opened.none", **fields), narrated(run, step)),
        shows=step,
    )
