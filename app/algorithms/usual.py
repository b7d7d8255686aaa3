"""What most algorithms are like, and do in most handlers: nothing. A module gives only what it does otherwise."""

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
    """Application messages take nothing along."""
    return None


def on_send(process: Process, memory: Any, channel: str, message: Message) -> Reply:
    """Nothing happens when the program sends."""
    return memory, ()


def on_told(process: Process, memory: Any, state: Any, source: str, snapshot: int | None, word: Any) -> Reply:
    """Nobody is told anything."""
    return memory, ()


def on_wake(process: Process, memory: Any, state: Any, what: str) -> Reply:
    """Nothing is ever put off."""
    return memory, ()


def on_gone(process: Process, memory: Any, state: Any, gone: str) -> Reply:
    """Nobody notices that a neighbour has crashed."""
    return memory, ()


def survives(process: Process, lost: Any, memory: Any) -> Any:
    """Nothing but what was saved."""
    return memory


def on_return(process: Process, memory: Any, state: Any, saved: int) -> Reply:
    """Nothing more is to do after coming back."""
    return memory, ()


def allows(process: Process, memory: Any, channel: str | None) -> bool:
    """The program is never held up."""
    return True


def accepts(process: Process, memory: Any, channel: str, message: Message) -> bool:
    """Nothing is ever held back."""
    return True
