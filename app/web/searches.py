"""Searches of the explorer for visitors: in a thread beside the pages, one after the other, bounded, and kept.

A search that nobody may wait for is refused at once, so that no number of visitors keeps the pages waiting.
"""

import asyncio
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass

from app.core.model import Json
from app.core.oracle import CHECKS
from app.simulator.explore import Exploration, Sought, explore
from app.simulator.key import Choices, RunKey
from app.simulator.scenario import Scenario

MOST_STATES = 20_000
SECONDS = 4.0
"""How much of a processor's time one search may take; what it has seen by then is its answer. A machine that is busy
with other things finds the same, only later."""

PATIENCE = 15.0
"""How many seconds a visitor waits at most for a search that has begun."""

AT_ONCE = 1
WAITING = 2
"""How many searches may wait for the one that is made."""

KEPT = 256
MOST_PROCESSES = 6
MOST_CHANNELS = 12
"""Beyond these a search would come to its bound without having seen much."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found: the choices of a shortest run, and the check that fails in it; or None, and how much was
    seen of the system. ``complete`` counts the complete snapshots that were judged."""

    choices: Choices | None
    check: str | None
    witness: Json
    states: int
    bounded: bool
    complete: int

    @property
    def proof(self) -> bool:
        """Does finding nothing prove that there is nothing?"""
        return self.choices is None and not self.bounded and self.complete > 0


def too_large(scenario: Scenario) -> bool:
    """Is the system so large that a search is not worth while?"""
    return len(scenario.topology.names) > MOST_PROCESSES or len(scenario.topology.channels) > MOST_CHANNELS


class Searches:
    """Searches by what they are about, the latest ones kept; each is made once, for whoever asks first."""

    def __init__(
        self,
        *,
        seconds: float = SECONDS,
        most_states: int = MOST_STATES,
        waiting: int = WAITING,
        clock: Callable[[], float] = time.thread_time,
    ) -> None:
        self.seconds = seconds
        self.most_states = most_states
        self.waiting = waiting
        self.clock = clock
        self._lock = threading.Lock()
        self._turn = threading.BoundedSemaphore(AT_ONCE)
        self._under_way = 0
        self._kept: OrderedDict[tuple[object, ...], Future[Found]] = OrderedDict()

    async def found(self, scenario: Scenario, key: RunKey, what: object, sought: Sought) -> Found | None:
        """What a search for ``sought`` finds; None where too many are waiting. ``what`` is a value that says which
        search this is; ``key`` names algorithm and discipline. Raises BluecutError for a system that cannot be."""
        block = scenario.form.explore.model_dump_json() if scenario.form.explore else ""
        name = (scenario.digest, block, scenario.algorithm(key), scenario.discipline(key), what)
        with self._lock:
            future = self._kept.get(name)
            if future is None:
                if self._under_way > self.waiting:
                    return None
                future = self._kept[name] = Future()
                self._under_way += 1
                arguments = (name, future, scenario, key, sought)
                threading.Thread(target=self._search, args=arguments, daemon=True, name="search").start()
            self._kept.move_to_end(name)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return await asyncio.shield(asyncio.wrap_future(future))

    def _search(
        self, name: tuple[object, ...], future: Future[Found], scenario: Scenario, key: RunKey, sought: Sought
    ) -> None:
        try:
            with self._turn:
                until, late = self.clock() + self.seconds, time.monotonic() + PATIENCE
                seen = explore(
                    scenario,
                    key,
                    most=self.most_states,
                    sought=sought,
                    tired=lambda: self.clock() > until or time.monotonic() > late,
                )
            answer: Found | BaseException = told(seen)
        except BaseException as error:
            answer = error
        with self._lock:
            self._under_way -= 1
            if isinstance(answer, BaseException):
                self._kept.pop(name, None)
        if isinstance(answer, Found):
            future.set_result(answer)
        else:
            future.set_exception(answer)


def told(seen: Exploration) -> Found:
    """What an exploration says to who sought something. The explorer's own findings may be large; this is not."""
    check = next((name for name in CHECKS if name in seen.counterexamples), None) if seen.reached else None
    witness = seen.counterexamples[check].witness if check else None
    return Found(seen.reached, check, witness, seen.states, seen.bounded, seen.complete)
