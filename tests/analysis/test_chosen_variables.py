"""A snapshot of chosen variables, and the system after a restart from it."""

from app.analysis.chosen_variables import choices, variables
from app.run.run import Run, record
from app.scenario.library import LIBRARY


def shops() -> Run:
    """Return two shops with cash, goods and views."""
    return record(LIBRARY.scenario("what-is-state"))


def test_the_variables_of_all_processes_can_be_chosen_each_once() -> None:
    assert variables(shops()) == ("cash", "goods", "views")
    assert variables(record(LIBRARY.scenario("blue-figure"))) == ("X1", "Y1", "Z1", "X2", "Y2", "Z2")
    assert variables(record(LIBRARY.scenario("three-banks"))) == ()


def test_with_all_variables_a_restart_goes_on_as_the_run_did() -> None:
    run = shops()
    found = choices(run, 1, variables(run))
    assert all(one.wrong == () for one in found)
    assert {one.process: one.restarted for one in found} == {
        name: run.system.program.view(run.end.states[name]) for name in "AB"
    }


def test_what_is_left_out_begins_anew() -> None:
    a, b = choices(shops(), 1, ("cash",))
    assert (a.recorded, b.recorded) == ({"cash": 12}, {"cash": 7})
    assert b.restarted == {"cash": 7, "goods": 8, "views": 0} and b.wrong == ("goods", "views")
    books = sum(one.restarted["cash"] + one.restarted["goods"] for one in (a, b))
    assert books == 32  # always 27, if the goods were recorded, too


def test_what_a_message_sets_anew_need_not_be_recorded() -> None:
    a, b = choices(shops(), 1, ("cash", "goods"))
    assert a.restarted["views"] == 3 and a.wrong == ()
    assert b.wrong == ("views",)


def test_where_nothing_had_changed_before_the_cut_every_choice_is_enough() -> None:
    run = record(LIBRARY.scenario("blue-figure"))
    assert all(one.wrong == () for one in choices(run, 1, ("X1",)))
