"""Micro-batch: the stream in pieces, each of them run like a job over a finite input; nothing in the data marks a cut.

The driver writes into its offset log which range of each source the next batch is to read. Only then it tells the
sources, and they read their range and no more. When a task is done, it tells those behind it how many records it has
for them; with this from all its inputs, a task begins. So a stage begins when the one before it is done, and every
channel is empty between batches. The sink writes the batch at once, under its number. When every task has reported, the
driver writes the batch into its commit log; only then it plans the next one.

The state as of a batch is the effect of exactly the ranges in the offset log up to there: that is the snapshot, and the
cut is in the log. After a crash everybody goes back to the last committed batch. One that is in the offset log and not
in the commit log is run again with the same ranges, so it is the same batch, and a sink that knows it by its number
writes it in its place.

In Spark a task tells the driver, and the driver starts the next stage; here it tells the tasks behind it by itself.

Notes: Deferred, Asked, Recorded, Closed, Done, Rule.

References
----------
M. Zaharia, T. Das, H. Li, T. Hunter, S. Shenker, I. Stoica, "Discretized Streams: Fault-Tolerant Streaming Computation
at Scale", SOSP 2013. M. Armbrust et al., "Structured Streaming", SIGMOD 2018, section 6.1. Apache Spark,
MicroBatchExecution.scala (the offset log before a batch runs, the commit log after).
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from immutables import Map

from app.core.algorithm import Effect, Reply
from app.core.logs import BACK, COMMITS, LOG, OFFSETS, WRITE
from app.core.model import APP, CONTROL, Act, Ask, Begin, Defer, Message, Part, Post, Process, Tell
from app.core.notes import Closed, Done, Recorded, Rule
from app.core.topology import channel_name, source_of, target_of

NAME = "micro-batch"
REQUIRES = "any"
GRAPH = "rooted"
SERIAL = True
COST = "|E|"
PAUSES = True
COLLECTS = True
COORDINATED = True
RECOVERY = "rollback"
LOGS = True
BATCHES = True
RANGE, AGAIN, ROWS, FINISH, REPORT, TRIGGER = "range", "again", "rows", "finish", "report", "trigger"
PSEUDOCODE = (
    ("on-batch", 0),
    ("log-offsets", 1),
    ("tell-ranges", 1),
    ("on-range", 0),
    ("read-range", 1),
    ("on-rows", 0),
    ("run-stage", 1),
    ("on-task-done", 0),
    ("write-batch", 1),
    ("record", 1),
    ("tell-rows", 1),
    ("on-all-tasks", 0),
    ("log-commit", 1),
)


@dataclass(frozen=True, slots=True)
class Memory:
    """What a process knows of the batch that runs: ``snapshot`` is its id, ``batch`` its number, ``driver`` who runs
    it. A source may read until it has read ``until`` records (``read`` counts them, ``last`` is the last one). ``sent``
    counts by output, ``expected`` and ``received`` by input. ``states`` is what was recorded.

    The driver knows who has sent ``reports``, whether a batch is ``running``, and which batch each of the snapshots in
    ``batches`` was."""

    snapshot: int = 0
    batch: int = 0
    driver: str = ""
    until: int = 0
    read: int = 0
    last: Any = None
    sent: "Map[str, int]" = Map()  # noqa: RUF009 (it never changes)
    expected: "Map[str, int]" = Map()  # noqa: RUF009
    received: "Map[str, int]" = Map()  # noqa: RUF009
    states: "Map[int, Any]" = Map()  # noqa: RUF009
    reports: tuple[str, ...] = ()
    running: bool = False
    batches: "Map[int, int]" = Map()  # noqa: RUF009


def start(process: Process) -> Memory:
    """No batch yet."""
    return Memory()


def on_initiate(process: Process, memory: Memory, state: Any, snapshot: int) -> Reply:
    """The driver begins a batch: a new one, or again the one that it had begun."""
    logs = state.logs
    number, ranges = logs.commits + 1, logs.started or logs.next
    memory = replace(
        memory,
        snapshot=snapshot,
        batch=number,
        reports=(),
        running=True,
        batches=memory.batches.set(snapshot, number),
    )
    write = () if logs.started else (Act(LOG, (OFFSETS, number, ranges)),)
    word = AGAIN if logs.started else RANGE
    told = tuple(
        Post(channel_name(process.name, name), CONTROL, snapshot, (word, number, begin, end))
        for name, begin, end in ranges
    )
    lines = ("on-batch", *(("log-offsets",) if write else ()), "tell-ranges")
    return memory, (*write, *told, Rule(lines))


def on_send(process: Process, memory: Memory, channel: str, message: Message) -> Reply:
    """Count what goes where; a source has done its task with the last record of its range."""
    memory = replace(memory, sent=memory.sent.set(channel, memory.sent.get(channel, 0) + 1))
    if not memory.until or message.payload == memory.last:
        return memory, ()
    memory = replace(memory, read=memory.read + 1, last=message.payload)
    return memory, finish(memory) if memory.read == memory.until else ()


def on_receive(process: Process, memory: Memory, state: Any, channel: str, message: Message) -> Reply:
    """A source hears what to read; any other task counts what it has of its batch."""
    if message.kind == APP:
        memory = replace(memory, received=memory.received.set(channel, memory.received.get(channel, 0) + 1))
        return memory, over(process, memory) if whole(process, memory) else ()
    assert message.snapshot is not None
    _, number, begin, end = message.payload
    memory = replace(fresh(memory, message.snapshot, number, source_of(channel)), until=end - begin)
    return memory, (Rule(("on-range", "read-range")), *(() if end > begin else finish(memory)))


def on_told(process: Process, memory: Memory, state: Any, source: str, snapshot: int | None, word: Any) -> Reply:
    """A task before this one is done and says how many records it has made for it."""
    _, number, count, driver = word
    if snapshot != memory.snapshot:
        memory = fresh(memory, snapshot or 0, number, driver)
    memory = replace(memory, expected=memory.expected.set(channel_name(source, process.name), count))
    if not launched(process, memory):
        return memory, (Rule(("on-rows",)),)
    return memory, (Rule(("on-rows", "run-stage")), *(over(process, memory) if whole(process, memory) else ()))


def on_wake(process: Process, memory: Memory, state: Any, what: str) -> Reply:
    """A task writes its batch, or is done; the driver hears of it, or begins the next batch."""
    word, _, number = what.partition(" ")
    if word == WRITE:
        return memory, (Act(WRITE), Rule(("on-task-done", "write-batch")), *finish(memory))
    if word == FINISH:
        return done(process, memory, state)
    if word == REPORT:
        return reported(process, memory, state, number)
    return memory, () if memory.running else (Begin(),)


def on_return(process: Process, memory: Memory, state: Any, saved: int) -> Reply:
    """The driver has its logs; everybody else is as of the batch that ``saved`` was."""
    number = memory.batches.get(saved, 0)
    memory = replace(memory, running=False, reports=())
    back = () if state.logs.commits == number else (Act(LOG, (BACK, number)),)
    return memory, (*back, *((Defer(f"{TRIGGER} {number + 1}"),) if memory.batches else ()))


def allows(process: Process, memory: Memory, channel: str | None) -> bool:
    """A source may read its range and no more."""
    return channel is not None or not process.outputs or memory.read < memory.until


def accepts(process: Process, memory: Memory, channel: str, message: Message) -> bool:
    """A task takes nothing before those before it are done."""
    return message.kind != APP or launched(process, memory)


def result(process: Process, memory: Memory, snapshot: int) -> Part | None:
    """The state after the batch; every input is empty."""
    if snapshot not in memory.states:
        return None
    return Part(process.name, memory.states[snapshot], tuple((c, ()) for c in process.inputs), ())


# --- a task -------------------------------------------------------------------------------------------------------


def fresh(memory: Memory, snapshot: int, number: int, driver: str) -> Memory:
    """The memory at the beginning of a batch."""
    return Memory(snapshot, number, driver, states=memory.states)


def launched(process: Process, memory: Memory) -> bool:
    """Are all tasks before this one done?"""
    return len(memory.expected) == len(process.inputs)


def whole(process: Process, memory: Memory) -> bool:
    """Has the task taken all that there is for it?"""
    return launched(process, memory) and all(memory.received.get(c, 0) == n for c, n in memory.expected.items())


def over(process: Process, memory: Memory) -> tuple[Effect, ...]:
    """What a task does after its last record: a sink writes first."""
    return finish(memory) if process.outputs else (Defer(f"{WRITE} {memory.batch}"),)


def finish(memory: Memory) -> tuple[Effect, ...]:
    """The task is done, as a step of its own."""
    return (Defer(f"{FINISH} {memory.batch}"),)


def done(process: Process, memory: Memory, state: Any) -> Reply:
    """The task keeps its state, and those behind it and the driver hear of it."""
    snapshot = memory.snapshot
    effects: Iterable[Effect] = (
        Recorded(snapshot, process.name, state, None),
        *(Closed(snapshot, channel) for channel in process.inputs),
        *(
            Tell(target_of(c), snapshot, (ROWS, memory.batch, memory.sent.get(c, 0), memory.driver))
            for c in process.outputs
        ),
        Ask(memory.driver, f"{REPORT} {process.name}"),
        Rule(("on-task-done", "record", *(("tell-rows",) if process.outputs else ()))),
        Done(snapshot, process.name),
    )
    idle = fresh(memory, snapshot, memory.batch, memory.driver)
    return replace(idle, states=memory.states.set(snapshot, state)), effects


# --- the driver ---------------------------------------------------------------------------------------------------


def reported(process: Process, memory: Memory, state: Any, name: str) -> Reply:
    """One more task is done; after the last, the batch is. Each task counts once, however often it says so."""
    if name in memory.reports or not memory.running:
        return memory, ()
    memory = replace(memory, reports=(*memory.reports, name))
    if len(memory.reports) < len(process.others):
        return memory, ()
    snapshot, number = memory.snapshot, memory.batch
    effects: Iterable[Effect] = (
        Recorded(snapshot, process.name, state, None),
        Act(LOG, (COMMITS, number)),
        Rule(("on-all-tasks", "log-commit")),
        Done(snapshot, process.name),
        *((Defer(f"{TRIGGER} {number + 1}"),) if state.logs.written(COMMITS, number).more else ()),
    )
    return replace(memory, running=False, states=memory.states.set(snapshot, state)), effects
