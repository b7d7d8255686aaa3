"""The experiments behind the pages of costs show the intended effects, and what is shipped is what runs measure."""

import json
from typing import Any

import pytest

from app.algorithms.registry import ALGORITHMS
from app.analysis.cost_runs import FILE, model, runs, some, young
from app.analysis.durations import Durations, durations
from app.analysis.ledger import ledger
from app.core.model.algorithm import Algorithm, Kind
from app.core.model.values import Deed, Move, Restore, Start
from app.pipeline.measure.costs import example, settings
from app.run.run import record
from app.scenario.run_key import RunKey
from app.scenario.scenario import unfit
from app.wire.scenario_link import LONGEST, unpacked

AGAIN = "measure again: bluecut costs > scenarios/costs/measured.json"
SETTINGS = {f"{i}-{one.experiment}": one for i, one in enumerate(settings())}
EACH = {one.experiment: name for name, one in SETTINGS.items() if one.experiment != "crowd" or one.at["size"] == 4}
"""One setting of each experiment."""


def same(name: str) -> None:
    """Compare what is shipped about a setting with its runs."""
    one = SETTINGS[name]
    shipped = [run for run in runs(one.experiment) if run.at == one.at]
    assert shipped and json.loads(unpacked(shipped[0].ref)) == json.loads(one.carried), AGAIN
    found = {measure: [run.found[measure] for run in shipped] for measure in one.measures}
    assert found == one.measured(), AGAIN
    assert [run.shows for run in shipped] == one.shows(), AGAIN


def test_the_shipped_file_is_about_the_experiments_of_the_spec() -> None:
    told = [
        (name, line["at"], line["seeds"]) for name, lines in json.loads(FILE.read_bytes()).items() for line in lines
    ]
    assert told == [(one.experiment, one.at, one.seeds) for one in SETTINGS.values()], AGAIN


