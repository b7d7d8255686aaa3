"""Every broken variant has a scenario of the library in which its fault is seen."""

from app.algorithms.registry import ALGORITHMS
from app.simulator.key import RunKey
from app.simulator.library import LIBRARY
from app.simulator.run import record
from app.web.exposure import DISORDERED, EXPOSED, exposure


def test_every_broken_algorithm_is_listed() -> None:
    assert set(EXPOSED) == {name for name, algorithm in ALGORITHMS.items() if algorithm.WRONG is not None}


def test_each_scenario_shows_a_failed_check() -> None:
    for name in (*EXPOSED.values(), DISORDERED):
        run = record(LIBRARY.scenario(name))
        assert any(holds is False for verdict in run.verdicts.values() for holds in verdict.checks.values()), name


def test_what_is_not_broken_is_exposed_nowhere() -> None:
    figure = LIBRARY.scenario("blue-figure")
    assert exposure(figure.system(RunKey())) is None
    assert exposure(figure.system(RunKey(discipline="any"))) == "non-fifo-lost"
    assert exposure(figure.system(RunKey(algorithm="photographs", discipline="any"))) == "photographs-two"
