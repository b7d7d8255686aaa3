"""Aligned barriers: an input that has said "now" waits until all the others have.

The coordinator starts a snapshot and sends its barrier to the sources. Whoever has the barrier on one input takes
nothing more from there: the input is blocked. When the barrier has come on every input, the process records its state,
sends the barrier on every output and takes from all inputs again. So its state is the effect of exactly the records
before the barriers, and no channel has anything to record: what waits in a blocked input is on the later side.

Recording is a copy; storing it is another step, put off, while records are processed. Then the process acknowledges to
the coordinator. The snapshot is complete when everybody has, not only the sinks.

Several snapshots may be under way. A barrier of a later one on an input that is not blocked means that the earlier one
will never come there: it is given up. So it is when a cancellation comes instead of the barrier. An input that has
ended counts as if its barrier had come.

Notes: Recorded, Closed, Blocked, Unblocked, Acked, Done, Rule.

References
----------
P. Carbone, G. Fora, S. Ewen, S. Haridi, K. Tzoumas, "Lightweight Asynchronous Snapshots for Distributed Dataflows",
arXiv:1506.08603, 2015, section 4.2, Algorithm 1. Apache Flink, SingleCheckpointBarrierHandler (subsumption,
cancellation, end of partition), and FLIP-147 (snapshots after tasks have finished).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from immutables import Map

from app.core.algorithm import Effect, Reply
from app.core.model import ABORT, APP, CONTROL, END, MARKER, Abort, Defer, Message, Part, Post, Process
from app.core.notes import Acked, Blocked, Closed, Done, Recorded, Rule, Unblocked

NAME = "aligned"
REQUIRES = "fifo"
GRAPH = "rooted"
COORDINATED = True
COLLECTS = True
MARKERS = True
RECOVERY = "rollback"
COST = "|E|"
CANCEL = "cancel"
UPLOAD = "upload"
PSEUDOCODE = (
    ("on-barrier", 0),
    ("block", 1),
    ("if-all-barriers", 1),
    ("forward-barrier", 2),
    ("record", 2),
    ("unblock", 2),
    ("on-upload", 0),
    ("ack", 1),
)


@dataclass(frozen=True, slots=True)
class Memory:
    """What a process knows. ``latest`` is the last snapshot that it has seen anything of; ``arrived`` are the inputs on
    which its barrier has come, none where it is over here; ``ended`` the inputs that have ended. ``states`` is what was
    recorded, ``cancelled`` what will never be."""

    latest: int = 0
    arrived: tuple[str, ...] = ()
    ended: tuple[str, ...] = ()
    states: "Map[int, Any]" = Map()  # noqa: RUF009 (it never changes)
    cancelled: tuple[int, ...] = ()


def start(process: Process) -> Memory:
    """Nothing seen."""
    return Memory()


def on_initiate(process: Process, memory: Memory, state: Any, snapshot: int) -> Reply:
    """The coordinator has nothing to record: it sends the barrier."""
    effects: tuple[Effect, ...] = (
        Recorded(snapshot, process.name, state, None),
        *(Post(channel, MARKER, snapshot) for channel in process.outputs),
        Rule(("forward-barrier",)),
        Done(snapshot, process.name),
    )
    return replace(memory, latest=snapshot, states=memory.states.set(snapshot, state)), effects


def on_receive(process: Process, memory: Memory, state: Any, channel: str, message: Message) -> Reply:
    """Wait for the barrier on every input; a record is not looked at."""
    if message.kind == APP:
        return ended(process, memory, state, channel) if message.payload is END else (memory, ())
    assert message.snapshot is not None
    if message.kind == CONTROL:
        return cancelled(process, memory, message.snapshot)
    return barrier(process, memory, state, channel, message.snapshot)


def on_wake(process: Process, memory: Memory, state: Any, what: str) -> Reply:
    """The copy has been stored, or the coordinator has given a snapshot up."""
    word, _, number = what.partition(" ")
    if word == ABORT:
        return forgo(process, memory, int(number))
    return memory, (Acked(int(number), process.name), Rule(("on-upload", "ack")), Done(int(number), process.name))


def accepts(process: Process, memory: Memory, channel: str, message: Message) -> bool:
    """An input whose barrier has come is blocked."""
    return channel not in memory.arrived


def result(process: Process, memory: Memory, snapshot: int) -> Part | None:
    """The recorded state; every input is empty."""
    if snapshot not in memory.states:
        return None
    return Part(process.name, memory.states[snapshot], tuple((c, ()) for c in process.inputs), ())


# --- what a barrier does ------------------------------------------------------------------------------------------


def barrier(process: Process, memory: Memory, state: Any, channel: str, snapshot: int) -> Reply:
    """The barrier of ``snapshot`` has come on ``channel``."""
    if snapshot < memory.latest or (snapshot == memory.latest and not memory.arrived):
        return memory, ()  # late: that snapshot is over here
    if snapshot in memory.cancelled:
        cancel = tuple(Post(c, CONTROL, snapshot, CANCEL) for c in process.outputs)
        return replace(memory, latest=snapshot, arrived=()), (*released(process, memory), *cancel)
    memory, before = renew(process, memory, snapshot)
    memory = replace(memory, arrived=(*memory.arrived, channel))
    if waits(process, memory):
        return memory, (*before, Blocked(snapshot, process.name, channel), Rule(("on-barrier", "block")))
    memory, effects = record(process, memory, state, channel)
    return memory, (*before, *effects)


def renew(process: Process, memory: Memory, snapshot: int) -> tuple[Memory, tuple[Effect, ...]]:
    """A new snapshot subsumes the one that is waited for."""
    if snapshot == memory.latest:
        return memory, ()
    effects: tuple[Effect, ...] = ()
    if memory.arrived:
        effects = (*released(process, memory), Abort(memory.latest))
    return replace(memory, latest=snapshot, arrived=()), effects


def waits(process: Process, memory: Memory) -> bool:
    """Is there an input on which the barrier can still come?"""
    return any(c not in memory.arrived and c not in memory.ended for c in process.inputs)


def record(process: Process, memory: Memory, state: Any, last: str | None) -> Reply:
    """The barrier has come on every input: record, send it on, and take from all inputs again."""
    snapshot = memory.latest
    effects: tuple[Effect, ...] = (
        Recorded(snapshot, process.name, state, last),
        *(Closed(snapshot, channel) for channel in process.inputs),
        *(Post(channel, MARKER, snapshot) for channel in process.outputs),
        *released(process, memory, last),
        Defer(f"{UPLOAD} {snapshot}"),
        Rule(lines(process, memory, last)),
    )
    return replace(memory, arrived=(), states=memory.states.set(snapshot, state)), effects


def lines(process: Process, memory: Memory, last: str | None) -> tuple[str, ...]:
    """Which lines of the pseudocode recording executes."""
    skip = set() if process.outputs else {"forward-barrier"}
    skip |= set() if any(c != last for c in memory.arrived) else {"unblock"}
    found = ("on-barrier", "if-all-barriers", "forward-barrier", "record", "unblock")
    return tuple(line for line in found if line not in skip)


def released(process: Process, memory: Memory, last: str | None = None) -> Iterator[Unblocked]:
    """Whatever was blocked is no longer; the ``last`` one has never been."""
    return (Unblocked(memory.latest, process.name, channel) for channel in memory.arrived if channel != last)


def cancelled(process: Process, memory: Memory, snapshot: int) -> Reply:
    """A cancellation came instead of the barrier: nobody behind here waits for it either."""
    if snapshot < memory.latest or (snapshot == memory.latest and not memory.arrived):
        return memory, ()
    before = memory
    memory = replace(memory, latest=snapshot, arrived=())
    return memory, (
        *released(process, before),
        Abort(snapshot),
        *(Post(channel, CONTROL, snapshot, CANCEL) for channel in process.outputs),
    )


def forgo(process: Process, memory: Memory, snapshot: int) -> Reply:
    """The coordinator has given ``snapshot`` up: nothing is blocked for it any more, and its barrier will be met by a
    cancellation."""
    if snapshot in memory.states or snapshot < memory.latest:
        return memory, ()
    before = memory if memory.latest == snapshot else replace(memory, arrived=())
    memory = replace(memory, cancelled=(*memory.cancelled, snapshot))
    if before.arrived:
        return replace(memory, arrived=()), tuple(released(process, before))
    return memory, ()


def ended(process: Process, memory: Memory, state: Any, channel: str) -> Reply:
    """An input has ended: nobody need wait for its barrier."""
    memory = replace(memory, ended=(*memory.ended, channel))
    if memory.arrived and not waits(process, memory):
        return record(process, memory, state, None)
    return memory, ()
