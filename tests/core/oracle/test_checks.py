"""The oracle: each check fails where it should, and its witness names what is wrong."""

from typing import Any

import pytest

from app.algorithms.registry import ALGORITHMS
from app.core.model.recorded_state import channels, parts
from app.core.model.system import System
from app.core.model.values import BluecutError, Message, Move, Part
from app.core.oracle.checks import (
    CHECKS,
    ROW_CHECKS,
    Evidence,
    Oracle,
    channel_fault,
    cost_fault,
    replayed,
    unreachable,
)
from app.core.oracle.history import Event, History
from app.core.oracle.replay import Replay
from app.run.run import Run, record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from tests.often import some
from tests.tiny import TOKEN, run, scenario

BANK = """
    topology: {processes: [P, Q], channels: [P->Q, Q->P]}
    program: {kind: bank, accounts: {P: 10, Q: 0}}
"""
MARKER_FIRST = (
    BANK
    + """
    script: [{send: {on: P->Q, message: 3}}, {start: P}, {deliver: P->Q, position: 1}, {deliver: P->Q}, {deliver: Q->P}]
"""
)
MESSAGE_FIRST = (
    BANK
    + """
    script: [{start: P}, {send: {on: P->Q, message: 2}}, {deliver: P->Q, position: 1}, {deliver: P->Q}, {deliver: Q->P}]
"""
)


def overtaking(text: str) -> Run:
    return run(text + "    discipline: any\n")


def message(number: int) -> Message:
    return Message(number, "app", "T")


def test_a_marker_that_overtakes_loses_the_message_before_it() -> None:
    verdict = overtaking(MARKER_FIRST).verdicts[1]
    assert verdict.broken == ("channels", "conserved", "reachable")
    told = {"id": 0, "payload": 3, "channel": "P->Q", "sent": 1, "received": 4}
    assert verdict.witnesses["channels"] == {"fault": "missing", "channel": "P->Q", "message": told}
    assert verdict.witnesses["conserved"] == {"total": 10, "recorded": 7}
    assert verdict.witnesses["reachable"] == {"fault": "channel", "channel": "P->Q"}


def test_a_message_that_overtakes_the_marker_is_an_orphan_and_counts_twice() -> None:
    verdict = overtaking(MESSAGE_FIRST).verdicts[1]
    assert verdict.checks == dict.fromkeys(CHECKS, True) | {
        "consistent": False, "channels": None, "conserved": False, "reachable": False,
    }  # fmt: skip
    told = {"id": 1, "payload": 2, "channel": "P->Q", "sent": 2, "received": 3}
    assert verdict.witnesses["consistent"] == {"fault": "orphan", "message": told}
    assert verdict.witnesses["conserved"] == {"total": 10, "recorded": 12}
    assert verdict.witnesses["reachable"] == {"fault": "early", "step": 3, "message": 1}


def test_errors_that_cancel_do_not_deceive_it() -> None:
    """Conservation alone would: one message is lost, another of the same amount counts twice."""
    sends = "{send: {on: P->Q, message: 2}}, {start: P}, {send: {on: P->Q, message: 2}}"
    arrivals = "{deliver: P->Q, position: 2}, {deliver: P->Q, position: 1}, {deliver: P->Q}"
    text = BANK + f"    script: [{sends}, {arrivals}]\n"
    verdict = overtaking(text).verdicts[1]
    assert verdict.checks["conserved"] is True
    assert verdict.broken == ("consistent", "reachable")
    assert verdict.witnesses["channels"] == {"fault": "inconsistent"}


def test_each_verdict_says_at_which_step_it_was_decided() -> None:
    made = run(TOKEN + "    script: [{start: p}, {deliver: p->q}, {deliver: q->p}]")
    assert made.verdicts[1].since == dict.fromkeys(CHECKS, 3) | {"consistent": 2}


