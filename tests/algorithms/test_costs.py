"""The formula on each algorithm's page, evaluated, equals the counted cost of its runs."""

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from app.algorithms.registry import ALGORITHMS
from app.core.model.algorithm import Kind
from app.core.model.notes import Asked, Note, Received, Recorded, Region, Sent
from app.core.model.topology import source_of, target_of
from app.core.model.values import APP, CONTROL, MARKER
from app.run.run import Run, record
from app.scenario.run_key import RunKey
from app.scenario.scenario import load
from tests.flows import FLOWS, yaml
from tests.tiny import made

SHAPES = ("complete", "both", "ring")


def graph(shape: str, size: int) -> dict[str, Any]:
    """Return a strongly connected graph; all except the ring have channels both ways."""
    if shape != "both":
        return {shape: size}
    names = [f"P{i + 1}" for i in range(size)]
    pairs = [*pairwise(names), (names[0], names[-1])]
    return {"processes": names, "channels": [f"{a}->{b}" for pair in pairs for a, b in (pair, pair[::-1])]}


def run_of(name: str, seed: int, *, snapshots: int = 1, starters: int = 1) -> Run:
    """Return a run of some traffic under an algorithm, with successive snapshots, each started by ``starters``
    processes. Only the algorithm itself collects."""
    rules, rng = ALGORITHMS[name], Random(seed)
    if rules.GRAPH == "rooted" or rules.KIND is Kind.ITEMS:
        text = yaml(FLOWS["chain" if rules.DATAFLOW.maps else "two"], seed).replace(
            "algorithm: aligned", f"algorithm: {name}"
        )
        return record(load(text if rules.KIND is not Kind.ITEMS else text.partition("initiators")[0], "flow"))
    shapes = [shape for shape in SHAPES if rules.GRAPH in ("any", "strong") or shape != "ring"]
    shape = "complete" if rules.GRAPH == "complete" else shapes[seed % len(shapes)]
    size = rng.randrange(3, 6)
    everybody = range(1, size + 1)
    starting = everybody if rules.KIND.alone else sorted(rng.sample(everybody, min(starters, size)))
    starts = [{"process": f"P{i}", "at": 10 + 120 * k} for k in range(snapshots) for i in starting]
    values = {
        "topology": graph(shape, size),
        "program": {"kind": "bank", "everyone": 20, "amounts": [1, 2]},
        "algorithm": name,
        "discipline": rules.REQUIRES,
        "collect": False,
        "schedule": {"kind": "seeded", "seed": seed, "moves": 40 + 120 * (snapshots - 1)},
        "initiators": starts,
    }
    return record(made(values), RunKey(seed=seed + 1))  # so that a start that is too early is skipped


