"""By hand: a process does nothing by itself; each verb is a step that somebody decides on.

While a snapshot is in progress, every process may at any time record, send a marker on an output, log the last message
of an input, close an input, or say that it is done; then it may still send markers. Nothing forbids the wrong moment:
the oracle judges the result. A run by hand is therefore the common form of what people do with buttons and of what a
class that somebody has written does: the same choices, the same pictures, the same checks.

Notes: Recorded, Opened, Copied, Closed, Done, Rule.

References
----------
K. M. Chandy, L. Lamport, "Distributed Snapshots: Determining Global States of Distributed Systems", ACM TOCS 3(1),
1985, 63-75, section 3.2 (what a process does, and when it should).
"""

from collections.abc import Iterator

from immutables import Map
from msgspec.structs import replace

from app.algorithms.shared import verbs
from app.algorithms.shared.verbs import CLOSE, DONE, EMPTY, LOG, RECORD, SEND_MARKER, STEPS, Ledger
from app.core.model.algorithm import Recovery, Reply
from app.core.model.notes import Copied, Rule
from app.core.model.value import Value
from app.core.model.values import APP, Message, Part, Process, Todo

NAME = "by-hand"
REQUIRES = "any"
COST = "?"
RECOVERY = Recovery("rollback")
PSEUDOCODE = (("hand-marker", 0), ("hand-verb", 0))
_VERBS = {word: verb for verb, word in STEPS.items()}


class Memory(Value):
    """What a process keeps: its tables; the last message of each input, for each snapshot that has not logged it; the
    input on which the first marker of each snapshot came."""

    ledger: "Ledger" = Map()
    last: "Map[str, Message]" = Map()
    logged: "Map[str, tuple[int, ...]]" = Map()
    first: "Map[int, str]" = Map()


def start(process: Process) -> Memory:
    """Return a memory with nothing recorded."""
    return Memory()


def on_initiate(process: Process, memory: Memory, state: object, snapshot: int) -> Reply[Memory]:
    """Do nothing: recording is a step of its own."""
    return memory, ()


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Remember what has come, and do nothing."""
    if message.kind == APP:
        return replace(memory, last=memory.last.set(channel, message), logged=memory.logged.set(channel, ())), ()
    assert message.snapshot is not None
    if message.snapshot not in memory.first:
        memory = replace(memory, first=memory.first.set(message.snapshot, channel))
    return memory, (Rule(("hand-marker",)),)


def on_wake(process: Process, memory: Memory, state: object, what: Todo) -> Reply[Memory]:
    """Carry out a verb."""
    number, channel, logged = what.number, what.name, memory.logged
    match _VERBS[what.word]:
        case verbs.RECORD:
            ledger, effects = verbs.record(process, memory.ledger, number, state, memory.first.get(number))
        case verbs.SEND_MARKER:
            ledger, effects = verbs.send_marker(process, memory.ledger, number, channel)
        case verbs.LOG:
            ledger, _ = verbs.log(process, memory.ledger, number, channel, memory.last[channel])
            effects = (Copied(number, channel, (memory.last[channel],)),)
            logged = logged.set(channel, (*logged[channel], number))
        case verbs.CLOSE:
            ledger, effects = verbs.close(process, memory.ledger, number, channel)
        case _:
            ledger, effects = verbs.done(process, memory.ledger, number)
    return replace(memory, ledger=ledger, logged=logged), (*effects, Rule(("hand-verb",)))


def offers(process: Process, memory: Memory, snapshots: tuple[int, ...]) -> tuple[Todo, ...]:
    """Return every verb that makes sense now."""
    return tuple(todo for snapshot in snapshots for todo in _verbs(process, memory, snapshot))


def _verbs(process: Process, memory: Memory, snapshot: int) -> Iterator[Todo]:
    table, numbers = memory.ledger.get(snapshot, EMPTY), (snapshot,)
    if not table.state:
        yield Todo(STEPS[RECORD], numbers)
    for channel in process.outputs:
        yield Todo(STEPS[SEND_MARKER], numbers, channel)
    if table.done:
        return
    left = [channel for channel in process.inputs if channel not in table.closed]
    for channel in left:
        if channel in memory.last and snapshot not in memory.logged[channel]:
            yield Todo(STEPS[LOG], numbers, channel)
        yield Todo(STEPS[CLOSE], numbers, channel)
    if table.state and not left:
        yield Todo(STEPS[DONE], numbers)


def result(process: Process, memory: Memory, snapshot: int) -> Part | None:
    """Return what the process has recorded."""
    return verbs.part(process, memory.ledger, snapshot)
