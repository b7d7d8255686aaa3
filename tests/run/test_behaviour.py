"""The same key names the same run, as long as ``ENGINE`` stays."""

import json
from pathlib import Path

import pytest

from app.algorithms.registry import ALGORITHMS
from app.scenario.run_key import ENGINE
from tests.run.behaviour import own, under

KEPT = json.loads(Path(__file__).with_name("behaviour.json").read_text("utf-8"))
ADVICE = "raise ENGINE if other runs are meant; then `python -m tests.run.behaviour > tests/run/behaviour.json`"


def test_what_is_kept_is_of_this_engine() -> None:
    assert KEPT["engine"] == ENGINE, ADVICE


def test_every_scenario_runs_as_before() -> None:
    now = own()
    changed = [name for name in now | KEPT["scenarios"] if now.get(name) != KEPT["scenarios"].get(name)]
    assert not changed, ADVICE


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_algorithm_runs_as_before(algorithm: str) -> None:
    assert under(algorithm) == KEPT["algorithms"].get(algorithm), ADVICE
