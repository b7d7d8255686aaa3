"""What a run did apart from its algorithm: the events that happen again when it is repeated under another one."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import TypeAlias

from app.core.model import (
    APP,
    END,
    LANES,
    Action,
    Collect,
    Deliver,
    Drop,
    Duplicate,
    Message,
    Move,
    Overtake,
    Start,
    Wake,
    World,
)
from app.core.notes import Acted, Note, Received, Sent
from app.core.program import READ
from app.core.system import System
from app.simulator.schedule import draw

SPREAD = 3
"""How many events of the programs a control message, or a step put off, lets pass at most. A step that is put off again
and again is a timer: it lets as many more pass each time, and does not run out while an answer is on its way."""

Reaching = Deliver | Drop | Duplicate | Overtake
Thing: TypeAlias = tuple[str, int | str]
"""A record that was read, by source and offset, or that arrived, by channel and identity."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that must happen again. ``ordinal`` says which message of the channel it concerns: the how many-th
    (from 0) of the program's, or, where ``ours`` is false, of the algorithm's; a record of a dataflow has its identity
    instead, and a reading the offset from which it reads. ``again``: it happened before, and was done once more after a
    recovery; whoever recovers otherwise need not. ``hint``, the kind of a message of the algorithm or the word of a
    step put off, marks what was the algorithm's: it happens at the same place where this algorithm has the same."""

    action: Action
    ordinal: int | str = 0
    ours: bool = True
    again: bool = False
    hint: str = ""


def events(steps: Iterable[tuple[Action, Iterable[Note], World]]) -> tuple[Event, ...]:
    """What a run did apart from its algorithm. ``steps`` are its actions, their notes and the worlds before them.

    The arrivals of control messages and the steps put off are the algorithm's: they stay as hints. Faults stay, also
    those that hit a control message: the same place on the channel is hit again.
    """
    found: list[Event] = []
    count = Count()
    done: set[Thing] = set()
    for action, notes, world in steps:
        if isinstance(action, Reaching):
            message = world.queues[action.channel][action.position]
            ours = message.kind == APP
            if ours or not isinstance(action, Deliver):
                ordinal = count.of(message)
                again = ours and isinstance(action, Deliver) and (action.channel, ordinal) in done
                found.append(Event(action, ordinal, ours, again))
                done.add((action.channel, ordinal))
            elif (place := count.of(message)) != -1:
                found.append(Event(action, place, ours=False, hint=message.kind))
        elif isinstance(action, Move) and action.detail == READ:
            offset = world.states[action.process].offset
            found.append(Event(action, offset, again=(action.process, offset) in done))
            done.add((action.process, offset))
        elif isinstance(action, Wake):
            for event in taken(notes, world, count):
                thing = happened(event)
                found.append(replace(event, again=thing in done))
                done |= {thing} if thing else set()
            found.append(Event(action, hint=action.what))
        elif not isinstance(action, Collect | Wake) and not onward(action, world):
            found.append(Event(action))
        count.saw(notes)
    return tuple(found)


def taken(notes: Iterable[Note], world: World, count: "Count") -> Iterator[Event]:
    """What programs read and received in a step put off, because the algorithm told them to."""
    read: dict[str, int] = {}
    for note in notes:
        if isinstance(note, Received) and note.message.kind == APP:
            yield Event(Deliver(note.channel), count.of(note.message))
        elif isinstance(note, Acted) and note.move.detail == READ:
            offset = read[note.process] = read.get(note.process, world.states[note.process].offset - 1) + 1
            yield Event(note.move, offset)


def happened(event: Event) -> Thing | None:
    """The record that an event reads or lets arrive, None where it does neither."""
    action = event.action
    if isinstance(action, Move) and action.detail == READ:
        return action.process, event.ordinal
    return (action.channel, event.ordinal) if isinstance(action, Deliver) and isinstance(event.ordinal, str) else None


def onward(action: Action, world: World) -> bool:
    """Does an operator of a dataflow go on with what it took before, as it does by itself when there is room?"""
    return isinstance(action, Move) and bool(getattr(world.states[action.process], "pending", ()))


class Count:
    """Which message of its channel each one is, those of the program and those of the algorithm counted apart."""

    def __init__(self) -> None:
        self.ordinals: dict[int, int] = {}
        self.counts: dict[tuple[str, bool], int] = {}

    def saw(self, notes: Iterable[Note]) -> None:
        """One step was made."""
        for note in notes:
            if isinstance(note, Sent) and note.message.kind not in LANES and note.message.origin is None:
                kind = (note.channel, note.message.kind == APP)
                self.ordinals[note.message.id] = self.counts.get(kind, 0)
                self.counts[kind] = self.counts.get(kind, 0) + 1

    def of(self, message: Message) -> int | str:
        """The ordinal of a message; of a copy, that of the first; the identity of a record."""
        record: str | None = getattr(message.payload, "id", None) if message.kind == APP else None
        if message.payload is END:
            return "end"
        return record or self.ordinals.get(message.identity, -1)


Hint: TypeAlias = tuple[int | str, ...]
"""What names a message or a step of the algorithm in both runs, see ``hinted``."""


def hinted(event: Event) -> Hint:
    """What names the same thing in both runs: a step put off by process and word, a message of the algorithm by
    channel, kind and ordinal; nothing else."""
    action = event.action
    if event.hint and isinstance(action, Wake):
        return action.process, action.what
    return (action.channel, event.hint, event.ordinal) if event.hint and isinstance(action, Deliver) else ()


def with_starts(system: System, wanted: tuple[Event, ...], seed: int) -> tuple[Event, ...]:
    """The events, and, for an algorithm in which nobody is told to record, a start of every other process within a few
    events of the first start."""
    firsts = [i for i, event in enumerate(wanted) if isinstance(event.action, Start)]
    if not system.algorithm.ALONE or not firsts:
        return wanted
    rng = Random(f"{seed} starts")
    starting = {event.action.process for event in wanted if isinstance(event.action, Start)}
    late = [(firsts[0] + 1 + draw(rng, 2 * SPREAD), name) for name in system.topology.names if name not in starting]
    found: list[Event] = []
    for i, event in enumerate(wanted):
        found += [Event(Start(name)) for at, name in late if at == i]
        found.append(event)
    return (*found, *(Event(Start(name)) for at, name in late if at >= len(wanted)))
