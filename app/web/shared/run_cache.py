"""The runs requested recently. This is only a cache: everything in it can be computed again."""

import threading

from app.cache import Cache
from app.run.run import WORK, record, repeated
from app.scenario.run_key import RunKey
from app.scenario.scenario import Scenario
from app.web.shared.encoded_run import Recorded

MOST_BYTES = 600_000_000
"""The most memory of all cached runs together."""

AT_ONCE = 2
"""The most runs computed at the same time; other pages are served meanwhile."""


class Runs:
    """Recently requested runs by scenario and key; each is computed once, by the first request."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self.cache = Cache[tuple[str, str, RunKey, int], Recorded](most, memory)
        self._turn = threading.BoundedSemaphore(AT_ONCE)

    def recorded(self, scenario: Scenario, key: RunKey, most_work: int = WORK) -> Recorded:
        """Return the run that ``key`` names, or as much of it as ``most_work`` allows. Raises BluecutError as
        ``record`` does; failures are not cached. The run that a run under another algorithm repeats is made once for
        all of them."""

        def compute() -> Recorded:
            own = self.recorded(scenario, repeated(key), most_work).run if scenario.follows(key) else None
            with self._turn:
                return Recorded(record(scenario, key, most_work=most_work, own=own))

        name = (scenario.name, scenario.digest, key)
        whole = self.cache.peek((*name, WORK))
        if whole and whole.run.work <= most_work:
            return whole
        return self.cache.get((*name, most_work), compute)


def memory(recorded: Recorded) -> int:
    """Estimate the bytes of a run with its frames: large runs take 85 to 145 for a unit of work, and the smallest
    one takes 16 kB."""
    return 16_000 + 120 * recorded.run.work
