"""The explorer's searches for visitors: in a thread beside the pages, one after another, bounded, with cached results.

If too many are waiting, a search is refused at once, so that no number of visitors blocks the pages.
"""

import asyncio
import threading
import time
from collections.abc import Callable

from app.cache import Cache
from app.core.model.value import Frozen
from app.run.explore import Sought, explore
from app.scenario.run_key import Choices, RunKey
from app.scenario.scenario import Scenario

MOST_STATES = 20_000
SECONDS = 4.0
"""The most processor time of one search; its answer is what it has found by then. A busy machine finds the same, only
later."""

PATIENCE = 15.0
"""The most seconds that a visitor waits for a search that has begun."""

AT_ONCE = 1
WAITING = 2
"""The most searches that may wait for the current one."""

MOST_BYTES = 4_000_000
"""The most memory of all cached results together."""

MOST_PROCESSES = 6
MOST_CHANNELS = 12
"""With more channels, a search would reach its bound without having seen much."""


class Found(Frozen):
    """The result of a search: the choices of a shortest run, or None; and how much of the system was seen. ``complete``
    counts the complete snapshots that were judged."""

    choices: Choices | None
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


class _Busy(Exception):
    """Too many searches are waiting."""


class Searches:
    """Searches by their subjects, with cached results; each is made once, by the first request."""

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
        self._cache = Cache[tuple[object, ...], Found](MOST_BYTES)

    async def found(self, scenario: Scenario, key: RunKey, what: object, sought: Sought) -> Found | None:
        """Return the result of a search for ``sought``; None if too many are waiting. ``what`` identifies the search;
        ``key`` names algorithm and discipline. Raises BluecutError for an impossible system."""
        block = scenario.form.explore.model_dump_json() if scenario.form.explore else ""
        name = (scenario.digest, block, scenario.algorithm(key), scenario.discipline(key), what)
        future = self._cache.future(name, lambda: self._search(scenario, key, sought), self._begin)
        try:
            return await asyncio.shield(asyncio.wrap_future(future))
        except _Busy:
            return None

    def _begin(self, search: Callable[[], None]) -> None:
        """Run a search in a thread of its own."""
        with self._lock:
            if self._under_way > self.waiting:
                raise _Busy
            self._under_way += 1
        threading.Thread(target=search, daemon=True, name="search").start()

    def _search(self, scenario: Scenario, key: RunKey, sought: Sought) -> Found:
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
            return Found(seen.reached, seen.states, seen.bounded, seen.complete)  # the explorer's findings may be large
        finally:
            with self._lock:
                self._under_way -= 1
