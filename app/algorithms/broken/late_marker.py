"""Chandy–Lamport, broken: the markers leave after the next message instead of before it.

A process records, but defers its markers. If its program sends meanwhile, that message is outside the sender's recorded
state and yet arrives before the marker: the receiver counts it as inside. An orphan.

Notes: those of Chandy–Lamport, and Deferred.

References
----------
K. M. Chandy, L. Lamport, ACM TOCS 3(1), 1985, section 3.2: the marker is sent after the state is recorded and
before any further message on the channel; this module drops the second half.
"""

from collections.abc import Iterable, Iterator

from app.algorithms.markers import chandy_lamport
from app.algorithms.markers.chandy_lamport import Memory
from app.core.model.algorithm import Effect, Reply
from app.core.model.notes import Rule
from app.core.model.values import MARKER, Defer, Message, Post, Process, Todo

NAME = "late-marker"
BASE = chandy_lamport
PROMISE: str | None = None
WRONG: str | None = "send"


def on_initiate(process: Process, memory: Memory, state: object, snapshot: int) -> Reply[Memory]:
    """Record now, but let the markers wait."""
    return _put_off(snapshot, chandy_lamport.on_initiate(process, memory, state, snapshot))


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Do as Chandy–Lamport does, but let the markers wait."""
    reply = chandy_lamport.on_receive(process, memory, state, channel, message)
    return _put_off(message.snapshot, reply)


def on_wake(process: Process, memory: Memory, state: object, what: Todo) -> Reply[Memory]:
    """Send the deferred markers."""
    snapshot = what.number
    effects: list[Effect] = [Post(channel, MARKER, snapshot) for channel in process.outputs]
    return memory, [*effects, Rule(("send",))]


def _put_off(snapshot: int | None, reply: Reply[Memory]) -> Reply[Memory]:
    """Return the same reply with its markers replaced by one step to take later."""
    memory, effects = reply
    return memory, tuple(_without_markers(effects, snapshot))


def _without_markers(effects: Iterable[Effect], snapshot: int | None) -> Iterator[Effect]:
    """Yield the effects, with one Defer where the first marker would have been sent."""
    waiting = False
    for effect in effects:
        match effect:
            case Rule(lines):
                yield Rule(tuple(line for line in lines if line not in ("send", "start-send")))
            case Post():
                if not waiting and snapshot is not None:
                    waiting = True
                    yield Defer(Todo("markers", (snapshot,)))
            case _:
                yield effect
