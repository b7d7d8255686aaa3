"""ProcessNode, as published and repaired step by step."""

import pytest

from app.algorithms.registry import algorithm
from app.core.model.notes import Folded, Rule, Sent
from app.core.model.values import MARKER
from app.run.run import Run, record, summary
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from tests.tiny import made, notes
from tests.tiny import run as tiny

STAGES = ("node-as-written", "node-guarded", "node-record-first", "node-data-silent", "node-channels")


def markers(run: Run, steps: int | None = None) -> int:
    """Return how many markers were sent in the first steps."""
    return sum(
        isinstance(note, Sent) and note.message.kind == MARKER for step in run.steps[:steps] for note in step.notes
    )


def quiet(name: str, steps: int = 200) -> Run:
    """Three nodes, one start, and no message of any program."""
    values = {"topology": {"complete": 3}, "program": {"kind": "bank", "everyone": 5}, "collect": False}
    return record(made(values | {"algorithm": name, "steps": steps, "script": [{"start": "P1"}]}))


def test_the_storm_grows_by_one_marker_in_flight_at_each_arrival_and_has_no_end() -> None:
    run = quiet("node-as-written")
    assert (markers(run, 20), markers(run)) == (40, 400) and run.full
    assert sum(len(queue) for queue in run.end.queues.values()) == 201
    library = record(LIBRARY.scenario("node-as-written"))
    assert (markers(library, 20), markers(library)) == (34, 394)


@pytest.mark.parametrize("name", STAGES[1:])
def test_one_question_ends_it_with_six_markers(name: str) -> None:
    run = quiet(name)
    assert markers(run) == 6 and not run.full and run.history.recordings[1].completed is not None


def test_each_repair_takes_one_mistake_away() -> None:
    broken = {name: record(LIBRARY.scenario(name)).verdicts[1].broken for name in STAGES}
    assert broken == {
        "node-as-written": ("cost",),
        "node-guarded": ("consistent", "conserved", "reachable", "cost"),
        "node-record-first": ("channels", "conserved", "reachable", "cost"),
        "node-data-silent": ("channels", "conserved", "reachable"),
        "node-channels": (),
    }


@pytest.mark.parametrize("name", STAGES)
def test_the_wrong_line_is_one_of_its_lines_and_is_executed(name: str) -> None:
    rules = algorithm(name)
    lines = [line for line, _ in rules.PSEUDOCODE]
    run = record(LIBRARY.scenario(name))
    fired = {line for note in notes(run, "rule") if isinstance(note, Rule) for line in note.lines}
    assert fired <= set(lines)
    assert rules.WRONG is None or rules.WRONG in fired
    assert (rules.WRONG is None) == (name == "node-channels")


def test_the_start_and_the_first_marker_light_the_line_that_they_begin_with() -> None:
    first = [note.lines[:2] for note in notes(quiet("node-record-first"), "rule") if isinstance(note, Rule)][:3]
    assert first == [("node-start", "node-self-marker"), *[("node-get", "node-if-first")] * 2]


@pytest.mark.parametrize("name", STAGES)
def test_sending_and_idle_work_light_their_own_lines(name: str) -> None:
    run = record(LIBRARY.scenario("node-idle"), RunKey(algorithm=None if name == "node-data-silent" else name))
    lit = [tuple(line for note in step.notes if isinstance(note, Rule) for line in note.lines) for step in run.steps]
    sends, idle = [lines for lines in lit if "send" in lines[0]], [lines for lines in lit if "idle" in lines[-3:][0]]
    right = name == "node-channels"
    assert sends == [("node-send-on", "node-put-on") if right else ("node-send", "node-put")]
    assert idle == [("node-if-all-idle" if right else "node-if-idle", "node-work", "node-continue")] * 3


@pytest.mark.parametrize(("name", "work"), [("node-record-first", 1), ("node-data-silent", 0), ("node-channels", 0)])
def test_idle_work_changes_the_snapshot_as_long_as_it_is_the_same_list(name: str, work: int) -> None:
    values = {
        "topology": {"complete": 2},
        "program": {"kind": "variables", "values": {"P1": {"work": 0}, "P2": {"work": 0}}},
        "algorithm": name,
        "collect": False,
        "script": [{"start": "P1"}, {"change": {"process": "P1", "set": {"work": 1}}}],
    }
    run = record(made(values))
    assert summary(run)["snapshots"][0]["processes"] == {"P1": {"work": work}, "P2": {"work": 0}}
    assert run.verdicts[1].checks["reachable"] is (work == 0)


def test_where_idle_work_adds_to_the_state_no_total_is_judged_and_a_lost_message_is_found_all_the_same() -> None:
    run = record(LIBRARY.scenario("node-idle"))
    assert run.verdicts[1].checks["conserved"] is None
    assert run.verdicts[1].witnesses["channels"]["message"]["payload"] == "M"


def test_what_is_appended_changes_the_snapshot_that_was_kept() -> None:
    run = record(LIBRARY.scenario("node-record-first"))
    folded = [(note.process, note.state) for note in notes(run, "folded") if isinstance(note, Folded)]
    assert folded == [("P1", (("", 13),)), ("P1", (("", 14),))]


def test_what_the_snapshot_cannot_receive_does_not_change_it() -> None:
    run = tiny("""
        topology: {processes: [P, Q], channels: [P->Q, Q->P]}
        algorithm: node-record-first
        program:
          kind: machine
          first: {P: before, Q: full}
          edges:
            P: [{from: before, to: after, send: go, on: P->Q}, {from: after, to: end, receive: b, on: Q->P}]
            Q: [{from: full, to: empty, send: b, on: Q->P}]
        script: [{start: P}, {send: {on: P->Q, message: go}}, {send: {on: Q->P, message: b}}, {deliver: Q->P}]
    """)
    assert run.world(len(run.steps)).states["P"] == "end" and notes(run, "folded") == []
    assert summary(run)["snapshots"][0]["processes"]["P"] == "before"


@pytest.mark.parametrize("name", ["three-banks", "random-twelve", "node-channels"])
def test_the_repaired_one_is_as_right_as_chandy_and_lamports(name: str) -> None:
    scenario = LIBRARY.scenario(name)
    note, paper = (record(scenario, RunKey(algorithm=a)) for a in ("node-channels", "chandy-lamport"))
    assert [v.checks for v in note.verdicts.values()] == [v.checks for v in paper.verdicts.values()]
    assert markers(note) == markers(paper) == len(note.verdicts) * len(note.system.topology.channels)
