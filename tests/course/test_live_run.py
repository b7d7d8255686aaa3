"""A run that people make: what they do is a run like any other, and the right rule plays for those who are away."""

import random

import pytest

from app.analysis.outcome import outcomes
from app.core.kernel.enabled import enabled
from app.core.model.system import System
from app.core.model.values import Action, Move, World
from app.course.live_run import CHANGE, DEEDS, DELIVER, SEND, START, Gone, LiveRun
from app.run.run import record
from app.scenario.library import LIBRARY
from tests.each import each

SCENARIOS = (
    "eighty-coins",
    "three-tokens",
    "work-done",
    "save-and-crash",
    "three-banks",
    "ring-five",
    "two-starters",
    "which-cut",
)


def played(name: str, seed: int, deeds: int, *, snapshot: bool = True, away: frozenset[str] | None = None) -> LiveRun:
    """Return a run in which people send and deliver at random; the right rule plays for ``away`` (None: for all)."""
    draw, live = random.Random(seed), LiveRun(LIBRARY.scenario(name))
    names = live.system.topology.names
    for place in range(deeds):
        if snapshot and place == deeds // 3:
            live.started()
        offered = live.possible((SEND, CHANGE, DELIVER))
        if offered:
            live.act(str(draw.choice(offered)["text"]))
        for process in names:
            if away is None or process in away:
                live.carried_out(process)
    return live


@each("name", SCENARIOS)
@pytest.mark.parametrize("seed", range(6))
def test_if_the_right_rule_plays_for_all_every_snapshot_is_right(name: str, seed: int) -> None:
    live = played(name, seed, 40)
    live.settled()
    run = record(live.scenario, live.key)
    assert [each.end for each in outcomes(run)] == ["right"]
    assert len(run.steps) == len(live.choices)


@each("name", SCENARIOS)
def test_the_same_choices_are_the_same_run(name: str) -> None:
    live = played(name, 3, 30)
    again = LiveRun(live.scenario, live.choices)
    assert again.world == live.world and again.key == live.key and again.as_json() == live.as_json()
    assert record(live.scenario, live.key).end == live.world


def test_a_photograph_misses_what_is_under_way_or_counts_it_twice() -> None:
    ends = []
    for seed in range(12):
        live = played("eighty-coins", seed, 30, away=frozenset())
        live.photographed()
        (outcome,) = outcomes(record(live.scenario, live.key))
        ends.append(outcome.end)
    assert ends.count("wrong") > 8


@pytest.mark.parametrize("seed", range(8))
def test_the_rule_would_have_recorded_the_same_deeds_rightly(seed: int) -> None:
    live = played("eighty-coins", seed, 30, away=frozenset())
    live.photographed()
    key = live.as_it_should()
    run = record(live.scenario, key)
    assert [each.end for each in outcomes(run)] == ["right"]
    mine = [action for action in live.actions if isinstance(action, Move)]
    assert [step.action for step in run.steps if isinstance(step.action, Move)] == mine


def test_somebody_right_among_wrong_ones_does_no_harm() -> None:
    live = played("eighty-coins", 5, 30, away=frozenset({"B"}))
    live.settled()
    assert not live.running and len(outcomes(record(live.scenario, live.key))) == 1


def test_what_is_not_possible_any_more_is_refused_and_changes_nothing() -> None:
    live = LiveRun(LIBRARY.scenario("eighty-coins"))
    live.act("send A->B 3")
    live.act("deliver A->B")
    before = list(live.choices)
    with pytest.raises(Gone):
        live.act("deliver A->B")
    with pytest.raises(Gone):
        live.act("nothing of this kind")
    assert live.choices == before


def test_everybody_is_offered_what_the_round_allows() -> None:
    live = LiveRun(LIBRARY.scenario("eighty-coins"))
    assert {each["deed"] for each in live.possible(DEEDS)} == {SEND, START}
    live.act("send A->B 3")
    live.started()
    assert {each["deed"] for each in live.possible(DEEDS)} == {SEND, DELIVER, "record", "send_marker", "close"}
    assert {each["who"] for each in live.possible(["record"])} == {"A", "B", "C", "D"}
    assert [each["who"] for each in live.possible([DELIVER])] == ["A->B"]


def test_a_run_that_is_full_takes_no_more() -> None:
    live = LiveRun(LIBRARY.scenario("eighty-coins"))
    while len(live.choices) < 1_000:
        live.act("send A->B 1")
        live.act("deliver A->B")
        live.act("send B->C 1")
        live.act("deliver B->C")
        live.act("send C->D 1")
        live.act("deliver C->D")
        live.act("send D->A 1")
        live.act("deliver D->A")
    with pytest.raises(Gone, match="takes no more"):
        live.act("send A->B 1")


def test_after_a_crash_there_is_what_was_saved_and_by_the_rule_nothing_is_gone() -> None:
    live = LiveRun(LIBRARY.scenario("save-and-crash"))
    assert live.crashed("B") == [], "nothing is saved yet"
    live.act("send A->B 3")
    live.started()
    live.act("wake A hand-record 1")
    live.photographed()
    assert live.counted() == (77, 80) and live.left() == 80
    assert len(live.crashed("B")) == 2
    assert live.counted() == (77, 80) and live.left() == 77
    assert live.as_json()["processes"]["A"]["copy"] == 17
    run, right = record(live.scenario, live.key), record(live.scenario, live.as_it_should())
    assert [each.end for each in outcomes(run)] == ["wrong"] and [each.end for each in outcomes(right)] == ["right"]
    held = [sum(amount for _, amount in state) for state in right.end.states.values()]
    sent = [amount for queue in right.end.queues.values() for each in queue for _, amount in each.payload]
    assert sum(held) + sum(sent) == 80 and not right.end.down


def test_work_that_is_in_flight_is_missed_by_a_photograph_and_not_by_the_rule() -> None:
    for by_rule in (False, True):
        live = LiveRun(LIBRARY.scenario("work-done"))
        live.act("send A->B work active")
        live.act("change A passive")
        assert live.counted() is None and live.claim() is None
        live.started()
        if by_rule:
            for process in "AB":
                live.act(f"wake {process} hand-record 1")
            live.delivered("A->B")
            live.settled()
        else:
            live.photographed()
        (outcome,) = outcomes(record(live.scenario, live.key))
        assert (outcome.end, live.claim()) == (("right", False) if by_rule else ("wrong", True))


def test_what_is_possible_is_found_once_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[World] = []

    def counted(system: System, world: World) -> list[Action]:
        found.append(world)
        return enabled(system, world)

    monkeypatch.setattr("app.course.live_run.enabled", counted)
    live = played("eighty-coins", 3, 20)
    live.settled()
    assert len(found) == len(live.choices) > 20
