"""Chosen cuts: the oracle's verdict on each, and where they lie."""

import pytest

from app.core.model.values import BluecutError
from app.pictures.chosen_cut import Cutting
from app.pictures.layout.text_width import measure
from app.pictures.spacetime.diagram import timeline
from app.pictures.spacetime.options import Look
from app.run.run import record
from app.scenario.library import LIBRARY


def cutting(name: str) -> Cutting:
    return Cutting(record(LIBRARY.scenario(name)), "en")


def test_the_orphan_and_what_crosses_the_cut_are_named() -> None:
    mine = cutting("which-cut")
    wrong = mine.judge({"P": 0, "Q": 2, "R": 2})
    assert not wrong.consistent
    assert [(letter.said, letter.channel) for letter in wrong.orphans] == [("m1", "P->Q")]
    assert [(c, [letter.said for letter in letters]) for c, letters in wrong.crossing] == [("R->Q", ["m4"])]
    right = mine.judge({"P": 2, "Q": 2, "R": 2})
    assert right.consistent and not right.orphans
    assert [c for c, _ in right.crossing] == ["R->Q", "P->R"]


def test_the_recorded_cut_lies_where_it_was_recorded_and_an_instant_is_one_line() -> None:
    mine = cutting("which-cut")
    seen = mine.run.history.recordings[1]
    assert mine.recorded == {1: {"P": 2, "Q": 2, "R": 2}} and mine.first() == {"P": 2, "Q": 2, "R": 2}
    assert mine.places(mine.first()) == tuple(seen.recorded[name] for name in ("P", "Q", "R"))
    now = mine.instant(3)
    assert now == {"P": 1, "Q": 2, "R": 0} and mine.places(now) == (3.5, 3.5, 3.5)
    crooked = {"P": 0, "Q": 2, "R": 2}
    assert crooked not in mine.instants
    for name, at in zip(mine.names, mine.places(crooked), strict=True):
        assert mine.between(name, crooked[name], at)


@pytest.mark.parametrize("name", ["which-cut", "barriers-wait", "crash-both-ways", "lossy-network"])
def test_every_stop_lies_between_the_events_that_it_parts(name: str) -> None:
    mine = cutting(name)
    for process in mine.names:
        for index, at in enumerate(mine.stops(process)):
            assert mine.between(process, index, at)


def test_the_cone_of_an_event_has_what_it_knows_of_and_what_knows_of_it() -> None:
    mine = cutting("which-cut")
    cone = mine.cone("R:1")
    assert cone is not None and cone.event.kind == "receive"
    assert cone.past == (("P", 1), ("Q", 1), ("Q", 2))
    assert ("Q", 3) in cone.future and ("P", 2) in cone.beside
    assert len(cone.past) + len(cone.future) + len(cone.beside) + 1 == len(mine.history.events)
    for name in ("R:9", "R:0", "S:1", "R:", "", "R:x"):
        assert mine.cone(name) is None


def test_a_cut_is_read_from_one_text_or_from_one_for_each_process() -> None:
    mine = cutting("which-cut")
    assert mine.read(["0,2,1"]) == mine.read(["0", "2", "1"]) == {"P": 0, "Q": 2, "R": 1}
    assert mine.read(["3,4,3"]) == {"P": 3, "Q": 4, "R": 3}
    for wrong in (["3,5,3"], ["3", "99999999999", "3"]):
        with pytest.raises(BluecutError, match="cut: Q has 4 events in this run, so its number is at most 4"):
            mine.read(wrong)
    for wrong in (["1,2"], ["1,2,3,4"], ["1,x,3"], ["1,-2,3"], ["1,,3"]):
        with pytest.raises(BluecutError, match="cut: as many whole numbers as there are processes, 3"):
            mine.read(wrong)


def test_what_was_taken_back_is_not_part_of_any_cut() -> None:
    mine = cutting("domino")
    assert mine.all == 1 and mine.judge(mine.first()).consistent
    again = cutting("crash-both-ways")
    assert again.history.lives
    for letter in again.letters.values():
        assert letter.sent is not None and again.at[letter.sent]


def test_consistent_cuts_are_counted_where_that_is_quick() -> None:
    assert (cutting("which-cut").all, cutting("which-cut").good) == (80, 20)
    assert cutting("crash-both-ways").good is None


@pytest.mark.parametrize("name", ["barriers-wait", "lossy-network", "which-cut"])
def test_vector_clocks_never_cover_each_other(name: str) -> None:
    mine = cutting(name)
    look = Look(whole=True, records=False, now=False, chosen=mine.chosen(mine.first(), None, True))
    said = [event.clock for event in timeline(mine.run, len(mine.run.steps), "en", look).events if event.clock]
    assert len(said) > 5
    for text in said:
        beside = [other for other in said if other is not text and other.y == text.y]
        assert all(abs(other.x - text.x) >= (measure(other.said, 11) + measure(text.said, 11)) / 2 for other in beside)


def test_of_what_a_network_repeats_one_arrow_is_coloured() -> None:
    mine = cutting("lossy-network")
    cut = {"P1": 4, "P2": 4, "P3": 6}
    judged = mine.judge(cut)
    look = Look(whole=True, records=False, now=False, chosen=mine.chosen(cut, None, False))
    arrows = timeline(mine.run, len(mine.run.steps), "en", look).arrows
    coloured = [arrow.identity for arrow in arrows if arrow.fate != "plain"]
    assert len({arrow.identity for arrow in arrows if arrow.kind == "app"}) < len(arrows)
    assert sorted(coloured) == sorted(mine.fates(judged)) and len(coloured) > 3
