"""Why a global state is not the one, or not one of those, that a question asks for."""

from collections.abc import Sequence

from app.course.options import State, components
from app.course.phrases import value, words_of
from app.run.run import Run
from app.scenario.format import Words


def impossible(run: Run, state: State, outcomes: Sequence[State]) -> Words | None:
    """Explain why a state is not among all that can be recorded, by the first part that differs from all of them.
    Return None if it is among them, or if they are not known."""
    mine, others = components(run, state), [components(run, one) for one in outcomes]
    if not others or mine in others:
        return None
    for name, found in mine.items():
        if all(one.get(name) != found for one in others):
            if name not in run.system.topology.channels:
                return words_of("wrong.state.process", process=name, value=value(found))
            return words_of("wrong.state.channel" if found else "wrong.state.empty", channel=name, messages=found)
    return words_of("wrong.state.together")


def overlooked(run: Run, state: State, given: Sequence[State]) -> Words:
    """Say where to look for a possible state that was left out: in a part that has another value in all the given
    states."""
    mine, others = components(run, state), [components(run, one) for one in given]
    new = [name for name, found in mine.items() if others and all(one[name] != found for one in others)]
    filled = [name for name in new if name in run.system.topology.channels and mine[name]]
    found = next(iter((*filled, *new)), None)
    return words_of("wrong.state.overlooked", part=found) if found else words_of("wrong.state.missing")


def differs(run: Run, real: State, recorded: State) -> list[str]:
    """Return the parts in which two states differ."""
    left, right = components(run, real), components(run, recorded)
    return [name for name in left if left[name] != right.get(name)]
