"""Processor time of what visitors wait for, one lane at a time: ``python -P tests/benchmarks/lanes.py LANE``.

It uses only ``app``, of the tree with which PYTHONPATH begins: ``tests.benchmarks.against`` runs those of two trees in
turns.
"""

import asyncio
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from httpx2 import ASGITransport, AsyncClient

from app.core.kernel.step import step
from app.run.explore import explore
from app.run.run import Run, record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.scenario.scenario import Scenario, load
from app.web.app import create_app
from app.web.shared.encoded_run import Recorded

KEY = RunKey()
LONG = """\
title: {en: a long run, zh: 长运行}
topology: {random: {processes: PROCESSES, degree: 3, seed: 4}}
program: {kind: bank, everyone: 50, amounts: [1, 2]}
schedule: {kind: KIND, seed: 3, moves: 3000}
initiators: [{process: P1, at: 100}, {process: P2, at: 700}, {process: P3, at: 1500}]
steps: 8000
"""


class Watch:
    """A stop watch of processor time."""

    seconds = 0.0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Count what happens inside."""
        began = time.process_time()
        yield
        self.seconds += time.process_time() - began


def _long(kind: str, processes: int = 10) -> Scenario:
    return load(LONG.replace("KIND", kind).replace("PROCESSES", str(processes)), "long")


def _stepped(watch: Watch, scenario: Scenario) -> int:
    """Only step: no history, no verdicts, nothing kept."""
    system = scenario.system(KEY)
    schedule, world, steps = scenario.schedule(KEY, system), system.begin(), 0
    with watch.running():
        while action := schedule.next(world):
            world, notes = step(system, world, action)
            schedule.saw(action, world, notes)
            steps += 1
    return steps


def _judged(watch: Watch, scenario: Scenario) -> int:
    with watch.running():
        run = record(scenario)
        assert run.verdicts
        assert run.undisturbed
    return len(run.steps)


def _told(watch: Watch, scenario: Scenario) -> int:
    run: Run = record(scenario)
    assert run.verdicts
    with watch.running():
        Recorded(run).events(None, zipped=False)
    return len(run.steps)


def _whole(watch: Watch) -> int:
    """From a scenario to the bytes that a browser gets."""
    scenario = _long("timed")
    with watch.running():
        made = Recorded(record(scenario))
        made.events(None, zipped=True)
    return len(made.run.steps)


def _explored(watch: Watch) -> int:
    with watch.running():
        return explore(LIBRARY.scenario("blue-figure"), KEY).states


def _shown(watch: Watch, path: str) -> int:
    return asyncio.run(_asked(watch, path))


async def _asked(watch: Watch, path: str) -> int:
    times, way = 200, ASGITransport(create_app())
    async with AsyncClient(transport=way, base_url="http://testserver") as client:
        await client.get(path)
        with watch.running():
            for _ in range(times):
                assert (await client.get(path)).status_code == 200
    return times


LANES: dict[str, Callable[[Watch], int]] = {
    "kernel, 10 processes": lambda watch: _stepped(watch, _long("timed")),
    "kernel, 200 processes": lambda watch: _stepped(watch, _long("timed", 200)),
    "a judged run, timed": lambda watch: _judged(watch, _long("timed")),
    "a judged run, seeded": lambda watch: _judged(watch, _long("seeded")),
    "frames and JSON": lambda watch: _told(watch, _long("timed")),
    "a run, from its key to its bytes": _whole,
    "explore": _explored,
    "the home page": lambda watch: _shown(watch, "/"),
    "the page of a run": lambda watch: _shown(watch, "/run/queue"),
    "the page of scenarios": lambda watch: _shown(watch, "/scenarios"),
}
"""What is measured: each returns how many steps, states or pages the time was for."""

if __name__ == "__main__":
    stopped = Watch()
    count = LANES[sys.argv[1]](stopped)
    print(1e6 * stopped.seconds / count)
