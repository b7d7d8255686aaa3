"""Markers that get lost: sent again, numbered, or waited for."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.algorithms.shared.retransmission import LIMIT, PATIENCE
from app.core.kernel.enabled import enabled
from app.core.model.notes import Aborted, Discarded, Paused, Resumed, Sent
from app.core.model.values import APP, MARKER, Move, Wake
from app.core.oracle.checks import CHECKS
from app.run.explore import explore
from app.run.run import Run, record, summary
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from tests.often import often
from tests.tiny import made, notes

PAIR = {
    "topology": {"processes": ["P", "Q"], "channels": ["P->Q", "Q->P"]},
    "program": {"kind": "bank", "accounts": {"P": 10, "Q": 0}, "amounts": [4]},
    "collect": False,
}
LOST = ({"start": "P"}, {"drop": "P->Q"}, {"send": {"on": "P->Q", "message": 4}}, {"deliver": "P->Q"})
RIGHT = ("sequenced", "blocked-channel")


def ran(name: str, *script: dict[str, Any], **more: Any) -> Run:
    return record(made(PAIR | more | {"algorithm": name, "script": list(script)}))


def markers(run: Run) -> list[int | None]:
    """Return the snapshots of the markers that were sent on P->Q."""
    sent = (note for note in notes(run, "sent") if isinstance(note, Sent))
    return [note.message.snapshot for note in sent if note.message.kind == MARKER and note.channel == "P->Q"]


# --- the figures -------------------------------------------------------------------------------------------------


def test_sent_again_alone_the_marker_counts_14_of_10() -> None:
    run = ran("resent-marker", *LOST, {"wake": "P"})
    assert run.verdicts[1].broken == ("consistent", "conserved", "reachable")
    assert run.verdicts[1].witnesses["conserved"] == {"total": 10, "recorded": 14}


def test_numbers_give_10_in_the_same_run() -> None:
    run = ran("sequenced", *LOST)
    (told,) = summary(run)["snapshots"]
    assert told["processes"] == {"P": 10, "Q": 0} and run.verdicts[1].broken == ()
    assert dict(run.end.states) == {"P": (("", 6),), "Q": (("", 4),)}


def test_the_same_run_under_the_other_two_is_told_apart() -> None:
    scenario = LIBRARY.scenario("resent-marker")
    totals = {
        name: record(scenario, RunKey(algorithm=name)).verdicts[1].checks["conserved"]
        for name in (None, "sequenced", "blocked-channel")
    }
    assert totals == {None: False, "sequenced": True, "blocked-channel": True}


def test_a_search_with_one_loss_finds_what_is_wrong_with_resending_alone() -> None:
    values = PAIR | {"algorithm": "resent-marker", "explore": {"moves": 1, "starts": ["P"], "faults": {"drop": 1}}}
    found = explore(made(values), most=1_500)
    assert found.counterexamples["consistent"].witness["fault"] == "orphan"
    choices = found.counterexamples["consistent"].choices
    shortest = record(made(values | {"script": []}), RunKey(choices=choices))
    kinds = [type(step.action) for step in shortest.steps[: len(choices)]]
    assert sorted(kind.__name__ for kind in kinds) == ["Deliver", "Deliver", "Drop", "Move", "Start", "Wake"]


@pytest.mark.parametrize("name", RIGHT)
def test_the_same_search_finds_nothing_against_the_right_ones(name: str) -> None:
    values = PAIR | {"algorithm": name, "explore": {"moves": 1, "starts": ["P"], "faults": {"drop": 1}}}
    found = explore(made(values), most=1_500)
    assert found.counterexamples == {} and found.complete > 10


# --- numbers -----------------------------------------------------------------------------------------------------


def test_what_comes_too_early_or_twice_is_thrown_away() -> None:
    run = ran("sequenced", *LOST)
    assert [note.message.payload for note in notes(run, "discarded") if isinstance(note, Discarded)] == [(("", 4),)]
    send, deliver = {"send": {"on": "P->Q", "message": 4}}, {"deliver": "P->Q"}
    twice = ran("sequenced", send, {"duplicate": "P->Q"}, deliver, deliver)
    assert len(notes(twice, "discarded")) == 1 and twice.end.states["Q"] == (("", 4),)


def test_one_acknowledgement_stands_for_all_before_it() -> None:
    send, deliver = {"send": {"on": "P->Q", "message": 1}}, {"deliver": "P->Q"}
    run = ran("sequenced", send, send, send, deliver, deliver, deliver)
    before = next(step for step in run.steps if step.action.__class__.__name__ == "Collect")
    assert len(run.world(before.number - 1).memories["P"].waiting["P->Q"]) == 3
    last = ran("sequenced", send, send, send, deliver, deliver, deliver, {"collect": "Q->P"})
    assert [number for number, _ in last.world(7).memories["P"].waiting["P->Q"]] == [1, 2]
    assert not run.end.memories["P"].waiting


def test_messages_of_the_program_are_sent_again_too_and_stay_the_same_message() -> None:
    run = ran("sequenced", {"send": {"on": "P->Q", "message": 4}}, {"drop": "P->Q"})
    copies = [n.message for n in notes(run, "sent") if isinstance(n, Sent) and n.message.kind == APP]
    assert [(message.identity, message.tag) for message in copies] == [(0, 0), (0, 0)]
    assert run.end.states["Q"] == (("", 4),)


# --- waiting -----------------------------------------------------------------------------------------------------


def test_a_channel_is_held_until_its_marker_is_acknowledged_and_no_other_is() -> None:
    run = ran("blocked-channel", {"start": "P"}, {"send": {"on": "Q->P", "message": 0}}, {"deliver": "P->Q"})
    held = [note for note in notes(run, "paused", "resumed") if isinstance(note, Paused | Resumed)]
    assert held[0] == Paused("P", "P->Q") and Resumed("P", "P->Q") in held and Resumed("Q", "Q->P") in held
    moves = [action for action in enabled(run.system, run.world(1)) if isinstance(action, Move)]
    assert moves == []
    free = [action for action in enabled(run.system, run.end) if isinstance(action, Move)]
    assert [move.channel for move in free] == ["P->Q"]


# --- the end -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["resent-marker", *RIGHT])
def test_a_copy_of_the_marker_of_a_finished_snapshot_starts_no_ghost(name: str) -> None:
    deliver = {"deliver": "P->Q"}
    run = ran(name, {"start": "P"}, {"duplicate": "P->Q"}, deliver, {"deliver": "Q->P"}, deliver)
    assert list(run.verdicts) == [1] and run.verdicts[1].broken == ()
    assert run.history.recordings[1].records == {"P": 1, "Q": 1}


@pytest.mark.parametrize("name", ["resent-marker", *RIGHT])
def test_after_some_timers_without_an_answer_the_snapshot_is_given_up_and_started_anew(name: str) -> None:
    run = ran(name, {"cut": "P->Q"}, {"start": "P"}, *[{"wake": "P"}] * PATIENCE, {"mend": "P->Q"})
    assert notes(run, "aborted") == [Aborted(1, "P")]
    assert run.history.recordings[1].completed is None
    assert run.history.recordings[2].completed is not None and run.verdicts[2].broken == ()


@pytest.mark.parametrize("name", ["resent-marker", *RIGHT])
def test_where_a_channel_stays_cut_everybody_gives_up_in_the_end(name: str) -> None:
    run = ran(name, {"cut": "P->Q"}, {"start": "P"}, {"send": {"on": "Q->P", "message": 0}})
    assert not run.full and not run.end.wakes
    assert sum(isinstance(step.action, Wake) for step in run.steps) < 3 * LIMIT
    assert len(run.verdicts) == LIMIT // PATIENCE
    assert all(seen.aborted for seen in run.history.recordings.values())
    assert len(markers(run)) >= LIMIT


# --- any order, any loss -----------------------------------------------------------------------------------------


@st.composite
def networks(draw: st.DrawFn) -> dict[str, Any]:
    """Banks on a small graph whose channels lose up to 60 of a hundred messages, and duplicate up to 50."""
    shape = draw(st.sampled_from(({"ring": 3}, {"complete": 3}, {"star": 3}, {"complete": 2}, {"ring": 4})))
    schedule: dict[str, Any] = {"seed": draw(st.integers(0, 10_000)), "moves": draw(st.integers(0, 12))}
    timed = schedule | {"kind": "timed", "delay": {"uniform": [0, draw(st.integers(0, 9))]}}
    return {
        "topology": shape,
        "program": {"kind": "bank", "everyone": 9, "amounts": [1, 3]},
        "discipline": draw(st.sampled_from(("fifo", "causal", "any"))),
        "loss": draw(st.integers(0, 60)),
        "duplication": draw(st.integers(0, 50)),
        "schedule": draw(st.sampled_from((timed, schedule | {"kind": "seeded"}))),
        "initiators": [{"process": "P1", "at": draw(st.integers(0, 9))}],
        "collect": False,
        "steps": 20_000,
    }


def ended(run: Run) -> bool:
    """Has the last snapshot been completed, or has a run no room for another attempt?"""
    return run.history.recordings[max(run.verdicts)].completed is not None or len(run.verdicts) == run.system.most


@often(120)
@given(networks())
def test_numbers_are_right_under_any_order_loss_and_duplication(values: dict[str, Any]) -> None:
    run = record(made(values | {"algorithm": "sequenced"}))
    assert not run.full and not run.end.queues and not run.end.wakes
    assert {check: [v.checks[check] for v in run.verdicts.values()].count(False) for check in CHECKS} == dict.fromkeys(
        CHECKS, 0
    )
    assert ended(run)
    total = sum(dict(state)[""] for state in run.end.states.values())
    assert total == 9 * len(run.system.topology.names), "nothing of the program's is lost or doubled"
    assert run.undisturbed


@often(80)
@given(networks())
def test_waiting_is_right_under_loss_where_nothing_overtakes(values: dict[str, Any]) -> None:
    values = values | {"algorithm": "blocked-channel", "discipline": "fifo", "duplication": 0}
    run = record(made(values))
    assert not run.full and not run.end.wakes
    assert [verdict.broken for verdict in run.verdicts.values()] == [()] * len(run.verdicts)
    assert ended(run)


@pytest.mark.parametrize("scenario", ["blue-figure", "three-banks", "random-twelve"])
@pytest.mark.parametrize("name", [*RIGHT, "members", "node-channels", "resent-marker"])
def test_the_librarys_own_runs_are_repeated_and_hold(name: str, scenario: str) -> None:
    run = record(LIBRARY.scenario(scenario), RunKey(algorithm=name))
    own = record(LIBRARY.scenario(scenario))
    assert not run.full and not run.missed and run.undisturbed
    assert list(run.verdicts) == list(own.verdicts)
    assert all(seen.completed for seen in run.history.recordings.values())
    assert all(verdict.broken == () for verdict in run.verdicts.values())
