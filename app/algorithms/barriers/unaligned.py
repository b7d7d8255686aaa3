"""Unaligned barriers: the barrier overtakes, and what it has overtaken is part of the snapshot.

A process that gets the first barrier of a snapshot records at once and sends the barrier on, ahead of all that waits in
its outputs. So the barrier passes through the graph however full the channels are; it cannot overtake only an item that
is being processed. What it has overtaken is in flight, and the receiver records it: on the input of the first barrier
what stood before that barrier, on every other input what arrives until the barrier does. Nothing is ever blocked.

This is Chandy–Lamport with one difference: there the channel of the first marker is empty. Here it is not, because the
marker has jumped the queue.

One snapshot at a time. The process has stored its part when it has the last barrier; an input that has ended counts as
if its barrier had come. Restoring puts what was in flight back into the channels, before anything new.

Notes: Recorded, Opened, Logged, Closed, Acked, Done, Rule.

References
----------
Apache Flink, FLIP-76, "Unaligned Checkpoints", 2020, and SingleCheckpointBarrierHandler. K. M. Chandy, L. Lamport, ACM
TOCS 3(1), 1985, section 3.2.
"""

from collections.abc import Iterable

from app.algorithms.barriers import aligned
from app.algorithms.shared.barriers import (
    Memory,
    barriers,
    cancelled,
    close,
    ending,
    log,
    log_end,
    missing,
    record,
    refuse,
    renew,
)
from app.core.model.algorithm import Effect, Reply
from app.core.model.values import APP, CONTROL, END, Message, Process

NAME = "unaligned"
BASE = aligned
SERIAL = True
PSEUDOCODE = (
    ("on-barrier", 0),
    ("if-first", 1),
    ("record", 2),
    ("overtake", 2),
    ("log-overtaken", 1),
    ("on-record", 0),
    ("copy-record", 1),
    ("on-upload", 0),
    ("ack", 1),
)


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Obey the first barrier; log items until the others come."""
    if message.kind == APP:
        memory = ending(memory, channel, message)
        return log_end(process, memory, channel, message) if message.payload is END else log(memory, channel, message)
    assert message.snapshot is not None
    if message.kind == CONTROL:
        return cancelled(process, memory, message.snapshot)
    return _barrier(process, memory, state, channel, message.snapshot, message.payload or ())


def _barrier(
    process: Process, memory: Memory, state: object, channel: str, snapshot: int, overtaken: tuple[Message, ...]
) -> Reply[Memory]:
    if memory.late(snapshot):
        return memory, ()
    if snapshot in memory.cancelled:
        return refuse(process, memory, snapshot)
    memory, before = renew(process, memory, snapshot)
    first: Iterable[Effect] = ()
    if not memory.logging:
        memory, first = overtake(process, memory, state, channel, ("on-barrier", "if-first", "record", "overtake"))
    memory, last = close(process, memory, channel, overtaken)
    return memory, (*before, *first, *last)


def overtake(
    process: Process, memory: Memory, state: object, first: str | None, rule: tuple[str, ...]
) -> Reply[Memory]:
    """Record at once, and let the barrier overtake what waits in the outputs. Inputs that are blocked stay so until the
    last barrier: behind theirs nothing is in flight."""
    posts = barriers(process, memory.latest, first=True)
    return record(process, memory, state, first, posts, missing(process, memory), rule, hold=True)
