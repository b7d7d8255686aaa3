"""Real-time mode: one long batch in which all stages run at once; its offsets are written when it ends.

Items flow as they are read, and what reaches a sink leaves at once. When the time of the batch is up, the driver tells
the sources: they stop reading, and put the end of the batch behind their last items. It is a barrier: a task that has
it on every input records its state and sends it on. When every task has reported, the driver writes what was read into
the offset log, then into the commit log that the batch is done; then the sources read on.

So state is the effect of each item once. Whatever crashes, task or driver, all processes roll back to the last batch,
and sources read again from its offsets: there are no files from which a single task could be retried. What has left
since leaves again, and no number could prevent it: where a batch ends is not known before it does, so the one that runs
now need not be the one that was interrupted.

Notes: Recorded, Closed, Blocked, Unblocked, Acked, Asked, Done, Rule.

References
----------
Apache Spark, Structured Streaming Programming Guide, "Real-time mode" (from 4.1, 2025; with state from 4.3): offsets
are written at the end of a batch. A reader stops by its own clock (LowLatencyReaderWrap), a task ends its output with a
termination message and waits for those of its inputs (StreamingShuffleWriter and StreamingShuffleReader, 4.3); that the
driver tells the sources is a simplification, and that they wait for the logs, which since SPARK-58131 (2026) may be
written meanwhile. Stages that are joined by a pipelined shuffle fail together, and the query runs the batch again
(SPARK-58398, 2026); the guide does not say what happens to one task of a query without a shuffle, and here it is the
same. P. Carbone et al., "Lightweight Asynchronous Snapshots for Distributed Dataflows", 2015, section 4.2 (the
barrier).
"""

from collections.abc import Iterable, Iterator

from immutables import Map
from msgspec import structs
from msgspec.structs import replace

from app.algorithms.barriers import aligned
from app.algorithms.shared import barriers
from app.algorithms.shared.barriers import Taken
from app.core.model.algorithm import Effect, Flow, Reply
from app.core.model.commit_log import BACK, COMMITS, OFFSETS, Logging
from app.core.model.notes import Acked, Done, Recorded, Rule
from app.core.model.values import CONTROL, MARKER, Act, Ask, Deed, Defer, Message, Post, Process, Todo

BASE = aligned

NAME = "real-time"
SERIAL = True
COST = "|E| + s"
DATAFLOW = Flow(logs=True)
REPORT, OFFSET, LOGGING, GO = "report", "offset", "log", "go"
PSEUDOCODE = (
    ("on-time-up", 0),
    ("end-batch", 1),
    ("on-barrier", 0),
    ("block", 1),
    ("if-all-barriers", 1),
    ("forward-barrier", 2),
    ("record", 2),
    ("unblock", 2),
    ("on-upload", 0),
    ("report", 1),
    ("on-all-reports", 0),
    ("log-ends", 1),
    ("log-commit", 1),
    ("read-on", 1),
)


class Memory(barriers.Memory):
    """What a process knows beside its barriers: which process is the ``driver``; whether a source is ``held`` between
    two batches.

    The driver knows which tasks have sent ``reports`` of the batch, where the sources stopped (``ends``), and which
    batch each of the snapshots in ``batches`` was.
    """

    driver: str = ""
    held: bool = False
    reports: tuple[str, ...] = ()
    ends: "Map[str, int]" = Map()
    batches: "Map[int, int]" = Map()


def start(process: Process) -> Memory:
    """Return a memory with nothing seen: the first batch has begun."""
    return Memory()


