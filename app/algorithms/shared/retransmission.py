"""Markers that are resent until they are acknowledged: what algorithms over channels that lose messages share.

A process that receives a marker acknowledges it, beside the channels. A process that waits for an acknowledgement
resends the marker each time its timer expires; a timer is a deferred step. A marker that has been seen is acknowledged
once more and otherwise ignored, so that no copy starts a ghost of a finished snapshot.

After PATIENCE timers in a row without an answer the process considers the channel partitioned: it aborts the snapshot
and starts another one. After LIMIT it stops trying. So every algorithm that builds on this always ends.

This alone does not make a snapshot consistent: a resent marker is behind whatever was sent since the process recorded.
"""

from collections.abc import Iterable
from typing import Any, TypeVar

from immutables import Map
from msgspec.structs import replace

from app.algorithms.markers import chandy_lamport
from app.algorithms.markers.chandy_lamport import Table
from app.algorithms.shared.pseudocode import changed
from app.core.model.algorithm import Effect, Reply
from app.core.model.notes import Rule
from app.core.model.topology import source_of
from app.core.model.value import Value
from app.core.model.values import APP, MARKER, Abort, Defer, Message, Part, Post, Process, Tell, Todo

BASE = chandy_lamport
PSEUDOCODE = (
    *changed(BASE.PSEUDOCODE, {"close": (("close", 2), ("answer-marker", 1))}),
    ("on-timer", 0),
    ("resend-marker", 1),
    ("start-anew", 1),
)
MARKERS = False
COST = "2|E|"

PATIENCE = 6
"""After this many timers in a row without an answer, a channel counts as partitioned."""
LIMIT = 5 * PATIENCE
"""After this many, the process stops waiting."""
ARRIVED = "arrived"
T = TypeVar("T")


class Memory(Value):
    """The tables of Chandy–Lamport; by output, the snapshots whose marker is not acknowledged; and, for each output
    whose timer runs, how often it ran out without an answer."""

    tables: "Map[int, Table]"
    waiting: "Map[str, tuple[int, ...]]"
    tries: "Map[str, int]"


def start(process: Process) -> Memory:
    """Return a memory with nothing recorded or awaited."""
    return Memory(Map(), Map(), Map())


def on_initiate(process: Process, memory: Memory, state: object, snapshot: int) -> Reply[Memory]:
    """Record and send markers; wait for their acknowledgements."""
    tables, effects = chandy_lamport.on_initiate(process, memory.tables, state, snapshot)
    return _awaiting(replace(memory, tables=tables), effects)


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Do as Chandy–Lamport does, and acknowledge every marker, also one that was there before."""
    tables, effects = chandy_lamport.on_receive(process, memory.tables, state, channel, message)
    memory, effects = _awaiting(replace(memory, tables=tables), effects)
    if message.kind == APP:
        return memory, effects
    return memory, (*effects, Rule(("answer-marker",)), Tell(source_of(channel), message.snapshot, (ARRIVED, channel)))


def on_told(
    process: Process, memory: Memory, state: object, source: str, snapshot: int | None, word: Any
) -> Reply[Memory]:
    """Stop resending a marker that has arrived."""
    channel = word[1]
    left = tuple(number for number in memory.waiting.get(channel, ()) if number != snapshot)
    waiting, tries = answered(memory.waiting, memory.tries, channel, left)
    return replace(memory, waiting=waiting, tries=tries), ()


def on_wake(process: Process, memory: Memory, state: object, what: Todo) -> Reply[Memory]:
    """Resend, at the expiry of an output's timer, what is not acknowledged there."""
    channel = what.name
    due = memory.waiting.get(channel, ())
    if not due or channel not in process.outputs:
        return replace(memory, tries=memory.tries.delete(channel)), (Rule(("on-timer",)),)
    late = (memory.tries[channel] + 1) % PATIENCE == 0
    tries, after = expired(memory.tries, what, due)
    waiting = memory.waiting.delete(channel) if late else memory.waiting
    posts = (Post(channel, MARKER, number) for number in due)
    return replace(memory, waiting=waiting, tries=tries), (*posts, Rule(("on-timer", "resend-marker")), *after)


def result(process: Process, memory: Memory, snapshot: int) -> Part | None:
    """Return what Chandy–Lamport recorded."""
    return chandy_lamport.result(process, memory.tables, snapshot)


def expired(tries: "Map[str, int]", timer: Todo, snapshots: Iterable[int]) -> tuple["Map[str, int]", list[Effect]]:
    """Return how often each timer expired, once ``timer`` has expired again, and what follows: after PATIENCE times the
    ``snapshots`` that wait on its channel are aborted; after LIMIT it is not started again."""
    count = tries[timer.name] + 1
    effects: list[Effect] = []
    if count % PATIENCE == 0 and (aborts := [Abort(number, again=count < LIMIT) for number in snapshots]):
        effects = [Rule(("start-anew",)), *aborts]
    if count == LIMIT:
        return tries.delete(timer.name), effects
    return tries.set(timer.name, count), [*effects, Defer(timer)]


def answered(
    waiting: "Map[str, tuple[T, ...]]", tries: "Map[str, int]", channel: str, left: tuple[T, ...]
) -> tuple["Map[str, tuple[T, ...]]", "Map[str, int]"]:
    """Return what waits, and how often each timer expired, once an answer has come: this is left of the channel, and
    the count of its timer begins anew."""
    if left:
        waiting = waiting.set(channel, left)
    elif channel in waiting:
        waiting = waiting.delete(channel)
    return waiting, tries.set(channel, 0) if channel in tries else tries


def _awaiting(memory: Memory, effects: Iterable[Effect]) -> tuple[Memory, tuple[Effect, ...]]:
    """Remember the markers that are being sent, and start a timer for each of their channels."""
    effects, timers = tuple(effects), []
    for post in effects:
        if not isinstance(post, Post) or post.snapshot is None:
            continue
        channel = post.channel
        numbers = (*memory.waiting.get(channel, ()), post.snapshot)
        memory = replace(memory, waiting=memory.waiting.set(channel, numbers))
        if channel not in memory.tries:
            memory = replace(memory, tries=memory.tries.set(channel, 0))
            timers.append(Defer(Todo("resend", name=channel)))
    return memory, (*effects, *timers)
