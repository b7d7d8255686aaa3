"""Prints what the same keys have given since the last ``ENGINE``: ``python -m tests.run.behaviour``.

The output is kept in ``behaviour.json``. It changes only together with ``ENGINE``, or with a new scenario.
"""

import hashlib
import json
import sys
from collections.abc import Iterable

from app.algorithms.registry import ALGORITHMS
from app.core.model.values import BluecutError
from app.run.run import Run, record, summary
from app.scenario.library import LIBRARY
from app.scenario.run_key import ENGINE, RunKey

WORKLOADS = (
    "acknowledgement-lost",
    "alone",
    "backup",
    "born-after",
    "chain-from-b",
    "commit-after-complete",
    "commit-after-prepare",
    "continuous-aligns",
    "crash-unusable",
    "cut-and-mended",
    "domino",
    "domino-stopped",
    "end-gives-up",
    "leave-in-order",
    "loop-forgotten",
    "lossy-network",
    "micro-batch-plain",
    "newer-takes-over",
    "one-overtakes",
    "phantom-photographs",
    "plain-sink-twice",
    "queue",
    "regular-overtakes",
    "slow-task",
    "unlabelled-overlap",
    "useless-checkpoint",
)
"""Together they make each algorithm apply every rule, and note everything, that it does anywhere in the library."""


def _digest(runs: list[Run]) -> str:
    """Return a short name for the steps, notes and verdicts of some runs."""
    facts = [(run.digest, summary(run)) for run in runs]
    return hashlib.sha256(json.dumps(facts, ensure_ascii=False).encode()).hexdigest()[:12]


def own() -> dict[str, str]:
    """Return the digest of each scenario's own run."""
    return {scenario.name: _digest([record(scenario)]) for scenario in LIBRARY.scenarios()}


def runs_under(algorithm: str, names: Iterable[str] = WORKLOADS) -> list[Run]:
    """Return the runs of these scenarios under an algorithm, without those that it cannot run."""
    runs = []
    for name in names:
        try:
            runs.append(record(LIBRARY.scenario(name), RunKey(algorithm=algorithm)))
        except BluecutError as error:
            if "cannot run here" not in str(error):
                raise
    return runs


def under(algorithm: str) -> str:
    """Return the digest of the workloads under an algorithm."""
    return _digest(runs_under(algorithm))


def behaviour() -> dict[str, int | dict[str, str]]:
    """Return the engine's version, and what it does with every scenario and in every algorithm."""
    return {"engine": ENGINE, "scenarios": own(), "algorithms": {name: under(name) for name in ALGORITHMS}}


if __name__ == "__main__":
    json.dump(behaviour(), sys.stdout, indent=2)
    print()
