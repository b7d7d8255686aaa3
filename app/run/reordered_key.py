"""The run that really happens in another order: the same events, without the snapshot that was taken meanwhile.

A person could make it by hand, so it has a key like any other run: every step is a choice.
"""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from app.core.kernel.enabled import enabled
from app.core.kernel.step import step
from app.core.model.notes import Sent, only
from app.core.model.system import System
from app.core.model.values import APP, Action, BluecutError, Deliver, Message, Move, World
from app.core.oracle.history import Event
from app.run.run import Run, record
from app.scenario.run_key import RunKey

MOST = 300
"""The most steps tried."""


def reordered(run: Run, until: int, events: Sequence[Event]) -> RunKey | None:
    """Return the key of the run that does what ``run`` did in its first ``until`` steps, and then ``events`` one by
    one. None where this cannot be done by choices: because the author's script did what the program does not offer,
    say."""
    if until + len(events) > MOST or len({event.step for event in events}) < len(events):
        return None
    system, world = run.system, run.system.begin()
    indices: list[int] = []
    ids: dict[int, int] = {}
    for event in _wanted(run, until, events):
        action = event if not isinstance(event, Event) else _same(event, world, ids)
        at = _chosen(system, world, action) if action is not None else None
        if at is None:
            return None
        indices.append(at)
        world, notes = step(system, world, enabled(system, world)[at])
        sent = next((note.message for note in only(Sent, notes) if note.message.kind == APP), None)
        if isinstance(event, Event):
            if world.states[event.process] != event.state:
                return None
            if sent and event.message:
                ids[event.message.identity] = sent.identity
    key = replace(run.key, choices=tuple(enumerate(indices)), drain=False, manual=True)
    try:
        again = record(run.scenario, key)
    except BluecutError:
        return None
    return key if again.end.states == world.states and len(again.steps) == len(indices) else None


def _wanted(run: Run, until: int, events: Sequence[Event]) -> Iterator[Action | Event]:
    """Yield what is to happen, in order."""
    yield from (done.action for done in run.steps[:until])
    yield from events


def _same(event: Event, world: World, ids: dict[int, int]) -> Action | None:
    """Return the action that lets ``event`` happen, where messages have the ids that ``ids`` gives them."""
    if not isinstance(event.action, Deliver) or event.message is None:
        return event.action
    identity = ids.get(event.message.identity, event.message.identity)
    queue: tuple[Message, ...] = world.queues.get(event.action.channel, ())
    at = next((i for i, message in enumerate(queue) if message.identity == identity), None)
    return None if at is None else Deliver(event.action.channel, at)


def _chosen(system: System, world: World, action: Action) -> int | None:
    """Return the index of an action among those that are possible now, whatever a script adds to it; or None."""
    for at, possible in enumerate(enabled(system, world)):
        if possible == action:
            return at
        match action, possible:
            case Deliver(), Deliver():
                alike = (possible.channel, possible.position) == (action.channel, action.position)
            case Move(), Move():
                ways = (possible.process, possible.channel, possible.payload)
                alike = ways == (action.process, action.channel, action.payload) and action.channel is not None
            case _:
                alike = False
        if alike:
            return at
    return None
