"""Lai–Yang: colours instead of markers, so channels may deliver in any order and no control message is sent.

The colour of a process is the number of the last snapshot that it has recorded; every message carries the colour of its
sender. Seen from one snapshot, a process that has not recorded it is white, and red afterwards.

Rule: a white process records whenever it likes, and at the latest before it processes a red message. With its state it
keeps all that it had sent and received until then, channel by channel. What its sender had sent on a channel and its
receiver had not received was in flight.

Where nothing is sent, no process would ever turn red. So the start of a snapshot lets every process record by itself at
some later time.

With a part only what is new since the previous part must travel; the initiator has the rest.

Notes: Recorded, Done, Deferred, Rule; the kernel adds Derived.

References
----------
T.-H. Lai, T.-H. Yang, "On Distributed Snapshots", Information Processing Letters 25(3), 1987, 153-158.
E. W. Dijkstra, "The Distributed Snapshot of K.M. Chandy and L. Lamport", EWD864a, 1984 (the colours).
"""

from immutables import Map
from msgspec.structs import replace

from app.algorithms.shared.channel_history import EMPTY, Histories, longer, messages
from app.core.model.algorithm import Effect, Kind, Reply
from app.core.model.notes import Done, Recorded, Rule
from app.core.model.value import Value
from app.core.model.values import Defer, Message, Part, Process, Todo

NAME = "lai-yang"
REQUIRES = "any"
LABELLED = False
KIND = Kind.TURN
COST = "0"
PSEUDOCODE = (
    ("on-turn", 0),
    ("turn-red", 1),
    ("on-sending", 0),
    ("take-colour", 1),
    ("note-sent", 1),
    ("on-message", 0),
    ("red-first", 1),
    ("note-received", 1),
    ("process", 1),
    ("white-not-received", 0),
)


class Table(Value):
    """What a process keeps for one snapshot: its state, its histories until then by channel, the oldest message first,
    and how many messages in them are new since the previous snapshot."""

    state: object
    sent: tuple[tuple[str, tuple[Message, ...]], ...]
    received: tuple[tuple[str, tuple[Message, ...]], ...]
    fresh: int


class Memory(Value):
    """The colour, the histories by channel, how many messages were added since the process last recorded, and the
    tables."""

    colour: int
    sent: Histories
    received: Histories
    fresh: int
    tables: "Map[int, Table]"


def start(process: Process) -> Memory:
    """Return a white process's memory, with empty histories."""
    return Memory(0, EMPTY, EMPTY, 0, Map())


def on_initiate(process: Process, memory: Memory, state: object, snapshot: int) -> Reply[Memory]:
    """Record now, and let every process record by itself later."""
    memory, effects = record(process, memory, state, snapshot)
    return memory, [*effects, Rule(("on-turn", "turn-red")), Defer(Todo("record", (snapshot,)), everywhere=True)]


def carries(process: Process, memory: Memory, channel: str) -> int:
    """Return the colour."""
    return memory.colour


def on_send(process: Process, memory: Memory, channel: str, message: Message) -> Reply[Memory]:
    """Remember what was sent."""
    sent = longer(memory.sent, channel, message)
    return replace(memory, sent=sent, fresh=memory.fresh + 1), (Rule(("on-sending", "take-colour", "note-sent")),)


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Record before the first red message is processed; remember what was received."""
    effects: list[Effect] = []
    while memory.colour < message.tag:
        memory, more = record(process, memory, state, memory.colour + 1)
        effects += more
    lines = ("on-message", *(("red-first",) if effects else ()), "note-received", "process")
    return remembered(memory, channel, message), [*effects, Rule(lines)]


def on_wake(process: Process, memory: Memory, state: object, what: Todo) -> Reply[Memory]:
    """Record by choice; do nothing where a red message was faster."""
    snapshot = what.number
    if memory.colour >= snapshot:
        return memory, ()
    memory, effects = record(process, memory, state, snapshot)
    return memory, [*effects, Rule(("on-turn", "turn-red"))]


def result(process: Process, memory: Memory, snapshot: int) -> Part | None:
    """Return the recorded state and the histories; what was in flight follows from those of both ends."""
    table = memory.tables.get(snapshot)
    if table is None:
        return None
    return Part(process.name, table.state, (), (), table.sent, table.received, table.fresh)


def record(process: Process, memory: Memory, state: object, snapshot: int) -> tuple[Memory, list[Effect]]:
    """Turn red, and keep state and histories as they are now."""
    table = Table(
        state,
        tuple((c, messages(memory.sent, c)) for c in process.outputs),
        tuple((c, messages(memory.received, c)) for c in process.inputs),
        memory.fresh,
    )
    red = replace(memory, colour=snapshot, fresh=0, tables=memory.tables.set(snapshot, table))
    return red, [Recorded(snapshot, process.name, state, None), Done(snapshot, process.name)]


def remembered(memory: Memory, channel: str, message: Message) -> Memory:
    """Return the memory with ``message`` in the history of what was received on ``channel``."""
    return replace(memory, received=longer(memory.received, channel, message), fresh=memory.fresh + 1)
