"""Stop the world: all processes pause until all have recorded, so that no channel has anything to record.

A coordinator starts by pausing: its program may do nothing any more, and it puts a pause message on each of its
outputs. A process that receives its first pause does the same. Channels are FIFO, so nothing follows a pause: a process
that has a pause from every input has received all that was ever sent to it. It records, with every input empty, and
tells the coordinator. When all have recorded, the coordinator tells them to resume.

No process resumes by itself right after recording: what it would send could reach a process that still waits for a
pause on another input, and would be in the recorded state there.

The coordinator counts the processes that have recorded, so none joins while the world is being stopped.

Programs that receive only in some of their states can block this forever: paused, they do not reach another state.

Notes: Paused, Recorded, Closed, Done, Resumed, Rule.

References
----------
K. M. Chandy, L. Lamport, "Distributed Snapshots: Determining Global States of Distributed Systems", ACM TOCS 3(1),
1985, section 1 (the snapshot must run concurrently with, and not alter, the underlying computation: this one does).
"""

from immutables import Map
from msgspec.structs import replace

from app.core.model.algorithm import Effect, Reply
from app.core.model.notes import Closed, Done, Paused, Recorded, Resumed, Rule
from app.core.model.value import Value
from app.core.model.values import CONTROL, Message, Part, Post, Process, Tell

NAME = "stop-the-world"
REQUIRES = "fifo"
GRAPH = "strong"
SETTLED = True
COST = "|E| + 2(n - 1)"
PSEUDOCODE = (
    ("on-start", 0),
    ("pause", 1),
    ("on-pause", 0),
    ("if-running", 1),
    ("pause-too", 2),
    ("if-drained", 1),
    ("record-drained", 2),
    ("tell-drained", 2),
    ("on-all-drained", 0),
    ("resume", 1),
)


class Halt(Value):
    """One snapshot at one process: its coordinator, the inputs from which no pause has come, the state once recorded.

    ``missing`` counts, at the coordinator, the processes that have not recorded; ``over`` says that the process may
    resume.
    """

    coordinator: str
    undrained: tuple[str, ...]
    missing: int = 0
    recorded: bool = False
    state: object = None
    over: bool = False


Memory = Map[int, Halt]


def start(process: Process) -> Memory:
    """Return the memory of a running process."""
    return Map()


def on_initiate(process: Process, memory: Memory, state: object, snapshot: int) -> Reply[Memory]:
    """Pause, and tell the neighbours to."""
    halt = Halt(process.name, process.inputs, len(process.members))
    return _pause(process, memory, state, snapshot, halt, ("on-start", "pause"))


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Obey a pause; an application message is processed as always."""
    snapshot = message.snapshot
    if message.kind != CONTROL or snapshot is None:
        return memory, ()
    if (halt := memory.get(snapshot)) is None:
        halt = Halt(message.payload[1], tuple(c for c in process.inputs if c != channel))
        return _pause(process, memory, state, snapshot, halt, ("on-pause", "if-running", "pause-too"))
    halt = replace(halt, undrained=tuple(c for c in halt.undrained if c != channel))
    memory, effects = _drained(process, memory.set(snapshot, halt), state, snapshot)
    return memory, [Rule(("on-pause",)), *effects]


def on_told(
    process: Process, memory: Memory, state: object, source: str, snapshot: int | None, word: object
) -> Reply[Memory]:
    """Count, at the coordinator, a process that has recorded; elsewhere, resume."""
    if snapshot is None or snapshot not in memory:
        return memory, ()
    if word == "resume":
        return _resume(process, memory, snapshot)
    return _counted(process, memory, snapshot)


def allows(process: Process, memory: Memory, channel: str | None) -> bool:
    """May the program act? Only while no snapshot pauses it."""
    return not _held(memory)


def result(process: Process, memory: Memory, snapshot: int) -> Part | None:
    """Return the recorded state; every input channel is empty."""
    halt = memory.get(snapshot)
    if halt is None or not halt.recorded:
        return None
    return Part(process.name, halt.state, tuple((c, ()) for c in process.inputs), ())


def _held(memory: Memory) -> bool:
    """Is there a snapshot for which the process is paused?"""
    return any(not halt.over for halt in memory.values())


def _pause(
    process: Process, memory: Memory, state: object, snapshot: int, halt: Halt, lines: tuple[str, ...]
) -> Reply[Memory]:
    """Stop the program and put a pause on every output; record at once where nothing more can arrive."""
    effects: list[Effect] = [] if _held(memory) else [Paused(process.name)]
    effects += [Post(channel, CONTROL, snapshot, ("pause", halt.coordinator)) for channel in process.outputs]
    memory, more = _drained(process, memory.set(snapshot, halt), state, snapshot)
    return memory, [*effects, Rule(lines), *more]


def _drained(process: Process, memory: Memory, state: object, snapshot: int) -> Reply[Memory]:
    """Record and tell the coordinator once every input has brought its pause."""
    halt = memory[snapshot]
    if halt.undrained or halt.recorded:
        return memory, ()
    memory = memory.set(snapshot, replace(halt, recorded=True, state=state))
    effects: list[Effect] = [Recorded(snapshot, process.name, state, None)]
    effects += [Closed(snapshot, channel) for channel in process.inputs]
    effects += [Rule(("if-drained", "record-drained", "tell-drained")), Done(snapshot, process.name)]
    if process.name != halt.coordinator:
        return memory, [*effects, Tell(halt.coordinator, snapshot, "drained")]
    memory, more = _counted(process, memory, snapshot)
    return memory, [*effects, *more]


def _counted(process: Process, memory: Memory, snapshot: int) -> Reply[Memory]:
    """Count, at the coordinator, one more that has recorded; after the last, let all processes resume."""
    halt = replace(memory[snapshot], missing=memory[snapshot].missing - 1)
    memory = memory.set(snapshot, halt)
    if halt.missing:
        return memory, ()
    memory, effects = _resume(process, memory, snapshot)
    told = [Tell(name, snapshot, "resume") for name in process.others]
    return memory, [Rule(("on-all-drained", "resume")), *effects, *told]


def _resume(process: Process, memory: Memory, snapshot: int) -> Reply[Memory]:
    memory = memory.set(snapshot, replace(memory[snapshot], over=True))
    return memory, () if _held(memory) else (Resumed(process.name),)
