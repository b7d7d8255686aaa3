"""How long things take in virtual time, and what a crash costs."""

from typing import Any

import pytest

from app.analysis.durations import Durations, durations
from app.analysis.ledger import ledger
from app.run.run import record
from app.scenario.run_key import RunKey
from tests.tiny import made

TWO: dict[str, Any] = {
    "topology": {
        "processes": ["JM", "a", "b", "sum", "out"],
        "channels": ["JM->a", "JM->b", "a->sum", "b->sum", "sum->out"],
    },
    "program": {
        "kind": "dataflow",
        "operators": {
            "JM": {"coordinator": True},
            "a": {"source": [1, 1, 1, 1, 1, 1]},
            "b": {"source": [5, 5, 5, 5, 5, 5]},
            "sum": {"sum": "all"},
            "out": {"sink": "plain"},
        },
    },
    "algorithm": "aligned",
    "schedule": {
        "kind": "timed",
        "delay": {"constant": 0},
        "delays": {"b->sum": {"constant": 3}},
        "gap": {"constant": 1},
        "put_off": {"constant": 2},
    },
    "initiators": [{"process": "JM", "at": 2}],
}
"""Two sources of six items, one per tick; the channel of b is three ticks slower. The barrier leaves JM at 2 and the
sources at 3, each before its third item; it comes to the sum at 4 from a and at 7 from b."""


def timed(key: RunKey | None = None, **more: Any) -> Durations:
    """Return what the run took."""
    return durations(record(made(TWO | more), key or RunKey()))


def again(key: RunKey | None = None, **more: Any) -> int:
    """Return how often an item was read or taken again."""
    book = ledger(record(made(TWO | more), key or RunKey()))
    assert book is not None
    return book.again


def test_a_checkpoint_lasts_until_all_have_stored_and_aligns_until_the_last_barrier() -> None:
    (one,) = timed().checkpoints
    assert (one.number, one.started, one.completed, one.lasts) == (1, 2, 10, 8)
    assert (one.aligning, one.longest) == ({"sum": 3}, 3)
    assert one.waited == 4  # a's third to sixth item arrived at 4, 5, 6 and 7
    assert (one.in_flight, one.uploading) == (0, 2)
    assert one.size == len('22""""12')  # two offsets, nothing of JM and out, 1 + 1 + 5 + 5


def test_a_barrier_that_overtakes_aligns_nothing_and_stores_what_it_has_overtaken() -> None:
    (one,) = timed(RunKey(algorithm="unaligned")).checkpoints
    assert (one.aligning, one.longest, one.waited) == ({}, 0, 0)
    assert one.in_flight == 3  # two items of b in flight, and one before out
    assert one.size == len('""222""' + "552")


def test_counting_barriers_lets_nothing_wait() -> None:
    (one,) = timed(RunKey(algorithm="at-least-once")).checkpoints
    assert (one.lasts, one.longest, one.waited, one.in_flight) == (8, 0, 0, 0)


def test_a_checkpoint_that_never_completes_has_no_duration() -> None:
    (one,) = timed(script=[{"at": 6, "crash": "out"}, {"at": 7, "restore": 0}]).checkpoints
    assert (one.completed, one.lasts, one.size) == (None, None, 0)


def test_a_record_is_under_way_from_its_reading_until_it_is_visible() -> None:
    found = timed(initiators=[])
    assert found.records == 12
    assert sorted(found.latency) == [2] * 6 + [5] * 6
    assert (found.over, found.throughput, found.mean_latency) == (11, 12 / 11, 3.5)
    assert found.visible == (3, 4, 5, 6, 6, 7, 7, 8, 8, 9, 10, 11)


def test_what_waits_at_most_is_counted_in_records() -> None:
    assert timed(initiators=[]).crowd == 7  # four of b in flight, one of a, two before out


def test_a_crash_costs_what_was_taken_since_the_checkpoint_by_all_that_go_back() -> None:
    script = [{"at": 11, "crash": "sum"}, {"at": 13, "restore": "latest"}]
    (outage,) = timed(script=script).outages
    assert (outage.at, outage.back, outage.gone_back) == (11, 13, 4)
    assert again(script=script) == 4 + 4 + 8 + 8  # of a, b, sum and out
    assert outage.whole == 21 and outage.lasts == 10


def test_without_a_checkpoint_everything_is_done_again_also_what_was_done_while_somebody_was_down() -> None:
    script = [{"at": 5, "crash": "out"}, {"at": 6, "restore": "latest"}]
    assert again(initiators=[], script=script) == (4 + 1) + (4 + 1) + (5 + 2) + 3


def test_what_is_lost_is_not_done_again() -> None:
    crash = [{"at": 5, "crash": "sum"}, {"at": 6, "restart": "sum"}]
    assert again(RunKey(algorithm="at-most-once"), initiators=[], script=crash) == 0


def test_where_every_record_is_safe_by_itself_only_the_process_that_crashed_goes_back() -> None:
    takes = TWO["schedule"] | {"takes": {"commit": {"constant": 1}}}
    key = RunKey(algorithm="millwheel")
    crashing = takes | {"failures": {"mean": 15, "processes": ["sum"], "back": 1}, "seed": 1}
    found = timed(key, schedule=crashing)
    assert found.outages
    assert {outage.gone_back for outage in found.outages} == {1}
    assert again(key, schedule=crashing) <= len(found.outages)
    assert found.records == 12


def test_what_has_no_virtual_time_has_no_durations() -> None:
    scripted = {**TWO, "schedule": {"kind": "script"}, "initiators": []}
    with pytest.raises(ValueError, match="no dataflow in virtual time"):
        durations(record(made(scripted)))
