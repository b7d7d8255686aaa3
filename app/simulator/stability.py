"""Properties that stay once they are true: when they are true in a run, and what a snapshot lets one conclude.

If the property was true when the snapshot began, it is true in what was recorded; if it is true there, it is true from
the end of the snapshot on, for ever. Both are checked against every step of the run.

Source: Chandy and Lamport 1985, section 5 (stability detection).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.core import oracle
from app.core.model import Message, World
from app.core.recorded import channels as recorded_channels
from app.core.system import System
from app.programs.machine import Machine
from app.programs.token import Token
from app.simulator.run import Run
from app.simulator.waits import waits

TERMINATION, DEADLOCK, LOST = "termination", "deadlock", "lost"
PROPERTIES = (TERMINATION, DEADLOCK, LOST)

Holds = Callable[[Mapping[str, Any], Mapping[str, Sequence[Message]]], bool]
"""Asked of processes' states and of what is in the channels."""


@dataclass(frozen=True, slots=True)
class Span:
    """From step ``first`` to step ``last`` the property is ``true``, or is not. Step 0 is the beginning."""

    first: int
    last: int
    true: bool


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What a complete snapshot says of a property. ``before``, ``recorded`` and ``after``: is it true when the snapshot
    begins, in what it recorded, and when it ends? ``polled``: would whoever asks only the processes, when they record,
    say that it is true? ``sound``: is the recorded state one in which the system could have been? ``kept``: do both
    implications hold here, at every step? ``began`` and ``ended`` are the steps before which, and with which."""

    number: int
    before: bool
    recorded: bool
    after: bool
    polled: bool
    sound: bool
    kept: bool
    began: int
    ended: int


def properties(run: Run) -> tuple[str, ...]:
    """The stable properties of which the program of a run knows something."""
    program = run.system.program
    if isinstance(program, Token):
        return (LOST,)
    if not isinstance(program, Machine):
        return ()
    # Whoever is passive waits for work, which is no deadlock, unless the author says that it is.
    if program.passive and "deadlock" not in run.scenario.form.tags:
        return (TERMINATION,)
    return (DEADLOCK,) if any(edge.receive is not None for edges in program.edges.values() for edge in edges) else ()


def holds(system: System, name: str) -> Holds:
    """The property as a question about a global state."""

    def stuck(states: Mapping[str, Any], channels: Mapping[str, Sequence[Message]]) -> bool:
        found = waits(system, states, channels)
        return found is not None and bool(found.stuck)

    def of_the_program(states: Mapping[str, Any], channels: Mapping[str, Sequence[Message]]) -> bool:
        return bool(system.program.stable(states, {c: tuple(messages) for c, messages in channels.items()}))

    return stuck if name == DEADLOCK else of_the_program


def spans(run: Run, name: str) -> tuple[Span, ...]:
    """When the property is true, from the beginning to the last step."""
    asked = holds(run.system, name)
    found: list[Span] = []
    for number in range(len(run.steps) + 1):
        world = run.world(number)
        if number and unchanged(run.world(number - 1), world):
            true = found[-1].true
        else:
            true = asked(world.states, world.in_flight())
        if found and found[-1].true == true:
            found[-1] = Span(found[-1].first, number, true)
        else:
            found.append(Span(number, number, true))
    return tuple(found)


def unchanged(one: World, two: World) -> bool:
    """Is nothing different that a property asks about? (What was not written anew is the same object.)"""
    return one.states is two.states and one.queues is two.queues


def true_at(found: Sequence[Span], step: int) -> bool:
    """Is the property true after ``step``?"""
    return next(span.true for span in found if span.first <= step <= span.last)


def conclusions(run: Run, name: str) -> tuple[Conclusion, ...]:
    """What each complete snapshot says, by number; those that were taken out when the system went back are left out."""
    asked, when = holds(run.system, name), spans(run, name)
    found = []
    for number, seen in sorted(run.history.recordings.items()):
        if seen.completed is None or seen.life is not None:
            continue
        recorded = oracle.parts(run.system, run.end, number)
        states = {p: run.begin.states[p] for p in run.system.topology.names}
        states |= {p: part.state for p, part in recorded.items()}
        true = asked(states, recorded_channels(run.system, recorded))
        before, after = true_at(when, seen.started - 1), true_at(when, seen.completed)
        for_ever = all(span.true for span in when if span.last >= seen.completed)
        checks = run.verdicts[number].checks
        found.append(
            Conclusion(
                number,
                before,
                true,
                after,
                asked(states, {}),
                checks["consistent"] is True and checks["channels"] is True,
                (true or not before) and (for_ever or not true),
                seen.started,
                seen.completed,
            )
        )
    return tuple(found)
