"""Alagar–Venkatesan: where delivery is causal, a message is in the channel if its sender did not know of the token.

The initiator records and broadcasts a token, in one event. A process that gets it records and answers that it is done.
When all have answered, the initiator broadcasts that the snapshot ends. A process that has recorded copies every *old*
message into the state of its channel until it hears of the end; a message is old if its sender did not have the token.

Nothing old can come after the end: its sender answered later, and the end comes causally after all answers. The message
itself must show whether its sender had the token, so each message carries the snapshots that its sender has recorded.

With n processes that is n - 1 tokens, n - 1 answers and n - 1 ends; the literature counts the initiator too and says
3n. Unlike Acharya and Badrinath's, this algorithm keeps no counters; the price is that the messages carry something.

Notes: Recorded, Opened, Logged, Closed, Done, Rule.

References
----------
S. Alagar, S. Venkatesan, "An optimal algorithm for distributed snapshots with causal message ordering", IPL 50(6),
1994, 311-316; A. D. Kshemkalyani, M. Singhal, Distributed Computing, 2008, chapter 4. Both continue Chandy and Lamport,
ACM TOCS 3(1), 1985.
"""

from collections.abc import Iterator
from typing import Any, TypeAlias

from immutables import Map
from msgspec.structs import replace

from app.core.model.algorithm import Effect, Reply
from app.core.model.notes import Closed, Done, Logged, Opened, Recorded, Rule
from app.core.model.topology import channel_name, source_of
from app.core.model.value import Value
from app.core.model.values import APP, CONTROL, Message, Part, Post, Process

NAME = "alagar-venkatesan"
REQUIRES = "causal"
GRAPH = "complete"
COST = "3(n - 1)"
PSEUDOCODE = (
    ("on-start", 0),
    ("start-record", 1),
    ("token-broadcast", 1),
    ("on-token", 0),
    ("token-record", 1),
    ("token-done", 1),
    ("on-all-done", 0),
    ("token-end", 1),
    ("on-message", 0),
    ("token-old", 1),
    ("process", 1),
    ("on-end", 0),
    ("token-close", 1),
)


class Table(Value):
    """What a process keeps for one snapshot: its recorded state, a log for each input, whether it still records them,
    and, at the initiator, how many answers are missing."""

    state: object
    logs: "Map[str, tuple[Message, ...]]"
    open: bool
    missing: int = 0


Memory: TypeAlias = "Map[int, Table]"
"""What a process keeps of each snapshot, by its number."""


def start(process: Process) -> Memory:
    """Return a memory with nothing recorded."""
    return Map()


def on_initiate(process: Process, memory: Memory, state: object, snapshot: int) -> Reply[Memory]:
    """Record, and broadcast the token in the same event."""
    table = Table(state, Map(), bool(process.inputs), len(process.outputs))
    return memory.set(snapshot, table), _initiating(process, state, snapshot)


def carries(process: Process, memory: Memory, channel: str) -> Any:
    """Return the snapshots that the sender has recorded."""
    return tuple(sorted(memory)) or None


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Copy an old message; obey the token, an answer, the end."""
    if message.kind == APP:
        return _log(memory, channel, message) if memory else (memory, ())
    assert message.snapshot is not None
    snapshot = message.snapshot
    if message.payload == "token":
        if snapshot in memory:
            return memory, ()
        return memory.set(snapshot, Table(state, Map(), True)), _recording(process, state, snapshot, channel)
    if message.payload == "done":
        return _answered(process, memory, snapshot)
    return _end(process, memory, snapshot, "on-end")


def result(process: Process, memory: Memory, snapshot: int) -> Part | None:
    """Return the recorded state and the logs, inputs in the scenario's order."""
    table = memory.get(snapshot)
    if table is None:
        return None
    channels = tuple((c, table.logs.get(c, ())) for c in process.inputs)
    return Part(process.name, table.state, channels, process.inputs if table.open else ())


def _initiating(process: Process, state: object, snapshot: int) -> Iterator[Effect]:
    """Yield the effects of starting: the tokens leave in the step in which the initiator records."""
    yield Recorded(snapshot, process.name, state, None)
    for channel in process.outputs:
        yield Post(channel, CONTROL, snapshot, "token")
    for channel in process.inputs:
        yield Opened(snapshot, channel)
    yield Rule(("on-start", "start-record", "token-broadcast"))
    if not process.inputs:
        yield Done(snapshot, process.name)


def _recording(process: Process, state: object, snapshot: int, token: str) -> Iterator[Effect]:
    """Yield the effects of the token: record, listen, answer."""
    yield Recorded(snapshot, process.name, state, token)
    yield Post(channel_name(process.name, source_of(token)), CONTROL, snapshot, "done")
    for channel in process.inputs:
        yield Opened(snapshot, channel)
    yield Rule(("on-token", "token-record", "token-done"))


def _log(memory: Memory, channel: str, message: Message) -> Reply[Memory]:
    """Copy a message into every open table whose token its sender did not have."""
    effects: list[Effect] = []
    for snapshot in sorted(memory):
        table = memory[snapshot]
        if table.open and snapshot not in (message.tag or ()):
            logs = table.logs.set(channel, (*table.logs.get(channel, ()), message))
            memory = memory.set(snapshot, replace(table, logs=logs))
            effects.append(Logged(snapshot, channel, message))
    if any(table.open for table in memory.values()):
        effects.append(Rule(("on-message", "token-old", "process") if effects else ("on-message", "process")))
    return memory, effects


def _answered(process: Process, memory: Memory, snapshot: int) -> Reply[Memory]:
    """Count one more answer; after the last, tell all processes that the snapshot ends."""
    table = memory[snapshot]
    table = replace(table, missing=table.missing - 1)
    memory = memory.set(snapshot, table)
    if table.missing:
        return memory, (Rule(("on-all-done",)),)
    memory, effects = _end(process, memory, snapshot, "on-all-done")
    return memory, (*(Post(c, CONTROL, snapshot, "end") for c in process.outputs), *effects)


def _end(process: Process, memory: Memory, snapshot: int, line: str) -> Reply[Memory]:
    """End the snapshot: nothing old can arrive any more, so the logs are the recorded states of the inputs."""
    table = memory.get(snapshot)
    if table is None or not table.open:
        return memory, ()
    closed = tuple(Closed(snapshot, channel) for channel in process.inputs)
    lines = (line, "token-end") if line == "on-all-done" else (line, "token-close")
    memory = memory.set(snapshot, replace(table, open=False))
    return memory, (*closed, Rule(lines), Done(snapshot, process.name))
