"""What a process has once it, or the whole system, has gone back."""

from collections.abc import Iterator

from app.core.model.notes import Restored, Returned, only
from app.core.model.recorded_state import parts
from app.core.model.values import Json
from app.course.phrases import joined, value, words_of
from app.course.question import Answer, Option, Question
from app.course.questions.card import Subject, card, narrated, titled
from app.course.questions.live import answerable, chosen, stated, states
from app.run.run import Run
from app.scenario.format import Words

LEVEL = 2


def subjects(run: Run) -> Iterator[Subject]:
    """Yield the steps in which processes roll back, with each process that has been in several states."""
    for step in run.steps:
        for note in step.notes:
            match note:
                case Restored():
                    names = [name for name, _ in note.states if name not in note.kept]
                case Returned():
                    names = [note.process]
                case _:
                    continue
            for name in names:
                found = _seen(run, step.number, name)
                if answerable(found) and chosen(states(found), _after(run, step.number, name)):
                    yield step.number, name


def _after(run: Run, step: int, name: str) -> Json:
    """Return the state of the process after the step."""
    return run.system.program.view(run.world(step).states[name])


def _saved_before(run: Run, step: int, name: str) -> list[Json]:
    """Return what was recorded or saved of the process before the step, oldest first."""
    world, view = run.world(step - 1), run.system.program.view
    found = [parts(run.system, world, number).get(name) for number in sorted(world.snapshots)]
    saved = world.durable.saved.get(name, ())
    return [view(part.state) for part in found if part] + [view(one.state) for one in saved]


def _seen(run: Run, step: int, name: str) -> list[Json]:
    """Return the states to choose from: the beginning, what was kept, and the last one."""
    begin = run.system.program.view(run.begin.states[name])
    return [begin, *_saved_before(run, step, name), _last(run, step, name), _after(run, step, name)]


def _last(run: Run, step: int, name: str) -> Json:
    """Return the last state of the process before it crashed or has to roll back."""
    for number in range(step - 1, 0, -1):
        if name not in run.world(number).down:
            return run.system.program.view(run.world(number).states[name])
    return run.system.program.view(run.begin.states[name])


def _own(run: Run, step: int, name: str) -> str:
    """Does a process go back to what it saved ``last``, to its beginning (``zero``), or to something between?"""
    notes = run.steps[step - 1].notes
    saved = next(note.saved for note in only(Returned, notes) if note.process == name)
    there = len(run.world(step - 1).durable.saved.get(name, ()))
    return "zero" if not saved else "last" if saved == there else "own"


def _unfit(run: Run, step: int, name: str, given: Json) -> Words:
    """Explain why a process does not roll back to a state: it was never stored, or another one was used."""
    stored, right = _saved_before(run, step, name), _after(run, step, name)
    fields = {"process": name, "state": value(given)}
    if given in stored:
        whole = any(only(Restored, run.steps[step - 1].notes))
        later = not whole and (right not in stored or stored.index(given) > stored.index(right))
        return words_of(f"wrong.restored.{'whole' if whole else 'taken' if later else 'older'}", **fields)
    return words_of("wrong.restored.last" if given == _last(run, step, name) else "wrong.restored.begin", **fields)


def ask(run: Run, step: int, name: str) -> Question:
    """What has it then?"""
    found = _seen(run, step, name)
    options = states(found)
    notes = run.steps[step - 1].notes
    back = next(only(Restored, notes), None)
    tempting: dict[Answer, str] = {}
    if back is None and _saved_before(run, step, name):
        tempting[chosen(options, _saved_before(run, step, name)[-1])] = "M22"
    texts: list[Option] = sorted(options, key=lambda one: one.text.en)
    asks = "own" if back is None else "beginning" if not back.snapshot else "whole"
    why = asks if back else _own(run, step, name)
    snapshot = titled(run, back.snapshot if back else 0)
    fields = {"process": name, "state": value(_after(run, step, name)), "snapshot": snapshot}
    return card(
        "choice",
        run,
        step - 1,
        chosen(options, _after(run, step, name)),
        asks=words_of(f"quiz.restored.asks.{asks}", **fields),
        options=texts,
        tempting=tempting,
        wrong=lambda option: _unfit(run, step, name, stated(found, option)),
        why=joined(words_of(f"quiz.restored.why.{why}", **fields), narrated(run, step)),
        shows=step,
    )
