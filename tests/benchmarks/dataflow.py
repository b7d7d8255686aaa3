"""What safety costs a dataflow: items per second under every algorithm made for dataflows, compared with none.

    .venv/bin/uv run --frozen --group test python -m tests.benchmarks.dataflow

Two sources of RECORDS items each pass a map and meet in a keyed sum; channels hold eight. Every INTERVAL ticks of
virtual time a checkpoint is started; engines that work in batches take BATCH records of a source at a time. The
reference is the same dataflow under aligned barriers without any checkpoint, in the same run; the two take turns, so
that a noisy machine is noisy for both. What is timed is the run itself, without the oracle. Each run checks that the
sum is what it must be. An algorithm that does more per item takes more steps.
"""

import statistics
import time
from typing import Any

from app.algorithms.registry import ALGORITHMS
from app.core.kernel.step import step
from app.core.model.algorithm import Kind
from app.core.model.values import BluecutError
from app.forms.yaml_source import Source
from app.scenario.run_key import RunKey
from app.scenario.scenario import Scenario, build
from tests.benchmarks.result import Result

RECORDS = 1_000
INTERVAL = 200
BATCH = 100
ROUNDS = 3
KEYS = "abcdefgh"
STEPS = 400_000


def flow(algorithm: str, every: int) -> Scenario:
    """Return the dataflow under one algorithm, with a checkpoint ``every`` so many ticks, none where that is 0."""
    records = [{KEYS[i % len(KEYS)]: 1} for i in range(RECORDS)]
    links = ["JM->s1", "JM->s2", "s1->m1", "s2->m2", "m1->sum", "m2->sum", "sum->out"]
    values: dict[str, Any] = {
        "title": {"en": "Benchmark", "zh": "基准"},
        "topology": {"processes": ["JM", "s1", "s2", "m1", "m2", "sum", "out"], "channels": links},
        "program": {
            "kind": "dataflow",
            "operators": {
                "JM": {"coordinator": True},
                "s1": {"source": records},
                "s2": {"source": records},
                "m1": {"map": {"times": 1}},
                "m2": {"map": {"times": 1}},
                "sum": {"sum": "key"},
                "out": {"sink": "idempotent"},
            },
        },
        "algorithm": algorithm,
        "capacity": 8,
        "schedule": {
            "kind": "timed",
            "seed": 1,
            "delay": {"uniform": [0, 2]},
            "gap": {"constant": 2},
            "put_off": {"constant": 3},
        },
    }
    if ALGORITHMS[algorithm].DATAFLOW.batches:
        values["program"]["operators"]["JM"]["batch"] = BATCH
        values["initiators"] = [{"process": "JM", "at": 0}]
    elif every:
        values["initiators"] = [{"process": "JM", "at": every, "every": every}]
    return build(Source("benchmark", values, {}))


def timed(scenario: Scenario) -> tuple[float, int]:
    """Return the items per second of one run, and its steps. Raises SystemExit if the sum is wrong."""
    system = scenario.system(RunKey())
    schedule = scenario.schedule(RunKey(), system)
    world, steps = system.begin(), 0
    began = time.perf_counter()
    while steps < STEPS and (action := schedule.next(world)):
        world, notes = step(system, world, action)
        schedule.saw(action, world, notes)
        steps += 1
    took = time.perf_counter() - began
    if sum(total for _, total in world.states["sum"].table) != 2 * RECORDS:
        raise SystemExit(f"{system.algorithm.NAME}: the sum is wrong")
    return 2 * RECORDS / took, steps


def main() -> list[Result]:
    """Measure and print a table."""
    found = []
    print(f"{2 * RECORDS:,} records, a checkpoint every {INTERVAL} ticks; medians of {ROUNDS}")
    print(f"{'algorithm':<26} {'records/s':>9} {'of none':>8} {'steps':>8}")
    for name, rules in ALGORITHMS.items():
        if rules.GRAPH != "rooted" and name not in ("chandy-lamport", "millwheel", "weak-productions"):
            continue
        try:
            scenario = flow(name, INTERVAL if rules.KIND is not Kind.ITEMS else 0)
            pairs = [(timed(scenario), timed(flow("aligned", 0))) for _ in range(ROUNDS)]
        except BluecutError as reason:
            print(f"{name:<26} {reason}")
            continue
        rate = statistics.median(ours for (ours, _), _ in pairs)
        ratio = statistics.median(ours / theirs for (ours, _), (theirs, _) in pairs)
        print(f"{name:<26} {rate:>9,.0f} {ratio:>8.2f} {pairs[0][0][1]:>8,}", flush=True)
        what = f"records per second, of those without checkpoints, {name}"
        found.append(Result(what, ratio, "ratio", headline=name == "aligned"))
    return found


if __name__ == "__main__":
    main()