def on_initiate(process: Process, memory: Memory, state: Logging, snapshot: int) -> Reply[Memory]:
    """Tell the sources that the time of the batch is up."""
    memory = replace(
        memory,
        latest=snapshot,
        over=snapshot,
        reports=(),
        ends=Map(),
        batches=memory.batches.set(snapshot, state.logs.commits + 1),
    )
    return memory, (
        *(Post(c, MARKER, snapshot, process.name) for c in process.outputs),
        Rule(("on-time-up", "end-batch")),
    )


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Treat the end of the batch as a barrier; it carries the driver's name. A source stops reading until it may
    continue."""
    if message.kind == CONTROL:
        return replace(memory, held=False), (Rule(("read-on",)),)
    if message.kind == MARKER:
        memory = replace(memory, driver=message.payload, held=True)
    memory, effects = BASE.on_receive(process, memory, state, channel, message)
    return memory, _named(effects, memory.driver)


def on_wake(process: Process, memory: Memory, state: Logging, what: Todo) -> Reply[Memory]:
    """Report a task, or take a report at the driver, or write the commit log."""
    if what.word in (REPORT, OFFSET):
        return _reported(process, memory, state, what)
    if what.word == LOGGING:
        memory, effects = logged(process, memory, state)
        go = (Post(c, CONTROL, memory.latest, (GO, what.number)) for c in process.outputs)
        return memory, (*effects, *go, Rule(("log-commit", "read-on")))
    return memory, _report(process, memory, what.number)


def survives(process: Process, lost: Memory, memory: Memory) -> Memory:
    """Keep the driver's checkpoint, which says which batch each snapshot was."""
    return replace(memory, batches=lost.batches)


def on_return(process: Process, memory: Memory, state: Logging, saved: int) -> Reply[Memory]:
    """Keep the driver's logs; all others are back at the end of the batch that ``saved`` was."""
    number = memory.batches.get(saved, 0)
    memory = replace(memory, reports=(), ends=Map())
    return memory, () if state.logs.commits == number else (Act(Deed.LOG, (BACK, number)),)


def allows(process: Process, memory: Memory, channel: str | None) -> bool:
    """May the process act? Between the end of a batch and its commit nothing more is read."""
    return channel is not None or not process.outputs or not memory.held


# --- a task -------------------------------------------------------------------------------------------------------


def _named(effects: Iterable[Effect], driver: str) -> Iterator[Effect]:
    """Yield the effects, with the driver's name on the barriers."""
    for effect in effects:
        marker = isinstance(effect, Post) and effect.kind == MARKER
        yield structs.replace(effect, payload=driver) if marker and isinstance(effect, Post) else effect


def _report(process: Process, memory: Memory, snapshot: int) -> tuple[Effect, ...]:
    """Store the part and report to the driver; a source also says how far it has read."""
    offset = getattr(memory.taken[snapshot].state, "offset", None)
    what = Todo(REPORT, (), process.name) if offset is None else Todo(OFFSET, (offset,), process.name)
    return (
        Acked(snapshot, process.name),
        Ask(memory.driver, what),
        Rule(("on-upload", "report")),
        Done(snapshot, process.name),
    )


# --- the driver ---------------------------------------------------------------------------------------------------


def _reported(process: Process, memory: Memory, state: Logging, report: Todo) -> Reply[Memory]:
    """Take one more report; after the last, write the offset log: the batch has ended there."""
    ends = memory.ends.set(report.name, report.number) if report.word == OFFSET else memory.ends
    memory = replace(memory, reports=(*memory.reports, report.name), ends=ends)
    if len(memory.reports) < len(process.others):
        return memory, ()
    number = state.logs.commits + 1
    return memory, (
        Act(Deed.LOG, (OFFSETS, number, state.logs.upto(dict(ends)))),
        Rule(("on-all-reports", "log-ends")),
        Defer(Todo(LOGGING, (number,))),
    )


def logged(process: Process, memory: Memory, state: Logging) -> Reply[Memory]:
    """Finish the batch: the commit log is written."""
    snapshot = memory.latest
    return replace(memory, taken=memory.taken.set(snapshot, Taken(state))), (
        Recorded(snapshot, process.name, state, None),
        Act(Deed.LOG, (COMMITS, state.logs.commits + 1)),
        Done(snapshot, process.name),
    )
