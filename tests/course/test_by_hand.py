"""What is carried out by hand: what is allowed, what is refused, and what the oracle says at the end."""

from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import pytest

from app.core.kernel.enabled import obstacle
from app.core.model.values import BluecutError
from app.course.hand.barriers import Barriers
from app.course.hand.line import Line
from app.course.hand.markers import Markers
from app.course.hand.replay import replayed
from app.course.lesson_list import shelf
from app.course.yaml_forms import HandForm
from app.run.run import record, snapshot
from app.scenario.library import LIBRARY

GOOD = (
    *("record:P1", "mark:P1->P2", "take:P1->P2", "record:P2", "close:P1->P2", "mark:P2->P1"),
    *("take:P2->P1", "take:P2->P1", "close:P2->P1"),
)


@cache
def form(lesson: str) -> HandForm:
    found = shelf().lesson(lesson)
    assert found is not None and found.form.hand is not None
    return found.form.hand


def of(lesson: str, *moves: str):  # type: ignore[no-untyped-def]
    return replayed(form(lesson), moves)


def is_refused(carry_out: Callable[..., Any], before: tuple[str, ...], move: str, reason: str, *parts: str) -> None:
    """The move is refused for the reason, and changes none of the parts."""
    then, _ = carry_out(*before)
    now, told = carry_out(*before, move)
    assert told is not None and reason in str(told)
    assert [getattr(now, part) for part in parts] == [getattr(then, part) for part in parts]


def hand(*moves: str):  # type: ignore[no-untyped-def]
    done, refused = of("blue-figure", *moves)
    assert isinstance(done, Markers)
    return done, refused


def test_the_rules_lead_to_a_snapshot_that_the_oracle_accepts() -> None:
    done, refused = hand(*GOOD)
    assert refused is None and done.done
    run = done.run
    assert not run.verdicts[1].broken and run.verdicts[1].checks["channels"]
    assert run.history.recordings[1].completed == done.shown == len(run.steps)


@pytest.mark.parametrize(
    ("before", "move", "reason"),
    [
        (0, "record:P2", "no marker has reached"),
        (0, "mark:P1->P2", "has not recorded"),
        (0, "close:P2->P1", "no marker has come through"),
        (0, "take:P1->P2", "nothing is in flight"),
        (1, "record:P1", "recorded already"),
        (1, "take:P1->P2", "nothing is in flight"),
        (1, "send:P1->P2", "its marker goes into P1->P2"),
        (2, "mark:P1->P2", "Each channel gets one"),
        (3, "mark:P2->P1", "has not recorded"),
        (3, "send:P2->P1", "it records"),
        (3, "close:P1->P2", "records its own state first"),
        (4, "send:P2->P1", "its marker goes into P2->P1"),
        (5, "close:P1->P2", "closed already"),
        (8, "send:P1->P2", "First close"),
    ],
)
def test_what_breaks_a_rule_is_refused_with_the_reason_and_changes_nothing(before: int, move: str, reason: str) -> None:
    is_refused(hand, GOOD[:before], move, reason, "choices", "recorded", "closed", "due")


def test_a_marker_is_in_its_channel_once_somebody_has_put_it_there() -> None:
    assert len(hand("record:P1")[0].unsent) == 1 and not hand("record:P1", "mark:P1->P2")[0].unsent
    taking = hand(*GOOD[:3])[0]
    assert taking.shown == len(taking.choices) - 1  # until P2 has recorded, the marker is still seen


def test_between_recording_and_its_marker_a_process_may_receive() -> None:
    """The rule of the paper only forbids to send anything there; what arrives is logged."""
    done, refused = hand("record:P1", "take:P2->P1")
    assert refused is None and done.unsent
    done, refused = hand("record:P1", "take:P2->P1", *GOOD[1:7], "close:P2->P1")
    assert refused is None and done.done and not done.run.verdicts[1].broken
    assert snapshot(done.run, 1)["channels"] == {"P1->P2": [], "P2->P1": ["P2.1"]}


def test_whatever_is_allowed_in_two_processes_keeps_the_snapshot_right() -> None:
    """Every way to go on, to its end or for a while: nothing that is allowed makes the oracle object."""
    ways: list[tuple[str, ...]] = [()]
    ends = 0
    for _ in range(9):
        further: list[tuple[str, ...]] = []
        for way in ways[:40]:
            now, _ = hand(*way)
            if now.done:
                continue
            pieces = [f"{doing}:{where}" for _, offered in now.offers() for doing, where in offered if doing != "send"]
            for (after, refused), piece in ((hand(*way, piece), piece) for piece in pieces):
                if refused is None:
                    further.append((*way, piece))
                    ends += after.done
                    assert not after.done or not after.run.verdicts[1].broken
        ways = further
    assert ends


@pytest.mark.parametrize("moves", [("fly:P1",), ("record:Q",), ("mark:P1",), ("record:P1",) * 61])
def test_what_is_no_move_is_an_error(moves: tuple[str, ...]) -> None:
    with pytest.raises(BluecutError):
        hand(*moves)


# --- an operator aligns barriers ---------------------------------------------------------------------------------

