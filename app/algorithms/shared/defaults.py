"""What most algorithms do in most handlers: nothing. A module defines only what differs."""

from app.core.model.algorithm import Flow, Kind, M, Recovery, Reply
from app.core.model.values import Message, Process, Todo

GRAPH = "any"
LABELLED = True
SERIAL = False
KIND = Kind.FLOOD
MARKERS = False
COLLECTS = False
MENDS = False
SETTLED = False
COORDINATED = False
RECOVERY = Recovery()
PROMISE: str | None = None
DATAFLOW = Flow()
WRONG: str | None = None


def carries(process: Process, memory: object, channel: str) -> None:
    """Return None: application messages carry nothing."""
    return


def on_send(process: Process, memory: M, channel: str, message: Message) -> Reply[M]:
    """Do nothing when the program sends."""
    return memory, ()


def on_change(process: Process, memory: M, state: object) -> Reply[M]:
    """Do nothing when the program changes its own state."""
    return memory, ()


def on_told(process: Process, memory: M, state: object, source: str, snapshot: int | None, word: object) -> Reply[M]:
    """Do nothing: no process tells anything."""
    return memory, ()


def on_wake(process: Process, memory: M, state: object, what: Todo) -> Reply[M]:
    """Do nothing: no step is ever deferred."""
    return memory, ()


def offers(process: Process, memory: object, snapshots: tuple[int, ...]) -> tuple[Todo, ...]:
    """Return no steps: whatever a process does follows from something else."""
    return ()


def on_gone(process: Process, memory: M, state: object, gone: str) -> Reply[M]:
    """Ignore the crash of a neighbour."""
    return memory, ()


def survives(process: Process, lost: M, memory: M) -> M:
    """Return only what was saved."""
    return memory


def on_return(process: Process, memory: M, state: object, saved: int) -> Reply[M]:
    """Do nothing more after a return."""
    return memory, ()


def allows(process: Process, memory: object, channel: str | None) -> bool:
    """Return True: the program is never paused."""
    return True


def accepts(process: Process, memory: object, channel: str, message: Message) -> bool:
    """Return True: no message is ever held back."""
    return True
