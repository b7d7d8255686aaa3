"""Every broken variant has a scenario in the library that shows its fault."""

from app.algorithms.registry import ALGORITHMS, DESCRIPTIONS, algorithm
from app.run.run import record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.web.shared.counterexample_links import WITHOUT_ORDER, exposure
from tests.tiny import made


def test_every_broken_algorithm_has_a_scenario() -> None:
    broken = [name for name, algorithm in ALGORITHMS.items() if algorithm.WRONG is not None]
    assert [name for name in broken if DESCRIPTIONS[name].shown_by is None] == []


def test_each_scenario_shows_a_failed_check() -> None:
    for name in (*(about.shown_by for about in DESCRIPTIONS.values() if about.shown_by), WITHOUT_ORDER):
        run = record(LIBRARY.scenario(name))
        assert any(holds is False for verdict in run.verdicts.values() for holds in verdict.checks.values()), name


def test_the_scenario_of_a_broken_algorithm_is_about_it() -> None:
    shown = {name: about.shown_by for name, about in DESCRIPTIONS.items() if algorithm(name).WRONG is not None}
    other = {name: LIBRARY.scenario(by).system(RunKey()).algorithm.NAME for name, by in shown.items() if by is not None}
    assert {name: f"{shown[name]} runs {runs}" for name, runs in other.items() if runs != name} == {}


def test_what_is_not_broken_is_exposed_nowhere() -> None:
    figure = LIBRARY.scenario("blue-figure")
    assert exposure(figure.system(RunKey())) is None
    assert exposure(figure.system(RunKey(discipline="any"))) == "non-fifo-lost"
    assert exposure(figure.system(RunKey(algorithm="photographs", discipline="any"))) == "photographs-two"


def test_an_order_that_is_not_enough_is_exposed_by_an_algorithm_that_needs_more() -> None:
    figure = LIBRARY.scenario("causal-token")
    assert exposure(figure.system(RunKey())) is None
    for order in ("fifo", "any"):
        assert exposure(figure.system(RunKey(discipline=order))) == "token-outrun"
        assert exposure(figure.system(RunKey(algorithm="alagar-venkatesan", discipline=order))) == "end-outrun"
    for order in ("fifo", "causal", "any"):
        assert exposure(figure.system(RunKey(algorithm="lai-yang", discipline=order))) is None
    assert exposure(figure.system(RunKey(algorithm="chandy-lamport", discipline="causal"))) is None


def test_the_order_of_a_single_channel_counts() -> None:
    values = {
        "topology": {"processes": ["P", "Q"], "channels": ["P->Q", "Q->P"]},
        "program": {"kind": "bank", "everyone": 5},
        "schedule": {"kind": "manual"},
    }
    one = made(values | {"disciplines": {"P->Q": "any"}})
    assert exposure(one.system(RunKey())) == "non-fifo-lost"
    assert exposure(one.system(RunKey(algorithm="mattern"))) is None
    every = made(values | {"discipline": "any", "disciplines": {"P->Q": "fifo", "Q->P": "causal"}})
    assert exposure(every.system(RunKey())) is None
    mixed = made(values | {"discipline": "causal", "disciplines": {"P->Q": "fifo"}})
    assert exposure(mixed.system(RunKey(algorithm="acharya-badrinath"))) == "token-outrun"
