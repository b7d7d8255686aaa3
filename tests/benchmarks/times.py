"""Processor time of what visitors wait for: every lane, in a process of its own.

.venv/bin/uv run --frozen --group test python -m tests.benchmarks.times
"""

import statistics

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
    """Measure and print a table. Where both builds are measured, they take turns."""
    print("µs of processor time a step, state or page")
    found, built = [], []
    with compiled() as there:
        for lane in LANES:
            trees = [ROOT, there.tree] if there is not None and lane in COMPILED_GOALS else [ROOT]
            rounds = [[microseconds(tree, lane) for tree in trees] for _ in range(ROUNDS)]
            middle, *others = (statistics.median(each) for each in zip(*rounds, strict=True))
            found.append(_told(lane, middle, GOALS.get(lane)))
            built += [_told(f"{lane}, compiled", each, COMPILED_GOALS[lane]) for each in others]
    return found + built


def _told(what: str, middle: float, goal: float | None) -> Result:
    print(f"{what:<42} {middle:>10,.1f}", flush=True)
    return Result(what, middle, "µs", goal, "less")


if __name__ == "__main__":
    main()
