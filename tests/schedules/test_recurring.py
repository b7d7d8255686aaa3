"""Recurring events in virtual time, and the duration of deferred steps."""

from typing import Any

import pytest

from app.core.model.notes import Received
from app.core.model.values import Deed, Move
from app.forms.yaml_source import SourceError
from app.run.run import Run, record
from app.scenario.run_key import RunKey
from tests.schedules.test_timed_dataflow import times, total
from tests.tiny import made

LINE: dict[str, Any] = {
    "topology": {"processes": ["JM", "s", "sum", "out"], "channels": ["JM->s", "s->sum", "sum->out"]},
    "program": {
        "kind": "dataflow",
        "operators": {
            "JM": {"coordinator": True, "batch": 10},
            "s": {"source": [1] * 40},
            "sum": {"sum": "all"},
            "out": {"sink": "plain"},
        },
    },
    "algorithm": "aligned",
    "schedule": {
        "kind": "timed",
        "delay": {"constant": 0},
        "gap": {"constant": 1},
        "put_off": {"constant": 4},
    },
    "initiators": [{"process": "JM", "at": 10, "every": 10}],
}
"""One item per tick, 40 in all, and a checkpoint every 10 ticks."""


def line(**schedule: Any) -> dict[str, Any]:
    """Return the same with more fields of the schedule."""
    return LINE | {"schedule": LINE["schedule"] | schedule}


def reads(run: Run) -> list[int]:
    """When the source was read."""
    return [s.at or 0 for s in run.steps if isinstance(s.action, Move) and s.action.detail == Deed.READ]


def test_starts_at_an_interval_end_with_the_records() -> None:
    run = record(made(LINE))
    assert times(run, "started") == [10, 20, 30, 40]
    assert reads(run) == list(range(1, 41))
    assert run.steps[-1].at == 47  # the last checkpoint is stored


def test_after_a_rollback_the_interval_begins_anew() -> None:
    script = [{"at": 24, "crash": "sum"}, {"at": 25, "restore": "latest"}]
    run = record(made(LINE | {"script": script}))
    assert times(run, "started") == [10, 20, 35, 45, 55]
    assert reads(run)[23:26] == [24, 25, 26]
    assert total(run) == 40


def test_more_than_sixteen_snapshots_may_be_started_at_an_interval() -> None:
    run = record(made(LINE | {"initiators": [{"process": "JM", "at": 1, "every": 2}]}))
    assert len(times(run, "started")) == 21


def test_crashes_by_chance_are_those_of_the_seed_and_the_result_is_whole() -> None:
    scenario = made(line(failures={"mean": 20, "processes": ["sum", "out"], "back": 3}))
    runs = [record(scenario, RunKey(seed=seed)) for seed in range(6)]
    downs = [times(run, "down") for run in runs]
    assert len({tuple(each) for each in downs}) > 3
    assert [times(record(scenario, RunKey(seed=2)), "down")] == [downs[2]]
    assert {total(run) for run in runs} == {40}
    for run in runs:
        assert len(times(run, "restored")) == len(set(times(run, "restored")))
        assert not run.end.down and not run.full
    first = next(run for run in runs if times(run, "down"))
    assert times(first, "restored")[0] == (times(first, "down")[0] or 0) + 3


def test_what_is_drawn_has_the_mean_that_was_asked_for() -> None:
    values = line(failures={"mean": 50, "processes": ["sum"]}) | {"initiators": []}
    firsts = [(times(record(made(values), RunKey(seed=seed)), "down") or [41])[0] or 0 for seed in range(60)]
    crashed = sum(first <= 40 for first in firsts)
    assert 23 <= crashed <= 43  # 60 * (1 - exp(-40 / 50)) = 33


def test_a_line_that_is_still_to_come_keeps_nobody_from_reading() -> None:
    takes = {word: {"constant": 1} for word in ("write", "finish", "report", "trigger")}
    batches = line(takes=takes) | {"algorithm": "micro-batch", "initiators": [{"process": "JM", "at": 1}]}
    calm, waiting = (record(made(batches | more)) for more in ({}, {"script": [{"at": 500, "crash": "sum"}]}))
    assert reads(calm) == reads(waiting)
    assert reads(calm)[-1] < 200


def test_crashes_that_fall_on_nothing_left_to_do_do_not_keep_the_run_going() -> None:
    run = record(made(line(failures={"mean": 1_000, "processes": ["sum"]})))
    assert run.steps[-1].at == 47


def test_a_step_of_one_word_may_take_its_own_time() -> None:
    slow = record(made(line(takes={"upload": {"constant": 9}})))
    other = record(made(line(takes={"timeout": {"constant": 9}})))
    assert (times(slow, "acked")[0] or 0) - (times(slow, "recorded")[1] or 0) == 9
    assert times(other, "acked") == times(record(made(LINE)), "acked")


def test_while_a_step_is_taken_that_stops_it_a_process_reads_and_takes_nothing() -> None:
    run = record(made(line(stops=["upload"])))
    recorded = [step.at for step in run.steps for note in step.notes if note.key == "recorded" and note.process == "s"]  # type: ignore[attr-defined]
    assert recorded[0] == 11
    assert [time for time in reads(run) if 8 <= time <= 18] == [8, 9, 10, 15, 16, 17, 18]
    taken = [s.at for s in run.steps for n in s.notes if isinstance(n, Received) and n.channel == "s->sum"]
    assert [time for time in taken if time and 12 < time < 16] == []
    assert total(run) == 40


def test_busy_and_quiet_times_follow_each_other() -> None:
    phases = [{"ticks": 10, "gap": {"constant": 1}}, {"ticks": 10, "gap": {"constant": 5}}]
    run = record(made(line(phases=phases)))
    assert reads(run)[:15] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 21, 22, 23]


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"schedule": {"kind": "seeded"}, "initiators": [{"process": "JM", "every": 3}]}, "virtual time"),
        ({"schedule": {"kind": "script", "stops": ["upload"]}, "initiators": []}, "only a timed schedule"),
        (line(failures={"mean": 3, "processes": ["nobody"]}), "no process nobody"),
        (line(takes={"upload": {}}), "exactly one of constant"),
        (line(phases=[{"ticks": 3, "gap": {}}]), "exactly one of constant"),
    ],
)
def test_what_a_schedule_cannot_do_is_a_mistake(values: dict[str, Any], told: str) -> None:
    with pytest.raises(SourceError, match=told):
        made(LINE | values)
