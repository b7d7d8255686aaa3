"""The run that is really executed in another order."""

from app.run.reordered_key import reordered
from app.run.run import record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey


def test_the_same_events_happen_in_the_order_that_was_asked_for() -> None:
    run = record(LIBRARY.scenario("state-that-never-was"))
    events = list(run.history.events)
    key = reordered(run, 0, [events[1], events[0], *events[2:]])
    assert key is not None and key.manual
    again = record(run.scenario, key)
    assert [(e.process, e.kind) for e in again.history.events] == [
        (e.process, e.kind) for e in [events[1], events[0], *events[2:]]
    ]
    assert again.end.states == run.end.states and not again.history.recordings


def test_an_order_in_which_nobody_can_do_it_has_no_key() -> None:
    run = record(LIBRARY.scenario("state-that-never-was"))
    events = list(run.history.events)
    assert reordered(run, 0, [events[2], events[0], events[1], events[3]]) is None
    assert reordered(run, 0, events[1:]) is None


def test_what_only_the_authors_script_can_do_has_no_key() -> None:
    run = record(LIBRARY.scenario("blue-figure"), RunKey())
    assert reordered(run, 0, run.history.events) is None
