"""The state-transition diagram of a program: its states, its events, and where runs and snapshots are in it."""

import pytest

from app.analysis.state_diagram import COUNTED, diagram
from app.core.model.values import Deliver, Move
from app.run.run import OWN, record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.scenario.scenario import Scenario
from tests.tiny import TOKEN, scenario

FAULTS = ("drop", "duplicate", "overtake", "crash", "join", "leave", "restore", "restart")
ENDLESS = "work-done"
"""Whoever is active may hand out as much work as it likes: there is no end of states."""
UNDISTURBED = [
    each
    for each in LIBRARY.scenarios()
    if each.name != ENDLESS
    and each.form.program.kind in ("token", "machine")
    and not each.form.loss
    and not each.form.duplication
    and not any(getattr(entry, fault) is not None for entry in each.form.script for fault in FAULTS)
]
"""Scenarios whose runs consist only of actions of programs and channels."""


def named(one: Scenario) -> str:
    """Return what a test is called."""
    return one.name


def test_the_token_goes_round_in_four_states() -> None:
    found = diagram(scenario(TOKEN).system(OWN))
    states = [({n: w.states[n] for n in "pq"}, [*w.in_flight()]) for w in found.states]
    assert states == [
        ({"p": 1, "q": 0}, []),
        ({"p": 0, "q": 0}, ["p->q"]),
        ({"p": 0, "q": 1}, []),
        ({"p": 0, "q": 0}, ["q->p"]),
    ]
    assert [(a.source, a.target, type(a.action)) for a in found.arrows] == [
        (0, 1, Move),
        (1, 2, Deliver),
        (2, 3, Move),
        (3, 0, Deliver),
    ]


def test_without_a_token_there_is_one_state_and_no_event() -> None:
    found = diagram(LIBRARY.scenario("no-token").system(OWN))
    assert len(found.states) == 1 and found.arrows == () and found.whole


def test_a_run_goes_round_and_is_where_it_was() -> None:
    run = record(LIBRARY.scenario("token-back"))
    found = diagram(run.system)
    assert found.visits(run) == (0, 1, 1, 2, 3, 3, 0, 0, 0)
    assert found.recorded(run) == {1: 3}


def test_the_state_that_never_was_is_in_the_diagram_and_not_on_the_way_of_the_run() -> None:
    run = record(LIBRARY.scenario("state-that-never-was"))
    found = diagram(run.system)
    star = found.recorded(run)[1]
    assert (len(found.states), len(found.arrows)) == (8, 12)
    assert star is not None and star not in found.visits(run)
    assert {name: found.states[star].states[name] for name in "pq"} == {"p": "A", "q": "D"}


UNBOUNDED = ("work-done",)
"""Who is active may send any number of messages, so there are endlessly many states."""


@pytest.mark.parametrize("one", UNDISTURBED, ids=named)
def test_every_state_of_a_run_without_faults_and_all_that_it_records_rightly_is_in_the_diagram(one: Scenario) -> None:
    run = record(one)
    found = diagram(run.system)
    assert found.whole == (one.name not in UNBOUNDED)
    if not found.whole:
        return
    assert None not in found.visits(run)
    for number, place in found.recorded(run).items():
        checks = run.verdicts[number].checks
        if checks["consistent"] and checks["channels"]:
            assert place is not None


def test_of_a_system_without_end_a_part_is_counted_and_a_state_outside_it_has_no_place() -> None:
    run = record(LIBRARY.scenario(ENDLESS))
    found = diagram(run.system)
    assert not found.whole and len(found.states) == COUNTED
    for step, place in enumerate(found.visits(run)):
        assert place is None or found.states[place].states == run.world(step).states


def test_a_token_that_is_lost_or_there_twice_is_in_no_state_of_the_diagram() -> None:
    for name in ("photographs-none", "photographs-two"):
        run = record(LIBRARY.scenario(name))
        assert diagram(run.system).recorded(run) == {1: None}


def test_the_algorithm_that_is_run_makes_no_difference() -> None:
    counts = set()
    for algorithm in ("chandy-lamport", "lai-yang", "stop-the-world", "late-marker", "sequenced"):
        counts.add(len(diagram(scenario(TOKEN).system(RunKey(algorithm))).states))
    assert counts == {4}


def test_where_order_is_not_kept_the_order_of_a_queue_makes_no_state() -> None:
    two = """
        topology: {processes: [p, q], channels: [p->q]}
        program:
          kind: machine
          first: {p: A, q: X}
          edges:
            p:
              - {from: A, to: B, on: p->q, send: m}
              - {from: A, to: C, on: p->q, send: n}
              - {from: B, to: D, on: p->q, send: n}
              - {from: C, to: D, on: p->q, send: m}
    """
    assert len(diagram(scenario(two).system(OWN)).states) == 5
    assert len(diagram(scenario(two).system(RunKey("lai-yang", None, "any"))).states) == 4


def test_counting_stops() -> None:
    found = diagram(LIBRARY.scenario("three-banks").system(OWN), 30)
    assert len(found.states) == 30 and not found.whole
    assert not diagram(LIBRARY.scenario("random-twelve").system(OWN)).whole and COUNTED == 500
