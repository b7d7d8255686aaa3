import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from app.core.model import BluecutError
from app.simulator.key import RunKey
from app.simulator.run import Run, record
from app.simulator.scenario import Scenario, build
from app.simulator.source import Source
from app.web import runs
from app.web.runs import Runs
from tests.web.conversation import FIVE

SCENARIO = build(Source("five", FIVE, {}))


def test_a_run_is_computed_once() -> None:
    kept = Runs()
    assert kept.recorded(SCENARIO, RunKey()) is kept.recorded(SCENARIO, RunKey())


def test_another_key_is_another_run() -> None:
    kept = Runs()
    assert kept.recorded(SCENARIO, RunKey()) is not kept.recorded(SCENARIO, RunKey(drain=True))


def test_what_was_asked_for_longest_ago_goes_first() -> None:
    kept = Runs(most_work=100)
    first = kept.recorded(SCENARIO, RunKey(seed=1))
    second = kept.recorded(SCENARIO, RunKey(seed=2))
    assert kept.recorded(SCENARIO, RunKey(seed=1)) is first
    kept.recorded(SCENARIO, RunKey(seed=3))
    assert kept.work <= 100
    assert kept.recorded(SCENARIO, RunKey(seed=1)) is first
    assert kept.recorded(SCENARIO, RunKey(seed=2)) is not second


def test_the_number_of_runs_is_limited_too() -> None:
    kept = Runs(most_runs=2)
    for seed in range(5):
        kept.recorded(SCENARIO, RunKey(seed=seed))
    assert kept.work == 92


def test_a_run_larger_than_the_limit_is_still_given() -> None:
    kept = Runs(most_work=1)
    assert len(kept.recorded(SCENARIO, RunKey()).run.steps) == 5
    assert kept.work == 46


def test_a_key_that_is_wrong_is_refused_again_and_not_kept() -> None:
    kept = Runs()
    for _ in range(2):
        with pytest.raises(BluecutError, match="unknown algorithm"):
            kept.recorded(SCENARIO, RunKey(algorithm="nope"))
    assert kept.work == 0


def test_many_who_ask_at_once_wait_for_one_computation(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[RunKey] = []
    go = threading.Event()

    def slowly(scenario: Scenario, key: RunKey) -> Run:
        begun.append(key)
        assert go.wait(10)
        return record(scenario, key)

    monkeypatch.setattr(runs, "record", slowly)
    kept = Runs()
    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(kept.recorded, SCENARIO, RunKey()) for _ in range(8)]
        go.set()
        found = {id(each.result()) for each in asked}
    assert len(found) == len(begun) == 1
