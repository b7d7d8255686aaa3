"""Processor time of what visitors wait for: every lane, in a process of its own.

.venv/bin/uv run --frozen --group test python -m tests.benchmarks.times
"""

import statistics

from tests.benchmarks.against import ROOT, microseconds
from tests.benchmarks.lanes import LANES
from tests.benchmarks.result import Result

ROUNDS = 5
GOALS = {
    "a run, from its key to its bytes": 25.0,
    "explore": 67.0,
    "the home page": 3_000.0,
    "the page of a run": 3_000.0,
}
"""By lane, the microseconds to reach."""


def main() -> list[Result]:
    """Measure and print a table."""
    found = []
    print("µs of processor time a step, state or page")
    for lane in LANES:
        middle = statistics.median(microseconds(ROOT, lane) for _ in range(ROUNDS))
        print(f"{lane:<34} {middle:>10,.1f}", flush=True)
        found.append(Result(lane, middle, "µs", GOALS.get(lane), "less"))
    return found


if __name__ == "__main__":
    main()
