"""The recovery line and the outcome of a crash, as an observer sees it."""

from app.core.model.notes import Sent
from app.core.model.values import Wake
from app.run.recovery_line import graph, latest, line, useless
from app.run.run import record, summary
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from tests.algorithms.independent.test_uncoordinated import under, went
from tests.tiny import notes


def test_an_interval_is_taken_back_with_the_one_before_it_and_with_what_it_has_sent() -> None:
    made = under("send: {on: P->Q, message: 1}", "start: Q", "deliver: P->Q", "start: P")
    assert graph(made.history) == {
        ("P", 0): [("P", 1), ("Q", 1)],
        ("P", 1): [],
        ("Q", 0): [("Q", 1)],
        ("Q", 1): [],
    }
    assert latest(made.history, "P") == ("P", 1)


def test_the_line_is_known_before_anybody_goes_back() -> None:
    made = under(
        "send: {on: P->Q, message: 1}",
        "deliver: P->Q",
        "start: Q",
    )
    assert line(made.history, ["P"]) == {"P": 0, "Q": 0}
    assert line(made.history, ["Q"]) == {"P": None, "Q": 1}
    assert line(made.history, []) == {"P": None, "Q": None}
    assert useless(made.history) == {}


def test_a_checkpoint_on_a_zigzag_that_no_message_path_closes_is_useless() -> None:
    made = record(LIBRARY.scenario("useless-checkpoint"))
    (fall,) = made.falls
    assert fall.useless == {"Q": (1,)}
    assert went(made) == [("Q", 1), ("P", 0), ("R", 0), ("Q", 0)]


def test_the_line_stops_where_a_checkpoint_fits() -> None:
    made = record(LIBRARY.scenario("domino-stopped"))
    (fall,) = made.falls
    assert fall.places == {"P": 2, "Q": 2, "R": None} and fall.lost == {"P": 2, "Q": 3}
    assert [
        n.message.payload.name for n in notes(made, "sent") if isinstance(n, Sent) and n.message.origin is not None
    ] == ["w"]


def test_two_crashes_one_after_the_other_are_told_apart() -> None:
    made = under("crash: P", "restart: P", "wake: Q", "crash: Q", "restart: Q", "wake: P")
    assert [(fall.crash, fall.since, fall.until) for fall in made.falls] == [(1, 2, 3), (4, 5, 6)]
    assert all(isinstance(made.steps[at].action, Wake) for at in (2, 5))


def test_there_is_nothing_to_tell_where_nobody_crashes() -> None:
    made = under("start: P")
    assert made.falls == () and "falls" not in summary(made)


def test_where_all_go_back_together_there_is_no_line_but_what_is_lost_counts() -> None:
    made = record(LIBRARY.scenario("domino"), RunKey(algorithm="chandy-lamport"))
    (fall,) = made.falls
    assert fall.line == {} and fall.exact is None and fall.rollbacks == 0
    assert sum(fall.lost.values()) > 0
