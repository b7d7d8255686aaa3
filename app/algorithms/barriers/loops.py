"""Barriers in loops: wait for the barriers from outside, and log what goes round.

In a graph with loops, some channels lead back (they are found beforehand: without them the graph has no cycle). No
process waits for a barrier on such a channel, for it could come only after its own. When the barrier has come on every
other input, the process copies its state, sends the barrier on every output and continues. From then on it logs what
comes on the channels that lead back, and processes it as always. The barrier goes round and returns behind all that was
in the loop: then the log is what was in flight there, and the copy is stored together with it.

So each item in the loop is in exactly one place: in a state, or in one log. Restoring puts the logs back into the
channels, before anything new comes; the sources read the rest again.

A barrier of the next snapshot waits at the entrance until the loop is done with this one.

Notes: Recorded, Opened, Logged, Closed, Blocked, Unblocked, Acked, Done, Rule.

References
----------
P. Carbone, G. Fóra, S. Ewen, S. Haridi, K. Tzoumas, "Lightweight Asynchronous Snapshots for Distributed Dataflows",
arXiv:1506.08603, 2015, section 4.3, Algorithm 2, and section 4.4 (recovery).
"""

from msgspec.structs import replace

from app.algorithms.barriers import aligned
from app.algorithms.shared.barriers import (
    Caught,
    Memory,
    barriers,
    block,
    cancelled,
    close,
    ending,
    log,
    missing,
    record,
    refuse,
    renew,
)
from app.core.model.algorithm import Reply
from app.core.model.notes import Rule
from app.core.model.values import APP, CONTROL, END, Message, Process

NAME = "loops"
BASE = aligned
PSEUDOCODE = (
    ("on-barrier", 0),
    ("if-outside", 1),
    ("block", 2),
    ("if-all-outside", 2),
    ("copy-state", 3),
    ("forward-barrier", 3),
    ("unblock", 3),
    ("if-back", 1),
    ("close-log", 2),
    ("on-record", 0),
    ("copy-record", 1),
    ("on-upload", 0),
    ("ack", 1),
)


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Wait for the barrier on every input from outside; log what comes back until its barrier does."""
    if message.kind == APP:
        memory = ending(memory, channel, message)
        if message.payload is END and memory.waiting and not memory.logging and not _outside(process, memory):
            return _copy(process, memory, state, None, (channel, message))
        return log(memory, channel, message)
    assert message.snapshot is not None
    if message.kind == CONTROL:
        return cancelled(process, memory, message.snapshot)
    return _barrier(process, memory, state, channel, message.snapshot)


def accepts(process: Process, memory: Memory, channel: str, message: Message) -> bool:
    """Is the input open? One whose barrier has come is blocked, and nothing of a later snapshot comes in while the loop
    is logged."""
    later = message.snapshot is not None and message.snapshot > memory.latest
    return channel not in memory.blocked and not (later and memory.logging)


def _barrier(process: Process, memory: Memory, state: object, channel: str, snapshot: int) -> Reply[Memory]:
    """Handle a barrier, from outside or back from the loop."""
    if memory.late(snapshot):
        return memory, ()
    if snapshot in memory.cancelled:
        return refuse(process, memory, snapshot)
    if memory.logging:
        memory, effects = close(process, memory, channel)
        return memory, (*effects, Rule(("if-back", "close-log")))
    memory, before = renew(process, memory, snapshot)
    memory = replace(memory, arrived=(*memory.arrived, channel))
    if not _outside(process, memory):
        memory, effects = _copy(process, memory, state, channel)
    elif channel in process.back:
        effects = ()
    else:
        memory, effects = block(process, memory, channel, ("on-barrier", "if-outside", "block"))
    return memory, (*before, *effects)


def _outside(process: Process, memory: Memory) -> tuple[str, ...]:
    """Return the inputs from outside the loops on which the barrier is still to come."""
    return tuple(c for c in missing(process, memory) if c not in process.back)


def _copy(
    process: Process, memory: Memory, state: object, last: str | None, end: Caught | None = None
) -> Reply[Memory]:
    """Copy the state, send the barrier on, and log what comes back: the barrier has come on every input from
    outside."""
    skip = set() if process.outputs else {"forward-barrier"}
    skip |= set() if memory.blocked else {"unblock"}
    found = ("on-barrier", "if-outside", "if-all-outside", "copy-state", "forward-barrier", "unblock")
    rule = tuple(line for line in found if line not in skip)
    opened = tuple(c for c in process.back if c not in memory.arrived)
    return record(process, memory, state, last, barriers(process, memory.latest), opened, rule, end)
