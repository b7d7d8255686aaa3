"""Continuous processing: tasks that never end, and markers of epochs among the items.

The driver counts epochs. A reader that sees a new number puts a marker behind its last item and reports its offset; the
marker passes through the operators, and a writer that gets it reports, too. In Spark they are one task; here each is a
process. With one input there is nothing to wait for. A task with several inputs, which Spark 2.4 had behind
``coalesce(1)``, stops reading an input after its marker until the markers of all others have come: that is an aligned
barrier, invented again. What a writer gets leaves at once. When all have reported, the driver writes the offsets of the
epoch into the offset log, commits the writer, and then writes the commit log: the writer first, because otherwise an
epoch could be in the log and never be committed.

The markers are those of Chandy and Lamport's family, on a graph where no channel has anything to record. No task is
retried: whatever crashes, task or driver, the query stops and has to be started again. It begins at the last committed
epoch; items behind it are read again, and what had left since leaves again: at least once. No state needs to be exact:
only operators that look at one item at a time can run.

Experimental since 2018; the documentation now points to real-time mode instead.

Notes: Recorded, Closed, Blocked, Unblocked, Acked, Asked, Done, Rule.

References
----------
Apache Spark, EpochCoordinator.scala (the order of the commits), ContinuousExecution.scala, RPCContinuousShuffleReader
(2.4: a queue per writer, read up to its epoch marker; not in 4.3) and ContinuousTaskRetryException, from 2.3 (2018);
SPARK-24386 (behind coalesce(1), aggregates were allowed, too); the guide, under "Continuous Processing", Caveats: "no
automatic retries of failed tasks".
J. Torres, M. Armbrust, T. Das, S. Zhu, "Introducing Low-latency Continuous Processing Mode in Structured Streaming",
2018.
"""

from app.algorithms.shared import defaults
from app.algorithms.shared.pseudocode import reworded
from app.algorithms.spark import real_time
from app.algorithms.spark.real_time import Memory
from app.core.model.algorithm import Flow, Reply
from app.core.model.commit_log import Logging
from app.core.model.notes import Rule
from app.core.model.values import Defer, Message, Post, Process, Todo

BASE = real_time

NAME = "continuous"
COST = "|E|"
DATAFLOW = Flow(logs=True, maps=True)
WRITER = "writer"
PSEUDOCODE = (
    ("on-epoch", 0),
    ("mark-epoch", 1),
    ("on-epoch-marker", 0),
    ("block", 1),
    ("if-all-barriers", 1),
    ("forward-epoch-marker", 2),
    ("record", 2),
    ("unblock", 2),
    ("on-upload", 0),
    ("report", 1),
    ("on-all-reports", 0),
    ("log-ends", 1),
    ("commit-writer", 1),
    ("log-epoch", 1),
)


def on_initiate(process: Process, memory: Memory, state: Logging, snapshot: int) -> Reply[Memory]:
    """Begin a new epoch: the readers are to put markers behind what they have read."""
    memory, effects = BASE.on_initiate(process, memory, state, snapshot)
    return memory, (*(effect for effect in effects if isinstance(effect, Post)), Rule(("on-epoch", "mark-epoch")))


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Treat a marker as a barrier: it passes, or waits for those of the other inputs."""
    memory, effects = BASE.on_receive(process, memory, state, channel, message)
    marker = {"on-barrier": "on-epoch-marker", "forward-barrier": "forward-epoch-marker"}
    return memory, reworded(effects, lambda lines: (marker.get(line, line) for line in lines))


def on_wake(process: Process, memory: Memory, state: Logging, what: Todo) -> Reply[Memory]:
    """Report a partition, or take a report at the driver, commit the writer, and then write the commit log."""
    if what.word == BASE.LOGGING:
        memory, effects = BASE.logged(process, memory, state)
        return memory, (*effects, Rule(("log-epoch",)))
    if what.word == WRITER:
        return memory, (Rule(("commit-writer",)), Defer(Todo(BASE.LOGGING, what.numbers)))
    memory, effects = BASE.on_wake(process, memory, state, what)
    first = (Defer(Todo(WRITER, e.what.numbers)) if isinstance(e, Defer) else e for e in effects)
    return memory, tuple(first)


allows = defaults.allows  # readers never stop
