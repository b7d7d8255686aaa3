"""The proof of Theorem 1 in runs: every step agrees with the oracle, and a failing one says why."""

import pytest

from app.core.oracle.history import SEND
from app.pictures.swap_game import Game
from app.pictures.theorem_steps import FAILS, HOLDS, LATER, STEPS, Proof
from app.run.run import record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from tests.each import each


def proof(name: str, number: int = 1, **key: str) -> Proof:
    return Proof(record(LIBRARY.scenario(name), RunKey(**key)), number, "en")  # type: ignore[arg-type]


@each("name", LIBRARY.names())
def test_all_steps_hold_just_where_the_oracle_finds_the_recorded_state_reachable(name: str) -> None:
    run = record(LIBRARY.scenario(name))
    for number, verdict in run.verdicts.items():
        mine = Proof(run, number, "en")
        if mine.open:
            assert verdict.checks["reachable"] is None
            continue
        assert (mine.fails is None) == (verdict.checks["reachable"] is True)
        assert (mine.fails == "message") == (verdict.checks["consistent"] is False) == (mine.orphan is not None)
        if mine.orphan is None:
            assert all(flow.same for flow in mine.flows) == (verdict.checks["channels"] is True)
        if mine.fails is None:
            assert all(row.same and row.here == row.recorded for row in mine.processes)
            assert all(flow.left == flow.recorded for flow in mine.flows)
            assert mine.pair is None or mine.pair.swapped is not None


@each("name", LIBRARY.names())
def test_the_swaps_of_the_proof_win_the_game(name: str) -> None:
    run = record(LIBRARY.scenario(name))
    for number in run.verdicts:
        mine = Proof(run, number, "en")
        if mine.open or mine.fails or not mine.listed:
            continue
        game = Game(run, number, "en", mine.swaps)
        assert game.won and game.swaps == mine.swaps and len(mine.swaps) == game.fewest
        assert [item.event for item in mine.sorted] == game.order
        assert {*game.recorded} <= {*game.moments[game.boundary][0]}  # processes that join later are not recorded
        assert mine.history.events[mine.items[0].index] == mine.items[0].event if mine.items else True


def test_the_events_of_the_paper_have_its_numbers() -> None:
    mine = proof("state-that-never-was")
    assert [(item.index, item.early) for item in mine.items] == [(0, False), (1, True), (2, False)]
    assert (mine.begins, mine.ends, mine.early, mine.swaps) == (0, 3, 1, (1,))
    assert [item.index for item in mine.sorted] == [1, 0, 2]
    assert mine.pair is not None and (mine.pair.first.index, mine.pair.second.index) == (0, 1)
    assert (mine.pair.channel, mine.pair.marker) == ("p->q", 1)
    assert mine.pair.states[1] == (("p", "B"), ("q", "C"), ("p->q", "m"))
    assert mine.pair.swapped == (("p", "A"), ("q", "D"), ("q->p", "m'")) == mine.game.recorded
    assert mine.ways == ((("p", "A"), ("q", "C")), (("p", "A"), ("q", "D"), ("p->q", "m")))
    assert mine.occurred is None and not mine.chain


def test_with_a_single_token_the_events_are_a_chain_and_the_recorded_state_occurred() -> None:
    for name in ("token-first", "token-back", "token-late"):
        mine = proof(name)
        assert mine.chain and mine.occurred is not None and mine.swaps == (), name
    mine = proof("token-back")
    there = mine.run.world(mine.occurred or 0)
    assert {name: part.state for name, part in mine.game.parts.items()} == dict(there.states)


@pytest.mark.parametrize(
    ("name", "cause"),
    [
        ("late-marker", "late"),
        ("non-fifo-doubled", "overtook"),
        ("counted-twice", "ignored"),
        ("wall-clock-skewed", "none"),
        ("colour-blind", "none"),
    ],
)
def test_where_the_third_step_fails_the_marker_is_to_blame_in_one_of_four_ways(name: str, cause: str) -> None:
    mine = proof(name)
    orphan = mine.orphan
    assert orphan is not None and orphan.cause == cause and mine.fails == "message"
    assert [mine.status(step) for step in STEPS] == [HOLDS, HOLDS, FAILS, *(5 * [LATER])]
    send = next(e for e in mine.history.events if e.kind == SEND and e.step == orphan.sent)
    assert not mine.game.early(send) and orphan.received < (orphan.recorded or 0)
    if cause == "late":
        assert orphan.marker is not None and orphan.marker > orphan.sent
    elif cause == "overtook":
        assert orphan.marker is not None and orphan.marker < orphan.sent
        assert orphan.arrived is None or orphan.arrived > orphan.received
    elif cause == "ignored":
        assert orphan.arrived is not None and orphan.arrived < orphan.received
    else:
        assert orphan.marker is None


@pytest.mark.parametrize(
    ("name", "step"), [("no-channels", "channels"), ("non-fifo-lost", "channels"), ("node-record-first", "processes")]
)
def test_a_consistent_cut_with_wrong_records_fails_at_the_step_that_compares_them(name: str, step: str) -> None:
    mine = proof(name)
    assert mine.fails == step and mine.status("order") == HOLDS and mine.status("reached") == LATER


def test_who_recorded_because_of_what_is_the_induction_over_the_path() -> None:
    mine = proof("ring-five")
    by_itself = [reason.name for reason in mine.reasons if reason.channel is None]
    assert by_itself == mine.seen.initiators
    when = {reason.name: reason.step or 0 for reason in mine.reasons}
    for reason in mine.reasons:
        assert reason.step == mine.seen.recorded[reason.name]
        if reason.channel is not None:
            assert reason.marker and when[mine.run.system.topology.channels[reason.channel].source] < when[reason.name]
    assert mine.sent is not None and mine.sent.sent == mine.sent.arrived == len(mine.run.system.topology.channels)
    assert mine.sent.last == mine.seen.completed


def test_where_the_snapshot_does_not_end_it_is_said_what_is_missing() -> None:
    chain = proof("chain-from-b")
    never = [reason.name for reason in chain.reasons if reason.step is None]
    assert chain.open and never == list(chain.seen.unreachable) == ["A"]
    lost = proof("marker-lost")
    assert lost.open and lost.sent is not None and lost.sent.missing


def test_many_events_are_not_listed_and_are_proved_all_the_same() -> None:
    mine = proof("random-twelve")
    assert not mine.listed and mine.fails is None and mine.pair is not None and mine.pair.swapped is not None
