"""The possible results of a dataflow without failures: over all orders in which items may arrive.

Where an operator passes on what it keeps, such as a running total, the result of an item depends on the items before
it, and several results are right. They are found by a search over the system without failures.

Not every interleaving is tried. A process that takes from one channel, in its order, does the same whatever the others
do; so it goes first, and only a process with a choice makes the search branch: one with several inputs, or with one
that keeps no order, downstream of which an operator passes on what it keeps. Where channels hold any number of items
and there is no loop, one process after the other chooses, the first in the direction of the flow before all others: no
other can add to what it chooses from.

The search stops after ``MOST`` steps; then there may be other results.

Sources: G. Kahn, "The Semantics of a Simple Language for Parallel Programming", IFIP Congress 1974 (a process that
reads its inputs in a fixed order does the same at any speed). P. Godefroid, "Partial-Order Methods for the Verification
of Concurrent Systems", LNCS 1032, 1996, chapter 4 (persistent sets: which interleavings can be left out).
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias

from app.core.kernel.enabled import options
from app.core.kernel.step import step
from app.core.model.notes import Note, Received, only
from app.core.model.system import System
from app.core.model.topology import source_of, target_of
from app.core.model.value import Frozen
from app.core.model.values import APP, END, Action, Deliver, Move, World
from app.programs.dataflow import COORDINATOR, OPERATOR, SINK, Dataflow, Operator, Record

MOST = 5_000
"""The most steps tried: about a second of work."""

Arrival: TypeAlias = tuple[str, Record]
"""A channel, and an item that arrived on it."""
Shown: TypeAlias = frozenset[tuple[tuple[str, Record], int]]
"""How often each item reached each sink."""


class Result(Frozen):
    """The result of a run without failures: the states, and the items that arrived, in their order."""

    states: Mapping[str, Any]
    arrivals: tuple[Arrival, ...]


class Results(Frozen):
    """The results found; ``complete``: there are no others."""

    found: tuple[Result, ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class Case:
    """A system without failures. ``name`` is equal for two systems only where everything else about them is."""

    name: Hashable
    system: System = field(compare=False, repr=False)

    @property
    def program(self) -> Dataflow:
        """Return the program of the system."""
        assert isinstance(self.system.program, Dataflow)
        return self.system.program

    def operator(self, name: str) -> Operator:
        """Return what a process does."""
        return self.program.operator(self.system.topology.processes[name])

    def behind(self, name: str) -> list[str]:
        """Return a process, and all to which a path leads from it."""
        beyond = self.system.topology.unreachable((name,))
        return [one for one in self.system.topology.names if one not in beyond]

    def chooses(self, name: str) -> bool:
        """Can an operator take one item before another or after it?"""
        inputs = [c for c in self.system.topology.processes[name].inputs if not self.controls(c)]
        several = len(inputs) > 1 or not all(map(self.system.ordered, inputs))
        return several and self.operator(name).role == OPERATOR

    def tells(self, name: str) -> bool:
        """Does an operator pass on what it keeps?"""
        return self.operator(name).result and bool(self.system.topology.processes[name].outputs)

    def counted(self, arrival: Arrival) -> Hashable:
        """Return what counts of an arrival: at a sink all of it, at an operator that keeps something the item's
        identity; else nothing."""
        channel, record = arrival
        operator = self.operator(target_of(channel))
        return arrival if operator.role == SINK else (channel, record.id) if operator.keep else None

    def controls(self, channel: str) -> bool:
        """Does the channel come from the coordinator?"""
        return self.operator(source_of(channel)).role == COORDINATOR


def choosers(case: Case) -> tuple[str, ...]:
    """Return the processes whose choice decides the result, in the direction of the flow: none comes before one from
    which a path leads to it."""
    found = {name: case.behind(name) for name in case.system.topology.names if case.chooses(name)}
    deciding = [name for name, behind in found.items() if any(map(case.tells, behind))]
    return tuple(sorted(deciding, key=lambda name: -len(found[name])))


def steady(case: Case) -> bool:
    """Do the same items reach every process in every order, whatever their values are? Not where a filter looks at what
    an operator keeps."""
    names = case.system.topology.names
    filters = {name for name in names if _sifts(case.operator(name))}
    return not filters or all(filters.isdisjoint(case.behind(name)) for name in names if case.tells(name))


def _sifts(operator: Operator) -> bool:
    """Does an operator let only some values through?"""
    return (operator.above, operator.below, operator.modulo) != (None, None, None)


class Node(Frozen):
    """A world on the way, and what has arrived by then."""

    world: World
    arrivals: tuple[Arrival, ...] = ()


@lru_cache(maxsize=64)
def results(case: Case, shown: Shown | None = None) -> Results:
    """Return the results of a system without failures; if ``shown`` is given, only those that show nothing else at the
    sinks."""
    system, deciding = case.system, choosers(case)
    free = not system.capacity and not case.program.back
    room = dict(shown) if shown is not None else None
    stack, seen, found, tried = [Node(system.begin())], set[Hashable](), list[Result](), 0
    while stack:
        node = stack.pop()
        while len(actions := possible(case, node.world, deciding, free)) == 1 and tried < MOST:
            node, tried = _done(case, node, actions[0]), tried + 1
        if tried + len(actions) > MOST:
            return Results(tuple(found), False)
        key = mark(case, node)
        if key in seen or (room is not None and not _fits(case, node, room)):
            continue
        seen.add(key)
        tried += len(actions)
        stack += [_done(case, node, action) for action in reversed(actions)]
        found += [] if actions else [Result(node.world.states, node.arrivals)]
    return Results(tuple(found), True)


def possible(case: Case, world: World, deciding: tuple[str, ...], free: bool) -> list[Action]:
    """Return what to try next: one action that no choice concerns, else all choices; where those of one process come
    before all others, only these."""
    open_: dict[str, list[Action]] = {}
    for action, reason in options(case.system, world):
        if reason is not None or not isinstance(action, Deliver | Move):
            continue
        name = case.system.actor(action) or ""
        if name not in deciding or isinstance(action, Move) or _ending(world, action):
            return [action]
        open_.setdefault(name, []).append(action)
    ready = [open_[name] for name in deciding if name in open_]
    return ready[0] if ready and free else [action for actions in ready for action in actions]


def _ending(world: World, action: Deliver) -> bool:
    """Does the end of a stream arrive? It decides nothing."""
    return world.queues[action.channel][action.position].payload is END


def _done(case: Case, node: Node, action: Action) -> Node:
    world, notes = step(case.system, node.world, action)
    return Node(world, (*node.arrivals, *arrived(notes)))


def arrived(notes: Iterable[Note]) -> list[Arrival]:
    """Return the items that arrived in a step."""
    received = [note for note in only(Received, notes) if note.message.kind == APP]
    return [(note.channel, note.message.payload) for note in received if isinstance(note.message.payload, Record)]


def mark(case: Case, node: Node) -> Hashable:
    """Return a value that two nodes share when the same can follow from both, and the same has arrived."""
    world = node.world
    states = tuple(world.states[name] for name in case.system.topology.names if case.operator(name).role != SINK)
    queues = tuple(
        (c, tuple(m.payload for m in world.queues[c])) for c in case.system.topology.channels if c in world.queues
    )
    return states, queues, frozenset(Counter(map(case.counted, node.arrivals)).items())


def shown_by(case: Case, arrivals: Iterable[Arrival]) -> Counter[tuple[str, Record]]:
    """Return how often each item reached each sink."""
    ends = {c.name: c.target for c in case.system.topology.channels.values() if case.operator(c.target).role == SINK}
    known = case.program.known
    return Counter((ends[channel], known(channel, record)) for channel, record in arrivals if channel in ends)


def _fits(case: Case, node: Node, room: Mapping[tuple[str, Record], int]) -> bool:
    """Has nothing reached a sink that is not shown there?"""
    return all(count <= room.get(key, 0) for key, count in shown_by(case, node.arrivals).items())
