"""Spezialetti–Kearns on any graph with channels both ways: one snapshot, one marker per channel, and every initiator
knows the whole snapshot."""

from typing import Any

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from app.core.model.notes import Assembled, Region, Round
from app.core.oracle.checks import CHECKS
from app.run.explore import explore
from app.run.run import Run, record
from app.scenario.run_key import RunKey
from tests.often import often
from tests.properties.colours import colours
from tests.properties.graphs import both_ways
from tests.tiny import made, notes

STARTS = st.lists(
    st.builds(lambda p, at: {"process": p, "at": at}, st.integers(0, 4), st.sampled_from((0, 0, 1, 2, 3, 5, 30))),
    min_size=1,
    max_size=6,
)


def ran(values: dict[str, Any]) -> Run:
    """Return the run; starts that are too late to take part are skipped."""
    scenario = made(values | {"algorithm": "spezialetti-kearns"})
    return record(scenario, RunKey(seed=scenario.form.schedule.seed + 1))


def regions(run: Run, number: int) -> dict[str, str]:
    """Return the master of each process."""
    found = [note for note in notes(run, "region") if isinstance(note, Region) and note.snapshot == number]
    return {note.process: note.master for note in found}


@often(250)
@given(both_ways(STARTS))
def test_every_complete_snapshot_holds_every_check(values: dict[str, Any]) -> None:
    run = ran(values)
    conserves = values["program"]["kind"] in ("token", "bank")
    for number, verdict in run.verdicts.items():
        if run.history.recordings[number].completed is None:
            assert run.end.queues and verdict.broken == ()
            continue
        assert verdict.checks == dict.fromkeys(CHECKS, True) | {"conserved": True if conserves else None}
        assert colours(run, number).closed_downwards()
    assert run.undisturbed and run.verdicts


@often(150)
@given(both_ways(STARTS))
def test_regions_hang_together_and_borders_are_the_masters_next_door(values: dict[str, Any]) -> None:
    run = ran(values)
    channels = run.system.topology.channels.values()
    for number, seen in run.history.recordings.items():
        if seen.completed is None:
            continue
        master = regions(run, number)
        assert {name for name in master if master[name] == name} == set(seen.initiators)
        borders = {n.process: n.border for n in notes(run, "region") if isinstance(n, Region) and n.snapshot == number}
        for name in master:
            near = {master[c.source] for c in channels if c.target == name} - {master[name]}
            assert set(borders[name]) == near
        graph = nx.Graph((c.source, c.target) for c in channels if master[c.source] == master[c.target])
        graph.add_nodes_from(master)
        for name in master:
            assert nx.has_path(graph, name, master[name])


@often(200)
@given(both_ways(STARTS))
def test_in_the_end_every_initiator_has_every_part_after_as_many_rounds_as_regions_are_apart(
    values: dict[str, Any],
) -> None:
    run = ran(values)
    if run.end.queues:
        return
    channels = run.system.topology.channels.values()
    for number, seen in run.history.recordings.items():
        whole = [n.process for n in notes(run, "assembled") if isinstance(n, Assembled) and n.snapshot == number]
        assert sorted(whole) == sorted(seen.initiators)
        master = regions(run, number)
        near = nx.Graph((master[c.source], master[c.target]) for c in channels if master[c.source] != master[c.target])
        rounds = [n for n in notes(run, "round") if isinstance(n, Round) and n.snapshot == number]
        for name in seen.initiators:
            known = [note.known for note in rounds if note.process == name]
            assert known == sorted(known)
            if len(seen.initiators) == 1:
                assert known == []
            else:
                assert known[-1] == len(run.system.topology.names)
                assert len(known) == max(nx.single_source_shortest_path_length(near, name).values()) + 1


def test_a_line_of_five_initiators_needs_five_rounds_from_its_ends_and_three_from_its_middle() -> None:
    run = record(
        made(
            {
                "topology": {
                    "processes": list("ABCDE"),
                    "channels": [f"{a}->{b}" for a, b in zip("ABCDBCDE", "BCDEABCD", strict=True)],
                },
                "program": {"kind": "token", "holders": {"A": 1}},
                "algorithm": "spezialetti-kearns",
                "script": [{"start": name} for name in "ABCDE"],
            }
        )
    )
    rounds = [note.process for note in notes(run, "round") if isinstance(note, Round)]
    assert {name: rounds.count(name) for name in "ABCDE"} == {"A": 5, "B": 4, "C": 3, "D": 4, "E": 5}
    assert sum(run.history.recordings[1].markers.values()) == 8


def test_no_interleaving_of_two_initiators_on_a_line_of_three_breaks_it() -> None:
    values = {
        "topology": {"processes": ["A", "B", "C"], "channels": ["A->B", "B->A", "B->C", "C->B"]},
        "program": {"kind": "bank", "accounts": {"A": 2, "B": 2, "C": 2}},
        "algorithm": "spezialetti-kearns",
        "explore": {"moves": 1, "starts": ["A", "C"]},
    }
    found = explore(made(values))
    assert not found.bounded and found.complete and not found.incomplete and found.counterexamples == {}


def test_out_of_order_some_interleaving_breaks_it() -> None:
    values = {
        "topology": {"processes": ["A", "B"], "channels": ["A->B", "B->A"]},
        "program": {"kind": "bank", "accounts": {"A": 2, "B": 2}},
        "algorithm": "spezialetti-kearns",
        "discipline": "any",
        "explore": {"moves": 1, "starts": ["A", "B"]},
    }
    assert set(explore(made(values)).counterexamples) == {"consistent", "channels", "conserved", "reachable"}
