"""The most expensive addresses: the largest scenarios of a link, on every page that computes something of them.

    .venv/bin/uv run --frozen --group test python -m tests.benchmarks.expensive [PAGE …]

Each is asked for once, of an application that has kept neither runs nor plans, in the process of the benchmark, after
the same page of a small run: whoever serves pages has read its templates. ``kept`` is no page: it is the memory that
the run takes afterwards, with its frames.
"""

import gc
import sys
import time
import tracemalloc
from typing import Any

from fastapi.testclient import TestClient

from app.pictures.layout.arrange import arrange
from app.scenario.run_key import RunKey
from app.web.app import Settings, create_app
from app.web.shared.run_cache import Runs
from app.wire.scenario_link import canonical, packed, scenario_in, unpacked
from tests.benchmarks.result import Result

GOAL = 2.0
STEP = 2_000
KEPT, MOST_KEPT = "kept", 10.0
"""The name of what is no page, and its goal in MB."""


def _carried(**other: Any) -> str:
    """Return a link's scenario: as much as it can have, but for ``other``."""
    values: dict[str, Any] = {
        "title": {"en": "as large as can be", "zh": "大到极限"},
        "topology": {"random": {"processes": 200, "degree": 20, "seed": 1}},
        "program": {"kind": "bank", "everyone": 100},
        "schedule": {"kind": "seeded", "seed": 1, "moves": 20_000},
        "initiators": [{"process": f"P{i}", "at": at} for i, at in ((1, 10), (2, 3_000), (3, 6_000))],
        "steps": 20_000,
    }
    return packed(canonical(values | other))


_NAMES = [f"{'name' * 9}{i}" for i in range(8)]

SCENARIOS = {
    "200 processes, 4,000 channels": _carried(),
    "the same, timed": _carried(schedule={"kind": "timed", "seed": 1, "moves": 20_000}),
    "the same, 400 steps": _carried(
        schedule={"kind": "seeded", "seed": 1, "moves": 400}, initiators=[{"process": "P1", "at": 10}], steps=400
    ),
    "complete 40, causal": _carried(
        topology={"complete": 40}, discipline="causal", algorithm="acharya-badrinath"
    ),
    "complete 12": _carried(topology={"complete": 12}),
    "complete 12, long names": _carried(
        topology={"complete": 12},
        program={"kind": "bank", "everyone": dict.fromkeys(_NAMES, 10**12), "amounts": [dict.fromkeys(_NAMES, 1)]},
    ),
}  # fmt: skip
"""By what they have most of, the refs of scenarios."""

COMPARED = "&".join(
    f"with={name}" for name in ("acharya-badrinath", "alagar-venkatesan", "unicast-token", "chandy-lamport~causal")
)
PAGES = {
    "run": "/run/{ref}",
    "events": "/run/{ref}/events",
    "step": "/run/{ref}/step/{step}",
    "trace": "/run/{ref}/trace.json",
    "compare": "/compare/{ref}?" + COMPARED,
    "compare others": "/compare/{ref}?with=chandy-lamport&with=lai-yang&with=photographs&with=mattern",
    "find": "/run/{ref}/find",
    "switches": "/run/{ref}/switches",
    **{name: f"/{name}/{{ref}}" for name in ("states", "stable", "monitor", "diagram", "cuts", "swap", "quiz")},
}


def main() -> list[Result]:
    """Measure and print a table."""
    wanted = [name for name in sys.argv[1:] if name in (*PAGES, KEPT)] or [*PAGES, KEPT]
    app = create_app(Settings(keep=0))
    client = TestClient(app)
    results = []
    print("seconds of processor time (status)")
    for page in (name for name in wanted if name != KEPT):
        worst = 0.0
        client.get(PAGES[page].format(ref="blue-figure", step=2))
        for name, ref in SCENARIOS.items():
            app.state.runs = Runs()
            arrange.cache_clear()
            began = time.process_time()
            answer = client.get(PAGES[page].format(ref=ref, step=STEP), headers={"accept-encoding": "gzip"})
            passed = time.process_time() - began
            worst = max(worst, passed)
            print(f"{page:<9} {name:<30} {passed:6.2f} ({answer.status_code})", flush=True)
        results.append(Result(f"most expensive {page}", worst, "s", GOAL, "less"))
    if KEPT in wanted:
        results.append(Result("largest kept run", max(map(_kept, SCENARIOS)), "MB", MOST_KEPT, "less"))
    return results


def _kept(name: str) -> float:
    """Return the MB that a run takes in the cache."""
    scenario = scenario_in(unpacked(SCENARIOS[name]))
    Runs().recorded(scenario, RunKey()).events(None, zipped=True)  # imports what is missing
    runs = Runs()
    gc.collect()
    tracemalloc.start()
    runs.recorded(scenario, RunKey()).events(None, zipped=True)
    gc.collect()
    taken = tracemalloc.get_traced_memory()[0] / 1e6
    tracemalloc.stop()
    print(f"{KEPT:<9} {name:<30} {taken:6.2f} MB", flush=True)
    return taken


if __name__ == "__main__":
    main()
