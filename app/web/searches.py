"""The explorer's searches for visitors: in a thread beside the pages, one after another, bounded, with cached results.

If too many are waiting, a search is refused at once, so that no number of visitors blocks the pages.
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
"""The most processor time of one search; its answer is what it has found by then. A busy machine finds the same, only
later."""

PATIENCE = 15.0
"""The most seconds that a visitor waits for a search that has begun."""

AT_ONCE = 1
WAITING = 2
"""The most searches that may wait for the current one."""

KEPT = 256
MOST_PROCESSES = 6
MOST_CHANNELS = 12
"""With more channels, a search would reach its bound without having seen much."""


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a search: the choices of a shortest run, and the check that fails in it; or None, and how much of
    the system was seen. ``complete`` counts the complete snapshots that were judged."""

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
    """Is the system too large for a useful search?"""
    return len(scenario.topology.names) > MOST_PROCESSES or len(scenario.topology.channels) > MOST_CHANNELS


class Searches:
    """Searches by their subjects, the latest ones cached; each is made once, by the first request."""

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
        """Return the result of a search for ``sought``; None if too many are waiting. ``what`` identifies the search;
        ``key`` names algorithm and discipline. Raises BluecutError for an impossible system."""
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
    """Return the answer of an exploration. The explorer's own findings may be large; this is not."""
    check = next((name for name in CHECKS if name in seen.counterexamples), None) if seen.reached else None
    witness = seen.counterexamples[check].witness if check else None
    return Found(seen.reached, check, witness, seen.states, seen.bounded, seen.complete)
