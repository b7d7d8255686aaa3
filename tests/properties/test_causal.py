"""Tokens under causal delivery are right whatever the programs, the schedule and the overlap; under less they fail."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.model.notes import Assembled, Derived, Logged
from app.core.model.recorded_state import channels, parts
from app.core.oracle.checks import CHECKS
from app.run.explore import explore
from app.run.run import Run, record
from tests.often import often, some
from tests.properties.colours import colours
from tests.properties.systems import programs, schedules
from tests.tiny import made, notes

TOKENS = ("acharya-badrinath", "alagar-venkatesan")
COST = {"acharya-badrinath": 2, "alagar-venkatesan": 3}


@st.composite
def complete(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a complete graph with any program, several starts, causal delivery."""
    topology = {"complete": draw(st.integers(1, 5))}
    names = [f"P{i + 1}" for i in range(topology["complete"])]
    starts = st.builds(lambda p, at: {"process": p, "at": at}, st.sampled_from(names), st.integers(0, 20))
    return {
        "topology": topology,
        "program": draw(programs(topology)),
        "discipline": "causal",
        "collect": draw(st.booleans()),
        "schedule": draw(schedules()),
        "initiators": draw(st.lists(starts, min_size=1, max_size=4)),
    }


def stuck(run: Run) -> bool:
    """Is a message in flight forever, because its receiver refuses it or one that must come first?"""
    return bool(run.end.queues)


@often(250)
@given(complete(), st.sampled_from(TOKENS))
def test_every_snapshot_completes_and_holds_every_check(values: dict[str, Any], algorithm: str) -> None:
    run = record(made(values | {"algorithm": algorithm}))
    conserves = values["program"]["kind"] in ("token", "bank")
    for number, verdict in run.verdicts.items():
        seen = run.history.recordings[number]
        if seen.completed is None:
            assert stuck(run) and verdict.broken == ()
            continue
        assert verdict.checks == dict.fromkeys(CHECKS, True) | {"conserved": True if conserves else None, "cost": None}
        assert seen.markers == {}
        assert seen.controls == COST[algorithm] * (values["topology"]["complete"] - 1)
    assert stuck(run) or run.verdicts
    assert run.undisturbed


@often(200)
@given(complete(), st.sampled_from(TOKENS))
def test_an_independent_checker_by_colours_sees_the_same(values: dict[str, Any], algorithm: str) -> None:
    run = record(made(values | {"algorithm": algorithm}))
    for number, seen in run.history.recordings.items():
        if seen.completed is None:
            continue
        coloured = colours(run, number)
        assert coloured.closed_downwards() and not coloured.orphans()
        found = channels(run.system, parts(run.system, run.end, number))
        assert {c: [m.id for m in messages] for c, messages in found.items()} == {
            c: coloured.in_channel(c) for c in run.system.topology.channels
        }


@often(100)
@given(complete())
def test_the_numbers_of_the_replies_say_which_messages_are_in_flight(values: dict[str, Any]) -> None:
    run = record(made(values | {"algorithm": "acharya-badrinath"}))
    topology = run.system.topology
    for number, seen in run.history.recordings.items():
        if seen.completed is None:
            continue
        said = parts(run.system, run.end, number)
        for channel, ends in topology.channels.items():
            sent, received = dict(said[ends.source].sent)[channel], dict(said[ends.target].received)[channel]
            assert [m.id for m in received] == [m.id for m in sent[: len(received)]]
            for note in notes(run, "derived"):
                if isinstance(note, Derived) and (note.snapshot, note.channel) == (number, channel):
                    assert note.messages == sent[len(received) :]


@often(100)
@given(complete())
def test_the_initiator_knows_when_it_has_every_reply(values: dict[str, Any]) -> None:
    run = record(made(values | {"algorithm": "acharya-badrinath"}))
    if stuck(run):
        return
    whole = [(note.snapshot, note.process) for note in notes(run, "assembled") if isinstance(note, Assembled)]
    assert sorted(whole) == sorted((n, seen.initiators[0]) for n, seen in run.history.recordings.items())


@often(100)
@given(complete())
def test_only_what_was_sent_without_the_token_is_copied(values: dict[str, Any]) -> None:
    run = record(made(values | {"algorithm": "alagar-venkatesan"}))
    for note in notes(run, "logged"):
        assert isinstance(note, Logged) and note.snapshot not in (note.message.tag or ())
        seen = run.history.recordings[note.snapshot]
        assert seen.completed is None or run.history.inside(run.history.sends[note.message.id], seen.cut)


THREE: dict[str, Any] = {
    "topology": {"complete": 3},
    "program": {"kind": "bank", "accounts": {"P1": 2, "P2": 2, "P3": 2}},
    "explore": {"moves": 2, "starts": ["P1"]},
}


@pytest.mark.parametrize("algorithm", some(TOKENS, 2))
def test_no_interleaving_of_three_processes_breaks_them(algorithm: str) -> None:
    found = explore(made(THREE | {"algorithm": algorithm, "discipline": "causal"}))
    assert not found.bounded and found.complete and not found.incomplete
    assert found.counterexamples == {}


@pytest.mark.parametrize(
    ("algorithm", "discipline", "broken"),
    [
        ("acharya-badrinath", "fifo", {"consistent", "conserved", "reachable"}),
        ("acharya-badrinath", "any", {"consistent", "conserved", "reachable"}),
        ("unicast-token", "causal", {"consistent", "conserved", "reachable"}),
        ("alagar-venkatesan", "fifo", {"consistent", "channels", "conserved", "reachable"}),
    ],
)
def test_under_less_some_interleaving_breaks_them(algorithm: str, discipline: str, broken: set[str]) -> None:
    few = THREE | {"explore": {"moves": 1, "starts": ["P1"]}}
    found = explore(made(few | {"algorithm": algorithm, "discipline": discipline}))
    assert not found.bounded and set(found.counterexamples) == broken
