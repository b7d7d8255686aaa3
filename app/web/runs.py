"""The runs requested recently. This is only a cache: everything in it can be computed again."""

import threading
from collections import OrderedDict
from concurrent.futures import Future

from app.simulator.key import RunKey
from app.simulator.run import record
from app.simulator.scenario import Scenario
from app.web.recorded import Recorded

MOST_WORK = 6_000_000
"""The most work of all cached runs together, which also measures the memory that they use."""

MOST_RUNS = 256
AT_ONCE = 2
"""The most runs computed at the same time; other pages are served meanwhile."""


class Runs:
    """Recently requested runs by scenario and key; each is computed once, by the first request."""

    def __init__(self, most_work: int = MOST_WORK, most_runs: int = MOST_RUNS) -> None:
        self.most_work = most_work
        self.most_runs = most_runs
        self._lock = threading.Lock()
        self._turn = threading.BoundedSemaphore(AT_ONCE)
        self._kept: OrderedDict[tuple[str, str, RunKey], Future[Recorded]] = OrderedDict()

    def recorded(self, scenario: Scenario, key: RunKey) -> Recorded:
        """Return the run that ``key`` names. Raises BluecutError as ``record`` does; failures are not cached."""
        name = (scenario.name, scenario.digest, key)
        with self._lock:
            future = self._kept.get(name)
            mine = future is None
            if future is None:
                future = self._kept[name] = Future()
            self._kept.move_to_end(name)
        if mine:
            self._compute(name, future, scenario)
        return future.result()

    @property
    def work(self) -> int:
        """Return the work of all cached runs together."""
        with self._lock:
            return sum(size(future) for future in self._kept.values())

    def _compute(self, name: tuple[str, str, RunKey], future: Future[Recorded], scenario: Scenario) -> None:
        try:
            with self._turn:
                future.set_result(Recorded(record(scenario, name[2])))
        except BaseException as error:
            with self._lock:
                del self._kept[name]
            future.set_exception(error)
            return
        self._forget(name)

    def _forget(self, newest: tuple[str, str, RunKey]) -> None:
        """Drop the runs requested longest ago, until the rest is within the limits."""
        with self._lock:
            total = sum(size(future) for future in self._kept.values())
            for name in list(self._kept):
                if total <= self.most_work and len(self._kept) <= self.most_runs:
                    return
                if name != newest and self._kept[name].done():
                    total -= size(self._kept.pop(name))


def size(future: Future[Recorded]) -> int:
    """Return the work of a run; 0 until it is computed."""
    return future.result().run.work if future.done() and not future.exception() else 0
