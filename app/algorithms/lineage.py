"""Lineage: what is lost is computed again from what it was made of; nobody else goes back.

Batches run as ever. A task that is done keeps what it has made for the tasks behind it, and its own state. A task that
is lost in the middle of a batch comes back as of the batch before, and asks those before it: they send it what they
made for it once more, and it does its work once more. A source asks the driver, reads its range again, and has the same
records, because the offset log says which. Records are numbered in their batch, so each of them is taken once.

No snapshot of a running state is ever taken for this, and no marker is needed: a task that is deterministic, and inputs
that are still there, are enough. MapReduce writes the results of its map tasks to disk and executes lost tasks again;
Spark remembers of which partitions each partition was made. Neither is a snapshot in the sense of Chandy and Lamport.

Notes: Deferred, Asked, Recorded, Closed, Done, Stored, Rule.

References
----------
J. Dean, S. Ghemawat, "MapReduce: Simplified Data Processing on Large Clusters", OSDI 2004, section 3.3. M. Zaharia et
al., "Resilient Distributed Datasets", NSDI 2012, section 2. M. Zaharia et al., "Discretized Streams", SOSP 2013,
section 3.3 (parallel recovery).
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from immutables import Map

from app.algorithms import micro_batch as BASE
from app.core.algorithm import Effect, Reply
from app.core.model import APP, COMPLETE, CONTROL, Ask, Message, Post, Process, Save, Swallow, Tell
from app.core.notes import Rule
from app.core.topology import channel_name, source_of, target_of

NAME = "lineage"
REQUIRES = "fifo"
RECOVERY = "local"
AGAIN = "remake"
PATIENT: tuple[str, ...] = (AGAIN, BASE.REPORT, COMPLETE)
PSEUDOCODE = (
    *BASE.PSEUDOCODE,
    ("on-task-lost", 0),
    ("ask-inputs", 1),
    ("on-asked", 0),
    ("make-again", 1),
)


@dataclass(frozen=True, slots=True)
class Memory(BASE.Memory):
    """``made`` is what a task has made in the batch for those behind it, by output."""

    made: "Map[str, tuple[Message, ...]]" = Map()  # noqa: RUF009 (it never changes)


def start(process: Process) -> Memory:
    """No batch yet."""
    return Memory()


def carries(process: Process, memory: Any, channel: str) -> Any:
    """The batch, and the number of the record on its channel."""
    return memory.batch, memory.sent.get(channel, 0) + 1


def on_send(process: Process, memory: Any, channel: str, message: Message) -> Reply:
    """What was made is kept."""
    memory, effects = BASE.on_send(process, memory, channel, message)
    return replace(memory, made=memory.made.set(channel, (*memory.made.get(channel, ()), message))), effects


def on_receive(process: Process, memory: Any, state: Any, channel: str, message: Message) -> Reply:
    """Each record once, in the order of its batch; a range that is known is not read again."""
    if message.kind == APP and (finished(memory) or message.tag != (memory.batch, memory.received.get(channel, 0) + 1)):
        return memory, (Swallow(),)
    if message.kind == CONTROL and message.payload[1] <= memory.batch:
        return memory, ()
    memory, effects = BASE.on_receive(process, memory, state, channel, message)
    return held(memory), effects


def on_told(process: Process, memory: Any, state: Any, source: str, snapshot: int | None, word: Any) -> Reply:
    """A task before this one is done. Who was lost twice may be answered twice: the second answer says nothing new, and
    what follows from the first may have begun."""
    if snapshot in memory.states or (
        snapshot == memory.snapshot and channel_name(source, process.name) in memory.expected
    ):
        return memory, ()
    memory, effects = BASE.on_told(process, memory, state, source, snapshot, word)
    return held(memory), effects


def on_wake(process: Process, memory: Any, state: Any, what: str) -> Reply:
    """A task that is done is kept; somebody who was lost asks for what it was made of."""
    word, _, name = what.partition(" ")
    if word == AGAIN:
        return memory, made_again(process, memory, state, channel_name(process.name, name))
    before = memory
    memory, effects = BASE.on_wake(process, memory, state, what)
    if word != BASE.FINISH:
        return memory, effects
    return replace(held(memory), made=before.made), (*effects, Save())


def on_return(process: Process, memory: Any, state: Any, saved: int) -> Reply:
    """Who was lost asks those before it."""
    asked = tuple(Ask(source_of(channel), f"{AGAIN} {process.name}") for channel in process.inputs)
    return memory, (*asked, Rule(("on-task-lost", "ask-inputs")))


def accepts(process: Process, memory: Any, channel: str, message: Message) -> bool:
    """What is left over of a batch that is done here is taken, and thrown away."""
    return BASE.accepts(process, memory, channel, message) or (finished(memory) and message.tag[0] <= memory.batch)


# --- what is made again --------------------------------------------------------------------------------------------


def finished(memory: Any) -> bool:
    """Has the task of this batch been done?"""
    return memory.snapshot in memory.states


def held(memory: Any) -> Memory:
    """The memory of the base, with what has been made in this batch."""
    if isinstance(memory, Memory):
        return memory
    given = {name: getattr(memory, name) for name in BASE.Memory.__slots__}
    return Memory(**given)


def made_again(process: Process, memory: Any, state: Any, channel: str) -> Iterable[Effect]:
    """What ``channel`` led to in this batch; nothing where that has not been made yet."""
    rule = Rule(("on-asked", "make-again"))
    snapshot = memory.snapshot
    if not process.inputs:
        ranges = state.logs.started if memory.running else ()
        told = {channel_name(process.name, name): (begin, end) for name, begin, end in ranges}
        if channel not in told:
            return (rule,)
        return (Post(channel, CONTROL, snapshot, (BASE.AGAIN, memory.batch, *told[channel])), rule)
    if not finished(memory):
        return (rule,)
    made = memory.made.get(channel, ())
    rows = (BASE.ROWS, memory.batch, len(made), memory.driver)
    return (
        *(Post(channel, APP, None, copy=message) for message in made),
        Tell(target_of(channel), snapshot, rows),
        rule,
    )
