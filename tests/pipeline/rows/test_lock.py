"""One command at a time: results of different commands on the rows in a folder are never mixed."""

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from app.cli.main import status
from app.core.model.values import BluecutError
from app.pipeline.external.json_lines import foreign
from app.pipeline.measure.measure import measure
from app.pipeline.rows.atomic_file import keep
from app.pipeline.rows.lock import locked
from app.pipeline.rows.schema import VERSION
from app.pipeline.verify.verify import Verified, verify, verify_foreign
from app.scenario.run_key import ENGINE
from tests.pipeline.stored import numbered, sound, stored

BUSY = "another bluecut command is at work here; wait for its end"
LIKE = {"url": "/run/x?seed=3", "scenario": "drawn", "topology": "pair", "program": "bank", "steps": 9}
TRACE = '{"process": "a", "event": "record", "snapshot": 1}\n'


def rows(directory: Path) -> Path:
    """Return the folder of a sweep of two runs."""
    stored(directory, [numbered(sound(), run, **LIKE) for run in range(2)])
    keep(directory / "sweep.json", {"version": VERSION, "engine": ENGINE, "spec": {}})
    return directory


@pytest.mark.parametrize("command", ["verify", "measure"])
def test_the_command_says_so_before_spark_is_started(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def none(*told: object, **more: object) -> None:
        raise AssertionError("Spark was started")

    monkeypatch.setattr("app.pipeline.engine.session.session", none)
    with locked(rows(tmp_path)):
        assert status([command, str(tmp_path), "--lang", "zh"]) == 2
    assert "另一个 bluecut 命令正在这里工作；请等它结束" in capsys.readouterr().err


@pytest.mark.parametrize("work", [verify, measure])
def test_a_wrong_folder_stays_as_it_is(work: object, spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(BluecutError):
        work(spark, tmp_path / "gone")  # type: ignore[operator]
    assert list(tmp_path.iterdir()) == []


def test_two_traces_do_not_go_into_one_folder_at_once(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "t.jsonl").write_text(TRACE, "utf-8")
    trace, directory = foreign(tmp_path / "t.jsonl"), tmp_path / "rows"
    with locked(directory), pytest.raises(BluecutError, match=BUSY):
        verify_foreign(spark, trace, directory)
    assert [path.name for path in directory.iterdir()] == ["lock"]
    found = Verified(1, 0, (), 0, 0, (), (), ())  # judging is not what is tried here
    monkeypatch.setattr("app.pipeline.verify.verify.verify", lambda spark, rows: found)
    assert verify_foreign(spark, trace, directory).runs == 1
    with pytest.raises(BluecutError, match="there is something in it already"):
        verify_foreign(spark, trace, directory)
