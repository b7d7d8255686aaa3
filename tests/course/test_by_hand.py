"""A snapshot carried out by hand: what is allowed, what is refused, and what the oracle says at the end."""

import pytest

from app.core.model.values import BluecutError
from app.course.by_hand import replayed

GOOD = (
    *("record:P1", "mark:P1->P2", "take:P1->P2", "record:P2", "close:P1->P2", "mark:P2->P1"),
    *("take:P2->P1", "take:P2->P1", "close:P2->P1"),
)


def hand(*moves: str, scenario: str = "blue-figure", initiator: str = "P1", sent: str = "P2->P1"):  # type: ignore[no-untyped-def]
    return replayed(scenario, initiator, sent, moves)


def test_the_rules_lead_to_a_snapshot_that_the_oracle_accepts() -> None:
    done, refused = hand(*GOOD)
    assert refused is None and done.done
    run = done.run()
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
        (1, "take:P2->P1", "sends its markers"),
        (1, "send:P1->P2", "sends its markers"),
        (2, "mark:P1->P2", "Each channel gets one"),
        (3, "mark:P2->P1", "has not recorded"),
        (3, "send:P2->P1", "it records"),
        (3, "close:P1->P2", "records its own state first"),
        (4, "send:P2->P1", "sends its markers"),
        (5, "close:P1->P2", "closed already"),
        (8, "send:P1->P2", "First close"),
    ],
)
def test_what_breaks_a_rule_is_refused_with_the_reason_and_changes_nothing(before: int, move: str, reason: str) -> None:
    then, _ = hand(*GOOD[:before])
    now, refused = hand(*GOOD[:before], move)
    assert refused is not None and reason in str(refused)
    assert (now.chosen, now.recorded, now.closed, now.due) == (then.chosen, then.recorded, then.closed, then.due)


def test_a_marker_is_in_its_channel_once_somebody_has_put_it_there() -> None:
    assert len(hand("record:P1")[0].unsent) == 1 and not hand("record:P1", "mark:P1->P2")[0].unsent
    taking = hand(*GOOD[:3])[0]
    assert taking.shown == len(taking.chosen) - 1  # until P2 has recorded, the marker is still seen


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
                    assert not after.done or not after.run().verdicts[1].broken
        ways = further
    assert ends


@pytest.mark.parametrize("moves", [("fly:P1",), ("record:Q",), ("mark:P1",), ("record:P1",) * 61])
def test_what_is_no_move_is_an_error(moves: tuple[str, ...]) -> None:
    with pytest.raises(BluecutError):
        hand(*moves)
