"""Chandy–Lamport over channels that lose messages, broken: a marker that is not acknowledged is resent.

A process that receives a marker acknowledges it, beside the channels. A process that waits for an acknowledgement
resends the marker each time its timer expires; a timer is a deferred step. A marker that has been seen is acknowledged
once more and otherwise ignored, so that no copy starts a ghost of a finished snapshot.

That is not enough. The resent marker is behind whatever was sent since the process recorded; the receiver counts that
as sent before. An orphan.

After PATIENCE timers in a row without an answer the process considers the channel partitioned: it aborts the snapshot
and starts another one. After LIMIT it stops trying. So the algorithm always ends.

Notes: those of Chandy–Lamport, and Deferred, Told, Aborted.

References
----------
K. M. Chandy, L. Lamport, ACM TOCS 3(1), 1985, section 2: channels "are assumed to ... be error-free and deliver
messages in the order sent". An acknowledgement repairs the first half of this sentence and breaks the second.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from immutables import Map

from app.algorithms import chandy_lamport
from app.algorithms.chandy_lamport import Table
from app.core.algorithm import Effect, Reply
from app.core.model import APP, MARKER, Abort, Defer, Message, Part, Post, Process, Tell
from app.core.notes import Rule
from app.core.topology import source_of

NAME = "resent-marker"
BASE = chandy_lamport
PROMISE: str | None = None
MARKERS = False
COST = "2|E|"
WRONG: str | None = "resend-marker"
PSEUDOCODE = (
    ("on-start", 0),
    ("start-record", 1),
    ("start-send", 1),
    ("start-open", 1),
    ("on-marker", 0),
    ("if-first", 1),
    ("record", 2),
    ("empty", 2),
    ("send", 2),
    ("open", 2),
    ("else", 1),
    ("close", 2),
    ("answer-marker", 1),
    ("on-message", 0),
    ("log", 1),
    ("process", 1),
    ("on-timer", 0),
    ("resend-marker", 1),
    ("start-anew", 1),
)

PATIENCE = 6
"""After this many timers in a row without an answer, a channel counts as partitioned."""
LIMIT = 5 * PATIENCE
"""After this many, the process stops waiting."""
ARRIVED = "arrived"


@dataclass(frozen=True, slots=True)
class Memory:
    """The tables of Chandy–Lamport; by output, the snapshots whose marker is not acknowledged; and, for each output
    whose timer runs, how often it ran out without an answer."""

    tables: "Map[int, Table]"
    waiting: "Map[str, tuple[int, ...]]"
    tries: "Map[str, int]"


def start(process: Process) -> Memory:
    """Return a memory with nothing recorded or awaited."""
    return Memory(Map(), Map(), Map())


def on_initiate(process: Process, memory: Memory, state: Any, snapshot: int) -> Reply:
    """Record and send markers; wait for their acknowledgements."""
    tables, effects = chandy_lamport.on_initiate(process, memory.tables, state, snapshot)
    return awaiting(replace(memory, tables=tables), effects)


def on_receive(process: Process, memory: Memory, state: Any, channel: str, message: Message) -> Reply:
    """Do as Chandy–Lamport does, and acknowledge every marker, also one that was there before."""
    tables, effects = chandy_lamport.on_receive(process, memory.tables, state, channel, message)
    memory, effects = awaiting(replace(memory, tables=tables), effects)
    if message.kind == APP:
        return memory, effects
    return memory, (*effects, Rule(("answer-marker",)), Tell(source_of(channel), message.snapshot, (ARRIVED, channel)))


def on_told(process: Process, memory: Memory, state: Any, source: str, snapshot: int | None, word: Any) -> Reply:
    """Stop resending a marker that has arrived."""
    channel = word[1]
    left = tuple(number for number in memory.waiting.get(channel, ()) if number != snapshot)
    tries = memory.tries.set(channel, 0) if channel in memory.tries else memory.tries
    return replace(memory, waiting=kept(memory.waiting, channel, left), tries=tries), ()


def on_wake(process: Process, memory: Memory, state: Any, what: str) -> Reply:
    """Resend, at the expiry of an output's timer, what is not acknowledged there."""
    channel = what.removeprefix("resend ")
    due = memory.waiting.get(channel, ())
    if not due or channel not in process.outputs:
        return replace(memory, tries=memory.tries.delete(channel)), (Rule(("on-timer",)),)
    tries = memory.tries[channel] + 1
    effects: list[Effect] = [Post(channel, MARKER, number) for number in due]
    effects.append(Rule(("on-timer", "resend-marker")))
    if tries % PATIENCE == 0:
        memory = replace(memory, waiting=memory.waiting.delete(channel))
        effects += [Rule(("start-anew",)), *(Abort(number, again=tries < LIMIT) for number in due)]
    if tries == LIMIT:
        return replace(memory, tries=memory.tries.delete(channel)), effects
    return replace(memory, tries=memory.tries.set(channel, tries)), (*effects, Defer(what))


def result(process: Process, memory: Memory, snapshot: int) -> Part | None:
    """Return what Chandy–Lamport recorded."""
    return chandy_lamport.result(process, memory.tables, snapshot)


def kept(waiting: "Map[str, Any]", channel: str, left: tuple[Any, ...]) -> "Map[str, Any]":
    """Return ``waiting`` with what is left of a channel; an empty rest is removed."""
    if left:
        return waiting.set(channel, left)
    return waiting.delete(channel) if channel in waiting else waiting


def awaiting(memory: Memory, effects: Iterable[Effect]) -> tuple[Memory, tuple[Effect, ...]]:
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
            timers.append(Defer(f"resend {channel}"))
    return memory, (*effects, *timers)
