"""Venkatesan: a repeated snapshot costs only what was used in between.

One process starts all snapshots. The first is Chandy–Lamport's, with a marker on every channel; the sender of the first
marker becomes the parent, the marker back to the parent says so, and that is the spanning tree. Every later snapshot
runs along the tree: ``init_snap`` down, ``snap_completed`` up. Of the other channels only *used* ones carry anything:
those on which their sender has sent since it recorded the snapshot before. They carry ``regular``, and ``ack`` back.

Why this records what Chandy–Lamport records. (1) What a process sends after it recorded must find its receiver
recorded. So some marker has to go ahead of it on the same FIFO channel: to a child that is ``init_snap``, on a used
channel ``regular``, both sent in the step of recording. On any other channel nothing was sent then; before the first
message there a marker goes ahead (``ahead``). That includes the channel to the parent, as long as ``snap_completed``
has not gone there. A process that gets a marker of a newer snapshot than its own records at once. (2) The state of a
channel is what arrives on it between the receiver's recording and the marker. Where no marker comes it is empty:
nothing was sent there between the two recordings, and what was sent earlier has been pushed out by the marker of an
earlier snapshot, which was complete before this one began. (3) The end: a process is done when ``init_snap`` has come,
its ``regular`` are acknowledged and its children are done; then it tells its parent. So when the initiator is done, all
have recorded and everything that was used has been closed. An ``ahead`` needs no answer, for there is nothing in front
of it to wait for.

With n processes, u used channels beside the tree and a channels on which a marker went ahead: n - 1 down, n - 1 up, u
regular, u ack, a ahead. The first snapshot takes |E|.

Notes: those of Chandy–Lamport.

References
----------
S. Venkatesan, "Message-optimal incremental snapshots", ICDCS 1989, 53-60; A. D. Kshemkalyani, M. Singhal, Distributed
Computing, 2008, chapter 4. The first snapshot is that of Chandy and Lamport, ACM TOCS 3(1), 1985.
"""

from immutables import Map
from msgspec import field, structs
from msgspec.structs import replace

from app.algorithms.markers import chandy_lamport
from app.algorithms.shared.pseudocode import reworded, without_lines
from app.core.model.algorithm import Effect, Reply
from app.core.model.notes import Closed, Done, Logged, Opened, Recorded, Rule
from app.core.model.topology import channel_name, source_of, target_of
from app.core.model.value import Value
from app.core.model.values import APP, CONTROL, MARKER, Message, Part, Post, Process

NAME = "venkatesan"
REQUIRES = "fifo"
GRAPH = "both-ways"
SERIAL = True
COST = "2(n - 1) + 2u + a"
PSEUDOCODE = (
    ("tree-first", 0),
    ("on-later", 0),
    ("tree-record", 1),
    ("tree-init", 1),
    ("tree-regular", 1),
    ("on-regular", 0),
    ("tree-close", 1),
    ("tree-ack", 1),
    ("on-send", 0),
    ("tree-ahead", 1),
    ("on-tree-done", 0),
    ("tree-completed", 1),
)


class Table(Value):
    """What a process keeps for one later snapshot: its recorded state, a log for each input, the inputs that a marker
    has closed, how many acks and children it waits for, and whether it waits for its parent."""

    state: object
    logs: "Map[str, tuple[Message, ...]]"
    closed: "Map[str, bool]"
    acks: int
    children: int
    parent: bool
    done: bool = False


class Memory(Value):
    """``version`` is the latest snapshot that the process recorded, 0 before any; ``first`` is Chandy–Lamport's memory
    of the first; ``parent`` and ``children`` are the tree. ``used`` are the outputs on which the program has sent since
    the process recorded, ``marked`` those on which a marker has been sent since."""

    version: int = 0
    first: "Map[int, chandy_lamport.Table]" = field(default_factory=Map)
    later: "Map[int, Table]" = field(default_factory=Map)
    parent: str | None = None
    children: "Map[str, bool]" = field(default_factory=Map)
    used: "Map[str, bool]" = field(default_factory=Map)
    marked: "Map[str, bool]" = field(default_factory=Map)


