"""The runs requested recently. This is only a cache: everything in it can be computed again."""

import threading

from app.cache import Cache
from app.run.run import WORK, record, repeated
from app.scenario.run_key import RunKey
from app.scenario.scenario import Scenario
from app.web.shared.encoded_run import Recorded
from app.wire.scenario_link import OWN

MOST_BYTES = 150_000_000
"""The most memory of all cached runs together, in each process that computes runs."""

OWN_WORK = WORK // 2
"""How much work the run of a visitor's scenario may be."""

SAMPLE = 64
"""The steps at the beginning by whose frames the size of values is estimated."""

AT_ONCE = 2
"""The most runs computed at the same time; other pages are served meanwhile."""


class Runs:
    """Recently requested runs by scenario and key; each is computed once, by the first request."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self.cache = Cache[tuple[str, str, RunKey, int], Recorded](most, memory)
        self._turn = threading.BoundedSemaphore(AT_ONCE)

    def recorded(self, scenario: Scenario, key: RunKey, most_work: int | None = None) -> Recorded:
        """Return the run that ``key`` names, or as much of it as ``most_work`` allows. Raises BluecutError as
        ``record`` does; failures are not cached. The run that a run under another algorithm repeats is made once for
        all of them."""
        limit = OWN_WORK if scenario.name.startswith(OWN) else WORK
        most = min(most_work or limit, limit)

        def compute() -> Recorded:
            scenario.system(key)  # what is impossible repeats nothing
            own = self.recorded(scenario, repeated(key), most).run if scenario.follows(key) else None
            with self._turn:
                return Recorded(record(scenario, key, most_work=most, own=own).thinned())

        name = (scenario.name, scenario.digest, key)
        whole = self.cache.peek((*name, limit))
        if whole and whole.run.work <= most:
            return whole
        return self.cache.get((*name, most), compute)


def memory(recorded: Recorded) -> int:
    """Estimate the bytes of a run: the smallest takes 16 kB, each unit of work 20 bytes, and values some twice as much
    as in frames, which is most of a run with long names."""
    frames = recorded.first(SAMPLE)
    return 16_000 + 20 * recorded.run.work + 2 * sum(map(len, frames)) * len(recorded.run.steps) // max(1, len(frames))
