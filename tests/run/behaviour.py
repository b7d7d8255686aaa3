"""Prints what the same keys have given since the last ``ENGINE``: ``python -m tests.run.behaviour``.

The output is kept in ``behaviour.json``. What is in it changes only together with ``ENGINE``; a new scenario, algorithm
or check comes in when somebody writes it again.
"""

import hashlib
import json
import sys
from collections.abc import Collection, Iterable

from app.algorithms.registry import ALGORITHMS
from app.core.model.values import BluecutError, Json
from app.core.oracle.checks import CHECKS
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


def _digest(runs: list[Run], asked: Collection[str]) -> str:
    """Return a short name for the steps, notes and verdicts of some runs, as far as these checks were ``asked``."""
    others = CHECKS.keys() - set(asked)

    def told(run: Run) -> Json:
        known = summary(run)
        for snapshot in known["snapshots"]:
            for part in ("checks", "witnesses"):
                snapshot[part] = {name: value for name, value in snapshot[part].items() if name not in others}
        return known

    facts = [(run.digest, told(run)) for run in runs]
    return hashlib.sha256(json.dumps(facts, ensure_ascii=False).encode()).hexdigest()[:12]


def own(names: Iterable[str], asked: Collection[str]) -> dict[str, str]:
    """Return the digest of the own run of each of these scenarios."""
    return {name: _digest([record(LIBRARY.scenario(name))], asked) for name in names}


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


def under(algorithm: str, asked: Collection[str]) -> str:
    """Return the digest of the workloads under an algorithm."""
    return _digest(runs_under(algorithm), asked)


def behaviour() -> Json:
    """Return the engine's version, the checks, and what it does with every scenario and in every algorithm."""
    return {
        "engine": ENGINE,
        "checks": list(CHECKS),
        "scenarios": own(LIBRARY.names(), CHECKS),
        "algorithms": {name: under(name, CHECKS) for name in ALGORITHMS},
    }


if __name__ == "__main__":
    json.dump(behaviour(), sys.stdout, indent=2)
    print()
