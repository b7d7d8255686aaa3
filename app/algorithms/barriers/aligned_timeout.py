"""Aligned barriers with a timeout: wait for the others, but not forever.

A snapshot begins as an aligned one. A process that sends a barrier announces it: the announcement overtakes what waits
in the channel, so that the receiver knows that the barrier is on its way. At the first sign of a snapshot, a process
sets a timer. If all barriers have come before the timer expires, the snapshot is aligned here. If not, the process
switches to unaligned barriers: it records at once, the barriers that wait in its inputs overtake what is before them,
and so does its own barrier in its outputs. A barrier that has overtaken makes its receiver switch at once. Inputs that
are blocked stay so until the last barrier is here, which takes only as long as one barrier needs.

The switch holds for this snapshot; the next begins aligned again. One snapshot at a time.

It takes one barrier per channel, and an announcement on each output of a process that records aligned: the
coordinator's barriers, and those that overtake, need none. In Flink an announcement does not travel: the receiver makes
it when the barrier comes into the buffers of its input, and for a barrier that waits in an output the sender has a
timer. Here a channel is one queue, which stands for both buffers.

Notes: those of aligned and unaligned barriers.

References
----------
Apache Flink 1.14, 2021: execution.checkpointing.aligned-checkpoint-timeout, AlternatingCollectingBarriers,
AlternatingCollectingBarriersUnaligned (blocked until the last barrier: FLINK-22638) and EventAnnouncement;
FLINK-27251, 1.16, 2022 (the timer of the sender); FLIP-76, "Unaligned Checkpoints", 2020.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from app.algorithms.barriers import aligned
from app.algorithms.barriers.unaligned import overtake
from app.algorithms.shared.barriers import (
    Caught,
    Memory,
    barriers,
    block,
    cancelled,
    close,
    ending,
    log,
    log_end,
    missing,
    record,
    refuse,
    renew,
)
from app.core.model.algorithm import Effect, Reply
from app.core.model.notes import Rule
from app.core.model.values import APP, CONTROL, END, Advance, Defer, Message, Post, Process, Todo

NAME = "aligned-timeout"
BASE = aligned
SERIAL = True
COST = "|E| + b"
ANNOUNCE = "announce"
TIMEOUT = "timeout"
PSEUDOCODE = (
    ("on-news", 0),
    ("set-timer", 1),
    ("on-barrier", 0),
    ("block", 1),
    ("if-all-barriers", 1),
    ("announce", 2),
    ("forward-barrier", 2),
    ("record", 2),
    ("unblock", 2),
    ("log-overtaken", 1),
    ("unblock-last", 1),
    ("on-timeout", 0),
    ("turn", 1),
    ("on-record", 0),
    ("copy-record", 1),
    ("on-upload", 0),
    ("ack", 1),
)


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Wait for the barrier on every input until the timer expires; then log what comes before it."""
    if message.kind == APP:
        return _passing(process, ending(memory, channel, message), state, channel, message)
    snapshot = message.snapshot
    assert snapshot is not None
    if message.kind == CONTROL and message.payload != ANNOUNCE:
        return cancelled(process, memory, snapshot)
    if memory.late(snapshot):
        return memory, ()
    if snapshot in memory.cancelled:
        return (memory, ()) if message.kind == CONTROL else refuse(process, memory, snapshot)
    news = snapshot > memory.latest
    memory, before = renew(process, memory, snapshot)
    effects: Iterable[Effect] = (Advance(channel, snapshot),) if memory.logging else ()
    if message.kind != CONTROL:
        memory, effects = _barrier(process, memory, state, channel, message.payload)
    timer: tuple[Effect, ...] = ()
    if news and memory.waiting and not memory.logging:
        timer = (Defer(Todo(TIMEOUT, (snapshot,))), Rule(("on-news", "set-timer")))
    return memory, (*before, *effects, *timer)


def on_wake(process: Process, memory: Memory, state: object, what: Todo) -> Reply[Memory]:
    """Handle the expiry of the timer, or a step of aligned barriers."""
    if what.word != TIMEOUT:
        return aligned.on_wake(process, memory, state, what)
    if what.number != memory.latest or not memory.waiting or memory.logging:
        return memory, ()
    return _turn(process, memory, state, None, ("on-timeout", "turn"))


def accepts(process: Process, memory: Memory, channel: str, message: Message) -> bool:
    """Is the input open? A blocked one lets in only what has overtaken for a later snapshot."""
    if channel not in memory.blocked:
        return True
    overtook = message.payload == ANNOUNCE if message.kind == CONTROL else message.payload is not None
    return message.kind != APP and overtook and (message.snapshot or 0) > memory.latest


def _barrier(
    process: Process, memory: Memory, state: object, channel: str, overtaken: tuple[Message, ...] | None
) -> Reply[Memory]:
    """Handle a barrier of the latest snapshot; ``overtaken`` is None where it has not overtaken."""
    turned: Iterable[Effect] = ()
    if overtaken is not None and not memory.logging:
        memory, turned = _turn(process, memory, state, channel, ("on-barrier", "turn"))
    if memory.logging:
        memory, effects = _close(process, memory, channel, overtaken)
        return memory, (*turned, *effects)
    memory = replace(memory, arrived=(*memory.arrived, channel))
    if missing(process, memory):
        return block(process, memory, channel, ("on-barrier", "block"))
    return _align(process, memory, state, channel)


def _close(process: Process, memory: Memory, channel: str, overtaken: tuple[Message, ...] | None) -> Reply[Memory]:
    """Close an input after the switch. What is blocked waits for the last barrier, and so does what is behind a barrier
    that has kept its place."""
    held = bool(memory.blocked)
    memory, effects = close(process, memory, channel, overtaken or ())
    if memory.waiting and overtaken is None:
        memory, more = block(process, memory, channel, ("block",))
        return memory, (*effects, *more)
    return memory, (*effects, Rule(("unblock-last",))) if held and not memory.waiting else effects


def _align(
    process: Process, memory: Memory, state: object, last: str | None, end: Caught | None = None
) -> Reply[Memory]:
    """Record, announce the barrier and send it on: it has come on every input in time."""
    ahead = [Post(channel, CONTROL, memory.latest, ANNOUNCE, first=True) for channel in process.outputs]
    rule = (*aligned.lines(process, memory), *(("announce",) if ahead else ()))
    return record(process, memory, state, last, (*ahead, *barriers(process, memory.latest)), rule=rule, end=end)


def _turn(process: Process, memory: Memory, state: object, first: str | None, rule: tuple[str, ...]) -> Reply[Memory]:
    """Continue unaligned: record at once, and let the barriers overtake, also those that wait in the inputs."""
    late = missing(process, memory)
    memory, effects = overtake(process, memory, state, first, rule)
    return memory, (*effects, *(Advance(channel, memory.latest) for channel in late))


def _passing(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Log an item or the end of an input, or take the end as the last that was waited for."""
    end = message.payload is END
    if memory.logging:
        return log_end(process, memory, channel, message) if end else log(memory, channel, message)
    if end and memory.waiting and not missing(process, memory):
        return _align(process, memory, state, None, (channel, message))
    return memory, ()
