"""Broken: all processes record at the same time, each by its own clock.

All agree on a time. Where the clocks agree to the tick, the recorded states are a true picture of an instant, but the
channels are not recorded. Real clocks differ: one process records early, another late, and a message sent after the
first has recorded can be received before the second does.

Notes: Recorded, Done, Deferred, Rule.

References
----------
K. M. Chandy, L. Lamport, "Distributed Snapshots: Determining Global States of Distributed Systems", ACM TOCS 3(1),
1985, section 1: processes cannot record their states at precisely the same instant unless they share a clock.
"""

from immutables import Map

from app.core.model.algorithm import Kind, Reply
from app.core.model.notes import Done, Recorded, Rule
from app.core.model.values import Defer, Message, Part, Process, Todo

NAME = "wall-clock"
REQUIRES = "any"
KIND = Kind.TURN
COST = "0"
WRONG: str | None = "on-alarm"
PSEUDOCODE = (("on-start", 0), ("set-alarm", 1), ("on-alarm", 0), ("record-on-alarm", 1))

Memory = Map[int, object]
"""The recorded states by snapshot."""


def start(process: Process) -> Memory:
    """Return a memory with nothing recorded."""
    return Map()


def on_initiate(process: Process, memory: Memory, state: object, snapshot: int) -> Reply[Memory]:
    """Let all agree on a time."""
    return memory, (Rule(("on-start", "set-alarm")), Defer(Todo("alarm", (snapshot,)), everywhere=True))


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Ignore the channels."""
    return memory, ()


def on_wake(process: Process, memory: Memory, state: object, what: Todo) -> Reply[Memory]:
    """Record: the process's own clock has reached the time."""
    snapshot = what.number
    taken = (
        Recorded(snapshot, process.name, state, None),
        Rule(("on-alarm", "record-on-alarm")),
        Done(snapshot, process.name),
    )
    return memory.set(snapshot, state), taken


def result(process: Process, memory: Memory, snapshot: int) -> Part | None:
    """Return the recorded state; every input channel is claimed to be empty."""
    if snapshot not in memory:
        return None
    return Part(process.name, memory[snapshot], tuple((c, ()) for c in process.inputs), ())