def start(process: Process) -> Memory:
    """Return a memory with nothing recorded and no tree."""
    return Memory()


def on_initiate(process: Process, memory: Memory, state: object, snapshot: int) -> Reply[Memory]:
    """Start the first snapshot by Chandy–Lamport's rule, a later one along the tree."""
    if not memory.version:
        return _record_first(process, memory, state, snapshot, None)
    return _record(process, memory, state, snapshot, None)


def on_send(process: Process, memory: Memory, channel: str, message: Message) -> Reply[Memory]:
    """Note the channel as used, and send a marker ahead if none has been sent there since the process recorded."""
    if not memory.version:
        return memory, ()
    memory = replace(memory, used=memory.used.set(channel, True))
    if channel in memory.marked:
        return memory, ()
    memory = replace(memory, marked=memory.marked.set(channel, True))
    return memory, (Post(channel, CONTROL, memory.version, "ahead", ahead=True), Rule(("on-send", "tree-ahead")))


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Log a message; obey the markers of the first snapshot, and what later ones say."""
    if message.kind == APP:
        return _log(process, memory, state, channel, message)
    assert message.snapshot is not None
    if message.kind == MARKER:
        return _receive_first(process, memory, state, channel, message)
    if message.snapshot < memory.version:
        return memory, ()  # a marker that went ahead of a message long after its snapshot was complete
    effects: list[Effect] = []
    if message.snapshot > memory.version:
        memory, recording = _record(process, memory, state, message.snapshot, channel)
        effects += recording
    memory, more = _obey(process, memory, channel, message)
    return memory, (*effects, *more)


def result(process: Process, memory: Memory, snapshot: int) -> Part | None:
    """Return the recorded state and the logs, inputs in the scenario's order."""
    table = memory.later.get(snapshot)
    if table is None:
        return chandy_lamport.result(process, memory.first, snapshot)
    channels = tuple((c, table.logs.get(c, ())) for c in process.inputs)
    still = () if table.done else tuple(c for c in process.inputs if c not in table.closed)
    return Part(process.name, table.state, channels, still)


# --- the first snapshot ------------------------------------------------------------------------------------------


def _record_first(process: Process, memory: Memory, state: object, snapshot: int, channel: str | None) -> Reply[Memory]:
    """Record by Chandy–Lamport's rule; the marker to the parent says that its receiver is the parent."""
    tables, effects = chandy_lamport.record(process, memory.first, state, snapshot, channel)
    parent = source_of(channel) if channel else None
    up = channel_name(process.name, parent) if parent else None
    said = (structs.replace(e, payload="child") if isinstance(e, Post) and e.channel == up else e for e in effects)
    marked = Map((c, True) for c in process.outputs)
    return replace(memory, version=snapshot, first=tables, parent=parent, marked=marked), reworded(said, _in_one_line)


