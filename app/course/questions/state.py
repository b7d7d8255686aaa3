"""Which of several global states a snapshot has recorded; the others are states in which the system really was."""

from collections.abc import Iterator, Mapping
from random import Random

from app.core.model.values import Json
from app.course.options import State, components, state, states
from app.course.phrases import value, words_of
from app.course.question import Answer, Question
from app.course.questions.card import Subject, card, complete, distinct, shuffled
from app.course.questions.drawn import MOST_STEPS
from app.course.reasons.state import differs
from app.course.run_facts import Snapshot
from app.run.run import Run, final
from app.scenario.format import Words

LEVEL = 3
LARGEST = 9
"""So many processes and channels a state may have that people compare."""


def subjects(run: Run) -> Iterator[Subject]:
    """Yield the complete snapshots of small systems that recorded another state than the system had when they began or
    ended."""
    if small(run):
        for number, _ in complete(run):
            options = states(run, _offers(run, number))
            if len(options) > 1 and distinct(options):
                yield (number,)


def small(run: Run) -> bool:
    """Can people compare its states, and see the run as a whole?"""
    graph, odd = run.system.topology, run.system.program.EAGER or run.history.lives
    return not odd and len(graph.names) + len(graph.channels) <= LARGEST and len(run.steps) <= MOST_STEPS


def recorded(run: Run, number: int) -> Json:
    """Return what a snapshot recorded."""
    snapshot = Snapshot(run, number)
    return {"processes": snapshot.processes, "channels": snapshot.channels}


def _offers(run: Run, number: int) -> dict[str, State]:
    """Return the recorded state, and real ones: when the snapshot began, in the middle, and when it was complete; each
    once."""
    seen = run.history.recordings[number]
    done = seen.completed or 0
    found: dict[str, State] = {"recorded": recorded(run, number)}
    for i, step in enumerate((seen.started - 1, (seen.started + done) // 2, done), 1):
        real = part(final(run.system, run.world(step)))
        if all(differs(run, real, one) for one in found.values()):
            found[f"real-{i}"] = real
    return found


def part(told: Json) -> Json:
    """Return the processes and channels of a global state."""
    return {key: told[key] for key in ("processes", "channels")}


def ask(run: Run, number: int) -> Question:
    """Which one is it?"""
    seen, found = run.history.recordings[number], _offers(run, number)
    mixed = shuffled(found, Random(f"states {number}"))
    names = {one: f"state-{i}" for i, one in enumerate(mixed, 1)}  # a name must not tell which one it is
    offered = {names[one]: found[one] for one in mixed}
    tempting: dict[Answer, str] = {names[one]: "M1" for one in mixed if one != "recorded"}
    return card(
        "choice",
        run,
        len(run.steps),
        names["recorded"],
        scene=words_of("quiz.state.scene", snapshot=number),
        asks=words_of("quiz.state.asks", snapshot=number),
        options=states(run, offered),
        tempting=tempting,
        wrong=lambda one: _other(run, offered[one], found["recorded"], seen.recorded),
        why=words_of("quiz.state.why", snapshot=number, state=line(run, found["recorded"])),
        shows=seen.completed or 0,
        figure="time",
        cut=dict(seen.cut),
    )


def _other(run: Run, real: State, right: State, recorded: Mapping[str, int]) -> Words:
    """Return the first part in which a real state differs from the recorded one."""
    name = differs(run, real, right)[0]
    here, there = (components(run, one)[name] for one in (real, right))
    if name in run.system.topology.channels:
        how = "channel" if here and there else "quiet" if here else "empty"
        return words_of(f"wrong.real.{how}", channel=name, real=here, crossing=there)
    return words_of("wrong.real.process", process=name, real=value(here), recorded=value(there), step=recorded[name])


def line(run: Run, whole: State) -> Words:
    """Return a global state in one line."""
    return state(run, components(run, whole))
