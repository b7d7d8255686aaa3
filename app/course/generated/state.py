"""Which of several global states a snapshot has recorded; the others are states in which the system really was."""

from collections.abc import Iterator
from random import Random

from app.core.model import Json
from app.course.facts import Snapshot
from app.course.generated.card import Subject, card, complete, distinct, shuffled, told
from app.course.generated.drawn import MOST_STEPS
from app.course.offered import state
from app.course.question import Answer, Option, Question
from app.simulator.format import OutcomeForm
from app.simulator.run import Run, final
from app.view.address import Address

NAME = "state"
LARGEST = 9
"""So many processes and channels a state may have that people compare."""


def subjects(run: Run) -> Iterator[Subject]:
    """The complete snapshots of small systems that recorded another state than there was when they began or ended."""
    if small(run):
        for number, _ in complete(run):
            options = offers(run, number)
            if len(options) > 1 and distinct(options):
                yield (number,)


def small(run: Run) -> bool:
    """Can people compare its states, and see the run as a whole?"""
    graph, odd = run.system.topology, run.system.program.EAGER or run.history.lives
    return not odd and len(graph.names) + len(graph.channels) <= LARGEST and len(run.steps) <= MOST_STEPS


def recorded(run: Run, number: int) -> Json:
    """What a snapshot recorded."""
    snapshot = Snapshot(run, number)
    return {"processes": snapshot.processes, "channels": snapshot.channels}


def option(name: str, run: Run, told: Json) -> Option:
    """A state as an option."""
    return Option(name, state(run, OutcomeForm.model_construct(**told)))


def offers(run: Run, number: int) -> tuple[Option, ...]:
    """What was recorded, and real states: when it began, in the middle, and when it was complete."""
    seen = run.history.recordings[number]
    done = seen.completed or 0
    moments = (seen.started - 1, (seen.started + done) // 2, done)
    right = option("recorded", run, recorded(run, number))
    found = {right.text.en: right}
    for i, step in enumerate(moments, 1):
        real = option(f"real-{i}", run, part(final(run.system, run.world(step))))
        found.setdefault(real.text.en, real)
    return tuple(found.values())


def part(told: Json) -> Json:
    """The processes and channels of a global state."""
    return {key: told[key] for key in ("processes", "channels")}


def ask(run: Run, address: Address, subject: Subject) -> Question:
    """Which one is it?"""
    (number,) = subject
    seen, options = run.history.recordings[number], offers(run, number)
    tempting: dict[Answer, str] = {one.value: "M1" for one in options if one.value != "recorded"}
    mixed = shuffled(options, Random(f"states {number}"))
    names = {one.value: f"state-{i}" for i, one in enumerate(mixed, 1)}  # a name must not tell which one it is
    return card(
        NAME,
        "choice",
        run,
        address,
        len(run.steps),
        names["recorded"],
        asks=told("quiz.state.asks", snapshot=number),
        options=[Option(names[one.value], one.text) for one in mixed],
        tempting={names[str(wrong)]: belief for wrong, belief in tempting.items()},
        why=told("quiz.state.why", snapshot=number, state=options[0].text),
        shows=seen.completed or 0,
        figure="time",
        cut=dict(seen.cut),
    )
