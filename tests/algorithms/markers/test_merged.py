"""Unlabelled markers and several starters: one snapshot, one marker per channel."""

from app.core.kernel.enabled import enabled
from app.core.model.notes import Unreachable
from app.core.model.values import Start
from app.run.explore import explore
from app.run.run import record, summary
from tests.tiny import made, notes, run

SQUARE = {
    "topology": {"processes": ["A", "B", "C", "D"], "channels": ["A->B", "B->C", "C->D", "D->A", "A->C", "C->A"]},
    "program": {"kind": "bank", "everyone": 5},
    "algorithm": "merged",
    "collect": False,
}


def test_two_starters_begin_one_snapshot_with_one_marker_a_channel() -> None:
    (told,) = summary(record(made(SQUARE | {"script": [{"start": "A"}, {"start": "C"}]})))["snapshots"]
    assert (told["initiators"], told["markers"], told["complete"]) == (["A", "C"], 6, True)
    assert told["checks"]["cost"] is True


def test_all_may_start_and_it_costs_the_same() -> None:
    (told,) = summary(record(made(SQUARE | {"script": [{"start": name} for name in "ABCD"]})))["snapshots"]
    assert (told["initiators"], told["markers"]) == (list("ABCD"), 6)


def test_who_has_recorded_can_not_start_the_same_snapshot() -> None:
    run = record(made(SQUARE | {"script": [{"start": "A"}, {"deliver": "A->B"}]}))
    world = run.world(2)
    assert world.snapshots[1].initiators == ("A",)
    offered = [action.process for action in enabled(run.system, world) if isinstance(action, Start)]
    assert offered == ["C", "D"]


def test_snapshots_one_after_the_other_are_snapshots_of_their_own() -> None:
    both = [{"deliver": "P1->P2"}, {"deliver": "P2->P1"}]
    payments = [{"send": {"on": "P1->P2", "message": 1}}, {"send": {"on": "P2->P1", "message": 2}}]
    script = [
        {"start": "P1"},
        *both,
        *payments,
        {"start": "P2"},
        *both,
        *reversed(both),
        {"start": "P1"},
        {"start": "P2"},
    ]
    run = record(made(SQUARE | {"topology": {"complete": 2}, "script": script}))
    told = summary(run)["snapshots"]
    assert [one["initiators"] for one in told] == [["P1"], ["P2"], ["P1", "P2"]]
    assert [one["markers"] for one in told] == [2, 2, 2]
    assert [one["channels"]["P1->P2"] for one in told] == [[], [1], []]
    assert [verdict.broken for verdict in run.verdicts.values()] == [(), (), ()]


def test_a_chain_that_its_middle_cannot_finish_is_finished_when_its_head_starts_too() -> None:
    chain = """
        topology: {processes: [A, B, C], channels: [A->B, B->C]}
        program: {kind: bank, everyone: 5}
        algorithm: merged
        script: [{start: B}, {deliver: B->C}, {start: A}]
    """
    run_of_it = run(chain)
    assert notes(run_of_it, "unreachable") == [Unreachable(1, ("A",)), Unreachable(1, ())]
    seen = run_of_it.history.recordings[1]
    assert (seen.initiators, seen.unreachable) == (["B", "A"], ())
    assert seen.completed is not None and run_of_it.verdicts[1].broken == ()


def test_a_marker_that_the_network_doubles_is_no_new_snapshot() -> None:
    ring = """
        topology: {ring: 3}
        program: {kind: bank, everyone: 5}
        algorithm: merged
        script: [{start: P1}, {duplicate: P1->P2}]
    """
    doubled = run(ring)
    assert list(doubled.history.recordings) == [1]
    assert doubled.history.recordings[1].records == {"P1": 1, "P2": 1, "P3": 1}


def test_in_all_interleavings_of_two_starters_every_check_holds() -> None:
    ring = {"topology": {"ring": 3}, "program": {"kind": "token", "holders": {"P1": 1}}, "algorithm": "merged"}
    found = explore(made(ring | {"explore": {"moves": 2, "starts": ["P1", "P2"]}}))
    assert (found.bounded, found.counterexamples, found.incomplete) == (False, {}, 0)
    assert found.complete


def test_a_newcomer_that_came_too_late_for_a_snapshot_does_not_start_it_again() -> None:
    text = """
        topology: {processes: [P, Q, N], channels: [P->Q, Q->P, P->N, N->P]}
        newcomers: {N: P}
        program: {kind: bank, accounts: {P: 10}}
        algorithm: merged
        collect: false
        script: [{start: P}, {join: N}]
    """
    made_of_it = run(text)
    assert made_of_it.world(2).snapshots[1].absent == ("N",)
    offered = enabled(made_of_it.system, made_of_it.world(2))
    assert [action.process for action in offered if isinstance(action, Start)] == ["Q"]
    assert made_of_it.history.recordings[1].absent == {"N": False} and made_of_it.verdicts[1].broken == ()
