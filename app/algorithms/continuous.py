"""Continuous processing: tasks that never end, and markers of epochs among the records.

The driver counts epochs. A reader that sees a new number puts a marker behind its last record and reports its offset;
the marker passes through the operators, and when it has come to a writer, that reports too. Nobody waits: there is but
one input. What a writer gets leaves at once. When all have reported, the driver writes the offsets of the epoch into
the offset log, commits the writer, and then writes the commit log: the writer first, because an epoch that is in the
log and was not committed would never be.

The markers are those of Chandy and Lamport's family, on a graph where they have nothing to align and no channel has
anything to record. Restarting goes back to the last committed epoch; records behind it are read again, and what had
left since leaves again: at least once. There is no state that could be exact: only operators that look at one record
at a time can run.

Experimental since 2018; the documentation now points to real-time mode instead.

Notes: Recorded, Closed, Acked, Asked, Done, Rule.

References
----------
Apache Spark, EpochCoordinator.scala (the order of the commits) and ContinuousExecution.scala, from 2.3 (2018).
J. Torres, M. Armbrust, T. Das, S. Zhu, "Introducing Low-latency Continuous Processing Mode in Structured Streaming",
2018.
"""

from typing import Any

from app.algorithms import real_time as BASE
from app.core.algorithm import Reply
from app.core.model import APP, Defer, Message, Post, Process
from app.core.notes import Rule

NAME = "continuous"
PAUSES = False
COST = "|E|"
MAPS = True
WRITER = "writer"
PSEUDOCODE = (
    ("on-epoch", 0),
    ("mark-epoch", 1),
    ("on-epoch-marker", 0),
    ("forward-barrier", 1),
    ("record", 1),
    ("on-upload", 0),
    ("report", 1),
    ("on-all-reports", 0),
    ("log-offsets", 1),
    ("commit-writer", 1),
    ("log-commit", 1),
)


def on_initiate(process: Process, memory: Any, state: Any, snapshot: int) -> Reply:
    """A new epoch: the readers are to put markers behind what they have read."""
    memory, effects = BASE.on_initiate(process, memory, state, snapshot)
    return memory, (*(effect for effect in effects if isinstance(effect, Post)), Rule(("on-epoch", "mark-epoch")))


def on_receive(process: Process, memory: Any, state: Any, channel: str, message: Message) -> Reply:
    """A marker passes, and what is there is recorded."""
    memory, effects = BASE.on_receive(process, memory, state, channel, message)
    if message.kind == APP:
        return memory, effects
    lines = ("on-epoch-marker", *(("forward-barrier",) if process.outputs else ()), "record")
    return memory, (*(effect for effect in effects if not isinstance(effect, Rule)), Rule(lines))


def on_wake(process: Process, memory: Any, state: Any, what: str) -> Reply:
    """A partition reports; the driver hears of it, commits the writer, and writes the commit log after that."""
    word, _, rest = what.partition(" ")
    if word == BASE.LOGGING:
        memory, effects = BASE.logged(process, memory, state)
        return memory, (*effects, Rule(("log-commit",)))
    if word == WRITER:
        return memory, (Rule(("commit-writer",)), Defer(f"{BASE.LOGGING} {rest}"))
    memory, effects = BASE.on_wake(process, memory, state, what)
    first = (Defer(f"{WRITER} {e.what.partition(' ')[2]}") if isinstance(e, Defer) else e for e in effects)
    return memory, tuple(first)


def allows(process: Process, memory: Any, channel: str | None) -> bool:
    """Readers never stop."""
    return True
