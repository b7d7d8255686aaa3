"""The phases of snapshots: when they begin, when they end, and when they do not."""

from itertools import pairwise

from app.analysis.phases import Phase, phases
from app.core.model.notes import Completed, Recorded
from app.run.run import record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from tests.each import each
from tests.tiny import notes


def told(name: str, number: int = 1, key: RunKey | None = None) -> list[tuple[str, int, int, str]]:
    """Return the phases of a snapshot of a scenario."""
    run = record(LIBRARY.scenario(name), key or RunKey())
    return [(phase.name[:4], phase.first, phase.last, phase.end) for phase in phases(run)[number]]


def test_three_banks_go_through_all_phases() -> None:
    assert told("three-banks") == [
        ("init", 3, 3, "ends"),
        ("prop", 4, 7, "ends"),
        ("term", 8, 13, "ends"),
        ("coll", 14, 15, "ends"),
    ]


def test_where_there_is_one_process_only_the_start_takes_a_step() -> None:
    assert told("alone") == [("init", 2, 2, "ends")]


def test_markers_that_are_put_off_belong_to_the_start() -> None:
    assert told("late-marker")[:2] == [("init", 1, 3, "ends"), ("prop", 4, 5, "ends")]


def test_several_initiators_of_one_snapshot_start_it_together() -> None:
    assert told("two-starters")[:2] == [("init", 2, 3, "ends"), ("prop", 4, 5, "ends")]


def test_a_coordinator_has_nothing_to_record() -> None:
    assert told("barriers-wait") == [("init", 3, 3, "ends"), ("prop", 4, 12, "ends"), ("term", 13, 15, "ends")]
    assert told("micro-batch", 2)[0] == ("init", 16, 16, "ends")


def test_a_process_that_is_never_reached_keeps_the_propagation_going() -> None:
    assert told("chain-from-b") == [("init", 1, 1, "ends"), ("prop", 2, 4, "open")]
    assert told("marker-lost")[-1] == ("prop", 2, 6, "open")


def test_a_channel_that_never_closes_keeps_the_snapshot_from_terminating() -> None:
    assert told("crash-hangs")[-1] == ("term", 3, 4, "open")


def test_an_aborted_snapshot_ends_in_the_phase_in_which_it_was() -> None:
    assert told("cut-and-mended") == [("init", 3, 3, "ends"), ("prop", 4, 10, "aborted")]
    assert told("old-file-needed", 3)[-1] == ("term", 24, 25, "aborted")


def test_who_is_put_in_afterwards_does_not_make_the_propagation_longer() -> None:
    assert told("joiner-merged")[1:] == [("prop", 2, 5, "ends"), ("term", 6, 6, "ends")]


@each("name", LIBRARY.names)
def test_the_phases_of_every_snapshot_follow_each_other_and_fit_what_was_noted(name: str) -> None:
    run = record(LIBRARY.scenario(name))
    known = phases(run)
    assert known.keys() == run.history.recordings.keys()
    for number, found in known.items():
        seen = run.history.recordings[number]
        if run.system.algorithm.KIND.alone:
            assert found == ()
            continue
        assert found[0].first == seen.started and all(phase.steps > 0 for phase in found)
        assert all(a.last + 1 == b.first and a.end == "ends" for a, b in pairwise(found))
        complete = any(note.snapshot == number for note in notes(run, "completed") if isinstance(note, Completed))
        assert (found[-1].end == "ends") is complete
        named: dict[str, Phase] = {phase.name: phase for phase in found}
        if "propagating" in named and "terminating" in named:
            root = run.system.topology.root if run.system.algorithm.COORDINATED else None
            late = range(named["terminating"].first, named["terminating"].last + 1)
            for step in run.steps:
                for note in step.notes:
                    if isinstance(note, Recorded) and note.snapshot == number and note.process != root:
                        assert step.number not in late
