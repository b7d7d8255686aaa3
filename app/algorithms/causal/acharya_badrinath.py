"""Acharya–Badrinath: where delivery is causal, a snapshot needs no markers on the channels.

The initiator records and broadcasts a token, in one event. A process that gets the token records and replies with its
state, SENT (how many messages it has sent on each output) and RECD (how many it has received on each input). The
channel from i to j then holds the messages RECD_j[i] + 1 to SENT_i[j]: the numbers alone determine them.

A message that its sender sent after the token comes causally after the whole broadcast, so no process receives it
before the token: that is why the cut is consistent, and why the token must be one event (see ``unicast_token``).

Only the numbers travel. The processes do not say which messages they stand for; here each process keeps its history, so
that the observer can look them up. With n processes that is n - 1 tokens and n - 1 replies; the literature counts the
initiator too and says 2n.

Notes: Recorded, Done, Assembled, Rule.

References
----------
A. Acharya, B. R. Badrinath, "Recording distributed snapshots based on causal order of message delivery", IPL 44(6),
1992, 317-321; A. D. Kshemkalyani, M. Singhal, Distributed Computing, 2008, chapter 4. Both continue Chandy and Lamport,
ACM TOCS 3(1), 1985.
"""

from collections.abc import Iterator

from immutables import Map
from msgspec.structs import replace

from app.algorithms.shared.channel_history import EMPTY, Histories, counts, longer, messages
from app.core.model.algorithm import Effect, Reply
from app.core.model.notes import Assembled, Done, Recorded, Rule
from app.core.model.topology import source_of
from app.core.model.value import Value
from app.core.model.values import APP, CONTROL, Message, Part, Post, Process, Tell

NAME = "acharya-badrinath"
REQUIRES = "causal"
GRAPH = "complete"
COLLECTS = True
COST = "2(n - 1)"
PSEUDOCODE = (
    ("token-count", 0),
    ("on-start", 0),
    ("start-record", 1),
    ("token-broadcast", 1),
    ("on-token", 0),
    ("token-record", 1),
    ("token-reply", 1),
    ("on-replies", 0),
    ("token-number", 1),
)


class Table(Value):
    """What a process keeps for one snapshot: its recorded state, what it had sent and received by channel, the oldest
    message first, and, at the initiator, how many replies are missing."""

    state: object
    sent: tuple[tuple[str, tuple[Message, ...]], ...]
    received: tuple[tuple[str, tuple[Message, ...]], ...]
    missing: int = 0


class Memory(Value):
    """What was sent and received so far, and the table of each snapshot."""

    sent: Histories
    received: Histories
    tables: "Map[int, Table]"


def start(process: Process) -> Memory:
    """Return a memory with nothing sent, received or recorded."""
    return Memory(EMPTY, EMPTY, Map())


def on_initiate(process: Process, memory: Memory, state: object, snapshot: int) -> Reply[Memory]:
    """Record, and broadcast the token in the same event."""
    return initiated(process, memory, state, snapshot), _initiating(process, state, snapshot)


def on_send(process: Process, memory: Memory, channel: str, message: Message) -> Reply[Memory]:
    """Count one more message in SENT."""
    return replace(memory, sent=longer(memory.sent, channel, message)), (Rule(("token-count",)),)


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Count one more message in RECD, or obey the token: record and reply."""
    if message.kind == APP:
        return replace(memory, received=longer(memory.received, channel, message)), (Rule(("token-count",)),)
    assert message.snapshot is not None
    if message.snapshot in memory.tables:
        return memory, ()
    memory = _recorded(process, memory, state, message.snapshot, 0)
    return memory, _replying(process, memory, state, message.snapshot, channel)


def on_told(
    process: Process, memory: Memory, state: object, source: str, snapshot: int | None, word: object
) -> Reply[Memory]:
    """Take a reply; with the last one the initiator knows everything."""
    assert snapshot is not None
    table = memory.tables[snapshot]
    table = replace(table, missing=table.missing - 1)
    memory = replace(memory, tables=memory.tables.set(snapshot, table))
    if table.missing:
        return memory, (Rule(("on-replies",)),)
    return memory, (Rule(("on-replies", "token-number")), Assembled(snapshot, process.name))


def result(process: Process, memory: Memory, snapshot: int) -> Part | None:
    """Return the recorded state, and the messages behind SENT and RECD."""
    table = memory.tables.get(snapshot)
    if table is None:
        return None
    return Part(process.name, table.state, (), (), table.sent, table.received)


def initiated(process: Process, memory: Memory, state: object, snapshot: int) -> Memory:
    """Return the memory of an initiator that has just recorded."""
    return _recorded(process, memory, state, snapshot, len(process.outputs))


def _recorded(process: Process, memory: Memory, state: object, snapshot: int, missing: int) -> Memory:
    sent = tuple((c, messages(memory.sent, c)) for c in process.outputs)
    received = tuple((c, messages(memory.received, c)) for c in process.inputs)
    table = Table(state, sent, received, missing)
    return replace(memory, tables=memory.tables.set(snapshot, table))


def _initiating(process: Process, state: object, snapshot: int) -> Iterator[Effect]:
    """Yield the effects of starting: the tokens leave in the step in which the initiator records."""
    yield Recorded(snapshot, process.name, state, None)
    for channel in process.outputs:
        yield Post(channel, CONTROL, snapshot, "token")
    yield Rule(("on-start", "start-record", "token-broadcast"))
    yield Done(snapshot, process.name)
    if not process.outputs:
        yield Assembled(snapshot, process.name)


def _replying(process: Process, memory: Memory, state: object, snapshot: int, channel: str) -> Iterator[Effect]:
    """Yield the effects of the token: record, and tell the initiator the state, SENT and RECD."""
    yield Recorded(snapshot, process.name, state, channel)
    sent, received = counts(memory.sent, process.outputs), counts(memory.received, process.inputs)
    yield Tell(source_of(channel), snapshot, ("reply", sent, received))
    yield Rule(("on-token", "token-record", "token-reply"))
    yield Done(snapshot, process.name)
