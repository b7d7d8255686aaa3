"""Aligned barriers: an input whose barrier has come waits for the barriers of all the others.

The coordinator starts a snapshot and sends its barrier to the sources. A process that has the barrier on one input
takes nothing more from there: the input is blocked. When the barrier has come on every input, the process records its
state, sends the barrier on every output and takes from all inputs again. So its state is the effect of exactly the
items before the barriers, and no channel has anything to record: what waits in a blocked input comes after the cut.

Recording is a copy; storing it is another, deferred step, while items are processed. Then the process acknowledges to
the coordinator. The snapshot is complete when all processes have, not only the sinks.

Several snapshots may be in progress. A barrier of a later one on an input that is not blocked means that the barrier of
the earlier one will never come there: the earlier snapshot is aborted, and a cancellation goes out in place of its
barrier. A process that gets a cancellation aborts the snapshot, too. An input that has ended counts as if its barrier
had come.

On a graph with a loop this never ends: a process in the loop waits for a barrier that only it can send on its way.

Notes: Recorded, Closed, Blocked, Unblocked, Acked, Done, Rule.

References
----------
P. Carbone, G. Fóra, S. Ewen, S. Haridi, K. Tzoumas, "Lightweight Asynchronous Snapshots for Distributed Dataflows",
arXiv:1506.08603, 2015, section 4.2, Algorithm 1. Apache Flink, SingleCheckpointBarrierHandler (subsumption,
cancellation, end of partition), and FLIP-147, 2021 (snapshots after tasks have finished). The barrier is the marker of
K. M. Chandy, L. Lamport, ACM TOCS 3(1), 1985, made for dataflow.
"""

from msgspec.structs import replace

from app.algorithms.shared.barriers import (
    Caught,
    M,
    Memory,
    Taken,
    barriers,
    block,
    cancelled,
    ending,
    forgo,
    missing,
    record,
    refuse,
    renew,
)
from app.core.model.algorithm import Effect, Recovery, Reply
from app.core.model.notes import Acked, Done, Recorded, Rule
from app.core.model.values import ABORT, APP, CONTROL, END, Message, Part, Process, Todo

NAME = "aligned"
REQUIRES = "fifo"
GRAPH = "rooted"
COORDINATED = True
COLLECTS = True
MARKERS = True
RECOVERY = Recovery("rollback")
PROMISE: str | None = "exactly-once"
COST = "|E|"
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


def start(process: Process) -> Memory:
    """Return a memory with nothing seen."""
    return Memory()


def on_initiate(process: Process, memory: M, state: object, snapshot: int) -> Reply[M]:
    """Send the barrier; the coordinator has nothing to record."""
    effects: tuple[Effect, ...] = (
        Recorded(snapshot, process.name, state, None),
        *barriers(process, snapshot),
        Done(snapshot, process.name),
    )
    return replace(memory, latest=snapshot, over=snapshot, taken=memory.taken.set(snapshot, Taken(state))), effects


def on_receive(process: Process, memory: M, state: object, channel: str, message: Message) -> Reply[M]:
    """Wait for the barrier on every input; ignore items."""
    if message.kind == APP:
        if message.payload is not END:
            return memory, ()
        return ended(process, ending(memory, channel, message), state, (channel, message))
    assert message.snapshot is not None
    if message.kind == CONTROL:
        return cancelled(process, memory, message.snapshot)
    return _barrier(process, memory, state, channel, message.snapshot)


def on_wake(process: Process, memory: M, state: object, what: Todo) -> Reply[M]:
    """Acknowledge a stored copy, or abort a snapshot as the coordinator has done."""
    if what.word == ABORT:
        return forgo(process, memory, what.number)
    return memory, (Acked(what.number, process.name), Rule(("on-upload", "ack")), Done(what.number, process.name))


def accepts(process: Process, memory: Memory, channel: str, message: Message) -> bool:
    """Is the input open? One whose barrier has come is blocked."""
    return channel not in memory.blocked


def result(process: Process, memory: Memory, snapshot: int) -> Part | None:
    """Return the recorded state, and what was logged of each input, in the scenario's order."""
    taken = memory.taken.get(snapshot)
    if taken is None:
        return None
    channels = tuple((c, taken.logs.get(c, ())) for c in process.inputs)
    return Part(process.name, taken.state, channels, taken.open)


def _barrier(process: Process, memory: M, state: object, channel: str, snapshot: int) -> Reply[M]:
    if memory.late(snapshot):
        return memory, ()
    if snapshot in memory.cancelled:
        return refuse(process, memory, snapshot)
    memory, before = renew(process, memory, snapshot)
    memory = replace(memory, arrived=(*memory.arrived, channel))
    if missing(process, memory):
        memory, effects = block(process, memory, channel, ("on-barrier", "block"))
    else:
        memory, effects = align(process, memory, state, channel)
    return memory, (*before, *effects)


def align(process: Process, memory: M, state: object, last: str | None, end: Caught | None = None) -> Reply[M]:
    """Record and send the barrier on: it has come on every input."""
    posts = barriers(process, memory.latest)
    return record(process, memory, state, last, posts, rule=lines(process, memory), end=end)


def lines(process: Process, memory: Memory) -> tuple[str, ...]:
    """Return the lines of the pseudocode that recording executes."""
    skip = set() if process.outputs else {"forward-barrier"}
    skip |= set() if memory.blocked else {"unblock"}
    found = ("on-barrier", "if-all-barriers", "forward-barrier", "record", "unblock")
    return tuple(line for line in found if line not in skip)


def ended(process: Process, memory: M, state: object, end: Caught) -> Reply[M]:
    """Handle the end of an input: its barrier is not waited for."""
    if memory.waiting and not missing(process, memory):
        return align(process, memory, state, None, end)
    return memory, ()
