"""The algorithms of colours, counts and pauses are right on every graph, under every order that they require."""

from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given
from hypothesis import strategies as st

from app.algorithms.registry import algorithm
from app.core.model.notes import Paused, Resumed
from app.core.model.recorded_state import channels, parts
from app.core.oracle.checks import CHECKS
from app.core.oracle.replay import undisturbed
from app.run.explore import explore
from app.run.run import Run, record
from app.scenario.run_key import RunKey
from app.scenario.scenario import Scenario, unfit
from tests.often import often, some
from tests.properties.colours import colours
from tests.properties.systems import systems
from tests.properties.test_chandy_lamport import stuck
from tests.tiny import made

RIGHT = [
    (name, order)
    for name in ("merged", "stop-the-world", "lai-yang", "mattern", "timestamp")
    for order in ("fifo", "causal", "any")
    if order != "any" or algorithm(name).REQUIRES == "any"
]
OTHER = 20_000
"""A seed that no scenario here has: outside the author's own run, impossible starts are skipped."""
PAIRS = st.sampled_from(RIGHT)
SETTINGS = often(150, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])


def fitting(values: dict[str, Any], pair: tuple[str, str]) -> Run:
    """Return the run of a system under an algorithm that fits its graph: by a schedule of its own, or, if nothing is
    collected, with the events of a Chandy–Lamport run."""
    name, order = pair
    repeats = not values["collect"]
    scenario: Scenario = made(values | {"discipline": order} | ({} if repeats else {"algorithm": name}))
    assume(unfit(algorithm(name), scenario.topology) is None)
    return record(scenario, RunKey(algorithm=name, seed=OTHER))


@SETTINGS
@given(systems(), PAIRS)
def test_every_complete_snapshot_holds_every_check(values: dict[str, Any], pair: tuple[str, str]) -> None:
    run = fitting(values, pair)
    for number, verdict in run.verdicts.items():
        assert verdict.broken == ()
        if run.history.recordings[number].completed is None:
            continue
        conserves = values["program"]["kind"] in ("token", "bank")
        expected = dict.fromkeys(CHECKS, True) | {"conserved": True if conserves else None}
        assert verdict.checks == expected | {"cost": True if pair[0] == "merged" else None}
    assert undisturbed(run.system, run.history)
    # Who was paused may go on in another state, in which it cannot do what it was about to do. And in causal order, a
    # message waits for what its sender has heard of by the algorithm's words.
    assert not run.missed or algorithm(pair[0]).PAUSES or pair[1] == "causal"


@SETTINGS
@given(systems(), PAIRS)
def test_a_snapshot_completes_unless_a_message_is_refused_for_ever(
    values: dict[str, Any], pair: tuple[str, str]
) -> None:
    run = fitting(values, pair)
    if stuck(run):
        return
    for seen in run.history.recordings.values():
        assert (seen.completed is None) == bool(seen.unreachable)
    assert run.history.recordings
    assert not run.end.wakes and not run.end.lanes


@SETTINGS
@given(systems(), PAIRS)
def test_an_independent_checker_by_colours_sees_the_same(values: dict[str, Any], pair: tuple[str, str]) -> None:
    run = fitting(values, pair)
    for number, seen in run.history.recordings.items():
        if seen.completed is None:
            continue
        dyed = colours(run, number)
        assert dyed.closed_downwards() and not dyed.orphans()
        for channel, messages in channels(run.system, parts(run.system, run.end, number)).items():
            assert sorted(m.id for m in messages) == sorted(dyed.in_channel(channel))


@SETTINGS
@given(systems())
def test_a_stopped_world_has_nothing_in_its_channels_and_goes_on(values: dict[str, Any]) -> None:
    run = fitting(values, ("stop-the-world", "fifo"))
    for number, seen in run.history.recordings.items():
        if seen.completed is not None:
            assert not any(channels(run.system, parts(run.system, run.end, number)).values())
    notes = [note for one in run.steps for note in one.notes if isinstance(note, Paused | Resumed)]
    for name in run.system.topology.names:
        mine = [note.key for note in notes if note.process == name]
        assert mine == ["paused", "resumed"] * (len(mine) // 2) or stuck(run)


WRONG = [("merged", "any"), ("stop-the-world", "any"), ("wall-clock", "fifo"), ("colour-blind", "any")]


@pytest.mark.parametrize(("name", "order"), WRONG)
def test_where_the_order_is_not_what_it_requires_or_a_rule_is_missing_there_is_a_counter_example(
    name: str, order: str
) -> None:
    scenario = made(
        {
            "topology": {"processes": ["P", "Q"], "channels": ["P->Q", "Q->P"]},
            "program": {"kind": "bank", "everyone": 2},
            "explore": {"moves": 2, "starts": ["P"]},
        }
    )
    found = explore(scenario, RunKey(algorithm=name, discipline=order))
    assert not found.bounded
    assert {"conserved", "reachable"} <= set(found.counterexamples)
    choices = found.counterexamples["conserved"].choices
    shown = record(scenario, RunKey(algorithm=name, discipline=order, choices=choices, drain=True))
    assert "conserved" in shown.verdicts[1].broken


@pytest.mark.parametrize(("name", "order"), some(RIGHT, 3))
def test_where_it_is_there_is_none(name: str, order: str) -> None:
    scenario = made(
        {
            "topology": {"processes": ["P", "Q"], "channels": ["P->Q", "Q->P"]},
            "program": {"kind": "bank", "everyone": 2},
            "explore": {"moves": 2, "starts": ["P", "Q"] if name != "mattern" else ["P", "P"]},
        }
    )
    found = explore(scenario, RunKey(algorithm=name, discipline=order))
    assert (found.bounded, found.counterexamples, found.incomplete) == (False, {}, 0)
    assert found.complete