ALIGNED = (
    *("take:map->sum", "take:map->sum", "hold:map->sum", "take:odd->sum", "take:odd->sum"),
    *("record:sum", "mark:sum->out", "release:map->sum"),
)


def aligned(*moves: str):  # type: ignore[no-untyped-def]
    done, refused = of("barriers", *moves)
    assert isinstance(done, Barriers)
    return done, refused


@pytest.mark.parametrize("swapped", [False, True])
def test_an_operator_that_aligns_records_what_stands_ahead_of_the_barriers(swapped: bool) -> None:
    moves = [*ALIGNED]
    if swapped:  # the kernel does both at once
        moves[5:7] = reversed(moves[5:7])
    done, refused = aligned(*moves)
    assert refused is None and done.done
    run = done.ending().run
    assert run.history.recordings[1].completed and not run.verdicts[1].broken and run.verdicts[1].checks["consistent"]
    assert snapshot(run, 1)["processes"]["sum"] == 100 + 11


@pytest.mark.parametrize(
    ("before", "move", "reason"),
    [
        (0, "hold:map->sum", "no barrier has come on map->sum"),
        (0, "record:sum", "the barrier on map->sum is still to come"),
        (0, "mark:sum->out", "the barrier on map->sum is still to come"),
        (0, "release:map->sum", "map->sum is not held"),
        (2, "take:map->sum", "First hold"),
        (2, "take:odd->sum", "First hold"),
        (3, "take:map->sum", "map->sum is held. What stands behind"),
        (3, "hold:map->sum", "held already"),
        (3, "release:map->sum", "sum has not recorded"),
        (3, "record:sum", "the barrier on odd->sum is still to come"),
        (5, "hold:odd->sum", "nothing to wait for"),
        (5, "take:odd->sum", "sum records"),
        (5, "take:map->sum", "map->sum is held. What stands behind"),
        (6, "record:sum", "records once"),
        (6, "release:map->sum", "sends the barrier on"),
        (6, "take:odd->sum", "sends the barrier on"),
        (7, "mark:sum->out", "Each channel gets one"),
        (7, "take:map->sum", "Release it first"),
    ],
)
def test_what_an_aligned_operator_may_not_do_is_refused(before: int, move: str, reason: str) -> None:
    is_refused(aligned, ALIGNED[:before], move, reason, "choices", "arrived", "held", "recorded", "due")


def test_nothing_can_be_taken_out_of_an_empty_channel() -> None:
    _, refused = aligned(*ALIGNED[:7], "take:odd->sum", "take:odd->sum")
    assert "nothing is in flight on odd->sum" in str(refused)


def test_the_kernel_blocks_what_the_person_holds() -> None:
    held, _ = aligned(*ALIGNED[:3])
    assert held.held == ["map->sum"] and obstacle(held.system, held.world, "map->sum") == "blocked"
    assert aligned(*ALIGNED[:2])[0].shown == len(held.choices) - 1  # until it holds, the barrier is still seen
    assert len(aligned(*ALIGNED[:6])[0].unsent) == 1 and not aligned(*ALIGNED[:7])[0].unsent


# --- the recovery line -------------------------------------------------------------------------------------------


def drawn(*moves: str):  # type: ignore[no-untyped-def]
    line, refused = of("after-the-crash", *moves)
    assert isinstance(line, Line)
    return line, refused


def test_the_latest_consistent_line_is_accepted_and_no_other() -> None:
    """Of all lines, exactly the one to which the run itself goes back."""
    choices = [[f"{doing}:{where}" for doing, where in pieces] for _, pieces in drawn()[0].offers()]
    right = [moves for moves in product(*choices) if drawn(*moves)[0].done]
    assert right == [("back:P.2", "back:Q.2", "stay:R")]
    line = drawn(*right[0])[0]
    fall = record(LIBRARY.scenario(line.scenario)).falls[0]
    assert line.places == fall.places and line.lost == sum(fall.lost.values()) == 5


@pytest.mark.parametrize(
    ("moves", "reason"),
    [
        (("back:P.2", "stay:Q", "stay:R"), "m4 would be an orphan: Q has received it, but P"),
        (("back:P.2", "back:Q.1", "stay:R"), "m3 would be an orphan: P has received it, but Q"),
        (("back:P.2", "stay:Q", "back:R.0"), "would be an orphan"),
        (("back:P.0", "back:Q.0", "stay:R"), "no message is an orphan, but P goes back further"),
        (("back:P.2", "back:Q.2", "back:R.0"), "no message is an orphan, but R goes back further"),
    ],
)
def test_a_wrong_line_is_told_its_orphan_or_that_there_is_a_later_one(moves: tuple[str, ...], reason: str) -> None:
    line, refused = drawn(*moves)
    assert refused is None and not line.done and reason in str(line.objection)
    assert drawn(*moves[:2])[0].objection is None  # nothing is said before everyone has a place


def test_what_crashed_cannot_stay_and_a_choice_can_be_changed() -> None:
    line, refused = drawn("stay:P")
    assert "P has crashed" in str(refused) and not line.places
    assert drawn("stay:Q", "back:Q.1")[0].places == {"Q": 1}
    with pytest.raises(BluecutError, match="is no move"):
        drawn("back:P.3")
