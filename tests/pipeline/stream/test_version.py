"""A stream continues only from a checkpoint of its own version."""

import json
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from app.cli.main import status
from app.core.model.values import BluecutError
from app.pipeline.stream.stream import follow
from app.pipeline.stream.version import VERSION, same, version
from tests.pipeline import made


@pytest.mark.parametrize(
    "said", [None, {"version": VERSION}, version() | {"version": VERSION + 1}, version() | {"form": "x"}]
)
def test_a_checkpoint_of_another_version_is_told_before_spark_is_started_and_stays(
    said: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def none(*told: object, **more: object) -> None:
        raise AssertionError("Spark was started")

    directory = made.planned(tmp_path, 4, 4)
    table = directory / "stream" / "tables" / "batch=00000"
    for folder in (directory / "stream" / "checkpoint" / "offsets", table):
        folder.mkdir(parents=True)
    (table / "_SUCCESS").touch()
    if said is not None:
        (directory / "stream" / "version.json").write_text(json.dumps(said), "utf-8")
    no_spark: Any = None
    with pytest.raises(BluecutError, match="begun by another version of Bluecut"):
        follow(no_spark, directory)
    assert (table / "_SUCCESS").exists()
    monkeypatch.setattr("app.pipeline.engine.session.session", none)
    assert status(["stream", str(directory), "--lang", "zh"]) == 2
    line = f"bluecut: {directory}：其中的流是由另一版本的 Bluecut 开始的；请删除 {directory}/stream 后重新跟踪\n"
    assert capsys.readouterr().err.endswith(line)


@pytest.mark.slow
def test_one_of_its_own_is_gone_on_from(spark: SparkSession, tmp_path: Path) -> None:
    directory, traces = made.planned(tmp_path, 4, 2), made.runs(4)
    same(directory)
    for number in range(2):
        made.written(directory, number, traces[number * 2 : number * 2 + 2])
        found = follow(spark, directory, once=True)
    made.same(found, traces)
    assert json.loads((directory / "stream" / "version.json").read_text("utf-8")) == version()


def test_another_form_is_another_version(monkeypatch: pytest.MonkeyPatch) -> None:
    said = [version()]
    for name, value in (("stateful.COLUMNS", {"a": "INT"}), ("stateful.ABOUT", "a INT"), ("stateful.STATE", {})):
        with monkeypatch.context() as patch:
            patch.setattr(f"app.pipeline.stream.{name}", value)
            said.append(version())
    with monkeypatch.context() as patch:
        patch.setattr("app.pipeline.stream.orphans.NEEDED", {"run": ("url",)})
        said.append(version())
    assert len({one["form"] for one in said}) == 5
    assert version() == said[0]
