"""Micro-batch: the stream in pieces, each run like a job over a finite input; nothing in the data marks a cut.

The driver writes into its offset log which range of each source the next batch is to read. Only then it tells the
sources, and they read their range and no more. When a task is done, it tells those downstream how many items it has for
them; with this from all its inputs, a task begins. So a stage begins when the one before it is done, and every channel
is empty between batches. The sink writes the batch at once, under its number. When every task has reported, the driver
writes the batch into its commit log; only then does it plan the next one.

The state after a batch is the effect of exactly the ranges in the offset log up to there: that is the snapshot, and the
cut is in the log.

Two things can crash. When a *task* does, it is retried inside its batch, and no other process rolls back: it has its
state from the batch before, and its input is still there. A source is told its range again, which the offset log knows;
any other task gets once more what the tasks before it made for it, which they keep until the batch is over. Each answer
has a number, so nothing that was meant for the attempt that crashed counts in the next one. When the *driver* crashes,
the query restarts: every process rolls back to the last committed batch. A batch that is in the offset log and not in
the commit log is run again with the same ranges, so it is the same batch. A sink that knows batches by number writes it
in its place; any other sink has it twice, after either crash.

In Spark a task tells the driver, and the driver starts the next stage and each new attempt; here a task tells the tasks
downstream directly. What a task has made lies in files on its machine, here with the task itself; they survive its
crash, as with an external shuffle service.

Notes: Deferred, Asked, Recorded, Closed, Done, Stored, Rule.

References
----------
M. Zaharia, T. Das, H. Li, T. Hunter, S. Shenker, I. Stoica, "Discretized Streams: Fault-Tolerant Streaming Computation
at Scale", SOSP 2013 (section 5.1: parallel recovery). M. Armbrust et al., "Structured Streaming", SIGMOD 2018, section
6.1. Apache Spark, MicroBatchExecution.scala (the offset log before a batch runs, the commit log after), and
spark.task.maxFailures (how often a task may fail before its batch does).
"""

from collections.abc import Iterable
from typing import Any

from immutables import Map
from msgspec import structs
from msgspec.structs import replace

from app.core.model.algorithm import Effect, Flow, Recovery, Reply
from app.core.model.commit_log import BACK, COMMITS, OFFSETS, Logging
from app.core.model.notes import Closed, Done, Recorded, Rule
from app.core.model.topology import channel_name, source_of, target_of
from app.core.model.value import Value
from app.core.model.values import (
    APP,
    COMPLETE,
    CONTROL,
    Act,
    Ask,
    Begin,
    Deed,
    Defer,
    Message,
    Part,
    Post,
    Process,
    Save,
    Swallow,
    Tell,
    Todo,
)

NAME = "micro-batch"
REQUIRES = "any"
GRAPH = "rooted"
SERIAL = True
COST = "|E|"
COLLECTS = True
COORDINATED = True
PROMISE = "exactly-once"
DATAFLOW = Flow(logs=True, batches=True)
RANGE, AGAIN, ROWS = "range", "again", "rows"
FINISH, REPORT, TRIGGER, REMAKE, WRITE = "finish", "report", "trigger", "remake", "write"
RECOVERY = Recovery("retry", patient=(REMAKE, REPORT, COMPLETE))
NOTHING_YET = (0, 0)
"""Before the first batch and the first answer."""
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
    ("on-task-lost", 0),
    ("ask-inputs", 1),
    ("on-asked", 0),
    ("make-again", 1),
    ("on-old-attempt", 0),
    ("drop-item", 1),
    ("on-driver-lost", 0),
    ("read-logs", 1),
)


class Memory(Value):
    """What a process knows of the batch that runs: ``snapshot`` is its id, ``batch`` its number, ``driver`` the process
    that runs it. A source may read until it has read ``until`` items (``read`` counts them, ``last`` is the last one).
    ``made`` is what the task has made, by output, ``answers`` how often that was resent. ``expected`` says by input how
    many items there are and in which answer, ``received`` how many of those have arrived; ``latest`` says of all items
    that ever arrived the latest batch and answer. ``states`` is what was recorded.

    The driver knows which tasks have sent ``reports``, whether a batch is ``running``, and which batch each of the
    snapshots in ``batches`` was.
    """

    snapshot: int = 0
    batch: int = 0
    driver: str = ""
    until: int = 0
    read: int = 0
    last: object = None
    made: "Map[str, tuple[Message, ...]]" = Map()
    answers: "Map[str, int]" = Map()
    expected: "Map[str, tuple[int, int]]" = Map()
    received: "Map[str, int]" = Map()
    latest: "Map[str, tuple[int, int]]" = Map()
    states: "Map[int, object]" = Map()
    reports: tuple[str, ...] = ()
    running: bool = False
    batches: "Map[int, int]" = Map()


def start(process: Process) -> Memory:
    """Return a memory without a batch."""
    return Memory()


