import gc
import threading
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from msgspec.structs import replace

from app.core.model.values import BluecutError
from app.forms.yaml_source import Source
from app.run.run import Run, record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.scenario.scenario import Scenario, build
from app.web.shared import run_cache
from app.web.shared.encoded_run import Recorded
from app.web.shared.run_cache import Runs, memory
from app.wire.scenario_link import OWN, scenario_in, unpacked
from tests.benchmarks.expensive import SCENARIOS
from tests.web.conversation import FIVE

SCENARIO = build(Source("five", FIVE, {}))


def test_a_run_is_computed_once() -> None:
    kept = Runs()
    assert kept.recorded(SCENARIO, RunKey()) is kept.recorded(SCENARIO, RunKey())


def test_another_key_is_another_run() -> None:
    kept = Runs()
    assert kept.recorded(SCENARIO, RunKey()) is not kept.recorded(SCENARIO, RunKey(drain=True))


def test_a_visitors_run_may_be_less_work_than_one_of_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    work = Runs().recorded(SCENARIO, RunKey()).run.work
    own = replace(SCENARIO, name=f"{OWN}five")
    monkeypatch.setattr(run_cache, "OWN_WORK", work)
    assert not Runs().recorded(own, RunKey()).run.full
    monkeypatch.setattr(run_cache, "OWN_WORK", work - 1)
    assert Runs().recorded(own, RunKey()).run.full and not Runs().recorded(SCENARIO, RunKey()).run.full


def test_the_runs_asked_for_last_stay_within_the_bound() -> None:
    size = memory(Runs().recorded(SCENARIO, RunKey()))
    kept = Runs(most=2 * size)
    first, second, _ = (kept.recorded(SCENARIO, RunKey(seed=seed)) for seed in (1, 2, 3))
    assert kept.cache.bytes == 2 * size
    assert kept.recorded(SCENARIO, RunKey(seed=2)) is second
    assert kept.recorded(SCENARIO, RunKey(seed=1)) is not first


@pytest.mark.slow
def test_the_size_of_a_run_is_the_memory_that_it_takes() -> None:
    for scenario in (SCENARIO, LIBRARY.scenario("random-twelve")):
        taken, estimated = min(measured(scenario) for _ in range(2))  # the first fills caches; other threads take some
        assert taken / 4 < estimated < taken * 4


def measured(scenario: Scenario) -> tuple[int, int]:
    """Return the bytes that a run with its frames takes, and the estimate."""
    gc.collect()
    tracemalloc.start()
    made = Recorded(record(scenario).thinned())
    assert made.events(None, zipped=True) and made.events(None, zipped=False)
    gc.collect()
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return taken, memory(made)


@pytest.mark.slow
def test_a_kept_run_gives_the_collector_little_to_walk_through() -> None:
    """Else everybody waits while it does: with twenty runs of some hundred thousand objects, for seconds."""
    runs, large = Runs(), scenario_in(unpacked(SCENARIOS["complete 12"]))
    runs.recorded(large, RunKey(seed=1))  # what all its runs share
    gc.collect()
    before = len(gc.get_objects())
    kept = runs.recorded(large, RunKey(seed=2))
    gc.collect()
    assert len(kept.run.steps) > 10_000
    assert len(gc.get_objects()) - before < 20_000


def test_a_key_that_is_wrong_is_refused_again_and_not_kept() -> None:
    kept = Runs()
    for _ in range(2):
        with pytest.raises(BluecutError, match="unknown algorithm"):
            kept.recorded(SCENARIO, RunKey(algorithm="nope"))
    assert kept.cache.bytes == 0


def test_a_run_under_another_algorithm_repeats_the_run_that_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[RunKey] = []

    def counted(scenario: Scenario, key: RunKey, **more: Any) -> Run:
        made.append(key)
        return record(scenario, key, **more)

    monkeypatch.setattr(run_cache, "record", counted)
    kept, keys = Runs(), [RunKey("photographs"), RunKey("lai-yang"), RunKey()]
    found = [kept.recorded(SCENARIO, key).run.digest for key in keys]
    assert sorted(map(str, made)) == sorted(map(str, keys))
    assert found == [record(SCENARIO, key).digest for key in keys]


def test_what_is_more_work_than_allowed_ends_early_and_does_not_take_the_place_of_the_whole_run() -> None:
    kept = Runs()
    short, whole = kept.recorded(SCENARIO, RunKey(), 10).run, kept.recorded(SCENARIO, RunKey()).run
    assert short.full
    assert not whole.full
    assert short.steps == whole.steps[: len(short.steps)]
    assert kept.recorded(SCENARIO, RunKey(), whole.work).run is whole


def test_many_who_ask_at_once_wait_for_one_computation(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[RunKey] = []
    go = threading.Event()

    def slowly(scenario: Scenario, key: RunKey, **more: Any) -> Run:
        begun.append(key)
        assert go.wait(10)
        return record(scenario, key, **more)

    monkeypatch.setattr(run_cache, "record", slowly)
    kept = Runs()
    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(kept.recorded, SCENARIO, RunKey()) for _ in range(8)]
        go.set()
        found = {id(each.result()) for each in asked}
    assert len(found) == len(begun) == 1
