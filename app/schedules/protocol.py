"""Schedules: what happens next. The only place with randomness, and that comes from a seed.

A schedule sees every step, also those that a person chose, and names the next action or None when nothing is left to
do. Recorded parts never influence which ordinary action comes next: a run with collecting switched off is the same run
without them.

Draws are ``int(rng.random() * n)``, which Python keeps stable across versions.
"""

from dataclasses import dataclass
from random import Random
from typing import Protocol

from msgspec.structs import replace

from app.core.kernel.enabled import obstacle, restorable
from app.core.model.notes import Note
from app.core.model.system import System
from app.core.model.values import (
    Action,
    Deliver,
    Forget,
    OfProcess,
    OnChannel,
    Restore,
    Wake,
    World,
)


def draw(rng: Random, n: int) -> int:
    """Return a whole number in 0..n-1."""
    return int(rng.random() * n)


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a script.

    ``at`` is a virtual time (timed schedules only), ``line`` where it stands in the file.
    """

    action: Action
    at: int = 0
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Initiator:
    """``process`` starts a snapshot at ``at``: a number of steps under a seeded schedule, else a virtual time."""

    process: str
    at: int


class Schedule(Protocol):
    """Names the next action."""

    entry: int | None
    """The script's line that ``next`` returned last, None where it was not from the script."""

    def next(self, world: World) -> Action | None:
        """Return the next action, or None when nothing is left."""

    def saw(self, action: Action, world: World, notes: tuple[Note, ...]) -> None:
        """Follow one step, made by this schedule or by a person: what was done, the world after it, and what
        happened."""


LATEST = -1
"""In a script: the latest snapshot that the system can roll back to."""


def concerned(system: System, action: Action) -> str:
    """Return the process that acts, or, where it is the network, the one to which the channel leads."""
    match action:
        case OnChannel():
            return system.topology.channels[action.channel].target
        case OfProcess():
            return action.process
    return system.topology.root or system.topology.names[0]


def possible(system: System, world: World, action: Action) -> bool:
    """Could ``action`` happen now? Moves and starts are left to the kernel to refuse."""
    match action:
        case Deliver(channel=channel, position=position):
            there = position < len(world.queues.get(channel, ()))
            return there and obstacle(system, world, channel, position) is None
        case Wake():
            return any(process == action.process for process, _ in world.wakes)
    return True


def due(world: World, action: Action) -> Action:
    """Return what a line of a script means now: of a process's deferred steps, the oldest whose name begins as the line
    says; of the snapshots, the latest."""
    match action:
        case Restore(snapshot=number) if number == LATEST:
            return Restore(restorable(world)[-1])
        case Wake(process=process, what=said) | Forget(process=process, what=said):
            fitting = (what for name, what in world.wakes if name == process and str(what).startswith(str(said)))
            return replace(action, what=next(fitting, said))
    return action
