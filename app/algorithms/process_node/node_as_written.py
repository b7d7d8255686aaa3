"""ProcessNode as a reader's note writes it: the marker is forwarded each time, and that is only the first mistake.

The note has one object per process, with a queue, a flag, and a loop that never ends. ``send_message`` puts a message
into the queue of another process. The loop polls its own queue, and while that is empty, the process works and adds to
its state. A ``maker`` (a marker) sets the flag, is put into the queue of all others, and then the state is kept.
Anything else is appended to the state, and a marker goes to every other process whose flag is set. Four things are
wrong with it; the modules ``node_guarded``, ``node_record_first``, ``node_data_silent`` and ``node_channels`` each
remove one of them, in this order, and the last one is right.

1. The code does not ask whether a marker was seen before, so each breeds new ones: a storm that never ends.
2. The markers leave before the state is kept. Something may happen in between, so keeping it is a step of its own here.
3. Messages of the program make markers, and change the snapshot: it is the same list as the state, so what arrives
   afterwards is in it too (see ``Fold``), and so is the work of idle times.
4. What is in a channel is not written down; with one queue for everything, the channel is not even known.

What cannot be modelled: a process reads the flags of others. They are processes of the operating system, each with its
own copy of every object, so a flag that another one sets is never seen. Here a process learns a flag at the earliest
possible moment: when a marker from its owner has arrived. Where the note says "all others", this means all processes
that a channel leads to. The note knows one snapshot; here each has its own flag.

Notes: Recorded, Deferred, Folded, Done, Rule.

References
----------
K. M. Chandy, L. Lamport, "Distributed Snapshots", ACM TOCS 3(1), 1985, section 3.2: the two rules that the code misses.
"""

from typing import Any, TypeAlias

from immutables import Map
from msgspec.structs import replace

from app.core.model.algorithm import Effect, Reply
from app.core.model.notes import Done, Folded, Recorded, Rule
from app.core.model.topology import source_of, target_of
from app.core.model.value import Value
from app.core.model.values import MARKER, Defer, Fold, Message, Part, Post, Process, Todo

NAME = "node-as-written"
REQUIRES = "fifo"
MARKERS = True
COST = "∞"
WRONG: str | None = "node-makers"
PSEUDOCODE = (
    ("node-send", 0),
    ("node-put", 1),
    ("node-start", 0),
    ("node-self-maker", 1),
    ("node-run", 0),
    ("node-loop", 1),
    ("node-if-idle", 2),
    ("node-work", 3),
    ("node-continue", 3),
    ("node-get", 2),
    ("node-if-maker", 2),
    ("node-flag", 3),
    ("node-makers", 3),
    ("node-alias", 3),
    ("node-else", 2),
    ("node-append", 3),
    ("node-makers-to-flagged", 3),
)


class Copy(Value):
    """What a process with a set flag keeps of a snapshot: its state, once it is kept; what changed it afterwards; the
    processes whose flags it knows to be set; and whether it has yet to keep its state."""

    state: object
    kept: bool
    folded: tuple[tuple[str, Message], ...]
    flags: tuple[str, ...]
    waits: bool


Memory: TypeAlias = "Map[int, Copy]"
"""What a process keeps of each snapshot, by its number."""


def start(process: Process) -> Memory:
    """Return a memory with no flag set."""
    return Map()


def on_initiate(process: Process, memory: Memory, state: object, snapshot: int) -> Reply[Memory]:
    """Send a marker to oneself."""
    memory, effects = marked(process, memory, snapshot, None)
    return memory, (*effects, Rule(("node-start", "node-self-maker", *LINES)))


def on_send(process: Process, memory: Memory, channel: str, message: Message) -> Reply[Memory]:
    """Name the lines by which the program sends."""
    return memory, (Rule(("node-send", "node-put")),)


def on_change(process: Process, memory: Memory, state: object) -> Reply[Memory]:
    """Name the lines by which an idle process works; the state is the snapshot's too, so the snapshot changes with
    it."""
    effects: list[Effect] = []
    for snapshot in sorted(memory):
        if memory[snapshot].kept:
            memory = memory.set(snapshot, replace(memory[snapshot], state=state, folded=()))
            effects.append(Folded(snapshot, process.name, state))
    return memory, (*effects, Rule(IDLE))


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Forward every marker; let a message make markers, and change the snapshot."""
    if message.snapshot is None:
        return data(process, memory, channel, message)
    memory, effects = marked(process, memory, message.snapshot, channel)
    return memory, (*effects, Rule(("node-get", "node-if-maker", *LINES)))


def on_wake(process: Process, memory: Memory, state: object, what: Todo) -> Reply[Memory]:
    """Keep the state as it is by now."""
    snapshot = what.number
    copy = memory[snapshot]
    effects: list[Effect] = [Recorded(snapshot, process.name, state, None), Rule(("node-alias",))]
    if not copy.kept:
        effects.append(Done(snapshot, process.name))
    return memory.set(snapshot, replace(copy, state=state, kept=True, folded=(), waits=False)), effects


def result(process: Process, memory: Memory, snapshot: int) -> Part | None:
    """Return the state that was kept, with what changed it since; every channel is claimed to be empty."""
    copy = memory.get(snapshot)
    if copy is None or not copy.kept:
        return None
    return Part(process.name, copy.state, tuple((c, ()) for c in process.inputs), (), folded=copy.folded)


LINES = ("node-flag", "node-makers")
IDLE = ("node-if-idle", "node-work", "node-continue")


def marked(process: Process, memory: Memory, snapshot: int, channel: str | None) -> tuple[Any, list[Effect]]:
    """Set the flag, send markers to all others, and defer keeping the state."""
    copy = memory.get(snapshot, Copy(None, False, (), (), False))
    effects: list[Effect] = [] if copy.waits else [Defer(Todo("node-record", (snapshot,)))]
    effects += markers(process, snapshot)
    return memory.set(snapshot, flagged(replace(copy, waits=True), channel)), effects


def markers(process: Process, snapshot: int) -> tuple[Post, ...]:
    """Return one marker for every output."""
    return tuple(Post(channel, MARKER, snapshot) for channel in process.outputs)


def flagged(copy: Copy, channel: str | None) -> Copy:
    """Set the flag of the sender, from whose ``channel`` a marker has come."""
    sender = source_of(channel) if channel else None
    return replace(copy, flags=(*copy.flags, sender)) if sender and sender not in copy.flags else copy


def data(process: Process, memory: Memory, channel: str, message: Message) -> Reply[Memory]:
    """Add the message to the state, which is the snapshot's too, and let flags make markers."""
    effects: list[Effect] = []
    for snapshot in sorted(memory):
        copy = memory[snapshot]
        if copy.kept:
            memory = memory.set(snapshot, replace(copy, folded=(*copy.folded, (channel, message))))
            effects.append(Fold(snapshot, channel, message))
        flagged_ones = (c for c in process.outputs if target_of(c) in copy.flags)
        effects += [Post(c, MARKER, snapshot) for c in flagged_ones]
    return memory, (*effects, Rule(("node-get", "node-else", "node-append", "node-makers-to-flagged")))