def on_initiate(process: Process, memory: Memory, state: Logging, snapshot: int) -> Reply[Memory]:
    """Begin a batch at the driver: a new one, or again the one that it had begun."""
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
    write = () if logs.started else (Act(Deed.LOG, (OFFSETS, number, ranges)),)
    word = AGAIN if logs.started else RANGE
    told = tuple(
        Post(channel_name(process.name, name), CONTROL, snapshot, (word, number, begin, end))
        for name, begin, end in ranges
    )
    lines = ("on-batch", *(("log-offsets",) if write else ()), "tell-ranges")
    return memory, (*write, *told, Rule(lines))


def carries(process: Process, memory: Memory, channel: str) -> Any:
    """Return the batch, and that the message is no answer."""
    return memory.batch, 0


def on_send(process: Process, memory: Memory, channel: str, message: Message) -> Reply[Memory]:
    """Keep what was made; a source has done its task with the last item of its range."""
    memory = replace(memory, made=memory.made.set(channel, (*memory.made.get(channel, ()), message)))
    if not memory.until or message.payload == memory.last:
        return memory, ()
    memory = replace(memory, read=memory.read + 1, last=message.payload)
    return memory, _finish(memory) if memory.read == memory.until else ()


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Tell a source what to read, but only once; let any other task count what it has of its batch."""
    if message.kind == APP:
        latest = memory.latest.set(channel, max(message.tag, memory.latest.get(channel, NOTHING_YET)))
        if _finished(memory) or message.tag != (memory.batch, memory.expected[channel][1]):
            return replace(memory, latest=latest), (Swallow(), Rule(("on-old-attempt", "drop-item")))
        received = memory.received.set(channel, memory.received.get(channel, 0) + 1)
        memory = replace(memory, received=received, latest=latest)
        return memory, _over(process, memory) if whole(process, memory) else ()
    assert message.snapshot is not None
    _, number, begin, end = message.payload
    if number <= memory.batch:
        return memory, ()
    memory = replace(_fresh(memory, message.snapshot, number, source_of(channel)), until=end - begin)
    return memory, (Rule(("on-range", "read-range")), *(() if end > begin else _finish(memory)))


def on_told(
    process: Process, memory: Memory, state: object, source: str, snapshot: int | None, word: Any
) -> Reply[Memory]:
    """Hear from a task before this one that it is done, and how many items it has made for this one. A lost task may
    hear that twice: the second time says nothing new, and what follows from the first may have begun. It may also hear
    only now of an answer whose items have come before it was lost: it waits for the next answer."""
    _, number, count, answer, driver = word
    channel = channel_name(source, process.name)
    known = snapshot in memory.states or (snapshot == memory.snapshot and channel in memory.expected)
    if known or (count and (number, answer) <= memory.latest.get(channel, NOTHING_YET)):
        return memory, ()
    if snapshot != memory.snapshot:
        memory = _fresh(memory, snapshot or 0, number, driver)
    memory = replace(memory, expected=memory.expected.set(channel, (count, answer)))
    if not launched(process, memory):
        return memory, (Rule(("on-rows",)),)
    return memory, (Rule(("on-rows", "run-stage")), *(_over(process, memory) if whole(process, memory) else ()))


def on_wake(process: Process, memory: Memory, state: Logging, what: Todo) -> Reply[Memory]:
    """Let a task write its batch, be done, or answer a request for what it has made; let the driver take a report, or
    begin the next batch."""
    if what.word == WRITE:
        return memory, (Act(Deed.WRITE), Rule(("on-task-done", "write-batch")), *_finish(memory))
    if what.word == FINISH:
        return _done(process, memory, state)
    if what.word == REMAKE:
        return _made_again(process, memory, state, channel_name(process.name, what.name))
    if what.word == REPORT:
        return _reported(process, memory, state, what.name)
    return memory, () if memory.running else (Begin(),)


def survives(process: Process, lost: Memory, memory: Memory) -> Memory:
    """Return what survives: a task's output lies in files; how often it was resent, and what has come from the tasks
    before it, the driver knows in Spark. The driver's checkpoint says which batch each snapshot was."""
    if not process.inputs:
        return replace(memory, batches=lost.batches)
    answers = lost.answers if lost.batch == memory.batch else memory.answers
    return replace(memory, answers=answers, latest=lost.latest)


def on_return(process: Process, memory: Memory, state: Logging, saved: int) -> Reply[Memory]:
    """Let a lost task ask those before it. The driver has its logs, and continues after the batch ``saved`` if there is
    anything to do."""
    if process.inputs:
        asked = (Ask(source_of(channel), Todo(REMAKE, name=process.name)) for channel in process.inputs)
        return memory, (*asked, Rule(("on-task-lost", "ask-inputs")))
    number = memory.batches.get(saved, 0)
    back = () if state.logs.commits == number else (Act(Deed.LOG, (BACK, number)),)
    again = bool(memory.batches) and state.logs.written(COMMITS, number).more
    trigger = (Defer(Todo(TRIGGER, (number + 1,))),) if again else ()
    return replace(memory, running=False, reports=()), (*back, *trigger, Rule(("on-driver-lost", "read-logs")))


