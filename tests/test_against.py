"""The comparison of this tree with another revision."""

from pathlib import Path
from subprocess import CalledProcessError

import pytest

from tests.benchmarks import against
from tests.benchmarks.lanes import LANES

OTHER = Path("other")


@pytest.mark.parametrize(("longer", "good"), [(0.5, True), (1.0, True), (1.2, False)])
def test_a_lane_that_takes_longer_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], longer: float, good: bool
) -> None:
    slow = next(iter(LANES))

    def microseconds(tree: Path, lane: str) -> float:
        return 10 * longer if tree != OTHER and lane == slow else 10

    monkeypatch.setattr(against, "microseconds", microseconds)
    assert against.compare(OTHER, rounds=3) is good
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.endswith("slower")] == ([] if good else [lines[1]])
    assert f"{longer:.2f}" in lines[1] and len(lines) == 1 + len(LANES)


def test_a_lane_that_the_other_tree_has_not_is_named_and_not_compared(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    new = next(iter(LANES))

    def microseconds(tree: Path, lane: str) -> float:
        if tree == OTHER and lane == new:
            raise CalledProcessError(1, lane)
        return 10

    monkeypatch.setattr(against, "microseconds", microseconds)
    assert against.compare(OTHER, rounds=3)
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == [*new.split(), "cannot", "be", "measured", "there"] and len(lines) == 1 + len(LANES)


@pytest.mark.slow
def test_a_lane_is_measured_in_the_tree_that_is_named(tmp_path: Path) -> None:
    assert 1 < against.microseconds(against.ROOT, "kernel, 10 processes") < 10_000
    (tmp_path / "tests" / "benchmarks").mkdir(parents=True)
    (tmp_path / "tests" / "benchmarks" / "lanes.py").write_text("raise SystemExit('another tree')")
    with pytest.raises(CalledProcessError) as failed:
        against.microseconds(tmp_path, "kernel, 10 processes")
    assert "another tree" in failed.value.stderr
