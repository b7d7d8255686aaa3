"""What most algorithms do in most handlers: nothing. A module defines only what differs."""

from typing import Any

from app.core.algorithm import Reply
from app.core.model import Message, Process

GRAPH = "any"
LABELLED = True
SERIAL = False
FLOODS = True
ALONE = False
MARKERS = False
PAUSES = False
COLLECTS = False
SETTLED = False
COORDINATED = False
RECOVERY = "none"
PROMISE: str | None = None
ITEMWISE = False
ASKED: tuple[str, ...] = ()
LOGS = False
BATCHES = False
MAPS = False
PATIENT: tuple[str, ...] = ()
PRIVATE = False
SNAPSHOTS = True
REPEATS = False
TIMERS: tuple[str, ...] = ()
WRONG: str | None = None


def carries(process: Process, memory: Any, channel: str) -> Any:
    """Return None: application messages carry nothing."""
    return None


def on_send(process: Process, memory: Any, channel: str, message: Message) -> Reply:
    """Do nothing when the program sends."""
    return memory, ()


def on_change(process: Process, memory: Any, state: Any) -> Reply:
    """Do nothing when the program changes its own state."""
    return memory, ()


def on_told(process: Process, memory: Any, state: Any, source: str, snapshot: int | None, word: Any) -> Reply:
    """Do nothing: no process tells anything."""
    return memory, ()


def on_wake(process: Process, memory: Any, state: Any, what: str) -> Reply:
    """Do nothing: no step is ever deferred."""
    return memory, ()


def on_gone(process: Process, memory: Any, state: Any, gone: str) -> Reply:
    """Ignore the crash of a neighbour."""
    return memory, ()


def survives(process: Process, lost: Any, memory: Any) -> Any:
    """Return only what was saved."""
    return memory


def on_return(process: Process, memory: Any, state: Any, saved: int) -> Reply:
    """Do nothing more after a return."""
    return memory, ()


def allows(process: Process, memory: Any, channel: str | None) -> bool:
    """Return True: the program is never paused."""
    return True


def accepts(process: Process, memory: Any, channel: str, message: Message) -> bool:
    """Return True: no message is ever held back."""
    return True
