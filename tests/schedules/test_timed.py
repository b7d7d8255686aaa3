"""The schedule of virtual time: partitioned channels, when steps happen, how long processes take."""

from typing import Any

import pytest

from app.core.model.notes import Received
from app.core.model.values import Collect, Heal, Move, Partition, Wake
from app.run.run import Run, record
from app.scenario.run_key import RunKey
from app.schedules import timed
from app.wire.frames import frames
from tests.tiny import actions, made, notes

CUT: dict[str, Any] = {
    "topology": {"processes": ["A", "B"], "channels": ["A->B", "B->A"]},
    "program": {"kind": "token", "holders": {"A": 1}},
    "algorithm": "mattern",
    "discipline": "any",
    "schedule": {"kind": "timed", "delay": {"constant": 2}},
    "script": [{"partition": "A->B", "at": 0}, {"start": "A", "at": 0}, {"heal": "A->B", "at": 30}],
}
"""A agrees with B on a snapshot while nothing gets through to B."""


def test_what_waits_in_the_lane_of_a_partitioned_channel_arrives_when_it_heals() -> None:
    made_run = record(made(CUT))
    done = actions(made_run)
    assert Collect("A->B") in done[done.index(Heal("A->B")) :]
    assert not made_run.end.lanes
    assert [note.key for note in notes(made_run, "completed")] == ["completed"]


def test_nothing_arrives_in_the_lane_before_that() -> None:
    done = actions(record(made(CUT)))
    assert done[0] == Partition("A->B")
    assert Collect("A->B") not in done[: done.index(Heal("A->B"))]


def test_what_waits_in_the_lane_of_a_channel_that_never_heals_stays_there() -> None:
    cut = record(made(CUT | {"script": CUT["script"][:2]}))
    assert list(cut.end.lanes) == ["A->B"]


# --- when each step happens --------------------------------------------------------------------------------------

THERE: dict[str, Any] = {
    "topology": {"processes": ["p", "q"], "channels": ["p->q", "q->p"]},
    "program": {"kind": "bank", "everyone": 9},
    "schedule": {"kind": "timed", "delay": {"constant": 2}},
    "script": [
        {"at": 4, "send": {"on": "p->q", "message": 1}},
        {"at": 4, "send": {"on": "q->p", "message": 2}},
        {"at": 9, "send": {"on": "p->q", "message": 3}},
    ],
}


def at(made_run: Run, process: str) -> list[tuple[int | None, str]]:
    """When messages arrived at ``process``, and from where; markers with a star."""
    found = []
    for step in made_run.steps:
        for note in step.notes:
            if isinstance(note, Received) and note.process == process:
                star = "" if note.message.kind == "app" else "*"
                found.append((step.at, note.channel.split("->")[0] + star))
    return found


def scheduled(values: dict[str, Any], **schedule: Any) -> Run:
    """Return the run under a schedule that says more."""
    return record(made(values | {"schedule": values["schedule"] | schedule}))


def test_each_step_has_its_virtual_time() -> None:
    assert [step.at for step in record(made(THERE)).steps] == [4, 4, 7, 7, 9, 12]


def test_other_schedules_know_no_time() -> None:
    seeded = made(THERE | {"schedule": {"kind": "seeded", "moves": 3}, "script": []})
    assert [step.at for step in record(seeded).steps] == [None] * 6


def test_a_choice_happens_at_the_time_of_the_step_before_it() -> None:
    chosen = record(made(THERE), RunKey(choices=((2, 1),)))
    assert [step.at for step in chosen.steps] == [4, 4, 4, 7, 9, 12]


def test_frames_carry_the_time_where_there_is_one() -> None:
    assert [frame["t"] for frame in frames(record(made(THERE)))] == [4, 4, 7, 7, 9, 12]
    manual = record(made(THERE), RunKey(manual=True, choices=((0, 0),)))
    assert ["t" in frame for frame in frames(manual)] == [False]


# --- slow processes ----------------------------------------------------------------------------------------------