@pytest.mark.parametrize("name", EACH.values())
def test_what_is_shipped_is_what_a_run_of_each_experiment_measures(name: str) -> None:
    same(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", SETTINGS)
def test_everything_that_is_shipped_is_what_the_runs_measure(name: str) -> None:
    same(name)


def test_every_link_can_carry_its_scenario() -> None:
    assert max(len(run.ref) for one in SETTINGS.values() for run in runs(one.experiment)) < LONGEST / 2


def fits_pipeline(rules: Algorithm[Any]) -> bool:
    """Is the algorithm made for dataflows, right, and able to run the pipeline of the table?"""
    made = rules.COORDINATED or rules.KIND in (Kind.PRIVATE, Kind.ITEMS)
    right = rules.WRONG is None and rules.RECOVERY.way != "none"
    there = example("straggler", slow=5, algorithm="aligned")
    return made and right and unfit(rules, there.topology, there.program) is None


def test_the_table_has_all_algorithms_that_are_made_for_dataflows_and_two_others() -> None:
    shown = list(dict.fromkeys(run.at["algorithm"] for run in runs("dashboard")))
    assert shown == [name for name in ALGORITHMS if name in shown]
    fit = {name for name, rules in ALGORITHMS.items() if fits_pipeline(rules)}
    assert set(shown) == fit | {"chandy-lamport", "at-least-once"}


def took(experiment: str, seed: int | None = None, **at: Any) -> Durations:
    """Return how long a run of an experiment took, after checking that it ended."""
    run = record(example(experiment, **at), RunKey(seed=seed))
    assert not run.full
    return durations(run)


def repeated(experiment: str, **at: Any) -> int:
    """Return how often an item was read or taken again in a run of an experiment."""
    book = ledger(record(example(experiment, **at)))
    assert book is not None
    return book.again


def slowed(ticks: int, algorithm: str) -> Durations:
    """Return how long the run with a slow task took."""
    return took("straggler", slow=ticks, algorithm=algorithm)


def stored(ticks: int, **at: Any) -> Durations:
    """Return how long the run took in which storing takes so long."""
    return took("storage", storing=ticks, **at)


def test_an_aligned_barrier_waits_behind_the_records_and_an_unaligned_one_does_not() -> None:
    aligned, unaligned, counted = (slowed(9, name) for name in ("aligned", "unaligned", "at-least-once"))
    assert (aligned.complete[0].lasts or 0) > 5 * 9  # five items wait in front of the slow task
    assert (unaligned.complete[0].lasts or 0) < 3 * 9
    assert (aligned.complete[0].waited, unaligned.complete[0].waited, counted.complete[0].waited) == (5, 0, 0)
    assert aligned.complete[0].in_flight == 0 < unaligned.complete[0].in_flight
    assert counted.complete[0].lasts == aligned.complete[0].lasts
    assert aligned.over == unaligned.over == counted.over  # nothing makes the slow task faster


def test_after_a_timeout_what_is_blocked_waits_only_for_a_barrier_that_overtakes() -> None:
    aligned, late = (slowed(9, name).complete[0] for name in ("aligned", "aligned-timeout"))
    assert 12 < late.longest < aligned.longest / 2
    assert late.in_flight > 0 == aligned.in_flight


def test_a_batch_lasts_as_long_as_its_slowest_task() -> None:
    quick, slow = (slowed(ticks, "micro-batch").complete[0].lasts or 0 for ticks in (3, 9))
    assert slow - quick == 7 * 6  # six ticks more for each of eight items, except the last: it is passed on first


def test_a_batch_whose_slow_task_is_run_a_second_time_lasts_as_long_however_slow_the_task_is() -> None:
    lasts = [slowed(ticks, "micro-batch-speculation").complete[0].lasts or 0 for ticks in (1, 3, 9, 15)]
    alone = [slowed(ticks, "micro-batch").complete[0].lasts or 0 for ticks in (1, 3, 9, 15)]
    assert lasts[0] == alone[0]  # it is fast enough: its copy never begins
    assert lasts[1] == lasts[2] == lasts[3] < alone[1] < alone[2] < alone[3]
    assert lasts[1] - lasts[0] == 12 + 8 - 7  # the clock and the copy, instead of a task with an item per tick


def test_every_interval_costs_and_so_does_every_crash() -> None:
    alone = took("interval", price=3)
    stopped = took("interval", every=24, price=3)
    assert alone.over == 121
    assert stopped.over == 121 + 4 * 3  # at 24, 51, 78 and 105
    assert took("interval", every=24, price=3, mean=40, seed=1).over > stopped.over


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
    outages = [outage for seed in range(1, 5) for outage in took("crowd", seed, size=4, algorithm=name).outages]
    assert outages
    assert {outage.gone_back / 4 for outage in outages} == {share}


def test_the_work_pays_for_storing_where_it_stops_and_the_crash_pays_where_it_does_not() -> None:
    assert [stored(ticks, stops=False).over for ticks in (2, 20)] == [82, 82]
    assert [stored(ticks, stops=True).over for ticks in (2, 20)] == [86, 122]
    again = [
        [repeated("storage", storing=ticks, stops=False, crash=at) for at in (45, 55, 65, 75)] for ticks in (2, 26)
    ]
    assert sum(again[1]) > 2 * sum(again[0])


def test_who_waits_for_a_quiet_time_does_more_while_it_is_busy_and_loses_more_in_a_crash() -> None:
    regular, waiting = took("tides", wait=False, quiet=True), took("tides", wait=True, quiet=True)
    assert sum(time <= 40 for time in waiting.visible) == 39 > sum(time <= 40 for time in regular.visible)
    assert repeated("tides", wait=True, quiet=True, crash=40) > repeated("tides", wait=False, quiet=True, crash=40)


def test_where_it_is_always_busy_who_waits_never_takes_a_checkpoint() -> None:
    assert took("tides", wait=True, quiet=False).checkpoints == ()
    lost = [repeated("tides", wait=True, quiet=False, crash=at) for at in (10, 20, 30, 40)]
    assert lost == [19, 39, 59, 79]


def test_a_crash_in_a_longer_pipeline_comes_after_a_checkpoint_and_two_more_items() -> None:
    run = record(example("longer", operators=33, algorithm="aligned"))
    assert Restore(1) in [step.action for step in run.steps]
    before = [step.action for step in run.steps if (step.at or 0) < 190]
    reads = [i for i, action in enumerate(before) if isinstance(action, Move) and action.detail == Deed.READ]
    assert len(reads) == 4 and reads[1] < before.index(Start("JM")) < reads[2]
