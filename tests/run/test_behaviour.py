"""The same key names the same run, as long as ``ENGINE`` stays."""

import json
from pathlib import Path

import pytest

from app.algorithms.registry import ALGORITHMS
from app.core.oracle.checks import CHECKS
from app.scenario.library import LIBRARY
from app.scenario.run_key import ENGINE
from tests.run.behaviour import own, under

KEPT = json.loads(Path(__file__).with_name("behaviour.json").read_text("utf-8"))
KEEP = "`python -m tests.run.behaviour > tests/run/behaviour.json`"
ADVICE = f"raise ENGINE if other runs are meant; then {KEEP}"


def test_what_is_kept_is_of_this_engine() -> None:
    assert KEPT["engine"] == ENGINE, ADVICE


def test_what_every_scenario_algorithm_and_check_gives_is_kept() -> None:
    kept = {part: set(KEPT[part]) for part in ("scenarios", "algorithms", "checks")}
    assert kept == {"scenarios": {*LIBRARY.names()}, "algorithms": {*ALGORITHMS}, "checks": {*CHECKS}}, KEEP


def test_every_scenario_runs_as_before() -> None:
    now = own(KEPT["scenarios"], KEPT["checks"])
    assert [name for name in now if now[name] != KEPT["scenarios"][name]] == [], ADVICE


@pytest.mark.parametrize("algorithm", KEPT["algorithms"])
def test_every_algorithm_runs_as_before(algorithm: str) -> None:
    assert under(algorithm, KEPT["checks"]) == KEPT["algorithms"][algorithm], ADVICE
