"""Who waits for whom: the wait-for graph of processes that are state machines, and those that wait for ever.

A process waits where it has no step of its own and can go on only by a message. It waits for the senders on the
channels on which it listens, and not at all where such a message is on its way already. A deadlock is a set of
processes each of which waits, and each only for others of the set: none of them will ever send anything, so it stays.
Who waits for somebody that has finished waits for ever, too, but in no circle, and is not counted.

Source: K. M. Chandy, J. Misra, L. M. Haas, "Distributed Deadlock Detection", ACM TOCS 1(2), 1983 (the communication
model: a process can go on as soon as any one of those for which it waits sends something).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.core.model import Message
from app.core.system import System
from app.programs.machine import Machine


@dataclass(frozen=True, slots=True)
class Wait:
    """``process`` can go on only by ``messages`` from ``source`` on ``channel``, or by those of other waits.
    ``coming``: one of them is on its way and can arrive, so it does not really wait."""

    process: str
    source: str
    channel: str
    messages: tuple[str, ...]
    coming: str | None = None


@dataclass(frozen=True, slots=True)
class Waits:
    """All waits in a state, and the ``stuck`` processes, which wait for each other for ever."""

    waits: tuple[Wait, ...]
    stuck: tuple[str, ...]


def waits(system: System, states: Mapping[str, Any], channels: Mapping[str, Sequence[Message]]) -> Waits | None:
    """Who waits for whom in a global state; None where the program is none of state machines."""
    program = system.program
    if not isinstance(program, Machine):
        return None
    found: list[Wait] = []
    for name in system.topology.names:
        found += listening(system, program, name, states[name], channels)
    going = {wait.process for wait in found if wait.coming is not None}
    stuck = {wait.process for wait in found} - going
    while freed := {wait.process for wait in found if wait.process in stuck and wait.source not in stuck}:
        stuck -= freed
    return Waits(tuple(found), tuple(name for name in system.topology.names if name in stuck))


def listening(
    system: System, program: Machine, name: str, state: str, channels: Mapping[str, Sequence[Message]]
) -> list[Wait]:
    """The waits of one process: none where it can do something by itself, or nothing at all any more."""
    edges = [edge for edge in program.edges.get(name, ()) if edge.source == state]
    if any(edge.receive is None for edge in edges):
        return []
    wanted: dict[str, list[str]] = {}
    for edge in edges:
        if edge.channel in system.topology.channels and edge.receive is not None:
            wanted.setdefault(edge.channel, []).append(edge.receive)
    found = []
    for channel, messages in wanted.items():
        queue = channels.get(channel, ())
        reach = queue[:1] if system.ordered(channel) else queue
        coming = next((str(m.payload) for m in reach if m.payload in messages), None)
        source = system.topology.channels[channel].source
        found.append(Wait(name, source, channel, tuple(dict.fromkeys(messages)), coming))
    return found