def test_a_check_has_failed_from_the_step_on_at_which_that_was_decided() -> None:
    (verdict,) = overtaking(MARKER_FIRST).verdicts.values()
    at = verdict.since["channels"]
    assert verdict.failures(at - 1) == {}
    assert "channels" in verdict.failures(at) and verdict.failures(at + 1).keys() == set(verdict.broken)


def test_what_is_not_decided_yet_is_neither_right_nor_wrong() -> None:
    made = run("topology: {chain: 2}\nprogram: {kind: token, holders: {P1: 1}}\nscript: [{start: P2}]")
    assert made.verdicts[1].checks == dict.fromkeys(CHECKS)
    assert made.verdicts[1].witnesses == {"complete": {"unreachable": ["P1"], "open": ["P1->P2"]}}


@pytest.mark.parametrize(
    ("crossing", "recorded", "fault", "which"),
    [
        ([1, 2], [1], "missing", 2),
        ([1], [1, 3], "extra", 3),
        ([1], [1, 1], "doubled", 1),
        ([1, 2], [2, 1], "order", 2),
        ([], [3], "extra", 3),
    ],
)
def test_what_can_be_wrong_with_a_channel(crossing: list[int], recorded: list[int], fault: str, which: int) -> None:
    made = run(TOKEN)
    found: Any = channel_fault(
        made.system, {"q->p": list(map(message, crossing))}, {"q->p": list(map(message, recorded))}, made.history
    )
    assert (found["fault"], found["channel"], found["message"]["id"]) == (fault, "q->p", which)


def test_without_fifo_the_order_in_a_channel_does_not_matter() -> None:
    made = record(scenario(TOKEN), RunKey(discipline="any"))
    held = {"q->p": [message(2), message(1)]}
    assert channel_fault(made.system, {"q->p": [message(1), message(2)]}, held, made.history) is None


def test_cost_counts_markers_on_each_channel_and_records_of_each_process() -> None:
    made = run(TOKEN + "    script: [{start: p}]")
    seen = made.history.recordings[1]
    assert cost_fault(made.system, seen) is None
    seen.records["q"] = 2
    assert cost_fault(made.system, seen) == {"fault": "records", "process": "q", "count": 2}
    seen.markers["q->p"] = 0
    assert cost_fault(made.system, seen) == {"fault": "markers", "channel": "q->p", "count": 0}


def test_several_quantities_are_conserved_one_by_one() -> None:
    text = """
        topology: {processes: [p1, p2], channels: [p1->p2, p2->p1]}
        program: {kind: bank, accounts: {p1: {money: 1000, widgets: 0}, p2: {money: 50, widgets: 2000}}}
        script:
          - {start: p1}
          - {send: {on: p1->p2, message: {money: 100}}}
          - {send: {on: p2->p1, message: {widgets: 5}}}
          - {deliver: p1->p2}
    """
    made = run(text)
    assert made.verdicts[1].broken == ()
    lost = record(scenario(text), RunKey(algorithm="no-channels")).verdicts[1]
    assert lost.witnesses["conserved"] == {
        "total": {"money": 1050, "widgets": 2000},
        "recorded": {"money": 1050, "widgets": 1995},
    }


# --- the replay --------------------------------------------------------------------------------------------------


def system() -> System:
    return scenario(TOKEN).system(RunKey())


def event(kind: str, state: int, process: str, channel: str, number: int = 0) -> Event:
    move = Move(process, channel, "T")
    return Event(number + 1, process, 1, kind, move, state, channel, message(number))


def test_the_replay_knows_what_cannot_happen() -> None:
    replay = Replay(system(), History(()))
    assert replay.happen(event("receive", 1, "q", "p->q")) == {"fault": "early", "step": 1, "message": 0}
    assert replay.happen(event("send", 0, "q", "q->p"))["fault"] == "refused"
    assert replay.happen(event("send", 7, "p", "p->q")) == {"fault": "differs", "step": 1, "process": "p"}
    assert Replay(system(), History(())).happen(event("send", 0, "p", "p->q")) is None


