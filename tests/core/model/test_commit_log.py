"""A coordinator's logs say what each batch reads, and which batches are done."""

from app.core.model.commit_log import BACK, COMMITS, OFFSETS, Logs

FRESH = Logs((("s", 3), ("t", 1)), 2)
FIRST = (("s", 0, 2), ("t", 0, 1))
SECOND = (("s", 2, 3), ("t", 1, 1))


def test_a_batch_takes_what_there_is_up_to_the_limit() -> None:
    assert FRESH.next == FIRST
    assert Logs((("s", 3), ("t", 1))).next == (("s", 0, 3), ("t", 0, 1))


def test_a_batch_that_is_planned_and_not_committed_is_the_one_to_run() -> None:
    planned = FRESH.written(OFFSETS, 1, FIRST)
    assert planned.started == FIRST and planned.more
    done = planned.written(COMMITS, 1)
    assert done.started is None and done.next == SECOND and done.more


def test_nothing_is_left_after_the_last_batch() -> None:
    logs = FRESH.written(OFFSETS, 1, FIRST).written(COMMITS, 1).written(OFFSETS, 2, SECOND).written(COMMITS, 2)
    assert not logs.more


def test_who_goes_back_further_runs_the_same_batches_again() -> None:
    logs = FRESH.written(OFFSETS, 1, FIRST).written(COMMITS, 1).written(OFFSETS, 2, SECOND).written(BACK, 0)
    assert logs.started == FIRST
    assert logs.written(COMMITS, 1).started == SECOND


def test_what_is_written_again_takes_the_place_of_what_came_after() -> None:
    logs = FRESH.written(OFFSETS, 1, FIRST).written(OFFSETS, 2, SECOND).written(OFFSETS, 1, (("s", 0, 1), ("t", 0, 0)))
    assert logs.offsets == ((("s", 0, 1), ("t", 0, 0)),)


def test_people_see_the_last_two_entries_with_a_tick_where_they_are_committed() -> None:
    assert FRESH.view() == {}
    logs = FRESH.written(OFFSETS, 1, FIRST).written(COMMITS, 1).written(OFFSETS, 2, SECOND)
    assert logs.view() == {"1": "0–2, 0–1 ✓", "2": "2–3, 1–1"}
    third = (("s", 3, 4), ("t", 1, 2))
    assert list(logs.written(COMMITS, 2).written(OFFSETS, 3, third).view()) == ["2", "3"]