def allows(process: Process, memory: Memory, channel: str | None) -> bool:
    """May the process act? A source may read its range and no more."""
    return channel is not None or not process.outputs or memory.read < memory.until


def accepts(process: Process, memory: Memory, channel: str, message: Message) -> bool:
    """May the task take an item? Not before all tasks before it are done; when it is done, it discards what is left
    over."""
    if message.kind != APP or launched(process, memory):
        return True
    return _finished(memory) and message.tag[0] <= memory.batch


def result(process: Process, memory: Memory, snapshot: int) -> Part | None:
    """Return the state after the batch; every input is empty."""
    if snapshot not in memory.states:
        return None
    return Part(process.name, memory.states[snapshot], tuple((c, ()) for c in process.inputs), ())


# --- a task -------------------------------------------------------------------------------------------------------


def _fresh(memory: Memory, snapshot: int, number: int, driver: str) -> Memory:
    return Memory(snapshot, number, driver, latest=memory.latest, states=memory.states)


def launched(process: Process, memory: Memory) -> bool:
    """Are all tasks before this one done?"""
    return len(memory.expected) == len(process.inputs)


def whole(process: Process, memory: Memory) -> bool:
    """Has the task taken all its items?"""
    return launched(process, memory) and all(memory.received.get(c, 0) == n for c, (n, _) in memory.expected.items())


def _finished(memory: Memory) -> bool:
    """Is the task done with this batch?"""
    return memory.snapshot in memory.states


def _over(process: Process, memory: Memory) -> tuple[Effect, ...]:
    """Return what a task does after its last item: a sink writes first."""
    return _finish(memory) if process.outputs else (Defer(Todo(WRITE, (memory.batch,))),)


def _finish(memory: Memory) -> tuple[Effect, ...]:
    """Return the end of the task, as a step of its own."""
    return (Defer(Todo(FINISH, (memory.batch,))),)


def _done(process: Process, memory: Memory, state: object) -> Reply[Memory]:
    """Keep the state of the task and what it has made, and tell the tasks downstream and the driver."""
    snapshot = memory.snapshot
    idle = _fresh(memory, snapshot, memory.batch, memory.driver)
    kept = replace(idle, made=memory.made, answers=memory.answers, states=memory.states.set(snapshot, state))
    effects: Iterable[Effect] = (
        Recorded(snapshot, process.name, state, None),
        *(Closed(snapshot, channel) for channel in process.inputs),
        *(_tell(kept, c) for c in process.outputs),
        Ask(memory.driver, Todo(REPORT, name=process.name)),
        Rule(("on-task-done", "record", *(("tell-rows",) if process.outputs else ()))),
        Done(snapshot, process.name),
        Save(),
    )
    return kept, effects


def _tell(memory: Memory, channel: str) -> Tell:
    """Return the message to the task behind ``channel``: how many items there are for it, and in which answer."""
    count, answer = len(memory.made.get(channel, ())), memory.answers.get(channel, 0)
    return Tell(target_of(channel), memory.snapshot, (ROWS, memory.batch, count, answer, memory.driver))


def _made_again(process: Process, memory: Memory, state: Logging, channel: str) -> Reply[Memory]:
    """Make once more what was sent on ``channel`` in this batch; do nothing where that has not been made yet."""
    rule = Rule(("on-asked", "make-again"))
    if not process.inputs:
        ranges = (state.logs.started or ()) if memory.running else ()
        told = {channel_name(process.name, name): (begin, end) for name, begin, end in ranges}
        if channel not in told:
            return memory, (rule,)
        return memory, (Post(channel, CONTROL, memory.snapshot, (AGAIN, memory.batch, *told[channel])), rule)
    if not _finished(memory):
        return memory, (rule,)
    answer = memory.answers.get(channel, 0) + 1
    memory = replace(memory, answers=memory.answers.set(channel, answer))
    copies = (structs.replace(message, tag=(memory.batch, answer)) for message in memory.made.get(channel, ()))
    return memory, (*(Post(channel, APP, None, copy=copy) for copy in copies), _tell(memory, channel), rule)


# --- the driver ---------------------------------------------------------------------------------------------------


def _reported(process: Process, memory: Memory, state: Logging, name: str) -> Reply[Memory]:
    """Take one more report; after the last, the batch is done. Each task counts once, however often it reports."""
    if name in memory.reports or not memory.running:
        return memory, ()
    memory = replace(memory, reports=(*memory.reports, name))
    if len(memory.reports) < len(process.others):
        return memory, ()
    snapshot, number = memory.snapshot, memory.batch
    effects: Iterable[Effect] = (
        Recorded(snapshot, process.name, state, None),
        Act(Deed.LOG, (COMMITS, number)),
        Rule(("on-all-tasks", "log-commit")),
        Done(snapshot, process.name),
        *((Defer(Todo(TRIGGER, (number + 1,))),) if state.logs.written(COMMITS, number).more else ()),
    )
    return replace(memory, running=False, states=memory.states.set(snapshot, state)), effects