def _receive_first(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Handle a marker of the first snapshot."""
    if message.payload == "child":
        memory = replace(memory, children=memory.children.set(source_of(channel), True))
    assert message.snapshot is not None
    if message.snapshot not in memory.first:
        return _record_first(process, memory, state, message.snapshot, channel)
    tables, effects = chandy_lamport.close(process, memory.first, message.snapshot, channel)
    return replace(memory, first=tables), reworded(effects, _in_one_line)


def _in_one_line(lines: tuple[str, ...]) -> tuple[str, ...]:
    return ("tree-first",)


# --- later snapshots ---------------------------------------------------------------------------------------------


def _record(process: Process, memory: Memory, state: object, snapshot: int, channel: str | None) -> Reply[Memory]:
    """Record; tell the children; put ``regular`` on the used channels beside the tree."""
    down = tuple(c for c in process.outputs if target_of(c) in memory.children)
    across = tuple(c for c in process.outputs if not _kin(memory, target_of(c)))
    regular = tuple(c for c in across if c in memory.used)
    table = Table(state, Map(), Map(), len(regular), len(down), memory.parent is not None)
    effects: list[Effect] = [Recorded(snapshot, process.name, state, channel)]
    effects += [Post(c, CONTROL, snapshot, "init-snap") for c in down]
    effects += [Post(c, CONTROL, snapshot, "regular") for c in regular]
    effects += [Opened(snapshot, c) for c in process.inputs if _kin(memory, source_of(c))]
    effects += [Closed(snapshot, c) for c in across if c not in memory.used]
    lines = ("on-later", "tree-record", "tree-init" if down else "", "tree-regular" if regular else "")
    effects.append(Rule(tuple(line for line in lines if line)))
    memory = replace(
        memory,
        version=snapshot,
        later=memory.later.set(snapshot, table),
        used=Map(),
        marked=Map((c, True) for c in (*down, *regular)),
    )
    return _finish(process, memory, snapshot, effects) if channel is None else (memory, effects)


def _obey(process: Process, memory: Memory, channel: str, message: Message) -> Reply[Memory]:
    """Do what a message of the last recorded snapshot requests."""
    snapshot, word = memory.version, message.payload
    table = memory.later.get(snapshot)
    if table is None:
        return memory, ()  # of the first snapshot, from a newcomer to which no marker had to be sent
    effects: list[Effect] = []
    if word == "regular-ack":
        table = replace(table, acks=table.acks - 1)
        effects.append(Rule(("on-tree-done",)))
    else:
        if channel not in table.closed and (word == "regular" or _kin(memory, source_of(channel))):
            effects.append(Closed(snapshot, channel))  # beside the tree, the sender has said so of an unused channel
        table = replace(table, closed=table.closed.set(channel, True))
        effects.append(Rule(("on-regular", "tree-close", *(("tree-ack",) if word == "regular" else ()))))
    if word == "regular":
        effects.append(Post(channel_name(process.name, source_of(channel)), CONTROL, snapshot, "regular-ack"))
    elif word == "init-snap":
        table = replace(table, parent=False)
    elif word == "snap-completed":
        table = replace(table, children=table.children - 1)
    memory = replace(memory, later=memory.later.set(snapshot, table))
    return _finish(process, memory, snapshot, effects)


def _finish(process: Process, memory: Memory, snapshot: int, effects: list[Effect]) -> Reply[Memory]:
    """End the snapshot here and tell the parent, once nothing is waited for any more."""
    table = memory.later[snapshot]
    if table.done or table.acks or table.children or table.parent:
        return memory, effects
    memory = replace(memory, later=memory.later.set(snapshot, replace(table, done=True)))
    if memory.parent is not None:
        up = channel_name(process.name, memory.parent)
        memory = replace(memory, marked=memory.marked.set(up, True))
        effects += [Post(up, CONTROL, snapshot, "snap-completed"), Rule(("on-tree-done", "tree-completed"))]
    return memory, [*effects, Done(snapshot, process.name)]


def _log(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Copy a message that comes before the marker of its channel."""
    tables, effects = chandy_lamport.on_receive(process, memory.first, state, channel, message)
    found = without_lines(effects)
    memory = replace(memory, first=tables) if tables is not memory.first else memory
    table = memory.later.get(memory.version)
    if table is None or channel in table.closed:
        return memory, found
    if not _kin(memory, source_of(channel)) and channel not in table.logs:
        found.append(Opened(memory.version, channel))
    logs = table.logs.set(channel, (*table.logs.get(channel, ()), message))
    found.append(Logged(memory.version, channel, message))
    return replace(memory, later=memory.later.set(memory.version, replace(table, logs=logs))), found


def _kin(memory: Memory, name: str) -> bool:
    return name == memory.parent or name in memory.children
