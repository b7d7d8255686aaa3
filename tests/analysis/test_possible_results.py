"""All results that a dataflow can have without failures."""

from typing import Any

import pytest

from app.analysis import possible_results
from app.analysis.failure_free import quiet
from app.analysis.possible_results import Case, Results, choosers, results, shown_by, steady
from app.run.run import record
from app.scenario.run_key import RunKey
from tests.tiny import made

TOTALS: dict[str, Any] = {
    "JM": {"coordinator": True},
    "a": {"source": [1, 2]},
    "b": {"source": [10, 20]},
    "sum": {"sum": "all"},
    "out": {"sink": "plain"},
}
LINKS = ("JM->a", "JM->b", "a->sum", "b->sum", "sum->out")


def case(operators: dict[str, Any] = TOTALS, links: tuple[str, ...] = LINKS, **more: Any) -> Case:
    """Return a dataflow without failures."""
    values = {
        "topology": {"processes": list(operators), "channels": list(links)},
        "program": {"kind": "dataflow", "operators": operators},
        "algorithm": "at-most-once",
        "schedule": {"kind": "manual"},
    } | more
    return quiet(record(made(values), RunKey()))


def shown(found: Results, of: Case) -> list[list[int]]:
    """Return the values at the sinks, result by result, in order."""
    return sorted(sorted(record.value for _, record in shown_by(of, one.arrivals)) for one in found.found)


def test_a_running_total_of_two_sources_has_a_result_for_each_order_that_matters() -> None:
    one = case()
    assert choosers(one) == ("sum",) and steady(one)
    found = results(one)
    assert found.complete and len(found.found) == 6  # 4 over 2
    assert shown(found, one)[0] == [1, 3, 13, 33] and [10, 11, 13, 33] in shown(found, one)
    assert {result.states["sum"].total for result in found.found} == {33}


@pytest.mark.parametrize(
    ("operators", "why"),
    [
        ({"sum": {"sum": "all", "emit": "record"}}, "what goes on does not depend on the total"),
        ({"sum": {}, "out": {"sum": "all"}}, "a total that nobody is told is the same in every order"),
        ({"sum": {"map": {"times": 2}}}, "an operator that keeps nothing does the same in every order"),
    ],
)
def test_where_nothing_depends_on_the_order_nobody_chooses_and_there_is_one_result(
    operators: dict[str, Any], why: str
) -> None:
    one = case(TOTALS | operators)
    assert choosers(one) == () and len(results(one).found) == 1, why


def test_a_process_in_front_of_the_total_chooses_too_where_it_has_several_inputs() -> None:
    one = case(TOTALS | {"sum": {}, "out": {"sum": "all"}, "end": {"sink": "plain"}}, (*LINKS, "out->end"))
    assert choosers(one) == ("sum",)
    assert results(one).complete and len(results(one).found) == 6


def test_a_channel_without_order_is_a_choice_of_its_own() -> None:
    operators = {"JM": {"coordinator": True}, "a": {"source": [1, 2, 4]}, "sum": {"sum": "all"}, "out": TOTALS["out"]}
    links = ("JM->a", "a->sum", "sum->out")
    assert choosers(case(operators, links)) == ()
    loose = case(operators, links, discipline="any")
    assert choosers(loose) == ("sum",) and len(results(loose).found) == 6


def test_what_is_full_takes_no_order_away_that_could_happen_and_adds_none() -> None:
    split = {"JM": {"coordinator": True}, "s": {"source": [1, 2]}, "a": {}, "b": {"map": {"times": 10}}}
    operators = split | {"sum": {"sum": "all"}, "out": {"sink": "plain"}}
    links = ("JM->s", "s->a", "s->b", "a->sum", "b->sum", "sum->out")
    wide, tight = case(operators, links), case(operators, links, capacity=1)
    assert results(wide).complete and results(tight).complete
    assert shown(results(wide), wide) == shown(results(tight), tight) and len(results(wide).found) == 6


def test_a_filter_behind_a_total_lets_other_records_through_in_another_order() -> None:
    assert steady(case())
    assert steady(case(TOTALS | {"a": {"source": [1]}, "sum": {"filter": {"below": 11}}}))
    one = case(
        TOTALS | {"a": {"source": [1]}, "b": {"source": [10]}, "sum": {"sum": "all", "filter": {"below": 11}}},
    )
    assert not steady(one) and shown(results(one), one) == [[1], [10]]


def test_a_search_that_stops_says_so_and_one_that_knows_the_output_finds_it_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(possible_results, "MOST", 60)
    many = TOTALS | {"a": {"source": [1, 2, 3, 4]}, "b": {"source": [10, 20, 30, 40]}}
    one = case(many)
    assert not results(one).complete and 0 < len(results(one).found) < 70
    last = results(one).found[-1]
    found = results(one, frozenset(shown_by(one, last.arrivals).items()))
    assert found.complete and [result.arrivals for result in found.found] == [last.arrivals]
    other = frozenset({("out", record): 1 for _, record in last.arrivals if record.value > 50}.items())
    assert results(one, other) == Results((), complete=True)


def test_looking_twice_is_looking_once() -> None:
    assert results(case()) is results(case())