BURST = THERE | {
    "topology": {"processes": ["a", "b", "q"], "channels": ["a->q", "b->q", "q->a"]},
    "schedule": {"kind": "timed", "delay": {"constant": 0}},
    "script": [
        *({"at": 0, "send": {"on": "a->q", "message": n}} for n in (1, 2, 3)),
        {"at": 0, "start": "a"},
        {"at": 2, "send": {"on": "b->q", "message": 1}},
        {"at": 2, "send": {"on": "q->a", "message": 1}},
    ],
}
"""Three messages and a marker go from a to q at once, one more comes from b when q may still be at the first."""


def test_without_a_service_everything_that_is_due_arrives_in_the_same_tick() -> None:
    quick = record(made(BURST))
    assert at(quick, "q") == [(1, "a"), (1, "a"), (1, "a"), (1, "a*"), (3, "b")]
    assert at(scheduled(BURST, service={"b": 5}), "q") == at(quick, "q")


def test_a_slow_process_takes_nothing_more_for_its_ticks_and_a_marker_takes_none() -> None:
    slow = scheduled(BURST, service={"q": 5})
    assert at(slow, "q") == [(1, "a"), (6, "a"), (11, "a"), (16, "a*"), (16, "b")]


def test_of_what_waits_for_a_slow_process_the_longest_due_is_next_whatever_its_channel() -> None:
    waiting = BURST | {
        "script": [
            {"at": 0, "send": {"on": "b->q", "message": 1}},
            {"at": 1, "send": {"on": "a->q", "message": 1}},
            {"at": 2, "send": {"on": "b->q", "message": 1}},
            {"at": 3, "send": {"on": "a->q", "message": 1}},
            {"at": 4, "send": {"on": "b->q", "message": 1}},
        ]
    }
    expected = [(1, "b"), (11, "a"), (21, "b"), (31, "a"), (41, "b")]
    assert at(scheduled(waiting, service={"q": 10}), "q") == expected
    assert at(scheduled(waiting, service={"q": 10}, one_per_sender=True), "q") == expected


def test_others_and_what_a_slow_process_sends_do_not_wait_for_it() -> None:
    slow = scheduled(BURST, service={"q": 5})
    assert at(slow, "a") == [(3, "q"), (17, "q*")]


def test_one_sender_with_a_slow_and_a_quick_receiver_serves_the_quick_one_meanwhile() -> None:
    values = THERE | {
        "topology": {"processes": ["p", "slow", "quick"], "channels": ["p->slow", "p->quick"]},
        "script": [
            {"at": 0, "send": {"on": channel, "message": 1}}
            for channel in ("p->slow", "p->slow", "p->quick", "p->quick")
        ],
    }
    one = scheduled(values, service={"slow": 20}, one_per_sender=True)
    assert (at(one, "slow"), at(one, "quick")) == ([(3, "p"), (23, "p")], [(4, "p"), (5, "p")])


def test_a_message_that_is_lost_on_the_way_keeps_nobody_busy() -> None:
    values = BURST | {"script": BURST["script"][:3], "loss": {"a->q": 60}}
    found = [scheduled(values, service={"q": 50}, seed=seed) for seed in range(12)]
    assert {len(notes(one, "lost")) for one in found} >= {1, 2, 3}
    for one in found:
        assert [time for time, _ in at(one, "q")] == [1, 51, 101][: len(at(one, "q"))]


def test_a_process_is_slow_for_a_person_who_has_chosen_too() -> None:
    slow = record(made(BURST | {"schedule": BURST["schedule"] | {"service": {"q": 5}}}), RunKey(choices=((1, 0),)))
    assert at(slow, "q")[:2] == [(0, "a"), (5, "a")]


# --- deferred steps ----------------------------------------------------------------------------------------------

LATE = THERE | {
    "algorithm": "late-marker",
    "collect": False,
    "script": [{"at": 0, "start": "p"}, {"at": 30, "send": {"on": "p->q", "message": 1}}],
}
"""Every process defers its markers."""


def woken(made_run: Run) -> list[tuple[int | None, str]]:
    """Return when deferred steps were taken, and by which processes."""
    return [(step.at, step.action.process) for step in made_run.steps if isinstance(step.action, Wake)]


