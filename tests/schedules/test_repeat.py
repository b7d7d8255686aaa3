"""A run under another algorithm repeats what the programs did."""

from cProfile import Profile
from typing import Any

import pytest

from app.core.model.notes import Blocked, Lost, Received, Sent
from app.core.model.values import APP, Collect, Crash, Drop, Restore, Start, Todo, Wake
from app.core.oracle.history import History
from app.paths import SCENARIOS
from app.run.run import Run, record, summary
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.scenario.scenario import load
from tests.tiny import made, scenario

BUSY = """
    topology: {processes: [P, Q], channels: [P->Q, Q->P]}
    program: {kind: bank, accounts: {P: 10, Q: 10}}
    script:
      - {send: {on: P->Q, message: 1}}
      - {start: P}
      - {send: {on: P->Q, message: 2}}
      - {send: {on: Q->P, message: 3}}
      - {deliver: P->Q}
      - {deliver: P->Q}
      - {deliver: P->Q}
      - {send: {on: Q->P, message: 4}}
"""


def events(run: Run) -> list[tuple[str, str, object]]:
    """Each application event: who, what, and with which payload."""
    return [(e.process, e.kind, e.message.payload if e.message else None) for e in run.history.events]


def starts(history: History) -> list[str]:
    return [name for seen in history.recordings.values() for name in seen.initiators]


def test_the_same_events_happen_in_the_same_order() -> None:
    own = record(scenario(BUSY))
    other = record(scenario(BUSY), RunKey(algorithm="no-channels"))
    assert events(other) == events(own)
    assert starts(other.history) == starts(own.history) == ["P"]
    assert (own.missed, other.missed) == (0, 0)
    assert other.undisturbed


@pytest.mark.parametrize("name", ["blue-figure", "three-banks", "random-twelve", "ring-five", "complete", "star"])
@pytest.mark.parametrize("algorithm", ["no-channels", "late-marker", "photographs"])
def test_in_the_library_too(name: str, algorithm: str) -> None:
    library = LIBRARY.scenario(name)
    own, other = record(library), record(library, RunKey(algorithm=algorithm))
    assert events(other) == events(own)
    assert not other.missed


def test_it_is_a_function_of_the_key() -> None:
    keys = [RunKey(algorithm="no-channels", seed=seed) for seed in (3, 3, 4)]
    first, again, another = (record(LIBRARY.scenario("random-twelve"), key).digest for key in keys)
    assert first == again != another


def test_where_nobody_is_told_everybody_starts_within_a_few_events() -> None:
    other = record(scenario(BUSY), RunKey(algorithm="photographs"))
    assert sorted(starts(other.history)) == ["P", "Q"]
    assert other.history.recordings[1].completed is not None


def test_a_fault_hits_the_same_message_of_the_program() -> None:
    lossy = BUSY + "      - {drop: Q->P, position: 2}\n"
    own, other = (record(scenario(lossy), RunKey(algorithm=name)) for name in (None, "photographs"))
    for run in (own, other):
        (lost,) = [note for step in run.steps for note in step.notes if isinstance(note, Lost)]
        assert lost.message.kind == APP and lost.message.payload == (("", 4),)
    assert events(own) == events(other)


def test_a_fault_that_hits_a_marker_has_nothing_to_hit_where_there_is_none() -> None:
    lossy = """
    topology: {processes: [P, Q], channels: [P->Q, Q->P]}
    program: {kind: bank, accounts: {P: 10, Q: 10}}
    script: [{start: P}, {drop: P->Q}, {send: {on: P->Q, message: 4}}]
    """
    other = record(scenario(lossy), RunKey(algorithm="photographs"))
    assert not any(isinstance(step.action, Drop) for step in other.steps)
    late = record(scenario(lossy), RunKey(algorithm="late-marker"))
    (dropped,) = [step for step in late.steps if isinstance(step.action, Drop)]
    assert next(note.message.kind for note in dropped.notes if isinstance(note, Lost)) == "marker"


def test_a_persons_choice_changes_the_run_and_the_rest_goes_on_as_far_as_it_can() -> None:
    base = record(scenario(BUSY), RunKey(algorithm="no-channels"))
    branched = record(scenario(BUSY), RunKey(algorithm="no-channels", choices=((1, 0),)))
    assert branched.steps[0].action == base.steps[0].action
    assert branched.steps[1].action != Start("P")
    sent = [n.message.payload for s in branched.steps for n in s.notes if isinstance(n, Sent) and n.message.kind == APP]
    assert sent == [(("", amount),) for amount in (1, 2, 3, 4)]


