"""Right classes, written quite differently, pass every system of their level, whatever the hashes."""

import pytest

from app.judge import sandbox
from app.judge.judge import PASSED, UNDECIDED, Judgement, judge
from app.judge.suite import FOLDER, of_level
from app.run.explore import explore
from app.scenario.run_key import RunKey

RIGHT = FOLDER / "right"


def tried(name: str, level: int) -> Judgement:
    return judge((RIGHT / f"{name}.py").read_text("utf-8"), f"{name}.py", of_level(level))


@pytest.mark.parametrize(("name", "level"), [("markers", 3), ("keeps", 3), ("counts", 4)])
def test_a_right_class_passes_every_system(name: str, level: int) -> None:
    judged = tried(name, level)
    assert [(t.system.name, t.verdict) for t in judged.trials] == [(s.name, PASSED) for s in of_level(level)]
    assert judged.verdict == PASSED and judged.score == (len(judged.trials), len(judged.trials))


@pytest.mark.slow
def test_counters_are_right_where_channels_keep_their_order_too() -> None:
    assert tried("counts", 3).verdict == PASSED


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [(2, 3), (4, 5), (6, 7)])
def test_a_right_class_passes_under_every_hash(monkeypatch: pytest.MonkeyPatch, seeds: tuple[int, int]) -> None:
    began = sandbox.Sandbox.__init__
    monkeypatch.setattr(sandbox.Sandbox, "__init__", lambda one, seed: began(one, seeds[seed]))
    assert tried("keeps", 3).verdict == PASSED


def test_the_rule_of_chandy_and_lamport_has_as_many_states_as_the_algorithm() -> None:
    for trial in tried("markers", 2).trials:
        system = trial.system
        key = RunKey(algorithm="chandy-lamport", discipline=system.key.discipline)
        assert explore(system.scenario, key, bounds=system.bounds).states == trial.states, system.name


def test_a_search_that_reaches_its_limit_decides_nothing() -> None:
    source = (RIGHT / "markers.py").read_text("utf-8")
    judged = judge(source, "markers.py", of_level(2), most=20)
    assert judged.verdict == UNDECIDED
    assert {t.verdict for t in judged.trials} == {UNDECIDED} and all(t.states <= 20 for t in judged.trials)
