"""The runs requested recently. This is only a cache: everything in it can be computed again."""

import threading

from app.cache import Cache
from app.run.run import record
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
        self.cache = Cache[tuple[str, str, RunKey], Recorded](most, memory)
        self._turn = threading.BoundedSemaphore(AT_ONCE)

    def recorded(self, scenario: Scenario, key: RunKey) -> Recorded:
        """Return the run that ``key`` names. Raises BluecutError as ``record`` does; failures are not cached."""

        def compute() -> Recorded:
            with self._turn:
                return Recorded(record(scenario, key))

        return self.cache.get((scenario.name, scenario.digest, key), compute)


def memory(recorded: Recorded) -> int:
    """Estimate the bytes of a run with its frames: large runs take 85 to 145 for a unit of work, and the smallest
    one takes 16 kB."""
    return 16_000 + 120 * recorded.run.work
