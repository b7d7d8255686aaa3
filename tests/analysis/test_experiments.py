"""The experiments behind the page of costs show the intended effects."""

import pytest

from app.analysis.durations import Durations, durations
from app.analysis.experiments import (
    MOMENTS,
    STORAGE_MOMENTS,
    Values,
    crowd,
    interval,
    model,
    some,
    storage,
    straggler,
    tides,
    young,
)
from app.run.run import record
from app.scenario.run_key import RunKey
from tests.tiny import made


def took(values: Values, seed: int | None = None) -> Durations:
    """Return how long a run of an experiment took, after checking that it ended."""
    run = record(made(values), RunKey(seed=seed))
    assert not run.full
    return durations(run)


def test_an_aligned_barrier_waits_behind_the_records_and_an_unaligned_one_does_not() -> None:
    aligned, unaligned, counted = (took(straggler(9, name)) for name in ("aligned", "unaligned", "at-least-once"))
    assert (aligned.complete[0].lasts or 0) > 5 * 9  # five items wait in front of the slow task
    assert (unaligned.complete[0].lasts or 0) < 3 * 9
    assert (aligned.complete[0].waited, unaligned.complete[0].waited, counted.complete[0].waited) == (5, 0, 0)
    assert aligned.complete[0].in_flight == 0 < unaligned.complete[0].in_flight
    assert counted.complete[0].lasts == aligned.complete[0].lasts
    assert aligned.over == unaligned.over == counted.over  # nothing makes the slow task faster


def test_with_a_timeout_nobody_aligns_for_longer_than_that() -> None:
    late = took(straggler(9, "aligned-timeout")).complete[0]
    assert late.longest == 12
    assert late.in_flight > 0


def test_a_batch_lasts_as_long_as_its_slowest_task() -> None:
    quick, slow = (took(straggler(ticks, "micro-batch")).complete[0].lasts or 0 for ticks in (3, 9))
    assert slow - quick == 7 * 6  # six ticks more for each of eight items, except the last: it is passed on first


def test_a_batch_whose_slow_task_is_run_a_second_time_lasts_as_long_however_slow_the_task_is() -> None:
    lasts = [took(straggler(ticks, "micro-batch-speculation")).complete[0].lasts or 0 for ticks in (1, 3, 9, 15)]
    alone = [took(straggler(ticks, "micro-batch")).complete[0].lasts or 0 for ticks in (1, 3, 9, 15)]
    assert lasts[0] == alone[0]  # it is fast enough: its copy never begins
    assert lasts[1] == lasts[2] == lasts[3] < alone[1] < alone[2] < alone[3]
    assert lasts[1] - lasts[0] == 12 + 8 - 7  # the clock and the copy, instead of a task with an item per tick


def test_every_interval_costs_and_so_does_every_crash() -> None:
    alone = took(interval(None, 3, None))
    stopped = took(interval(24, 3, None))
    assert alone.over == 121
    assert stopped.over == 121 + 4 * 3  # at 24, 51, 78 and 105
    assert took(interval(24, 3, 40), seed=1).over > stopped.over


def test_the_formula_is_young_s() -> None:
    assert young(2, 100) == 20
    assert model(20, 2, 100) == pytest.approx(2 / 20 + 11 / 100)
    assert model(20, 2, 100) < min(model(19, 2, 100), model(21, 2, 100))


def test_the_probability_that_anybody_crashes_is_one_less_that_nobody_does() -> None:
    once = some(1, 16)
    assert once == pytest.approx(0.0952, abs=1e-4)
    assert some(2, 16) == pytest.approx(1 - (1 - once) ** 2)


@pytest.mark.parametrize(("name", "share"), [("aligned", 1.0), ("millwheel", 0.25)])
def test_all_go_back_or_only_the_one_that_crashed(name: str, share: float) -> None:
    outages = [outage for seed in range(1, 5) for outage in took(crowd(4, name), seed).outages]
    assert outages
    assert {outage.gone_back / 4 for outage in outages} == {share}


def test_the_work_pays_for_storing_where_it_stops_and_the_crash_pays_where_it_does_not() -> None:
    assert [took(storage(ticks, stops=False)).over for ticks in (2, 20)] == [82, 82]
    assert [took(storage(ticks, stops=True)).over for ticks in (2, 20)] == [86, 122]
    again = [[took(storage(ticks, stops=False, crash=at)).again for at in STORAGE_MOMENTS] for ticks in (2, 26)]
    assert sum(again[1]) > 2 * sum(again[0])


def test_who_waits_for_a_quiet_time_does_more_while_it_is_busy_and_loses_more_in_a_crash() -> None:
    regular, waiting = took(tides(wait=False, quiet=True)), took(tides(wait=True, quiet=True))
    assert sum(time <= 40 for time in waiting.visible) == 39 > sum(time <= 40 for time in regular.visible)
    assert took(tides(wait=True, quiet=True, crash=40)).again > took(tides(wait=False, quiet=True, crash=40)).again


def test_where_it_is_always_busy_who_waits_never_takes_a_checkpoint() -> None:
    assert took(tides(wait=True, quiet=False)).checkpoints == ()
    lost = [took(tides(wait=True, quiet=False, crash=at)).again for at in MOMENTS[:4]]
    assert lost == [19, 39, 59, 79]
