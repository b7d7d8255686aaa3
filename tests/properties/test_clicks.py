"""Whatever a page offers leads to a run: any click in any run of the library under any algorithm that is offered."""

from random import Random, randrange

import pytest

from app.algorithms.registry import ALGORITHMS
from app.core.kernel.enabled import enabled
from app.core.model.values import BluecutError
from app.run.run import record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.scenario.scenario import Scenario
from tests.often import some

MOST = 150
"""Steps of a run."""


def offered(scenario: Scenario, algorithm: str) -> bool:
    """Can the algorithm be chosen for the scenario?"""
    try:
        scenario.system(RunKey(algorithm=algorithm))
    except BluecutError:
        return False
    return True


def clicked(name: str, algorithms: list[str], rng: Random) -> None:
    """Click once in the run under each of these algorithms that is offered."""
    scenario = LIBRARY.scenario(name)
    for algorithm in algorithms:
        if not offered(scenario, algorithm):
            continue
        run = record(scenario, RunKey(algorithm=algorithm), most=MOST)
        step = rng.randrange(len(run.steps) + 1)
        possible = enabled(run.system, run.world(step))
        if possible and step < MOST:
            choice = (step, rng.randrange(len(possible)))
            try:
                made = record(scenario, RunKey(algorithm=algorithm, choices=(choice,)), most=MOST)
            except BluecutError as error:
                pytest.fail(f"{name}, {algorithm}, {choice}: {error}")
            assert len(made.steps) > step, (algorithm, choice)


@pytest.mark.parametrize("name", some(LIBRARY.names(), 9))
def test_a_click_leads_to_a_run(name: str) -> None:
    rng = Random(name)
    clicked(name, rng.sample(sorted(ALGORITHMS), 12), rng)


@pytest.mark.slow
@pytest.mark.parametrize("name", LIBRARY.names())
def test_any_click_under_any_algorithm_leads_to_a_run(name: str) -> None:
    seed = randrange(2**32)
    print(f"seed {seed}")  # shown if it fails
    rng = Random(seed)
    for _ in range(3):
        clicked(name, sorted(ALGORITHMS), rng)


JOINED = [name for name in LIBRARY.names() if LIBRARY.scenario(name).system(RunKey()).newcomers]


@pytest.mark.parametrize("name", JOINED)
def test_who_cannot_join_any_more_after_a_click_stays_away(name: str) -> None:
    for algorithm in ("chandy-lamport", "members", "venkatesan"):
        rng = Random(f"{name} {algorithm}")
        for _ in range(10):
            clicked(name, [algorithm], rng)
