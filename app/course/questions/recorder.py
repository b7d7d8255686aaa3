"""Which process records next: asked where only one can, because of what has come to it."""

from collections.abc import Iterator

from app.core.kernel.enabled import options
from app.core.kernel.step import step as happen
from app.core.model.notes import Recorded, only
from app.core.model.values import Refused, Start
from app.course.phrases import joined, plain, words_of
from app.course.question import Option, Question
from app.course.questions.card import Subject, card, narrated, records
from app.course.reasons.recording import recorder
from app.run.run import Run

LEVEL = 1
LOOKS = 1_500
"""So many possible steps are tried at most."""

MOST, MOST_NAMES = 40, 24
"""Where more could happen at once, or there are more processes, nothing is asked."""


def subjects(run: Run) -> Iterator[Subject]:
    """Yield the steps in which a process records without starting a snapshot, if no other could have recorded."""
    left = LOOKS
    if not 2 <= len(run.system.topology.names) <= MOST_NAMES:
        return
    for step, note in records(run):
        if isinstance(run.steps[step - 1].action, Start):
            continue
        able, looked = _recorders(run, step - 1)
        left -= looked
        if able == {note.process}:
            yield (step,)
        if left < 0:
            return


def _recorders(run: Run, step: int) -> tuple[set[str], int]:
    """Return the processes that can record in the next step without starting a snapshot, and how many steps are
    possible. If these are too many, none is tried and no process is returned."""
    system, world = run.system, run.world(step)
    found = (action for action, reason in options(system, world) if reason is None)
    possible = [action for action in found if not isinstance(action, Start)]
    able: set[str] = set()
    if len(possible) > MOST:
        return able, len(possible)
    for action in possible:
        try:
            _, notes = happen(system, world, action)
        except Refused:
            continue
        able |= {note.process for note in only(Recorded, notes)}
    return able, len(possible)


def ask(run: Run, step: int) -> Question:
    """Who records next?"""
    note = next(only(Recorded, run.steps[step - 1].notes))
    return card(
        "process",
        run,
        step - 1,
        note.process,
        asks=words_of("quiz.recorder.asks", step=step - 1),
        options=tuple(Option(name, plain(name)) for name in run.system.topology.names),
        wrong=lambda name: recorder(run, note.snapshot, step - 1, name),
        why=joined(words_of("quiz.recorder.why", process=note.process), narrated(run, step)),
        shows=step,
    )
