"""The membership log of a snapshot: which processes joined and left meanwhile, and what that means for each."""

import pytest

from app.analysis.membership_log import membership
from app.run.run import record
from app.scenario.library import LIBRARY

LOGS = {
    "born-after": [("N", "joined", 2, "after")],
    "born-before": [("N", "joined", 2, "in")],
    "joiner-merged": [("N", "joined", 2, "merged")],
    "leave-in-order": [("Q", "left", 6, "in")],
    "crash-unusable": [("Q", "crashed", 2, "missing")],
    "crash-hangs": [("P3", "crashed", 3, "missing")],
}


@pytest.mark.parametrize(("name", "log"), LOGS.items())
def test_the_log_of_the_first_snapshot_says_where_each_stands_in_the_end(
    name: str, log: list[tuple[str, str, int, str]]
) -> None:
    run = record(LIBRARY.scenario(name))
    assert [(c.process, c.event, c.step, c.stands(len(run.steps))) for c in membership(run)[1]] == log


def test_what_happened_before_the_start_or_after_the_end_is_not_in_the_log() -> None:
    assert membership(record(LIBRARY.scenario("hash-ring"))) == {}  # N joined before
    assert membership(record(LIBRARY.scenario("born-after"))).keys() == {1}  # the second one begins afterwards


def test_where_a_newcomer_stands_changes_as_the_run_goes_on() -> None:
    (before,) = membership(record(LIBRARY.scenario("born-before")))[1]
    assert [before.stands(step) for step in (2, 6, 7, 8)] == ["expected", "expected", "in", "in"]
    (merged,) = membership(record(LIBRARY.scenario("joiner-merged")))[1]
    assert [merged.stands(step) for step in (2, 6, 7)] == ["after", "after", "merged"]


@pytest.mark.parametrize("name", [one.name for one in LIBRARY.scenarios() if one.form.program.kind != "dataflow"])
def test_the_log_agrees_with_what_the_run_says_of_the_snapshot(name: str) -> None:
    run = record(LIBRARY.scenario(name))
    for number, log in membership(run).items():
        seen = run.history.recordings[number]
        for change in log:
            stands = change.stands(len(run.steps))
            assert (stands == "missing") is (change.process in seen.unusable)
            assert (stands in ("after", "before")) is (change.process in seen.absent and stands != "missing")
            assert (stands in ("in", "merged")) is (change.process in seen.recorded and stands != "missing")