def test_everything_that_is_under_way_arrives_in_the_end() -> None:
    other = record(LIBRARY.scenario("ring-five"), RunKey(algorithm="late-marker"))
    sent = {n.message.id for s in other.steps for n in s.notes if isinstance(n, Sent)}
    arrived = {n.message.id for s in other.steps for n in s.notes if isinstance(n, Received)}
    assert sent == arrived
    assert any(isinstance(step.action, Collect) for step in other.steps)


def test_what_the_algorithm_holds_up_is_done_later_and_everything_else_goes_on() -> None:
    own = record(scenario(BUSY))
    paused = record(scenario(BUSY), RunKey(algorithm="stop-the-world"))
    assert sorted(events(paused), key=repr) == sorted(events(own), key=repr) and events(paused) != events(own)
    assert paused.missed == 0 and paused.undisturbed
    for name in ("P", "Q"):
        sends = [[e for e in events(run) if e[:2] == (name, "send")] for run in (own, paused)]
        assert sends[0] == sends[1]


CROWDED: dict[str, Any] = {
    "topology": {"random": {"processes": 30, "degree": 4, "seed": 1}},
    "program": {"kind": "bank", "everyone": 100},
    "schedule": {"kind": "timed", "seed": 1, "moves": 900, "delay": {"constant": 60}},
    "initiators": [{"process": "P1", "at": 5}],
}
"""Several hundred messages are in flight at any time."""


@pytest.mark.parametrize("algorithm", ["lai-yang", "late-marker", "resent-marker", "mattern"])
def test_a_step_does_not_look_at_all_messages_in_flight(algorithm: str) -> None:
    profile = Profile()
    with profile:
        other = record(made(CROWDED), RunKey(algorithm=algorithm))
    mine = ("follow.py", "flight.py")
    asked = sum(
        entry.callcount
        for entry in profile.getstats()
        if not isinstance(entry.code, str) and entry.code.co_filename.endswith(mine)
    )
    assert max(sum(map(len, other.world(step.number).queues.values())) for step in other.steps) > 300
    assert asked < 30 * len(other.steps)


@pytest.mark.parametrize("algorithm", ["mattern", "stop-the-world"])
def test_a_newcomer_waits_where_the_other_algorithm_holds_it_up_and_nothing_is_missed(algorithm: str) -> None:
    run = record(LIBRARY.scenario("born-after"), RunKey(algorithm=algorithm))
    assert run.missed == 0
    assert run.end.unborn == () and not run.end.snapshots[1].running
    assert run.verdicts[1].broken == ()


@pytest.mark.parametrize(
    ("algorithm", "recorded", "total", "blocked"),
    [("at-least-once", (2, 1, 16), 39, False), ("aligned", (2, 1, 13), 36, True), ("unaligned", (2, 1, 0), 36, False)],
)
def test_a_barrier_arrives_between_the_same_events_as_in_the_authors_run(
    algorithm: str, recorded: tuple[int, ...], total: int, blocked: bool
) -> None:
    run = record(LIBRARY.scenario("counted-twice"), RunKey(algorithm=algorithm))
    told = summary(run)
    assert tuple(told["snapshots"][0]["processes"][name] for name in ("s1", "s2", "sum")) == recorded
    assert told["final"]["processes"]["sum"] == total
    assert any(isinstance(note, Blocked) for step in run.steps for note in step.notes) == blocked
    assert run.missed == 0


def test_a_step_put_off_is_done_at_the_same_place() -> None:
    run = record(LIBRARY.scenario("counted-twice"), RunKey(algorithm="aligned"))
    tail = [step.action for step in run.steps[-9:-6]]
    assert tail == [Wake(name, Todo("upload", (1,))) for name in ("s1", "s2", "sum")]
    assert isinstance(run.steps[-6].action, Crash)


def test_who_rolled_back_to_a_snapshot_by_its_number_does_so_under_another_algorithm_too() -> None:
    text = (SCENARIOS / "continuous.yaml").read_text("utf-8").replace("restore: latest", "restore: 0")
    run = record(load(text, "numbered"), RunKey(algorithm="aligned"))
    assert [step.action.snapshot for step in run.steps if isinstance(step.action, Restore)] == [0]


@pytest.mark.parametrize("algorithm", ["aligned", "unaligned", "aligned-timeout"])
def test_who_rolled_back_to_the_latest_checkpoint_does_so_under_another_algorithm_too(algorithm: str) -> None:
    scenario = LIBRARY.scenario("continuous")
    (own,) = (step.action for step in record(scenario).steps if isinstance(step.action, Restore))
    other = record(scenario, RunKey(algorithm=algorithm))
    (back,) = (step.action for step in other.steps if isinstance(step.action, Restore))
    assert (own.snapshot, back.snapshot) == (0, 1), "under its own, none was complete"
    assert other.history.recordings[1].completed is not None and other.history.recordings[1].aborted is None
