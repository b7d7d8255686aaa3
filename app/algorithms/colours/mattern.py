"""Mattern: all processes record at a future time, and a sum says when nothing is in flight any more.

Of the vector time only one component matters, that of the initiator, so a clock here is one number, and all snapshots
are started by the same process, one after the other. The number counts ticks of a virtual process beside the initiator:
the program does not wait for the answers.

1. The initiator chooses the next tick, s, tells it to all processes, and waits until all have acknowledged it.
2. It ticks, and sends the new time to all (dummy messages), so that all clocks reach s even without traffic.
3. Every message is stamped with its sender's clock. A process records just before its clock would become s or more,
   and tells the initiator how many messages it has sent less those that it has received.
4. What is stamped before s and arrives after recording was in flight: it is logged, and a copy goes to the initiator.
5. The counts add up to the number of messages in flight. When as many copies have arrived, the initiator says that it
   is done, and all processes close their channels.

The initiator expects an answer from every process that it has told, so none joins during a snapshot.

Messages may arrive in any order, and no history is kept; in exchange, the snapshot must wait for the slowest message.

Notes: Recorded, Opened, Logged, Counted, Closed, Done, Assembled, Rule.

References
----------
F. Mattern, "Virtual Time and Global States of Distributed Systems", in Parallel and Distributed Algorithms, 1989,
215-226, section 11 (a snapshot at a future time; the virtual process; dummy messages; counting what is in flight).
F. Mattern, "Efficient Algorithms for Distributed Snapshots and Global Virtual Time Approximation", JPDC 18(4), 1993.
It does without the FIFO channels of K. M. Chandy, L. Lamport, ACM TOCS 3(1), 1985.
"""

from immutables import Map
from msgspec.structs import replace

from app.core.model.algorithm import Effect, Reply
from app.core.model.notes import Assembled, Closed, Counted, Done, Logged, Opened, Recorded, Rule
from app.core.model.value import Value
from app.core.model.values import Message, Part, Process, Tell

NAME = "mattern"
REQUIRES = "any"
GRAPH = "strong"
SERIAL = True
COLLECTS = True
SETTLED = True
COST = "5(n - 1) + k"
PSEUDOCODE = (
    ("on-start", 0),
    ("agree", 1),
    ("tick", 1),
    ("on-time", 0),
    ("record-in-time", 1),
    ("count", 1),
    ("on-message", 0),
    ("straggler", 1),
    ("process", 1),
    ("on-sum", 0),
    ("finish", 1),
    ("on-finish", 0),
    ("close-all", 1),
)


class Date(Value):
    """A snapshot at the time ``tick``, agreed with ``initiator``."""

    snapshot: int
    tick: int
    initiator: str


class Table(Value):
    """What a process recorded: its state, what was logged on each input, and whether the inputs are still open."""

    state: object
    logs: "Map[str, tuple[Message, ...]]"
    open: bool = True


class Sum(Value):
    """What the initiator waits for: acknowledgements, counts, and the messages in flight, as counted so far, less the
    copies that have arrived."""

    acks: int
    counts: int
    missing: int = 0


class Memory(Value):
    """The clock; messages sent less those received; the last date agreed; the tables; the initiator's sum."""

    clock: int
    balance: int
    date: Date | None
    tables: "Map[int, Table]"
    sum: Sum | None = None


def start(process: Process) -> Memory:
    """Return the memory at time zero."""
    return Memory(0, 0, None, Map())


def on_initiate(process: Process, memory: Memory, state: object, snapshot: int) -> Reply[Memory]:
    """Tell all processes when to record."""
    date = Date(snapshot, memory.clock + 1, process.name)
    memory = replace(memory, date=date, sum=Sum(len(process.others), len(process.members)))
    told: list[Effect] = [Tell(name, snapshot, ("agree", date.tick)) for name in process.others]
    effects = [*told, Rule(("on-start", "agree"))]
    if process.others:
        return memory, effects
    memory, more = _tick(process, memory, state, date)
    return memory, [*effects, *more]


def carries(process: Process, memory: Memory, channel: str) -> int:
    """Return the clock."""
    return memory.clock


