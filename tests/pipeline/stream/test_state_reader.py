"""Checkpoints that Spark wrote: what their logs and states say, whole and damaged."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from app.cli.checkpoint import checkpoint_json, lines
from app.formats.spark_checkpoint import checkpoint
from app.pipeline.stream.results import checkpoint as place
from app.pipeline.stream.state_reader import equal, states
from app.pipeline.stream.stream import follow
from tests.cli.command import bluecut
from tests.pipeline import made

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def followed(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a sweep that was followed in portions, until half of a run's rows were missing."""
    directory = made.planned(tmp_path_factory.mktemp("followed"), 4, 4)
    made.written(directory, 0, made.runs(4), parts=2)
    (directory / "rows/batch=00000/kind=message/part-00001.zstd.parquet").rename(directory / "later.parquet")
    follow(spark, directory, once=True, files=4)
    return directory


def test_the_state_is_what_all_before_the_offset_makes(spark: SparkSession, followed: Path) -> None:
    found = checkpoint(place(followed))
    assert found.flaws == () and len(found.batches) == 3 and found.restart.does == "plan"
    checks = [equal(spark, place(followed), found, batch) for batch in found.batches]
    assert [(one.batch, one.files, one.differ, one.mistake) for one in checks] == [
        (0, 4, 0, None),
        (1, 8, 0, None),
        (2, 10, 0, None),
    ]
    assert checks[-1].runs == 2