def test_a_step_put_off_waits_until_nothing_else_is_left() -> None:
    assert woken(record(made(LATE))) == [(33, "p"), (36, "q")]


def test_a_step_put_off_takes_as_long_as_the_schedule_says() -> None:
    timely = scheduled(LATE, put_off={"constant": 7})
    assert woken(timely) == [(7, "p"), (17, "q")]
    assert [step.at for step in timely.steps if any(note.key == "completed" for note in step.notes)] == [20]


def test_how_long_it_takes_is_drawn_apart_from_how_long_messages_travel() -> None:
    for seed in range(5):
        schedule = {"delay": {"uniform": [0, 7]}, "seed": seed}
        always, drawn = (scheduled(LATE, **schedule, put_off=how) for how in ({"constant": 2}, {"uniform": [1, 5]}))
        assert woken(always)[0] == (2, "p")
        assert at(always, "q")[1] == at(drawn, "q")[1]
    assert woken(always) != woken(drawn)


# --- nothing waits forever ---------------------------------------------------------------------------------------


def test_what_is_due_later_arrives_although_another_channel_of_its_sender_is_refused_for_ever() -> None:
    values = {
        "topology": {"processes": ["p", "no", "yes"], "channels": ["p->no", "p->yes"]},
        "program": {
            "kind": "machine",
            "first": {"p": "x", "no": "x", "yes": "x"},
            "edges": {
                "p": [{"from": "x", "to": "x", "send": "m", "on": channel} for channel in ("p->no", "p->yes")],
                "yes": [{"from": "x", "to": "x", "receive": "m", "on": "p->yes"}],
            },
        },
        "schedule": {
            "kind": "timed",
            "one_per_sender": True,
            "delays": {"p->no": {"constant": 0}, "p->yes": {"constant": 8}},
        },
        "script": [{"send": {"on": "p->no", "message": "m"}}, {"send": {"on": "p->yes", "message": "m"}}],
    }
    assert at(record(made(values)), "yes") == [(9, "p")]


def test_programs_go_on_after_a_snapshot_that_stopped_them() -> None:
    stopping = THERE | {
        "topology": {"complete": 3},
        "algorithm": "stop-the-world",
        "schedule": {"kind": "timed", "moves": 30, "delay": {"constant": 1}, "gap": {"constant": 1}},
        "script": [],
        "initiators": [{"process": "P1", "at": 6}],
    }
    made_run = record(made(stopping))
    sent = [step.at or 0 for step in made_run.steps if isinstance(step.action, Move)]
    (last,) = [step.at for step in made_run.steps if any(note.key == "completed" for note in step.notes)]
    assert len(sent) == 30
    assert last is not None and last < sent[-1]


# --- many channels -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("discipline", ["fifo", "causal", "any"])
def test_channels_that_are_left_out_while_they_are_empty_change_nothing(
    discipline: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = {
        "topology": {"complete": 12},
        "program": {"kind": "bank", "everyone": 9},
        "algorithm": "mattern",
        "discipline": discipline,
        "schedule": {"kind": "timed", "seed": 2, "moves": 150, "one_per_sender": True},
        "script": [{"partition": "P1->P5", "at": 5}, {"heal": "P1->P5", "at": 40}],
        "initiators": [{"process": "P2", "at": 10}],
    }
    digests = set()
    for few in (0, timed.FEW, 12):
        monkeypatch.setattr(timed, "FEW", few)
        run = record(made(values))
        assert not run.end.queues
        digests.add(run.digest)
    assert len(digests) == 1


def test_a_marker_overtakes_in_the_step_in_which_another_message_sets_out() -> None:
    run = record(
        made(
            {
                "topology": {"chain": 3},
                "program": {"kind": "token", "holders": {"P1": 1}},
                "algorithm": "aligned-timeout",
                "discipline": "any",
                "schedule": {"kind": "timed", "moves": 15, "delay": {"uniform": [0, 4]}},
                "initiators": [{"process": "P1", "at": 6}, {"process": "P1", "at": 12}],
            }
        ),
        RunKey(seed=1),
    )
    assert notes(run, "hurried") and not run.end.queues
