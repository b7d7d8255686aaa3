"""Chandy–Lamport among members that come and go, broken: the state of a newcomer is fetched afterwards, and merged.

A process that has done its part asks the members that it did not know when it recorded, and they copy their state into
the snapshot. But what they hold may have been sent to them after the cut: then it counts twice, in the recorded state
of the sender and in theirs.

Notes: those of ``members``, and Told, Merged.

References
----------
K. M. Chandy, L. Lamport, ACM TOCS 3(1), 1985, section 3.1: why a state must not be recorded after a message whose
sending is not.
"""

from collections.abc import Iterable

from immutables import Map
from msgspec.structs import replace

from app.algorithms.markers import chandy_lamport, members
from app.algorithms.markers.chandy_lamport import Table
from app.core.model.algorithm import Effect, Reply
from app.core.model.notes import Done, Merged, Recorded, Rule
from app.core.model.topology import target_of
from app.core.model.value import Value
from app.core.model.values import Message, Part, Process, Tell

NAME = "merge-joiner"
BASE = members
PROMISE: str | None = None
MARKERS = False
WRONG: str | None = "merge"
PSEUDOCODE = (*members.PSEUDOCODE, ("on-done", 0), ("ask-joiner", 1), ("merge", 1))

FETCH = "fetch"


class Memory(Value):
    """The tables of Chandy–Lamport; by snapshot, the outputs that the process knew when it recorded, and those that it
    has asked since; and the snapshots with which it is done."""

    tables: "Map[int, Table]"
    known: "Map[int, tuple[str, ...]]"
    done: tuple[int, ...]


def start(process: Process) -> Memory:
    """Return a memory with nothing recorded."""
    return Memory(Map(), Map(), ())


def on_initiate(process: Process, memory: Memory, state: object, snapshot: int) -> Reply[Memory]:
    """Record; the present members are those who take part."""
    return _merging(process, memory, chandy_lamport.on_initiate(process, memory.tables, state, snapshot))


def on_send(process: Process, memory: Memory, channel: str, message: Message) -> Reply[Memory]:
    """Ask a newcomer, if one has come meanwhile."""
    return _merging(process, memory, (memory.tables, ()))


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Do as Chandy–Lamport does."""
    return _merging(process, memory, chandy_lamport.on_receive(process, memory.tables, state, channel, message))


def on_told(
    process: Process, memory: Memory, state: object, source: str, snapshot: int | None, word: object
) -> Reply[Memory]:
    """Copy the present state of a newcomer that is asked for it after the fact."""
    if snapshot is None or snapshot in memory.tables:
        return memory, ()
    tables = memory.tables.set(snapshot, Table(state, Map(), ()))
    known = memory.known.set(snapshot, process.outputs)
    return replace(memory, tables=tables, known=known), (
        Merged(snapshot, process.name),
        Recorded(snapshot, process.name, state, None),
        Rule(("on-done", "ask-joiner", "merge")),
    )


def on_gone(process: Process, memory: Memory, state: object, gone: str) -> Reply[Memory]:
    """Do as ``members`` does."""
    return _merging(process, memory, members.on_gone(process, memory.tables, state, gone))


def result(process: Process, memory: Memory, snapshot: int) -> Part | None:
    """Return what was recorded, in time or afterwards."""
    return chandy_lamport.result(process, memory.tables, snapshot)


def _merging(process: Process, memory: Memory, reply: tuple["Map[int, Table]", Iterable[Effect]]) -> Reply[Memory]:
    """Return the same reply; once the process is done with a snapshot, it asks the members that it did not know
    then."""
    tables, given = reply
    effects = list(given)
    known, done = memory.known, memory.done
    for snapshot in sorted(tables):
        if snapshot not in known:
            known = known.set(snapshot, process.outputs)
    done = (*done, *(effect.snapshot for effect in effects if isinstance(effect, Done)))
    for snapshot in done:
        new = tuple(channel for channel in process.outputs if channel not in known[snapshot])
        effects += [Tell(target_of(channel), snapshot, FETCH) for channel in new]
        known = known.set(snapshot, (*known[snapshot], *new))
    return Memory(tables, known, done), effects
