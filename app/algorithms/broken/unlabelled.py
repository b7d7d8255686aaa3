"""Chandy–Lamport, broken: several snapshots at once, with markers that carry no id.

A marker closes its channel in every snapshot that is still recording it, so the marker of one snapshot ends the
recording of another too early: what arrives after it is in no recorded state. A marker that closes nothing counts as
the first of a new snapshot if more markers have come on its channel than the process has recorded snapshots; otherwise
it is ignored.

Unlabelled markers are right as long as only one snapshot is in progress: the paper uses them so.

Notes: those of Chandy–Lamport.

References
----------
K. M. Chandy, L. Lamport, ACM TOCS 3(1), 1985, section 3 (one snapshot, markers without a label).
"""

from immutables import Map
from msgspec.structs import replace

from app.algorithms.markers import chandy_lamport
from app.algorithms.markers.chandy_lamport import Table
from app.core.model.algorithm import Effect, Reply
from app.core.model.value import Value
from app.core.model.values import APP, Message, Part, Post, Process

NAME = "unlabelled"
BASE = chandy_lamport
PROMISE: str | None = None
MARKERS = False  # there is one on each channel, but it does not say of which snapshot
WRONG: str | None = "close"


class Memory(Value):
    """The tables, and how many markers have come on each input."""

    tables: "Map[int, Table]"
    heard: "Map[str, int]"


def start(process: Process) -> Memory:
    """Return a memory with nothing recorded or received."""
    return Memory(Map(), Map())


def on_initiate(process: Process, memory: Memory, state: object, snapshot: int) -> Reply[Memory]:
    """Record, and send markers without the id."""
    return _unlabel(memory, chandy_lamport.on_initiate(process, memory.tables, state, snapshot))


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Close the channel in every table; where it is open in none, record if the marker must be of a new snapshot."""
    if message.kind == APP:
        return _unlabel(memory, chandy_lamport.on_receive(process, memory.tables, state, channel, message))
    heard = memory.heard.get(channel, 0) + 1
    memory = replace(memory, heard=memory.heard.set(channel, heard))
    tables = memory.tables
    effects: list[Effect] = []
    for number in sorted(tables):
        if channel in tables[number].open:
            tables, more = chandy_lamport.close(process, tables, number, channel)
            effects += more
    if not effects and heard > len(tables):
        return _unlabel(memory, chandy_lamport.record(process, tables, state, _unseen(tables), channel))
    return replace(memory, tables=tables), effects


def result(process: Process, memory: Memory, snapshot: int) -> Part | None:
    """Return what the table of this number says."""
    return chandy_lamport.result(process, memory.tables, snapshot)


def _unseen(tables: "Map[int, Table]") -> int:
    """Return the lowest snapshot number that this process has not recorded."""
    number = 1
    while number in tables:
        number += 1
    return number


def _unlabel(memory: Memory, reply: Reply["Map[int, Table]"]) -> Reply[Memory]:
    """Return the same reply, with its tables put into ``memory`` and the ids taken off its markers."""
    tables, effects = reply
    if tables is not memory.tables:
        memory = replace(memory, tables=tables)
    return memory, tuple(Post(e.channel, e.kind, None) if isinstance(e, Post) else e for e in effects)