def test_a_state_that_is_something_else_is_found_out(spark: SparkSession, followed: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(followed, copy)
    for file in (place(copy) / "sources/0").glob("[0-9]*"):
        file.write_text(file.read_text().replace(str(followed), str(copy)))
    found = checkpoint(place(copy))
    assert equal(spark, place(copy), found, found.batches[2]).differ == 0
    run = copy / "rows/batch=00000/kind=cut/part-00001.zstd.parquet"
    shutil.copy(copy / "rows/batch=00000/kind=snapshot/part-00001.zstd.parquet", run)
    assert equal(spark, place(copy), found, found.batches[2]).differ == 2


def test_states_are_read_batch_by_batch(spark: SparkSession, followed: Path) -> None:
    found = checkpoint(place(followed))
    kept = {(one.batch, one.part): one for one in states(spark, place(followed), found, [0, 2])}
    assert {part for _, part in kept} == {"rows", "about", "messages", "cuts", "channels", "snapshots", "recorded"}
    assert not any(one.mistake for one in kept.values())
    assert kept[2, "rows"].count == 2 and kept[2, "about"].count == 2 and kept[2, "messages"].count == 0
    assert kept[0, "about"].count <= 4
    sample = kept[2, "rows"].sample[0]
    assert set(sample) == {"key", "value"} and sample["key"]["number"] in (1, 3)
    as_json = checkpoint_json(found, tuple(kept.values()), ())
    assert json.loads(json.dumps(as_json))["state"][0]["batch"] == 0
    assert any("After batch 2, rows: rows 2" in line for line in lines(found, tuple(kept.values()), (), "en"))


def test_an_aggregation_has_a_state_too(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("x\ny\nx\n")
    counts = spark.readStream.schema("value STRING").text(str(tmp_path / "in")).groupBy("value").count()
    query = counts.writeStream.outputMode("update").format("noop").option("checkpointLocation", str(tmp_path / "ck"))
    assert query.trigger(availableNow=True).start().awaitTermination(120)
    found = checkpoint(tmp_path / "ck")
    (kept,) = states(spark, tmp_path / "ck", found, [0])
    assert (kept.part, kept.count, kept.mistake) == ("", 2, None)
    assert [operator.name for operator in found.operators] == ["stateStoreSave"]
    (kept,) = states(spark, tmp_path / "ck", found, [7])
    assert kept.mistake and kept.rows == ()


def emptied(*files: str) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        for file in files:
            (folder / file).write_text("")

    return damage


def deleted(*files: str) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        for file in files:
            (folder / file).unlink()

    return damage


DAMAGES = {
    "nothing": deleted(),
    "the last commit": deleted("commits/2"),
    "two commits": deleted("commits/1", "commits/2"),
    "the last intent": deleted("offsets/2"),
    "the intent before the last": deleted("offsets/1"),
    "the first intent": deleted("offsets/0"),
    "all intents": deleted("offsets/0", "offsets/1", "offsets/2"),
    "what the last intent says": emptied("offsets/2"),
    "what the last commit says": emptied("commits/2"),
    "what the query is called": emptied("metadata"),
    "the query's file": deleted("metadata"),
    "the last list of the source": deleted("sources/0/2"),
}


@pytest.fixture(scope="module")
def three(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the checkpoint of a stream of three batches, one file each, with a fourth, unread file."""
    folder = tmp_path_factory.mktemp("three")
    (folder / "in").mkdir()
    for number in range(3):
        arrived(folder / "in", number)
    assert ran(spark, folder / "in", folder / "ck") == [(0, ["0"]), (1, ["1"]), (2, ["2"])]
    arrived(folder / "in", 3)
    return folder


def arrived(folder: Path, number: int) -> None:
    """Write a file that holds its number; Spark takes files in the order of their times."""
    file = folder / f"{number}.txt"
    file.write_text(f"{number}\n")
    os.utime(file, (1_000_000 + number, 1_000_000 + number))


def ran(spark: SparkSession, source: Path, folder: Path) -> list[tuple[int, list[str]]]:
    """Run a stream over files on a checkpoint to its end; return its batches, and what each had."""
    batches: list[tuple[int, list[str]]] = []

    def sink(batch: DataFrame, number: int) -> None:
        batches.append((number, sorted(row["value"] for row in batch.collect())))

    lines = spark.readStream.schema("value STRING").option("maxFilesPerTrigger", 1).text(str(source))
    query = lines.writeStream.foreachBatch(sink).option("checkpointLocation", str(folder))
    assert query.trigger(availableNow=True).start().awaitTermination(120)
    return batches


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_it_says_of_a_restart_is_what_spark_does(
    damage: str, spark: SparkSession, three: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "ck"
    shutil.copytree(three / "ck", folder, ignore=shutil.ignore_patterns(".*.crc"))
    DAMAGES[damage](folder)
    restart = checkpoint(folder).restart
    try:
        batches = ran(spark, three / "in", folder)
    except (PySparkException, Py4JError):
        assert restart.does == "stuck"
        return
    first, had = batches[0]
    assert restart.does != "stuck" and first == restart.batch
    if restart.does == "rerun":
        assert had == [str(restart.batch)]


def test_the_command_tells_of_a_batch_that_is_not_done(followed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "ck"
    shutil.copytree(place(followed), folder)
    (folder / "commits/2").unlink()
    done = bluecut("checkpoint", str(folder), "--last", "0")
    assert done.code == 0 and "Batch 2, not committed" in done.out
    assert "run batch 2 again, with the same offsets, from the state after batch 1" in done.out
    told = json.loads(bluecut("checkpoint", str(folder), "--last", "0", "--json").out)
    assert told["restart"] == {"does": "rerun", "batch": 2} and told["flaws"] == []
    assert [len(batch["files"]["0"]) for batch in told["batches"]] == [4, 4, 2]


def test_the_command_tells_of_a_file_that_is_damaged(followed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "ck"
    shutil.copytree(place(followed), folder)
    (folder / "offsets/2").write_text("")
    done = bluecut("checkpoint", str(folder), "--last", "0", "--lang", "zh")
    assert done.code == 1 and "offsets/2 是空的" in done.out
    done = bluecut("checkpoint", str(tmp_path / "in"))
    assert (done.code, done.out) == (2, "") and "there is no such directory" in done.err
