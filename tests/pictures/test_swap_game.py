"""Theorem 1 as a game: what can be swapped, how to win, and what cannot be won."""

import pytest

from app.core.model.values import BluecutError
from app.pictures.swap_game import Game, begins, inversions, read
from app.run.run import record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from tests.each import each


def game(name: str, *swaps: int, number: int = 1) -> Game:
    return Game(record(LIBRARY.scenario(name)), number, "en", swaps)


def test_one_swap_brings_the_system_into_the_state_that_never_was() -> None:
    before = game("state-that-never-was")
    assert (before.fewest, before.left, before.won) == (1, 1, False)
    assert not any(recorded for _, recorded in before.moments)
    after = game("state-that-never-was", 1)
    assert (after.fewest, after.left, after.won) == (1, 0, True)
    assert [recorded for _, recorded in after.moments] == [False, True, False, False]
    assert after.moments[1][0] == after.recorded == (("p", "A"), ("q", "D"), ("q->p", "m'"))


def test_what_cannot_be_swapped_says_why() -> None:
    mine = game("slow-marker")
    said = [gap.why for gap in mine.gaps]
    assert said[0] == "P cannot receive 1 before it is sent."
    assert said[1] == "Both are events of P, and a process’s events keep their order."
    assert said[2] == "" and mine.gaps[2].possible and mine.gaps[2].helps
    refused = game("slow-marker", 3, 1)
    assert refused.swaps == (3,) and refused.refused == (1, "P cannot receive 1 before it is sent.")


def test_a_swap_that_is_of_no_use_is_possible_and_costs_one() -> None:
    mine = game("slow-marker", 3, 3)
    assert mine.order == mine.events and mine.left == mine.fewest == 5 and len(mine.swaps) == 2


@each("name", LIBRARY.names())
def test_swaps_that_help_lead_to_the_recorded_state_in_as_few_as_there_are_inversions(name: str) -> None:
    run = record(LIBRARY.scenario(name))
    number = begins(run)
    if number is None:
        assert not run.verdicts
        return
    mine = Game(run, number, "en")
    if mine.state != "play":
        return
    while helpful := [gap.at for gap in mine.gaps if gap.helps and gap.possible]:
        mine = Game(run, number, "en", (*mine.swaps, helpful[0]))
    assert len(mine.swaps) == mine.fewest and mine.left == 0
    assert mine.won == (run.verdicts[number].checks["reachable"] is True)


def test_of_many_events_none_of_which_is_out_of_place_those_around_the_cut_are_shown() -> None:
    run = record(LIBRARY.scenario("past-the-jam"), RunKey(algorithm="lineage"))
    mine = Game(run, 1, "en")
    assert run.verdicts[1].checks["reachable"] and mine.fewest == 0
    assert (len(mine.events), mine.boundary, mine.won) == (21, 20, True)
    assert mine.moments[20][1]


def test_a_cut_with_an_orphan_cannot_be_won_however_one_swaps() -> None:
    mine = game("late-marker")
    assert mine.state == "orphan" and mine.orphan == ("4", "Q", "P")
    assert [gap.possible for gap in mine.gaps] == [False] and not mine.won


def test_where_there_is_nothing_to_swap_it_says_what_is_the_matter() -> None:
    assert game("random-twelve").state == "long"
    assert game("chain-from-b").state == "open"
    assert begins(record(LIBRARY.scenario("domino"))) is None


def test_the_run_that_happens_in_the_new_order_is_in_the_recorded_state() -> None:
    run = record(LIBRARY.scenario("slow-marker"))
    mine = Game(run, 1, "en", (3, 2, 5, 4, 3))
    assert mine.won
    key = mine.really
    assert key is not None
    there = record(run.scenario, key).world(mine.seen.started - 1 + mine.boundary)
    assert {name: run.system.program.view(state) for name, state in there.states.items()} == {"P": 10, "Q": 4}
    show = run.system.program.show
    assert {c: [show(m.payload) for m in messages] for c, messages in there.in_flight().items()} == {"Q->P": [1, 2, 3]}
    assert game("slow-marker").really is None


def test_pairs_out_of_place_are_counted() -> None:
    assert inversions([]) == inversions([True, False]) == 0
    assert inversions([False, True, True]) == 2
    assert inversions([False, True, False, True]) == 3


def test_swaps_that_cannot_be_read_are_refused() -> None:
    assert read("") == () and read("3,5") == (3, 5)
    for wrong in ("3,", "a", "-1", "1,99999"):
        with pytest.raises(BluecutError, match="swaps: places of events"):
            read(wrong)
    with pytest.raises(BluecutError, match="swaps: 7 is not the place"):
        game("slow-marker", 7)