@dataclass(frozen=True)
class Counted:
    """The values of a formula's letters in one snapshot of a run, from its notes alone."""

    run: Run
    number: int

    @cached_property
    def notes(self) -> list[Note]:
        return [note for step in self.run.steps for note in step.notes]

    def recorded(self, number: int) -> dict[str, int]:
        """Return where among the notes each process recorded; the end for those that did not."""
        at = {n.process: i for i, n in enumerate(self.notes) if isinstance(n, Recorded) and n.snapshot == number}
        return dict.fromkeys(self.run.system.topology.names, len(self.notes)) | at

    @property
    def E(self) -> int:  # noqa: N802  # as the formulas on the pages call it
        return len(self.run.system.topology.channels)

    @property
    def n(self) -> int:
        return len(self.run.system.topology.names)

    @cached_property
    def tree(self) -> set[frozenset[str]]:
        """Return Venkatesan's spanning tree: from which neighbour each process learned of the first snapshot."""
        first = (n for n in self.notes if isinstance(n, Recorded) and n.snapshot == 1 and n.channel)
        return {frozenset((source_of(n.channel), n.process)) for n in first if n.channel}

    def program_sends(self, number: int) -> list[tuple[int, str]]:
        """Return what programs sent between recording a snapshot and recording the next, as (place, channel)."""
        begin, end = self.recorded(number), self.recorded(number + 1)
        sends = [(i, n) for i, n in enumerate(self.notes) if isinstance(n, Sent) and n.message.kind == APP]
        return [(i, n.channel) for i, n in sends if begin[n.process] < i < end[n.process]]

    @property
    def u(self) -> int:
        """Return the number of channels outside the tree on which something was sent since the previous snapshot."""
        used = {channel for _, channel in self.program_sends(self.number - 1)}
        return sum(frozenset(channel.split("->")) not in self.tree for channel in used)

    @property
    def a(self) -> int:
        """Return the number of channels on which the first message after the snapshot is the program's."""
        begin, others = self.recorded(self.number), set()
        for i, note in enumerate(self.notes):
            if isinstance(note, Sent) and note.message.kind == CONTROL and note.message.snapshot == self.number:
                answer = note.message.payload == "regular-ack"
                if not answer and note.message.payload != "ahead" and i > begin[note.process]:
                    others.add((i, note.channel))
        found = set()
        for i, channel in self.program_sends(self.number):
            if not any(at < i for at, where in others if where == channel):
                found.add(channel)
        return len(found)

    @property
    def k(self) -> int:
        """Return the number of messages in flight at the cut that are not addressed to the initiator."""
        seen = self.run.history.recordings[self.number]
        crossing = self.run.history.crossing(seen.cut)
        return sum(len(queue) for channel, queue in crossing.items() if target_of(channel) not in seen.initiators)

    @property
    def b(self) -> int:
        """Return the number of outputs of processes that recorded with a barrier on every input and no overtaking."""
        graph, found = self.run.system.topology, 0
        begin = self.recorded(self.number)
        arrived = [(i, n) for i, n in enumerate(self.notes) if isinstance(n, Received) and n.message.kind == MARKER]
        for name, process in graph.processes.items():
            come = [
                n for i, n in arrived if n.process == name and n.message.snapshot == self.number and i < begin[name]
            ]
            aligned = len(come) == len(process.inputs) and all(n.message.payload is None for n in come)
            found += len(process.outputs) if aligned and name != graph.root else 0
        return found

    @property
    def m(self) -> int:
        """Return the number of the program's messages that arrived."""
        return sum(isinstance(n, Received) and n.message.kind == APP for n in self.notes)

    @property
    def s(self) -> int:
        """Return the number of sources: the coordinator's outputs."""
        graph = self.run.system.topology
        assert graph.root is not None
        return len(graph.processes[graph.root].outputs)

    @cached_property
    def regions(self) -> dict[str, str]:
        """Return the initiator in whose region each process is."""
        return {n.process: n.master for n in self.notes if isinstance(n, Region) and n.snapshot == self.number}

    @property
    def x(self) -> int:
        """Count one report of each process that did not start, and what initiators exchange: each tells its neighbours
        its region and then what is new, as long as there is news, and finally that there is none."""
        masters = sorted(set(self.regions.values()))
        near: dict[str, set[str]] = {one: set() for one in masters}
        for channel in self.run.system.topology.channels:
            one, other = self.regions[source_of(channel)], self.regions[target_of(channel)]
            if one != other:
                near[one].add(other)
        far = {one: eccentricity(near, one) for one in masters}
        words = sum(len(near[one]) * (far[one] + 1) for one in masters)
        words += sum(far[other] >= far[one] for one in masters for other in near[one])
        return self.n - len(masters) + words


def eccentricity(near: dict[str, set[str]], start: str) -> int:
    """Return how many regions away the farthest is."""
    known, edge, away = {start}, {start}, 0
    while edge := {other for one in edge for other in near[one]} - known:
        known |= edge
        away += 1
    return away


def value(formula: str, counted: Counted) -> int:
    """Return the value of a formula as written on a page."""
    text = re.sub(r"(\d)\s*([A-Za-z(])", r"\1*\2", formula.replace("|E|", "E"))
    names = {name: getattr(counted, name) for name in re.findall(r"[A-Za-z]", text)}
    return int(eval(text, {"__builtins__": {}}, names))


def took(run: Run, number: int) -> int:
    """The control messages of a snapshot, as the observer counts them. Markers without a label are those of the run."""
    seen = run.history.recordings[number]
    if run.system.algorithm.NAME == "unlabelled":
        assert len(run.history.recordings) == 1
        return run.history.controls
    return sum(seen.markers.values()) + seen.controls


def finished(run: Run, number: int) -> bool:
    """Was the snapshot complete?"""
    return run.history.recordings[number].completed is not None


