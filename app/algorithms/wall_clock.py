"""Broken: everybody records at the same time, each by its own clock.

All agree on a time. Where the clocks agree to the tick, the records are a true picture of an instant, but for what is
in the channels, and nobody looks there. Real clocks differ: one process records early, another late, and a message
sent after the one record can be received before the other.

Notes: Recorded, Done, Deferred, Rule.

References
----------
K. M. Chandy, L. Lamport, "Distributed Snapshots: Determining Global States of Distributed Systems", ACM TOCS 3(1),
1985, section 1: processes cannot record their states at precisely the same instant unless they share a clock.
"""

from typing import Any

from immutables import Map

from app.core.algorithm import Reply
from app.core.model import Defer, Message, Part, Process
from app.core.notes import Done, Recorded, Rule

NAME = "wall-clock"
REQUIRES = "any"
FLOODS = False
COST = "0"
WRONG: str | None = "on-alarm"
PSEUDOCODE = (("on-start", 0), ("set-alarm", 1), ("on-alarm", 0), ("record-on-alarm", 1))

Memory = Map[int, Any]
"""The recorded states by snapshot."""


def start(process: Process) -> Memory:
    """Nothing recorded."""
    return Map()


def on_initiate(process: Process, memory: Memory, state: Any, snapshot: int) -> Reply:
    """Let all agree on a time."""
    return memory, (Rule(("on-start", "set-alarm")), Defer(f"alarm {snapshot}", everywhere=True))


def on_receive(process: Process, memory: Memory, state: Any, channel: str, message: Message) -> Reply:
    """Nobody watches the channels."""
    return memory, ()


def on_wake(process: Process, memory: Memory, state: Any, what: str) -> Reply:
    """The own clock says that it is time."""
    snapshot = int(what.removeprefix("alarm "))
    taken = (
        Recorded(snapshot, process.name, state, None),
        Rule(("on-alarm", "record-on-alarm")),
        Done(snapshot, process.name),
    )
    return memory.set(snapshot, state), taken


def result(process: Process, memory: Memory, snapshot: int) -> Part | None:
    """The recorded state; every input channel is claimed to be empty."""
    if snapshot not in memory:
        return None
    return Part(process.name, memory[snapshot], tuple((c, ()) for c in process.inputs), ())