def on_send(process: Process, memory: Memory, channel: str, message: Message) -> Reply[Memory]:
    """Count a sent message."""
    return replace(memory, balance=memory.balance + 1), ()


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Record before the message sets the clock; log what is late; count."""
    memory, effects = _advance(process, memory, state, message.tag)
    if not effects:
        memory, effects = _straggle(process, memory, channel, message)
    return replace(memory, balance=memory.balance - 1), effects


def on_told(
    process: Process, memory: Memory, state: object, source: str, snapshot: int | None, word: object
) -> Reply[Memory]:
    """Handle the initiator's time, the answers to it, and what follows."""
    kind, value = word if isinstance(word, tuple) else (word, None)
    if snapshot is None:
        return memory, ()
    if kind == "agree":
        return replace(memory, date=Date(snapshot, value, source)), (Tell(source, snapshot, "ack"),)
    if kind == "tick":
        return _advance(process, memory, state, value)
    if kind == "done":
        return _finish(process, memory, snapshot)
    date, waiting = memory.date, memory.sum
    if date is None or waiting is None or date.snapshot != snapshot:
        return memory, ()
    if kind == "ack":
        memory = replace(memory, sum=replace(waiting, acks=waiting.acks - 1))
        return (memory, ()) if waiting.acks > 1 else _tick(process, memory, state, date)
    return (
        _reckon(process, memory, snapshot, 1, value) if kind == "count" else _reckon(process, memory, snapshot, 0, -1)
    )


def result(process: Process, memory: Memory, snapshot: int) -> Part | None:
    """Return the recorded state and the logs; all inputs are open until the initiator has said that it is done."""
    table = memory.tables.get(snapshot)
    if table is None:
        return None
    logs = tuple((c, table.logs.get(c, ())) for c in process.inputs)
    return Part(process.name, table.state, logs, process.inputs if table.open else ())


def _tick(process: Process, memory: Memory, state: object, date: Date) -> Reply[Memory]:
    """Advance to the time on which all processes have agreed, and tell them."""
    told = [Tell(name, date.snapshot, ("tick", date.tick)) for name in process.others]
    memory, effects = _advance(process, memory, state, date.tick)
    return memory, [Rule(("tick",)), *told, *effects]


def _advance(process: Process, memory: Memory, state: object, time: int) -> Reply[Memory]:
    """Set the clock to ``time`` unless it is later; recording comes first."""
    date = memory.date
    memory = replace(memory, clock=max(memory.clock, time))
    if date is None or date.tick > time or date.snapshot in memory.tables:
        return memory, ()
    number = date.snapshot
    memory = replace(memory, tables=memory.tables.set(number, Table(state, Map())))
    effects: list[Effect] = [Recorded(number, process.name, state, None)]
    effects += [Opened(number, channel) for channel in process.inputs]
    effects.append(Rule(("on-time", "record-in-time", "count")))
    if process.name != date.initiator:
        return memory, [*effects, Tell(date.initiator, number, ("count", memory.balance))]
    memory, more = _reckon(process, memory, number, 1, memory.balance)
    return memory, [*effects, *more]


def _straggle(process: Process, memory: Memory, channel: str, message: Message) -> Reply[Memory]:
    """Log as in flight a message from before the last snapshot, which is still open."""
    date = memory.date
    table = memory.tables.get(date.snapshot) if date else None
    if date is None or table is None or not table.open or message.tag >= date.tick:
        return memory, ()
    number = date.snapshot
    logs = table.logs.set(channel, (*table.logs.get(channel, ()), message))
    memory = replace(memory, tables=memory.tables.set(number, replace(table, logs=logs)))
    effects: list[Effect] = [Logged(number, channel, message), Rule(("on-message", "straggler", "process"))]
    if process.name != date.initiator:
        return memory, [*effects, Tell(date.initiator, number, ("copy", channel))]
    memory, more = _reckon(process, memory, number, 0, -1)
    return memory, [*effects, *more]


def _reckon(process: Process, memory: Memory, snapshot: int, counts: int, change: int) -> Reply[Memory]:
    """Take one more count or copy at the initiator. It is done when all counts are in and nothing is missing."""
    if memory.sum is None:
        return memory, ()
    waiting = replace(memory.sum, counts=memory.sum.counts - counts, missing=memory.sum.missing + change)
    memory = replace(memory, sum=waiting)
    if waiting.counts:
        return memory, ()
    effects: list[Effect] = [Counted(snapshot, process.name, waiting.missing)]
    if waiting.missing:
        return memory, effects
    effects += [Rule(("on-sum", "finish")), Assembled(snapshot, process.name)]
    effects += [Tell(name, snapshot, "done") for name in process.others]
    memory, more = _finish(process, replace(memory, sum=None), snapshot)
    return memory, [*effects, *more]


def _finish(process: Process, memory: Memory, snapshot: int) -> Reply[Memory]:
    """Close the inputs: nothing is in flight any more, so what was logged is the state of the channels."""
    table = memory.tables.get(snapshot)
    if table is None or not table.open:
        return memory, ()
    memory = replace(memory, tables=memory.tables.set(snapshot, replace(table, open=False)))
    closed = [Closed(snapshot, channel) for channel in process.inputs]
    return memory, [*closed, Rule(("on-finish", "close-all")), Done(snapshot, process.name)]
