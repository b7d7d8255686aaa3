"""At least once: barriers are counted, and nothing ever waits.

A process counts the barriers of a snapshot and records when the last one has come. Until then it takes items from all
inputs, also from those whose barrier has come already. Such an item is in the recorded state, although its source
recorded an offset before it. While nothing fails, this has no effect; after a restore the source sends the item again,
and it counts twice. A process with one input has nothing to count and is right all the same.

Barriers of several snapshots may be counted at a time. When one snapshot has all its barriers, the earlier ones never
will. A cancelled snapshot is still counted, so that its late barriers are recognised.

Notes: Recorded, Closed, Acked, Done, Rule.

References
----------
Apache Flink, CheckpointBarrierTracker (2015); P. Carbone et al., "State Management in Apache Flink", PVLDB 10(12),
2017, section 3.2.
"""

from msgspec.structs import replace

from app.algorithms.barriers import aligned
from app.algorithms.shared import barriers
from app.algorithms.shared.barriers import Caught
from app.core.model.algorithm import Effect, Reply
from app.core.model.notes import Rule
from app.core.model.value import Value
from app.core.model.values import ABORT, APP, CONTROL, END, Abort, Message, Process, Todo

NAME = "at-least-once"
BASE = aligned
PROMISE = "at-least-once"
PSEUDOCODE = (
    ("on-barrier", 0),
    ("count-barrier", 1),
    ("take-on", 1),
    ("if-all-barriers", 1),
    ("forward-barrier", 2),
    ("record", 2),
    ("on-upload", 0),
    ("ack", 1),
)
WRONG: str | None = "take-on"
MOST = 50
"""The most snapshots counted at a time; the oldest makes room for another."""


class Count(Value):
    """The inputs on which something of a snapshot has ``come``: its barrier, or a cancellation. A ``void`` one is
    counted, but will not be recorded."""

    snapshot: int
    come: tuple[str, ...]
    void: bool = False


class Memory(barriers.Memory):
    """What a process knows, and the ``counts``, oldest first."""

    counts: tuple[Count, ...] = ()


def start(process: Process) -> Memory:
    """Return a memory with nothing counted."""
    return Memory()


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Count barriers; ignore items."""
    if message.kind == APP:
        if message.payload is not END:
            return memory, ()
        return _full(process, barriers.ending(memory, channel, message), state, None, (channel, message))
    assert message.snapshot is not None
    if message.kind == CONTROL or message.snapshot in memory.cancelled:
        return _cancelled(process, memory, state, channel, message.snapshot)
    memory, counted = _count(memory, channel, message.snapshot)
    if not counted:
        return memory, ()
    return _full(process, memory, state, channel)


def on_wake(process: Process, memory: Memory, state: object, what: Todo) -> Reply[Memory]:
    """Acknowledge a stored copy, or abort a snapshot as the coordinator has done."""
    if what.word != ABORT:
        return aligned.on_wake(process, memory, state, what)
    snapshot = what.number
    if snapshot > memory.latest:
        return replace(memory, cancelled=(*memory.cancelled, snapshot)), ()
    counts = tuple(replace(one, void=True) if one.snapshot == snapshot else one for one in memory.counts)
    return replace(memory, counts=counts), ()


def _count(memory: Memory, channel: str, snapshot: int, *, void: bool = False) -> tuple[Memory, bool]:
    """Return the memory with the barrier or cancellation of ``snapshot`` on ``channel``, and whether that counts: it
    does not where the snapshot is over."""
    counts = list(memory.counts)
    for i, one in enumerate(counts):
        if one.snapshot == snapshot:
            counts[i] = Count(snapshot, (*one.come, channel), one.void or void)
            return replace(memory, counts=tuple(counts)), True
    if snapshot <= memory.latest:
        return memory, False
    counts.append(Count(snapshot, (channel,), void))
    return replace(memory, latest=snapshot, over=snapshot, counts=tuple(counts[-MOST:])), True


def _full(
    process: Process, memory: Memory, state: object, last: str | None, end: Caught | None = None
) -> Reply[Memory]:
    """Record the latest snapshot of which everything has come, and end the earlier ones."""
    for i in reversed(range(len(memory.counts))):
        one = memory.counts[i]
        if any(c not in one.come and c not in memory.ended for c in process.inputs):
            continue
        memory = replace(memory, counts=memory.counts[i + 1 :])
        return (memory, ()) if one.void else _record(process, memory, state, last, one.snapshot, end)
    return memory, (Rule(("on-barrier", "count-barrier", "take-on")),) if last and memory.counts else ()


def _record(
    process: Process, memory: Memory, state: object, last: str | None, snapshot: int, end: Caught | None
) -> Reply[Memory]:
    """Record as an aligned process does that has blocked nothing."""
    found, effects = aligned.align(process, replace(memory, latest=snapshot), state, last, end)
    return replace(found, latest=memory.latest, over=memory.latest), effects


def _cancelled(process: Process, memory: Memory, state: object, channel: str, snapshot: int) -> Reply[Memory]:
    """Handle a cancellation, or the barrier of a snapshot that the coordinator has aborted: abort all earlier snapshots
    whose barriers are still to come."""
    earlier = [one for one in memory.counts if one.snapshot < snapshot]
    known = any(one.snapshot == snapshot and one.void for one in memory.counts)
    given_up = [one.snapshot for one in earlier if not one.void]
    rest = tuple(one for one in memory.counts if one.snapshot >= snapshot)
    memory, counted = _count(replace(memory, counts=rest), channel, snapshot, void=True)
    given_up += [snapshot] if counted and not known else []
    effects: list[Effect] = []
    for one_given_up in given_up:
        effects += [Abort(one_given_up), *barriers.cancelling(process, one_given_up)]
    memory, more = _full(process, memory, state, None)
    return memory, (*effects, *more)
