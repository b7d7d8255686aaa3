"""Challenges: what they ask for, and that the explorer agrees with what their authors say."""

import pytest

from app.core.kernel.enabled import enabled
from app.core.kernel.step import step
from app.core.model.values import Move, Overtake, Start
from app.core.oracle import checks
from app.run.explore import explore
from app.run.goal import Goal, attained, goal_of
from app.run.run import record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey, read
from app.scenario.scenario import Scenario
from tests.tiny import scenario

CHALLENGES = {s.name: s for s in LIBRARY.scenarios() if s.form.challenge}
LONE = """
    topology: {processes: [p, q], channels: [p->q, q->p]}
    program: {kind: token, holders: {p: 1}}
    explore: {moves: 4, starts: [p]}
"""


def goal(chosen: Scenario) -> Goal:
    assert chosen.form.challenge
    return goal_of(chosen.form.challenge)


def test_there_are_easy_ones_hard_ones_and_one_that_cannot_be_done() -> None:
    forms = [each.form.challenge for each in CHALLENGES.values() if each.form.challenge]
    assert len(forms) >= 9
    assert len({form.place for form in forms}) == len(forms)
    assert [form.goal for form in forms].count("hold") == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", CHALLENGES)
def test_the_explorer_agrees_with_the_author(name: str) -> None:
    chosen = CHALLENGES[name]
    form = chosen.form.challenge
    assert form
    found = explore(chosen, sought=goal(chosen).sought(chosen.system(RunKey())))
    assert not found.bounded
    assert (found.reached is None) == (form.goal == "hold")
    if found.reached is None:
        assert found.complete > 0 and found.states == 64
        return
    assert len(found.reached) <= form.within
    run = record(chosen, RunKey(choices=found.reached, manual=True))
    assert len(run.steps) == len(found.reached)
    assert attained(run, goal(chosen)) is not None


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, each in CHALLENGES.items() if each.form.challenge.goal == "break"])  # type: ignore[union-attr]
def test_no_shorter_run_reaches_the_goal(name: str) -> None:
    """One step fewer of the explorer's own run is not enough; nor is any run that it has seen before."""
    chosen = CHALLENGES[name]
    found = explore(chosen, sought=goal(chosen).sought(chosen.system(RunKey())))
    assert found.reached
    run = record(chosen, RunKey(choices=found.reached[:-1], manual=True))
    assert attained(run, goal(chosen)) is None


def test_a_manual_run_begins_empty_and_does_only_what_was_chosen() -> None:
    chosen = LIBRARY.scenario("late-marker")
    assert record(chosen, RunKey(manual=True)).steps == ()
    assert len(record(chosen, RunKey(manual=True, choices=read("0:2.1"))).steps) == 2
    assert len(record(chosen, RunKey(drain=True, choices=read("0:2.1"))).steps) > 2


def test_a_manual_run_of_another_algorithm_repeats_nothing() -> None:
    chosen = LIBRARY.scenario("late-marker")
    assert record(chosen, RunKey(algorithm="chandy-lamport", manual=True)).steps == ()


def test_a_right_total_alone_is_no_win() -> None:
    chosen = LIBRARY.scenario("errors-that-cancel")
    right = record(chosen, RunKey("chandy-lamport", discipline="fifo"))
    assert all(verdict.checks["conserved"] for verdict in right.verdicts.values())
    assert attained(right, goal(chosen)) is None


def test_a_lost_payment_does_not_win_where_the_total_must_be_right() -> None:
    chosen = LIBRARY.scenario("non-fifo-lost")
    assert attained(record(chosen), Goal("channels")) == 1
    assert attained(record(chosen), Goal("channels", keeps="conserved")) is None


def test_totals_are_counted() -> None:
    none, two = LIBRARY.scenario("photographs-none"), LIBRARY.scenario("photographs-two")
    assert attained(record(none), Goal(total=0)) == 1
    assert attained(record(none), Goal(total=2)) is None
    assert attained(record(two), Goal(total=2)) == 1


def test_an_open_snapshot_wins_nothing_even_where_its_cut_is_inconsistent_already() -> None:
    chosen = LIBRARY.scenario("late-marker")
    whole = record(chosen)
    orphaned = whole.verdicts[1].since["consistent"]
    done = whole.history.recordings[1].completed
    assert done is not None and orphaned < done
    early = record(chosen, most=orphaned)
    assert checks.Oracle(early.system, early.history).judge(early.end, 1).checks["consistent"] is False
    assert attained(early, Goal("consistent")) is None


def test_what_the_network_did_wrong_is_no_win() -> None:
    chosen = LIBRARY.scenario("token-late")
    system = chosen.system(RunKey())
    world = system.begin()
    choices = []
    for number, kind in enumerate((Start, Move, Overtake)):
        actions = enabled(system, world)
        index = next(i for i, action in enumerate(actions) if isinstance(action, kind))
        choices.append((number, index))
        world, _ = step(system, world, actions[index])
    run = record(chosen, RunKey(choices=tuple(choices), drain=True))
    assert any(verdict.broken for verdict in run.verdicts.values())
    assert attained(run, Goal()) is None


def test_a_search_that_is_tired_says_that_it_is_bounded() -> None:
    left = iter(range(10))
    found = explore(scenario(LONE), tired=lambda: next(left, None) is None)
    assert found.bounded and found.states == 10


def test_a_search_ends_with_what_it_sought() -> None:
    seen = explore(scenario(LONE), RunKey(algorithm="no-channels"))
    one = explore(
        scenario(LONE), RunKey(algorithm="no-channels"), sought=lambda _w, _n, v: v.checks["conserved"] is False
    )
    assert one.reached == seen.counterexamples["conserved"].choices
    assert one.states < seen.states and not one.bounded