ACKNOWLEDGED = ("sequenced", "resent-marker", "blocked-channel")
"""Their acknowledgements belong to no snapshot, so a run with one snapshot is counted as a whole."""
PRICED = [name for name, rules in ALGORITHMS.items() if not re.search("[…∞]", rules.COST)]
BY_SNAPSHOT = [n for n in PRICED if n not in ACKNOWLEDGED and ALGORITHMS[n].KIND not in (Kind.ITEMS, Kind.PRIVATE)]


@pytest.mark.parametrize("name", [name for name in BY_SNAPSHOT if name != "venkatesan"])
def test_a_snapshot_takes_as_many_control_messages_as_the_formula_says(name: str) -> None:
    found = 0
    for seed in range(12):
        run = run_of(name, seed, starters=1 + (seed % 3) * (not ALGORITHMS[name].LABELLED))
        for number in run.history.recordings:
            if finished(run, number):
                assert took(run, number) == value(ALGORITHMS[name].COST, Counted(run, number)), (name, seed)
                found += 1
    assert found >= 6


def test_an_incremental_snapshot_takes_what_was_used_and_what_goes_ahead() -> None:
    found, ahead = 0, 0
    for seed in range(40):
        run = run_of("venkatesan", seed, snapshots=4)
        last = max(run.history.recordings)
        for number in sorted(run.history.recordings):
            counted = Counted(run, number)
            if number == 1:
                assert took(run, 1) == counted.E
            elif finished(run, number):
                assert took(run, number) == value(ALGORITHMS["venkatesan"].COST, counted), (seed, number)
                found, ahead = found + 1, ahead + (number < last and counted.a)
    assert found >= 50 and ahead >= 50


@pytest.mark.parametrize("name", ACKNOWLEDGED)
def test_acknowledgements_are_in_the_formula(name: str) -> None:
    """As long as no timer expires too early, nothing is sent again; otherwise it costs more."""
    for seed in range(12):
        run = run_of(name, seed)
        again = sum(isinstance(n, Sent) and n.message.origin is not None for s in run.steps for n in s.notes)
        markers = sum(run.history.recordings[1].markers.values())
        if finished(run, 1) and not again and markers == len(run.system.topology.channels):
            assert run.history.controls == value(ALGORITHMS[name].COST, Counted(run, 1))
        else:
            assert run.history.controls >= value(ALGORITHMS[name].COST, Counted(run, 1)) or not finished(run, 1)


def test_removing_duplicates_takes_an_acknowledgement_for_each_message() -> None:
    for name in ("millwheel", "weak-productions"):
        run = run_of(name, 1)
        acknowledgements = sum(isinstance(n, Asked) and n.what.word == "ack" for s in run.steps for n in s.notes)
        assert acknowledgements == value(ALGORITHMS[name].COST, Counted(run, 0)) > 0


def test_where_no_snapshots_are_taken_nothing_is_said_on_channels() -> None:
    for name in ("uncoordinated", "at-most-once"):
        assert ALGORITHMS[name].COST == "0"
        assert run_of(name, 2).history.controls == 0


@pytest.mark.parametrize("name", ["node-guarded", "node-record-first"])
def test_a_node_that_answers_every_message_with_markers_takes_more_than_a_marker_per_channel(name: str) -> None:
    run = record(made({"topology": {"complete": 3}, "program": {"kind": "bank", "everyone": 9}, "algorithm": name,
                       "schedule": {"kind": "seeded", "seed": 3, "moves": 30},
                       "initiators": [{"process": "P1", "at": 3}]}))  # fmt: skip
    assert took(run, 1) > len(run.system.topology.channels)


def test_a_node_without_a_guard_never_stops() -> None:
    run = record(made({"topology": {"complete": 3}, "program": {"kind": "bank", "everyone": 9}, "steps": 2_000,
                       "algorithm": "node-as-written", "schedule": {"kind": "seeded", "seed": 3, "moves": 5},
                       "initiators": [{"process": "P1", "at": 3}]}))  # fmt: skip
    assert ALGORITHMS["node-as-written"].COST == "∞" and run.full


def test_every_formula_is_tried() -> None:
    others = {"millwheel", "weak-productions", "uncoordinated", "at-most-once", "node-guarded", "node-record-first"}
    endless = {name for name, rules in ALGORITHMS.items() if rules.COST == "∞"}
    assert {*BY_SNAPSHOT, *ACKNOWLEDGED, *others, *endless} == set(ALGORITHMS)
