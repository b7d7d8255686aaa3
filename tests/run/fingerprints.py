"""Prints what must not depend on Python's hash order: digests, frames, explorations.

Run as a program by test_run, under two values of PYTHONHASHSEED.
"""

import hashlib
import json
from typing import Any

from app.run.explore import explore
from app.run.run import OWN, record, summary
from app.scenario.run_key import RunKey
from app.wire.frames import end, frames, scene
from tests.tiny import made

RANDOM: dict[str, Any] = {
    "topology": {"random": {"processes": 9, "degree": 3, "seed": 4}},
    "program": {"kind": "bank", "everyone": {"gold": 9, "silver": 4}, "amounts": [{"gold": 2}, {"silver": 1}]},
    "schedule": {"kind": "seeded", "seed": 8, "moves": 60},
    "initiators": [{"process": "P2", "at": 5}, {"process": "P7", "at": 9}, {"process": "P1", "at": 30}],
}
TIMED = RANDOM | {"schedule": {"kind": "timed", "seed": 3, "moves": 60, "one_per_sender": True}}
VARIABLES = RANDOM | {"program": {"kind": "variables", "values": {"P1": {"X": 0}, "P2": {"Y": 1, "Z": "z"}}}}
TOKEN: dict[str, Any] = {
    "topology": {"complete": 3},
    "program": {"kind": "token", "holders": {"P1": 1}},
    "explore": {"moves": 2, "starts": ["P1"]},
}
RUNS: dict[str, tuple[dict[str, Any], RunKey]] = {
    "seeded": (RANDOM, OWN),
    "timed": (TIMED, OWN),
    "variables": (VARIABLES, OWN),
    "any": (RANDOM, RunKey(discipline="any")),
    "late": (TIMED, RunKey(algorithm="late-marker")),
    "unlabelled": (RANDOM, RunKey(algorithm="unlabelled")),
    "photographs": (RANDOM, RunKey(algorithm="photographs")),
    "lai-yang": (RANDOM, RunKey(algorithm="lai-yang", discipline="any")),
    "mattern": (TIMED, RunKey(algorithm="mattern", discipline="any")),
    "stop-the-world": (TIMED, RunKey(algorithm="stop-the-world")),
    "merged": (RANDOM, RunKey(algorithm="merged")),
}


def digest(value: Any) -> str:
    """Return a short name for a value, its order included."""
    return hashlib.sha256(json.dumps(value, ensure_ascii=False).encode()).hexdigest()[:16]


def fingerprints() -> dict[str, Any]:
    """By name of a run: its digest, its frames, its summary; and what an exploration found."""
    found: dict[str, Any] = {}
    for name, (values, key) in RUNS.items():
        run = record(made(values), key)
        found[name] = [run.digest[:16], digest([scene(run), *frames(run), end(run)]), digest(summary(run))]
    for algorithm in ("chandy-lamport", "late-marker"):
        seen = explore(made(TOKEN), RunKey(algorithm=algorithm))
        outcomes = [(o.processes, o.channels, o.choices) for o in seen.outcomes]
        counters = [(c.check, c.witness, c.choices) for c in seen.counterexamples.values()]
        found[f"explore {algorithm}"] = [seen.states, seen.transitions, digest(outcomes), digest(counters)]
    return found


if __name__ == "__main__":
    print(json.dumps(fingerprints()))
