"""List all possible snapshots: which of some global states a snapshot that has just begun can record.

What is possible comes from the explorer, which tries every order in which the messages in flight can arrive. The other
states are wrong in one way each: a message is counted twice or not at all, or two states are mixed.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from random import Random

from app.core.model.values import Json
from app.course.assignment.variation import accounts, made, number, pick
from app.course.options import State, states
from app.course.phrases import arrow, words_of
from app.course.question import Question
from app.course.questions.card import app_messages, distinct, shuffled
from app.course.reasons.reason import usual
from app.course.reasons.state import differs
from app.run.explore import explore
from app.run.run import Run
from app.scenario.format import ExploreForm, Words
from app.scenario.library import LIBRARY
from app.wire.run_url import Address

NAME = "every"
SYSTEM = "three-banks"
VARIANTS = 40
"""So many such questions an assignment has; exploring takes a tenth of a second."""

FLYING = 3
"""So many payments are in flight."""
FEWEST, MOST = 3, 5
"""So many states are possible."""
OFFERED = 8
STATES = 2_000
TRIES = 12


def question(seed: str, who: str) -> Question | None:
    """Return one of the ``VARIANTS`` questions that a seed makes; ``who`` decides which."""
    return _question(f"{seed} {number(Random(who), 1, VARIANTS)}")


@lru_cache(maxsize=12 * VARIANTS)  # those of an assignment that asks nothing else
def _question(seed: str) -> Question | None:
    """Return a question with neither too few nor too many answers; None if none was found."""
    for turn in range(TRIES):
        rng = Random(f"{seed} {turn}")
        run, address, begun = _drawn(rng)
        bounds = ExploreForm(moves=0, starts=[run.scenario.starter])
        found = explore(run.scenario, most=STATES, begun=[one.action for one in run.steps[:begun]], bounds=bounds)
        possible: list[State] = [{"processes": one.processes, "channels": one.channels} for one in found.outcomes]
        if not found.bounded and FEWEST <= len(possible) <= MOST:
            asked = _asked(run, address.at(begun), possible, rng)
            if asked is not None:
                return asked
    return None


def _drawn(rng: Random) -> tuple[Run, Address, int]:
    """Return a run in which some pay, and then one starts a snapshot; and the step of its start."""
    graph = LIBRARY.scenario(SYSTEM).topology
    sends = [{"send": {"on": one, "message": number(rng, 1, 5)}} for one in shuffled(graph.channels, rng)[:FLYING]]
    script: list[Json] = [*sends, {"start": pick(rng, graph.names)}]
    run, address = made(SYSTEM, accounts(SYSTEM, rng), (1, 2, 3, 4, 5), script=script)
    return run, address, len(script)


def _asked(run: Run, here: Address, possible: list[State], rng: Random) -> Question | None:
    """Return the question; None if its options cannot be told apart."""
    wrong: list[State] = []
    for one in shuffled(_mistaken(run, possible), rng):
        if len(wrong) + len(possible) < OFFERED and all(differs(run, one, other) for other in (*possible, *wrong)):
            wrong.append(one)
    offered = {f"state-{i}": one for i, one in enumerate(shuffled([*possible, *wrong], rng), 1)}
    options = states(run, offered)
    if not wrong or not distinct(options):
        return None
    fields = {"process": run.scenario.starter, "step": here.step, "messages": _flying(run, here.step)}
    asked = Question(
        NAME,
        "possible",
        run,
        here,
        words_of("assign.every.asks"),
        tuple(name for name, one in offered.items() if any(not differs(run, one, other) for other in possible)),
        options,
        shows=len(run.steps),
        why=words_of("assign.every.why", count=len(possible)),
        scene=words_of("assign.every.scene", **fields),
    )
    return replace(asked, explains=usual(asked, 1, (), offered, possible))


def _flying(run: Run, step: int) -> list[Words]:
    """Return the payments in flight, in words."""
    queues = app_messages(run, step)
    return [
        words_of("course.message", message=one, channel=arrow(channel))
        for channel, queue in queues.items()
        for one in queue
    ]


def _mistaken(run: Run, possible: list[State]) -> Iterator[State]:
    """Yield states in which a message is counted twice, or not at all, and mixtures of two states."""
    ends = run.system.topology.channels
    for one in possible:
        for channel, queue in one["channels"].items():
            if queue:
                source, target = ends[channel].source, ends[channel].target
                yield _with(one, target, one["processes"][target] + queue[0])
                yield _with(one, source, one["processes"][source] + queue[0])
                yield {"processes": one["processes"], "channels": one["channels"] | {channel: queue[1:]}}
    for one in possible:
        for other in possible:
            yield {"processes": one["processes"], "channels": other["channels"]}


def _with(state: State, name: str, holds: int) -> State:
    """Return a state in which a process holds something else."""
    return {"processes": state["processes"] | {name: holds}, "channels": state["channels"]}
