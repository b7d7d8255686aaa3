"""The circle of processes that wait for each other's barriers when nothing more can happen.

On a graph with a loop, a process that waits for a barrier on every input waits for one that only it could send on its
way. Then nothing more happens, and the snapshot is never complete.

Source: P. Carbone et al., "Lightweight Asynchronous Snapshots for Distributed Dataflows", 2015, section 4.3 (why
Algorithm 1 does not work for cyclic graphs).
"""

from app.core.kernel.enabled import options
from app.core.model.system import System
from app.core.model.value import Frozen
from app.core.model.values import APP, Json, Message, Start, World

PROBE = Message(-1, APP, None)
"""Any item, to ask whether it is let in."""


class Deadlock(Frozen):
    """``waits`` are (process, input on which the barrier is missing), each for the next, the last for the first;
    ``blocked`` are the inputs from which these processes take nothing meanwhile."""

    snapshot: int
    waits: tuple[tuple[str, str], ...]
    blocked: tuple[str, ...]

    @property
    def told(self) -> tuple[str, str, int]:
        """What a sentence says of it: the circle, its first process, and the snapshot."""
        first, *others = (process for process, _ in self.waits)
        return "->".join((first, *others, first)), first, self.snapshot

    def note(self) -> list[Json]:
        """Return the processes in the circle, and the inputs on which they wait: a note of the last step."""
        return ["stuck", self.snapshot, [process for process, _ in self.waits], [channel for _, channel in self.waits]]

    def as_json(self, system: System) -> Json:
        """Return the deadlock as JSON: ``process`` waits for its own barrier, ``waits`` as (process, sender)."""
        channels = system.topology.channels
        return {
            "process": self.waits[0][0],
            "waits": [[process, channels[channel].source] for process, channel in self.waits],
            "blocked": list(self.blocked),
        }


def deadlock(system: System, world: World, snapshot: int) -> Deadlock | None:
    """Return the circle of processes that wait for each other's barrier of ``snapshot``, the first one that blocks an
    input; None where there is none, or where something can still happen."""
    progress = world.snapshots.get(snapshot)
    rules = system.algorithm
    aligning = rules.COORDINATED and not rules.DATAFLOW.logs  # with logs, no processes wait in a circle
    if progress is None or not progress.running or not aligning:
        return None
    if any(reason is None and not isinstance(action, Start) for action, reason in options(system, world)):
        return None
    found = _waiting(system, world, snapshot)
    blocked = {name: held_back(system, world, name) for name in found}
    for name in found:
        if blocked[name] and (way := _circle(system, found, name)):
            held = tuple(channel for process, _ in way for channel in blocked[process])
            return Deadlock(snapshot, way, held)
    return None


def held_back(system: System, world: World, name: str) -> tuple[str, ...]:
    """Return the inputs of a process from which it takes nothing."""
    process = system.process(world, name)
    memory, accepts = world.memories[name], system.algorithm.accepts
    return tuple(channel for channel in process.inputs if not accepts(process, memory, channel, PROBE))


def _waiting(system: System, world: World, snapshot: int) -> dict[str, tuple[str, ...]]:
    """Return the processes that have not recorded, and so have not sent the barrier, each with its open inputs from
    such processes."""
    lacking = [
        name
        for name in system.topology.names
        if system.algorithm.result(system.process(world, name), world.memories[name], snapshot) is None
    ]
    channels = system.topology.channels
    found: dict[str, tuple[str, ...]] = {}
    for name in lacking:
        held = held_back(system, world, name)
        inputs = system.process(world, name).inputs
        found[name] = tuple(c for c in inputs if channels[c].source in lacking and c not in held)
    return found


def _circle(system: System, waits: dict[str, tuple[str, ...]], start: str) -> tuple[tuple[str, str], ...]:
    """Return a shortest path from a process, always to one for whose barrier it waits, back to itself; empty where
    there is none."""
    channels = system.topology.channels
    ways: list[tuple[tuple[str, str], ...]] = [((start, channel),) for channel in waits[start]]
    seen = set()
    for way in ways:  # grows during the loop: breadth first
        here = channels[way[-1][1]].source
        if here == start:
            return way
        if here not in seen:
            seen.add(here)
            ways += [(*way, (here, channel)) for channel in waits[here]]
    return ()
