"""What happened in a run apart from its algorithm: the events that are repeated under another one."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import TypeAlias

from app.core.kernel.enabled import restorable
from app.core.model.notes import Acted, Note, Received, Sent, only
from app.core.model.system import System
from app.core.model.values import (
    APP,
    END,
    LANES,
    Action,
    Collect,
    Deed,
    Deliver,
    Message,
    Move,
    OnMessage,
    Restore,
    Start,
    Todo,
    Wake,
    World,
)
from app.schedules.protocol import LATEST, draw

SPREAD = 3
"""The most events of the programs that a control message, or a deferred step, lets pass. A step that is deferred again
and again is a timer: it lets as many more pass each time, and does not expire while an answer is in flight."""

Thing: TypeAlias = tuple[str, int | str]
"""An item that was read, by source and offset, or that arrived, by channel and identity."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that must happen again. ``ordinal`` says which message of the channel it concerns: its place (from 0)
    among the program's, or, where ``ours`` is false, among the algorithm's; an item of a dataflow has its identity
    instead, and a reading the offset from which it reads. ``again``: it happened before, and was repeated after a
    recovery; a run that recovers in another way need not repeat it. ``hint``, the kind of a message of the algorithm or
    the word of a deferred step, marks what was the algorithm's: it happens at the same place where this algorithm has
    the same."""

    action: Action
    ordinal: int | str = 0
    ours: bool = True
    again: bool = False
    hint: str = ""


def events(steps: Iterable[tuple[Action, Action | None, Iterable[Note], World]]) -> tuple[Event, ...]:
    """Return what happened in a run apart from its algorithm. ``steps`` are its actions, their lines of the script or
    None, their notes and the worlds before them. To roll back to the latest snapshot means the latest one of any run,
    unless the line gives its number.

    The arrivals of control messages and the deferred steps are the algorithm's: they stay as hints. Faults stay, also
    those that hit a control message: the same place on the channel is hit again.
    """
    found: list[Event] = []
    count = Count()
    done: set[Thing] = set()
    for action, line, notes, world in steps:
        match action:
            case OnMessage():
                message = world.queues[action.channel][action.position]
                ours, arrives = message.kind == APP, isinstance(action, Deliver)
                if ours or not arrives:
                    ordinal = count.of(message)
                    again = ours and arrives and (action.channel, ordinal) in done
                    found.append(Event(action, ordinal, ours, again))
                    done.add((action.channel, ordinal))
                elif (place := count.of(message)) != -1:
                    found.append(Event(action, place, ours=False, hint=message.kind))
            case Move(detail=Deed.READ):
                offset = world.states[action.process].offset
                found.append(Event(action, offset, again=(action.process, offset) in done))
                done.add((action.process, offset))
            case Wake():
                for event in _taken(notes, world, count):
                    thing = happened(event)
                    found.append(replace(event, again=thing in done))
                    done |= {thing} if thing else set()
                found.append(Event(action, hint=action.what.word))
            case Collect():
                pass
            case Restore(snapshot=number) if number == restorable(world)[-1] and line in (None, Restore(LATEST)):
                found.append(Event(Restore(LATEST)))
            case _ if not onward(action, world):
                found.append(Event(action))
        count.saw(notes)
    return tuple(found)


def _taken(notes: Iterable[Note], world: World, count: "Count") -> Iterator[Event]:
    """Yield what programs read and received in a deferred step, because the algorithm told them to."""
    read: dict[str, int] = {}
    for note in notes:
        match note:
            case Received() if note.message.kind == APP:
                yield Event(Deliver(note.channel), count.of(note.message))
            case Acted(move=Move(detail=Deed.READ)):
                offset = read[note.process] = read.get(note.process, world.states[note.process].offset - 1) + 1
                yield Event(note.move, offset)


def happened(event: Event) -> Thing | None:
    """Return the item that an event reads or delivers, None where it does neither."""
    match event.action:
        case Move(process=name, detail=Deed.READ):
            return name, event.ordinal
        case Deliver(channel=channel) if isinstance(event.ordinal, str):
            return channel, event.ordinal
    return None


def onward(action: Action, world: World) -> bool:
    """Does an operator of a dataflow pass on what it took before, as it does by itself when there is room?"""
    return isinstance(action, Move) and bool(getattr(world.states[action.process], "pending", ()))


class Count:
    """The ordinal of each message on its channel, those of the program and those of the algorithm counted
    separately."""

    def __init__(self) -> None:
        self.ordinals: dict[int, int] = {}
        self.counts: dict[tuple[str, bool], int] = {}

    def saw(self, notes: Iterable[Note]) -> None:
        """Count the messages of one step."""
        for note in only(Sent, notes):
            if note.message.kind not in LANES and note.message.origin is None:
                kind = (note.channel, note.message.kind == APP)
                self.ordinals[note.message.id] = self.counts.get(kind, 0)
                self.counts[kind] = self.counts.get(kind, 0) + 1

    def of(self, message: Message) -> int | str:
        """Return the ordinal of a message; of a copy, that of the original; of an item, its identity."""
        record: str | None = getattr(message.payload, "id", None) if message.kind == APP else None
        if message.payload is END:
            return "end"
        return record or self.ordinals.get(message.identity, -1)


Hint: TypeAlias = tuple[int | str | Todo, ...]
"""The name of a message or a step of the algorithm in both runs, see ``hinted``."""


def hinted(event: Event) -> Hint:
    """Return a name for the same thing in both runs: for a deferred step its process and word, for a message of the
    algorithm its channel, kind and ordinal; empty for anything else."""
    match event.action:
        case Wake(process=name, what=what) if event.hint:
            return name, what
        case Deliver(channel=channel) if event.hint:
            return channel, event.hint, event.ordinal
    return ()


def with_starts(system: System, wanted: tuple[Event, ...], seed: int) -> tuple[Event, ...]:
    """Return the events, and, for an algorithm in which no process is told to record, a start of every other process
    within a few events of the first start."""
    starts = [(i, event.action.process) for i, event in enumerate(wanted) if isinstance(event.action, Start)]
    if not system.algorithm.KIND.alone or not starts:
        return wanted
    rng, first, starting = Random(f"{seed} starts"), starts[0][0], {name for _, name in starts}
    late = [(first + 1 + draw(rng, 2 * SPREAD), name) for name in system.topology.names if name not in starting]
    found: list[Event] = []
    for i, event in enumerate(wanted):
        found += [Event(Start(name)) for at, name in late if at == i]
        found.append(event)
    return (*found, *(Event(Start(name)) for at, name in late if at >= len(wanted)))
