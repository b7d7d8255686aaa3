"""Right classes, written quite differently, pass every system of their level, whatever the hashes."""

import pytest

from app.judge import sandbox
from app.judge.judge import PASSED, UNDECIDED, Judgement, judge
from app.judge.suite import FOLDER, of_level
from app.run.explore import explore
from app.run.run import record
from app.scenario.run_key import RunKey
from tests.often import some

RIGHT = FOLDER / "right"


def tried(name: str, level: int) -> Judgement:
    return judge((RIGHT / f"{name}.py").read_text("utf-8"), f"{name}.py", of_level(level))


@pytest.mark.parametrize(("name", "level"), some([("markers", 3), ("keeps", 3), ("counts", 4), ("walks", 5)], 4))
def test_a_right_class_passes_every_system(name: str, level: int) -> None:
    judged = tried(name, level)
    assert [(t.system.name, t.verdict) for t in judged.trials] == [(s.name, PASSED) for s in of_level(level)]
    assert judged.verdict == PASSED and judged.score == (len(judged.trials), len(judged.trials))


@pytest.mark.slow
def test_markers_are_counted_in_the_worst_run() -> None:
    one_for_each_channel, walking = tried("counts", 5), tried("walks", 5)
    channels = [len(system.scenario.topology.channels) for system in of_level(5)]
    assert [trial.markers for trial in one_for_each_channel.trials] == channels
    assert [trial.markers for trial in walking.trials] == [system.fewest for system in of_level(5)]
    assert (walking.markers, one_for_each_channel.markers) == (25, 30) == (walking.fewest, sum(channels))
    assert tried("walks", 4).markers is None


def test_markers_that_go_round_are_told_so() -> None:
    walks = (RIGHT / "walks.py").read_text("utf-8")
    source = walks.replace("        if way:\n            self", "        way = way or self.outputs[0]\n        self")
    failure = judge(source, "mine.py", of_level(5), first=True).trials[0].failure
    assert failure and failure.mistake and failure.mistake.kind == "endless"
    assert source.splitlines()[(failure.mistake.line or 0) - 1].strip().startswith("self.send_marker")


@pytest.mark.slow
def test_a_process_that_is_done_can_send_a_marker_on() -> None:
    source = (
        (RIGHT / "walks.py").read_text("utf-8").replace("if self.recorded:", "if self.recorded and not self.closed:")
    )
    failed = judge(source, "mine.py", of_level(5)).failed
    assert failed and failed.failure and failed.failure.replay and failed.failure.witness
    run = record(failed.system.scenario, failed.failure.replay.key)
    assert any(verdict.checks[failed.failure.what] is False for verdict in run.verdicts.values())


@pytest.mark.slow
def test_counters_are_right_where_channels_keep_their_order_too() -> None:
    assert tried("counts", 3).verdict == PASSED


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [(2, 3), (4, 5), (6, 7)])
def test_a_right_class_passes_under_every_hash(monkeypatch: pytest.MonkeyPatch, seeds: tuple[int, int]) -> None:
    began = sandbox.Sandbox.__init__
    monkeypatch.setattr(sandbox.Sandbox, "__init__", lambda one, seed: began(one, seeds[seed]))
    assert tried("keeps", 3).verdict == PASSED


@pytest.mark.slow
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
