"""What recurs in virtual time: starts at an interval, and crashes at random times."""

import heapq
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import log
from random import Random

from app.core.kernel.enabled import crashable, startable, together
from app.core.model.system import System
from app.core.model.values import Action, Crash, Restart, Start, World

START, CRASH, BACK = "start", "crash", "back"


@dataclass(frozen=True, slots=True)
class Failures:
    """Each of ``processes`` crashes at random, on average once in ``mean`` ticks, whatever has happened before; it is
    brought back ``back`` ticks later."""

    mean: int
    processes: tuple[str, ...]
    back: int = 1


@dataclass(frozen=True, slots=True)
class Every:
    """``process`` starts a snapshot at ``at`` and then every ``ticks`` ticks; after a rollback, the interval begins
    anew."""

    process: str
    at: int
    ticks: int


class Recurring:
    """The starts and crashes that are due next. They never keep a run going: once every source is read to its end and
    no item is in flight, there are no more."""

    def __init__(
        self,
        system: System,
        seed: int,
        every: Iterable[Every],
        failures: Failures | None,
        back: Callable[[World], Action | None],
    ) -> None:
        self.system = system
        self.failures = failures
        self.back = back
        self.every = tuple(every)
        self.down = 0
        self.due: list[tuple[int, int, str]] = [(each.at, i, START) for i, each in enumerate(self.every)]
        failing = failures.processes if failures and system.recovers else ()
        self.names = (*(each.process for each in self.every), *failing)
        self.lots = [Random(f"{seed} failures {name}") for name in self.names]
        self.due += [(self._lasts(i), i, CRASH) for i in range(len(self.every), len(self.names))]
        heapq.heapify(self.due)

    def _lasts(self, place: int) -> int:
        """Return how long it is until the next crash: equally probable at any moment, in whole ticks."""
        mean = self.failures.mean if self.failures else 1
        return max(1, round(-mean * log(1.0 - self.lots[place].random())))

    def soonest(self, *, others: bool) -> int | None:
        """Return when the next thing is due; None where nothing is, or nothing but these things would keep the run
        going."""
        return self.due[0][0] if self.due and (others or self.down) else None

    def next(self, world: World, now: int) -> Action | None:
        """Return what is due, or None."""
        while self.due and self.due[0][0] <= now:
            _, place, kind = heapq.heappop(self.due)
            name = self.names[place]
            if kind == BACK:
                self.down -= 1
                if name in world.down:
                    return self.back(world) if together(self.system, world) else Restart(name)
            elif not _unfinished(self.system, world):
                continue
            elif kind == START:
                heapq.heappush(self.due, (now + self.every[place].ticks, place, START))
                if startable(self.system, world, name):
                    return Start(name)
            elif self.failures:
                heapq.heappush(self.due, (now + self._lasts(place), place, CRASH))
                if crashable(self.system, world, name):
                    heapq.heappush(self.due, (now + self.failures.back, place, BACK))
                    self.down += 1
                    return Crash(name)
        return None

    def again(self, now: int) -> None:
        """Begin the interval anew after a rollback."""
        self.due = [
            (now + self.every[place].at if kind == START else time, place, kind) for time, place, kind in self.due
        ]
        heapq.heapify(self.due)


def _unfinished(system: System, world: World) -> bool:
    """Is there an item to read, or one in flight?"""
    if world.down or world.in_flight():
        return True
    processes = system.topology.processes
    return any(system.program.moves(processes[name], world.states[name]) for name in system.topology.names)
