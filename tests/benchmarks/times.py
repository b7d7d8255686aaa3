"""Processor time of what visitors wait for: every lane, in a process of its own.

.venv/bin/uv run --frozen --group test python -m tests.benchmarks.times
"""

import statistics
from pathlib import Path

from tests.benchmarks.against import ROOT, microseconds
from tests.benchmarks.compiled import compiled
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
COMPILED_GOALS = {"a run, from its key to its bytes": 20.0, "kernel, 10 processes": None, "explore": None}
"""The lanes that are measured in the compiled build, too."""


def main() -> list[Result]:
    """Measure and print a table."""
    print("µs of processor time a step, state or page")
    found = [_measured(ROOT, lane, lane, GOALS.get(lane)) for lane in LANES]
    with compiled() as there:
        if there is not None:
            lanes = COMPILED_GOALS.items()
            found += [_measured(there.tree, lane, f"{lane}, compiled", goal) for lane, goal in lanes]
    return found


def _measured(tree: Path, lane: str, what: str, goal: float | None) -> Result:
    middle = statistics.median(microseconds(tree, lane) for _ in range(ROUNDS))
    print(f"{what:<42} {middle:>10,.1f}", flush=True)
    return Result(what, middle, "µs", goal, "less")


if __name__ == "__main__":
    main()