def test_the_replay_takes_messages_in_the_order_of_the_channel() -> None:
    twice = scenario(TOKEN.replace("{p: 1}", "{p: 2}"))
    for discipline, fault in (("fifo", {"fault": "early", "step": 2, "message": 1}), ("any", None)):
        replay = Replay(twice.system(RunKey(discipline=discipline)), History(()))
        assert replay.happen(event("send", 1, "p", "p->q", 0)) is None
        assert replay.happen(event("send", 0, "p", "p->q", 1)) is None
        assert replay.happen(event("receive", 1, "q", "p->q", 1)) == fault


def test_the_replay_compares_states_and_channels() -> None:
    replay = Replay(system(), History(()))
    parts = {"p": Part("p", 1, (), ()), "q": Part("q", 0, (), ())}
    assert replay.differs(parts, {}) is None
    assert replay.differs(parts | {"q": Part("q", 1, (), ())}, {}) == {"fault": "state", "process": "q"}
    assert replay.differs(parts, {"p->q": [message(0)]}) == {"fault": "channel", "channel": "p->q"}


def test_a_history_in_which_nothing_happened_is_undisturbed() -> None:
    assert run(TOKEN).undisturbed is True
    assert History("pq").events == []


# --- conditions that no snapshot can be without ---------------------------------------------------------------------


CHANGING = [name for name in LIBRARY.names() if {"crash", "membership"} & set(LIBRARY.scenario(name).form.assumptions)]
"""Scenarios in which processes crash, or come and go."""


@pytest.mark.parametrize("algorithm", some(sorted(ALGORITHMS), 3))
def test_no_run_passes_through_an_inconsistent_cut(algorithm: str) -> None:
    for name in CHANGING:
        scenario, key = LIBRARY.scenario(name), RunKey(algorithm=algorithm, seed=1)
        try:
            scenario.system(key)
        except BluecutError:  # an algorithm that this scenario does not allow
            continue
        for verdict in record(scenario, key, most=300).verdicts.values():
            assert verdict.checks["consistent"] is not False or verdict.checks["reachable"] is not True, name


def test_after_a_rollback_to_an_orphan_it_is_still_the_witness() -> None:
    verdicts = record(LIBRARY.scenario("rollback-of-seven"), RunKey(algorithm="late-marker", seed=1)).verdicts
    found = verdicts[2]
    assert found.broken[:2] == ("consistent", "reachable")
    assert found.witnesses["reachable"] == found.witnesses["consistent"]
    assert found.witnesses["consistent"]["message"]["received"] == 21


def test_a_newcomer_that_records_takes_part() -> None:
    key = RunKey(algorithm="venkatesan", seed=1, discipline="any")
    (found,) = record(LIBRARY.scenario("joiner-merged"), key).verdicts.values()
    assert found.checks["consistent"] is False
    assert found.witnesses["consistent"]["message"]["channel"] == "P->N"


def test_a_message_that_the_recorded_state_cannot_take_is_missing_from_the_snapshot() -> None:
    run = record(LIBRARY.scenario("state-that-never-was"), RunKey(algorithm="node-record-first"))
    (found,) = run.verdicts.values()
    assert found.witnesses["channels"]["fault"] == "missing"
    assert found.witnesses["channels"]["message"]["channel"] == "q->p"


def test_rows_are_enough_for_four_checks() -> None:
    assert ROW_CHECKS == ("consistent", "channels", "conserved", "cost")


def test_where_the_proof_of_theorem_1_holds_the_replay_finds_the_same() -> None:
    found = []
    for name in ("blue-figure", "lossy-network", "one-overtakes", "queue"):
        made = record(LIBRARY.scenario(name))
        oracle = Oracle(made.system, made.history)
        for number, verdict in made.verdicts.items():
            recorded, seen = parts(made.system, made.end, number), made.history.recordings[number]
            for held in (channels(made.system, recorded), {}):
                of = Evidence(made.system, made.history, seen, recorded, held, verdict, oracle)
                found.append(replayed(of))
                assert unreachable(of) == found[-1]
    assert None in found and {each["fault"] for each in found if each} == {"channel", "early"}
