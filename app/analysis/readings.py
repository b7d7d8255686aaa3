"""What the snapshots of a run say about one quantity, beside its true value when each began and ended.

A snapshot is right about a state in which the system can have been, not about a moment: what it recorded together need
never have been true together.

Source: K. M. Chandy, L. Lamport, ACM TOCS 3(1), 1985, section 4.2 (the recorded state need not have occurred).
"""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from app.analysis.global_states import moments, taken
from app.core.model.recorded_state import channels
from app.core.model.value import Frozen
from app.core.model.values import APP, Fault, Message
from app.core.oracle.lattice import Lattice
from app.run.run import Run, complete

FLIGHT = "flight"
"""The quantity that every run has: how many messages of the program are in flight."""

Queues: TypeAlias = Mapping[str, tuple[Message, ...]]
Measure: TypeAlias = Callable[[Mapping[str, object], Queues], int | float]


class Reading(Frozen):
    """The value of a quantity in a complete snapshot, and its true values when that started and when it was complete.
    ``was``: the step after which the run really was in the recorded state; None where it never was."""

    number: int
    started: int
    completed: int
    before: int | float
    recorded: int | float
    after: int | float
    was: int | None


def quantities(run: Run) -> dict[str, Measure]:
    """Return what can be read of a run: the messages in flight, the length of each queue, and each process's state if
    that is a number."""
    view = run.system.program.view
    found: dict[str, Measure] = {FLIGHT: lambda _, queues: sum(map(_held, queues.values()))}
    for name in run.system.topology.names:
        if isinstance(view(run.begin.states[name]), int | float):
            found[name] = lambda states, _, name=name: view(states[name])  # type: ignore[misc]
    for channel in run.system.topology.channels:
        found[channel] = lambda _, queues, channel=channel: _held(queues.get(channel, ()))  # type: ignore[misc]
    return found


def _held(queue: tuple[Message, ...]) -> int:
    return sum(1 for message in queue if message.kind == APP)


def truth(run: Run, of: str) -> list[tuple[int, int | float]]:
    """Return the true value of a quantity after each step in which it changes, and at both ends, as (step, value)."""
    measure = quantities(run)[of]
    worlds = (run.world(number) for number in range(len(run.steps) + 1))
    values = list(_flight(run)) if of == FLIGHT else [measure(world.states, world.queues) for world in worlds]
    last = len(values) - 1
    return [(i, v) for i, v in enumerate(values) if i in (0, last) or v != values[i - 1]]


def _flight(run: Run) -> Iterator[int]:
    """Yield the messages in flight at the beginning and after each step. Only the channels of its notes are counted
    anew, but after a fault."""
    before = run.begin.queues
    total = sum(map(_held, before.values()))
    yield total
    for step in run.steps:
        after = run.world(step.number).queues
        if isinstance(step.action, Fault):
            total = sum(map(_held, after.values()))
        elif after is not before:
            touched: set[str] = {getattr(note, "channel", "") for note in step.notes}
            total += sum(_held(after.get(name, ())) - _held(before.get(name, ())) for name in touched)
        before = after
        yield total


def readings(run: Run, measure: Measure) -> tuple[Reading, ...]:
    """Return what each complete snapshot says, in the order of their starts."""
    lattice = Lattice(run.history)
    when = moments(run, lattice)
    exact = {one.number: one.cut for one in taken(run, lattice) if one.exact}
    found = []
    for number, parts in complete(run):
        seen = run.history.recordings[number]
        assert seen.completed is not None
        states = {name: part.state for name, part in parts.items()}
        before, after = run.world(seen.started - 1), run.world(seen.completed)
        was = when.get(exact[number]) if number in exact else None
        recorded = measure(states, channels(run.system, parts))
        values = (measure(before.states, before.queues), recorded, measure(after.states, after.queues))
        found.append(Reading(number, seen.started, seen.completed, *values, was))
    return tuple(sorted(found, key=lambda one: one.started))
