"""Virtual time in systems whose channels fill up and whose processes come back."""

from typing import Any

import pytest

from app.core.model.notes import Recorded, Sent
from app.core.model.values import Deed, Deliver, Move, Restore
from app.run.run import Run, record
from tests.tiny import made, notes

STREAM: dict[str, Any] = {
    "topology": {
        "processes": ["JM", "s1", "s2", "sum", "out"],
        "channels": ["JM->s1", "JM->s2", "s1->sum", "s2->sum", "sum->out"],
    },
    "program": {
        "kind": "dataflow",
        "operators": {
            "JM": {"coordinator": True},
            "s1": {"source": list(range(1, 31))},
            "s2": {"source": [100] * 15},
            "sum": {"sum": "all"},
            "out": {"sink": "plain"},
        },
    },
    "algorithm": "aligned",
    "schedule": {
        "kind": "timed",
        "delay": {"constant": 1},
        "gap": {"constant": 1},
        "service": {"sum": 3},
        "put_off": {"constant": 5},
    },
    "initiators": [{"process": "JM", "at": 10}],
}
"""Two sources, one item per tick each, and a sum that needs three ticks per item."""

TOTAL = 1965
"""1 + 2 + … + 30 and 15 times 100."""


def total(run: Run) -> Any:
    """Return the final state of the sum."""
    return run.system.program.view(run.end.states["sum"])


def times(run: Run, key: str) -> list[int | None]:
    """When notes of a kind were made."""
    return [step.at for step in run.steps for note in step.notes if note.key == key]


def reads(run: Run, process: str) -> list[int | None]:
    """When a source was read."""
    return [
        s.at
        for s in run.steps
        if isinstance(s.action, Move) and s.action.detail == Deed.READ and s.action.process == process
    ]


def sent(run: Run, channel: str) -> list[int | None]:
    """Return when items entered a channel."""
    return [
        step.at
        for step in run.steps
        for note in step.notes
        if isinstance(note, Sent) and note.channel == channel and note.message.kind == "app"
    ]


def test_sources_are_read_to_their_ends_one_record_a_gap() -> None:
    run = record(made(STREAM))
    assert reads(run, "s1") == list(range(1, 31))
    assert reads(run, "s2") == list(range(1, 16))
    assert total(run) == TOTAL


@pytest.mark.parametrize("capacity", [1, 2, 5, {"s1->sum": 1}])
def test_no_record_waits_for_ever_because_a_channel_is_full(capacity: Any) -> None:
    run = record(made(STREAM | {"capacity": capacity}))
    assert total(run) == TOTAL
    assert not run.end.queues
    assert not run.full


def test_a_slow_process_slows_its_sources_down_where_channels_are_short() -> None:
    run = record(made(STREAM | {"capacity": 2}))
    assert reads(run, "s1")[-1] > 60  # type: ignore[operator]
    assert record(made(STREAM)).steps[-1].at == run.steps[-1].at == 137


def test_a_record_that_had_to_wait_goes_on_in_the_tick_in_which_there_is_room() -> None:
    rare = STREAM["schedule"] | {"gap": {"constant": 7}, "service": {"sum": 20}}
    run = record(made(STREAM | {"capacity": 1, "schedule": rare, "initiators": []}))
    taken = [step.at for step in run.steps if step.action == Deliver("s1->sum")]
    assert reads(run, "s1")[:4] == [7, 14, 21, 49]  # the third waits for room, the fourth for the third
    assert taken[:4] == [9, 49, 89, 129]
    assert sent(run, "s1->sum")[:5] == [7, 14, 49, 89, 129]


def test_the_barrier_comes_before_the_next_record_although_its_source_is_always_busy() -> None:
    run = record(made(STREAM | {"capacity": 1}))
    (start,) = times(run, "started")
    (recorded,) = [s.at for s in run.steps for n in s.notes if isinstance(n, Recorded) and n.process == "s1"]
    assert start == 10
    between = [time for time in reads(run, "s1") if 12 < time < recorded]  # type: ignore[operator]
    assert between == []


def test_a_checkpoint_takes_the_longer_the_more_records_wait_before_the_slow_process() -> None:
    lasted = [times(record(made(STREAM | more)), "completed")[0] for more in ({"capacity": 2}, {"capacity": 4}, {})]
    assert lasted == sorted(lasted) and len(set(lasted)) == 3  # type: ignore[type-var]


def test_the_script_brings_back_who_is_down_from_the_latest_checkpoint() -> None:
    run = record(
        made(STREAM | {"capacity": 2, "script": [{"at": 60, "crash": "sum"}, {"at": 70, "restore": "latest"}]})
    )
    assert times(run, "down") == [60]
    assert times(run, "restored") == [70]
    assert [step.action for step in run.steps if isinstance(step.action, Restore)] == [Restore(1)]
    assert total(run) == TOTAL


def test_who_is_still_down_when_nothing_else_is_left_comes_back_then() -> None:
    run = record(made(STREAM | {"capacity": 2, "script": [{"at": 60, "crash": "sum"}]}))
    (down,), (restored,) = times(run, "down"), times(run, "restored")
    assert down == 60
    assert restored is not None and restored >= 60
    assert total(run) == TOTAL


@pytest.mark.parametrize("crashed", ["sum", "s1"])
def test_nobody_is_still_busy_after_a_rollback(crashed: str) -> None:
    slow = STREAM | {"schedule": STREAM["schedule"] | {"service": {"sum": 500}}}
    run = record(made(slow | {"script": [{"at": 20, "crash": crashed}, {"at": 21, "restore": 0}]}))
    taken = [step.at or 0 for step in run.steps if step.action in (Deliver("s1->sum"), Deliver("s2->sum"))]
    assert taken[0] < 20 < taken[1] < 30 < 500 < taken[2]


def test_what_was_recorded_in_a_channel_sets_out_anew_after_a_rollback() -> None:
    bank = {
        "topology": {"processes": ["p", "q"], "channels": ["p->q", "q->p"]},
        "program": {"kind": "bank", "everyone": 10},
        "recovery": True,
        "schedule": {"kind": "timed", "delays": {"p->q": {"constant": 4}, "q->p": {"constant": 1}}},
        "script": [
            {"at": 1, "send": {"on": "p->q", "message": 3}},
            {"at": 2, "start": "q"},
            {"at": 20, "crash": "p"},
            {"at": 30, "restore": "latest"},
        ],
    }
    run = record(made(bank))
    arrived = [
        step.at
        for step in run.steps
        for note in step.notes
        if note.key == "received" and note.values()[2].kind == "app"
    ]
    assert arrived == [6, 35]
    assert [run.system.program.view(run.end.states[name]) for name in ("p", "q")] == [7, 13]


def test_the_same_key_is_the_same_run() -> None:
    drawn = STREAM["schedule"] | {"delay": {"uniform": [0, 6]}, "put_off": {"uniform": [1, 9]}, "seed": 4}
    values = STREAM | {"capacity": 3, "schedule": drawn, "script": [{"at": 60, "crash": "out"}]}
    assert record(made(values)).digest == record(made(values)).digest
    assert total(record(made(values))) == TOTAL
    assert len(notes(record(made(values)), "restored")) == 1
