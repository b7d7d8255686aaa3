"""Micro-batch with speculation: a task that takes too long is run a second time elsewhere, and the first to finish
counts.

Batches run as in micro-batch. Each task has a timer, which starts with the task. If the task is done when the timer
expires, nothing happens. If not, a copy of it begins on another node: over the same range of a source, or over the same
items, which lie in files between the stages. Task and copy are deterministic and begin with the same state, that of the
batch before, so they make the same, and it does not matter which of them is first. Its result counts under the number
of the task; the other is stopped, and what it has is discarded. So a slow node delays a batch only by the timer and the
time of a quick task, however slow it is.

Only a task can be repeated like that, because it is short and has an end. An operator that runs forever has none: a
barrier behind a slow one waits.

Here the copy is a deferred step of the same process, not affected by the slowness of its node. What the task has made
by then, the copy has made as well, and once is enough; the step makes the rest. No process has seen any of it before: a
task downstream takes nothing before all of it is done. In Spark the driver watches the tasks, and begins a copy of one
that has taken longer than others of its stage, by a factor; here the timer stands for that.

Notes: those of micro-batches, and Received and Acted for what the copy makes.

References
----------
M. Zaharia, T. Das, H. Li, T. Hunter, S. Shenker, I. Stoica, "Discretized Streams: Fault-Tolerant Streaming Computation
at Scale", SOSP 2013 (straggler mitigation: a task slower than 1.4 times the median of its stage is run again). Apache
Spark, spark.speculation, spark.speculation.multiplier. J. Dean, S. Ghemawat, "MapReduce", OSDI 2004, section 3.6
(backup tasks).
"""

from app.algorithms.spark import micro_batch
from app.algorithms.spark.micro_batch import Memory, launched, whole
from app.core.model.algorithm import Effect, Reply
from app.core.model.commit_log import Logging
from app.core.model.notes import Rule
from app.core.model.values import APP, Act, Deed, Defer, Message, Process, Take, Todo

BASE = micro_batch

NAME = "micro-batch-speculation"
SPECULATE, COPY = "speculate", "copy"
PSEUDOCODE = (
    *BASE.PSEUDOCODE,
    ("on-slow-task", 0),
    ("run-copy", 1),
    ("on-copy-done", 0),
    ("take-copy", 1),
    ("drop-copy", 1),
)


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Start the timer of a source with its range."""
    memory, effects = BASE.on_receive(process, memory, state, channel, message)
    return memory, effects if message.kind == APP else (*effects, *_clock(process, memory))


def on_told(
    process: Process, memory: Memory, state: object, source: str, snapshot: int | None, word: object
) -> Reply[Memory]:
    """Start the timer once the last task before this one is done."""
    memory, effects = BASE.on_told(process, memory, state, source, snapshot, word)
    return memory, (*effects, *_clock(process, memory))


def on_wake(process: Process, memory: Memory, state: Logging, what: Todo) -> Reply[Memory]:
    """Handle the expiry of the timer, or the end of the copy; both matter only while the task is not done."""
    if what.word not in (SPECULATE, COPY):
        return BASE.on_wake(process, memory, state, what)
    running = what.number == memory.batch and _unfinished(process, memory)
    if what.word == SPECULATE:
        return memory, (Defer(Todo(COPY, what.numbers)), Rule(("on-slow-task", "run-copy"))) if running else ()
    if not running:
        return memory, (Rule(("on-copy-done", "drop-copy")),)
    return memory, (Rule(("on-copy-done", "take-copy")), *_rest(process, memory))


def _clock(process: Process, memory: Memory) -> tuple[Effect, ...]:
    """Return the timer of a task that has work, which may take too long."""
    return (Defer(Todo(SPECULATE, (memory.batch,))),) if _unfinished(process, memory) else ()


def _unfinished(process: Process, memory: Memory) -> bool:
    """Has the task begun, and has it items left?"""
    if memory.until:
        return memory.read < memory.until
    return launched(process, memory) and not whole(process, memory)


def _rest(process: Process, memory: Memory) -> tuple[Effect, ...]:
    """Return what the copy has made and the task has not made yet."""
    if memory.until:
        return (Act(Deed.READ),) * (memory.until - memory.read)
    return tuple(Take(channel) for channel in process.inputs)
