"""The runs that were asked for lately. A cache and nothing else: whatever is in it can be computed again."""

import threading
from collections import OrderedDict
from concurrent.futures import Future

from app.simulator.key import RunKey
from app.simulator.run import record
from app.simulator.scenario import Scenario
from app.web.recorded import Recorded

MOST_WORK = 6_000_000
"""How much work all kept runs were together: it is also a measure of the memory that they hold."""

MOST_RUNS = 256
AT_ONCE = 2
"""How many runs may be computed at the same time; pages go on being served meanwhile."""


class Runs:
    """Runs by scenario and key, the ones asked for lately; each is computed once, by whoever asks first."""

    def __init__(self, most_work: int = MOST_WORK, most_runs: int = MOST_RUNS) -> None:
        self.most_work = most_work
        self.most_runs = most_runs
        self._lock = threading.Lock()
        self._turn = threading.BoundedSemaphore(AT_ONCE)
        self._kept: OrderedDict[tuple[str, str, RunKey], Future[Recorded]] = OrderedDict()

    def recorded(self, scenario: Scenario, key: RunKey) -> Recorded:
        """The run that ``key`` names. Raises BluecutError as ``record`` does; failures are not kept."""
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
        """How much work the kept runs were together."""
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
        """Let go of what was asked for longest ago, until the rest is within the limits."""
        with self._lock:
            total = sum(size(future) for future in self._kept.values())
            for name in list(self._kept):
                if total <= self.most_work and len(self._kept) <= self.most_runs:
                    return
                if name != newest and self._kept[name].done():
                    total -= size(self._kept.pop(name))


def size(future: Future[Recorded]) -> int:
    """The work that a run was; 0 while it is not computed."""
    return future.result().run.work if future.done() and not future.exception() else 0
