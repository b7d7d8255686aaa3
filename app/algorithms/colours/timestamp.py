"""A backup as of a time: every message carries its sender's clock, and old versions are kept.

Databases with many versions of their data (MVCC) do it this way. A time T is chosen that no clock has reached. A
process whose clock reaches T keeps the version of its state that is current then, and works on with new versions; the
backup can read the kept ones at any later time. A message carries its sender's clock, and a receiver whose clock is
behind first sets it forward. So nothing that was sent after T is in a version as of T, however much the clocks differ:
that is what wall clocks lack.

With the version, the histories of the channels are kept: what was sent by T and not received by T was in flight. A
database whose transactions write at all shards under one timestamp has nothing in flight; here a transfer is a message.

Seen from one backup, a clock is before T or past it; so the colours of Lai and Yang do the bookkeeping. The difference
is that the initiator does not record at once: T is later, for all processes.

Notes: those of Lai–Yang.

References
----------
T.-H. Lai, T.-H. Yang, "On Distributed Snapshots", Information Processing Letters 25(3), 1987, 153-158.
S. Kulkarni, M. Demirbas, D. Madappa, B. Avva, M. Leone, "Logical Physical Clocks", OPODIS 2014 (a clock that is set
forward by what arrives).
"""

from app.algorithms.colours import lai_yang
from app.algorithms.colours.lai_yang import Memory, record
from app.core.model.algorithm import Recovery, Reply
from app.core.model.notes import Rule
from app.core.model.values import Defer, Message, Process, Todo

NAME = "timestamp"
BASE = lai_yang
RECOVERY = Recovery("rollback")
PSEUDOCODE = (
    ("on-start", 0),
    ("choose-time", 1),
    ("at-time", 0),
    ("keep-version", 1),
    ("on-sending", 0),
    ("take-clock", 1),
    ("note-sent", 1),
    ("on-message", 0),
    ("clock-forward", 1),
    ("note-received", 1),
    ("process", 1),
    ("read-versions", 0),
)


def on_initiate(process: Process, memory: Memory, state: object, snapshot: int) -> Reply[Memory]:
    """Choose a time that no clock has reached; no process records yet."""
    return memory, (Rule(("on-start", "choose-time")), Defer(Todo("version", (snapshot,)), everywhere=True))


def on_send(process: Process, memory: Memory, channel: str, message: Message) -> Reply[Memory]:
    """Remember what was sent."""
    memory, _ = lai_yang.on_send(process, memory, channel, message)
    return memory, (Rule(("on-sending", "take-clock", "note-sent")),)


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Set the clock forward to that of the message; if it passes the time, keep the version before."""
    behind = memory.colour < message.tag
    memory, effects = record(process, memory, state, message.tag) if behind else (memory, [])
    passed = ("clock-forward", "at-time", "keep-version") if behind else ()
    lines = ("on-message", *passed, "note-received", "process")
    return lai_yang.remembered(memory, channel, message), [*effects, Rule(lines)]


def on_wake(process: Process, memory: Memory, state: object, what: Todo) -> Reply[Memory]:
    """Keep the version when the process's own clock reaches the time; do nothing where a message was faster."""
    snapshot = what.number
    if memory.colour >= snapshot:
        return memory, ()
    memory, effects = record(process, memory, state, snapshot)
    return memory, [*effects, Rule(("at-time", "keep-version"))]
