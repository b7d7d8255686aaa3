"""Chandy–Lamport, broken: the markers leave after the next message instead of before it.

A process records, but defers its markers. If its program sends meanwhile, that message is outside the sender's recorded
state and yet arrives before the marker: the receiver counts it as inside. An orphan.

Notes: those of Chandy–Lamport, and Deferred.

References
----------
K. M. Chandy, L. Lamport, ACM TOCS 3(1), 1985, section 3.2: the marker is sent "after recording and before sending
further messages"; this module drops the second half.
"""

from collections.abc import Iterator
from typing import Any

from immutables import Map

from app.algorithms import chandy_lamport
from app.algorithms.chandy_lamport import Table
from app.core.algorithm import Effect, Reply
from app.core.model import MARKER, Defer, Message, Post, Process
from app.core.notes import Rule

NAME = "late-marker"
BASE = chandy_lamport
PROMISE: str | None = None
WRONG: str | None = "send"


def on_initiate(process: Process, memory: "Map[int, Table]", state: Any, snapshot: int) -> Reply:
    """Record now, but let the markers wait."""
    return put_off(process, snapshot, chandy_lamport.on_initiate(process, memory, state, snapshot))


def on_receive(process: Process, memory: "Map[int, Table]", state: Any, channel: str, message: Message) -> Reply:
    """Do as Chandy–Lamport does, but let the markers wait."""
    reply = chandy_lamport.on_receive(process, memory, state, channel, message)
    return put_off(process, message.snapshot, reply)


def on_wake(process: Process, memory: "Map[int, Table]", state: Any, what: str) -> Reply:
    """Send the deferred markers."""
    snapshot = int(what.removeprefix("markers "))
    effects: list[Effect] = [Post(channel, MARKER, snapshot) for channel in process.outputs]
    return memory, [*effects, Rule(("send",))]


def put_off(process: Process, snapshot: int | None, reply: Reply) -> Reply:
    """Return the same reply with its markers replaced by one step to take later."""
    memory, effects = reply
    return memory, tuple(without_markers(effects, snapshot))


def without_markers(effects: Any, snapshot: int | None) -> Iterator[Effect]:
    """Yield the effects, with one Defer where the first marker would have been sent."""
    waiting = False
    for effect in effects:
        if isinstance(effect, Rule):
            yield Rule(tuple(line for line in effect.lines if line not in ("send", "start-send")))
        elif not isinstance(effect, Post):
            yield effect
        elif not waiting:
            waiting = True
            yield Defer(f"markers {snapshot}")
