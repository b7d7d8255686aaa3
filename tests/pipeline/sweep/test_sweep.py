"""A sweep on Spark: its rows are those of its runs, and its result is the same whatever happens meanwhile."""

import json
import os
import shutil
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from app.core.model.error_json import read as phrase
from app.core.model.values import BluecutError
from app.pipeline.rows.atomic_file import read_file
from app.pipeline.rows.lock import at_work, locked
from app.pipeline.rows.schema import KINDS, VERDICT_COLUMNS
from app.pipeline.sweep.grid import grid, place
from app.pipeline.sweep.manifest import Manifest, complete_batches, manifest
from app.pipeline.sweep.progress import Progress, read
from app.pipeline.sweep.spec import Spec, load_spec
from app.pipeline.sweep.sweep import sweep
from app.pipeline.sweep.task import traced
from tests.cli.command import bluecut
from tests.pipeline.killed import PATIENCE, RUNS, SPEC, complaints, started, sweeping, written

TINY = SPEC


def spec(text: str = TINY) -> Spec:
    return load_spec(text, "my.yaml")


@pytest.fixture(scope="module")
def whole(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Manifest, list[Progress]]:
    """Return an undisturbed sweep in batches of four runs, and its progress reports."""
    directory, seen = tmp_path_factory.mktemp("sweep"), list[Progress]()
    return directory, sweep(spark, spec(), directory, seen.append, batch=4), seen


Whole = tuple[Path, Manifest, list[Progress]]


def test_the_rows_are_those_of_the_runs(whole: Whole) -> None:
    made = grid(spec())
    cells = [made.cells[place(made.cells, run)] for run in range(RUNS)]
    expected = [traced(cell, run) for run, cell in enumerate(cells)]
    for kind, rows in written(whole[0]).items():
        mine = [{name: row.get(name) for name in KINDS[kind]} for each in expected for row in each[kind]]
        assert rows == mine, kind
        assert whole[1].rows.get(kind, 0) == len(mine)


def test_files_of_one_name_hold_the_same_whole_runs(whole: Whole) -> None:
    for folder in complete_batches(whole[0]):
        runs = {
            path.name: pq.ParquetFile(path).read(["run"])["run"].to_pylist()
            for path in folder.glob("kind=run/*.parquet")
        }
        assert sorted(run for each in runs.values() for run in each) == list(range(*bounds(folder)))
        for path in folder.glob("kind=*/*.parquet"):
            there = pq.ParquetFile(path).read(["run"])["run"].to_pylist()
            assert there == sorted(there) and set(there) <= set(runs[path.name])


def bounds(folder: Path) -> tuple[int, int]:
    """Return the runs of a batch, by its own file."""
    said = read_file(folder / "_batch.json")
    return said["first"], said["first"] + said["runs"]


def test_the_manifest_says_what_is_complete(whole: Whole) -> None:
    said = read_file(whole[0] / "manifest.json")
    assert (said["runs"], said["done"], said["complete"]) == (RUNS, RUNS, True)
    assert [(one["batch"], one["first"], one["runs"]) for one in said["batches"]] == [(0, 0, 4), (1, 4, 4), (2, 8, 3)]
    assert said["rows"]["run"] == RUNS and said["snapshots"] == said["rows"]["snapshot"]
    assert said["digest"] == manifest(whole[0]).digest
    assert {path.name for path in whole[0].iterdir()} == {"lock", "manifest.json", "rows", "sweep.json"}


def test_the_wrong_algorithm_is_seen_to_be_wrong(whole: Whole) -> None:
    rows = written(whole[0])
    columns = [VERDICT_COLUMNS[name] for name in ("consistent", "channels", "conserved")]
    broken = {row["run"] for row in rows["snapshot"] if False in [row[column] for column in columns]}
    late = {row["run"] for row in rows["run"] if row["algorithm"] == "late-marker"}
    assert broken and broken <= late and whole[1].broken >= len(broken)


def test_who_watches_is_told_after_each_batch(whole: Whole) -> None:
    assert [(now.stage, now.done, now.batches) for now in whole[2]] == [
        ("sweeping", 0, 0),
        ("sweeping", 4, 1),
        ("sweeping", 8, 2),
        ("sweeping", 11, 3),
    ]
    assert (whole[2][-1].snapshots, whole[2][-1].broken) == (whole[1].snapshots, whole[1].broken)


def test_the_digest_does_not_depend_on_how_runs_are_cut_into_batches(
    spark: SparkSession, whole: Whole, tmp_path: Path
) -> None:
    other = sweep(spark, spec(), tmp_path)
    assert (other.digest, len(other.batches)) == (whole[1].digest, 1)


def test_another_seed_has_another_digest(spark: SparkSession, whole: Whole, tmp_path: Path) -> None:
    other = sweep(spark, spec(TINY.replace("seeds: 4", "seeds: {first: 2, count: 4}")), tmp_path)
    assert other.digest != whole[1].digest


def test_batches_that_are_there_are_not_made_again(spark: SparkSession, whole: Whole, tmp_path: Path) -> None:
    directory = tmp_path / "copy"
    shutil.copytree(whole[0], directory)
    shutil.rmtree(directory / "rows" / "batch=00001")
    (directory / "manifest.json").unlink()
    before = {path: path.stat().st_mtime_ns for path in directory.glob("rows/batch=*/kind=run/*")}
    seen: list[Progress] = []
    again = sweep(spark, spec(), directory, seen.append, batch=7)
    assert again == whole[1]
    assert [now.done for now in seen] == [7, 11]
    assert all(path.stat().st_mtime_ns == then for path, then in before.items())
    assert written(directory) == written(whole[0])


def test_another_spec_in_the_same_folder_is_refused(spark: SparkSession, whole: Whole) -> None:
    with pytest.raises(BluecutError, match="holds the runs of another spec; sweep into another folder"):
        sweep(spark, spec(TINY.replace("moves: 4", "moves: 5")), whole[0])
    assert manifest(whole[0]) == whole[1]


def test_the_folder_may_be_told_from_where_one_is(
    spark: SparkSession, whole: Whole, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # not Spark's working folder
    assert sweep(spark, spec(), Path("here/out")).digest == whole[1].digest
    assert manifest(tmp_path / "here" / "out").complete


@pytest.mark.parametrize("name", ["rows", "verdicts", "thesis.tex"])
def test_a_folder_of_something_else_is_refused_and_stays_as_it_is(
    name: str, spark: SparkSession, tmp_path: Path
) -> None:
    (tmp_path / name).mkdir()
    with pytest.raises(BluecutError, match=rf"holds {name}, but no sweep\.json; sweep into a new or an empty folder"):
        sweep(spark, spec(), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_two_cannot_sweep_into_one_folder_at_the_same_time(spark: SparkSession, tmp_path: Path) -> None:
    with locked(tmp_path), pytest.raises(BluecutError, match="another bluecut command is at work here"):
        sweep(spark, spec(), tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"lock"}
    with locked(tmp_path):
        pass


def test_whether_somebody_is_at_work_can_be_asked(tmp_path: Path) -> None:
    assert not at_work(tmp_path) and list(tmp_path.iterdir()) == []
    with locked(tmp_path):
        assert at_work(tmp_path)
    assert not at_work(tmp_path)


def test_a_run_that_stops_at_its_limit_is_told_as_one_row(spark: SparkSession, tmp_path: Path) -> None:
    text = "topologies: [ring]\nsizes: [3]\nalgorithms: [chandy-lamport]\nsteps: 9\nseeds: 2\n"
    sweep(spark, spec(text), tmp_path)
    assert [(row["steps"], row["full"]) for row in written(tmp_path)["run"]] == [(9, True), (9, True)]


IMPOSSIBLE = """
title: {en: Impossible, zh: 不可能}
topology: {ring: 2}
program: {kind: token, holders: {P1: 1}}
script:
  - deliver: P1->P2
"""


def test_a_run_that_cannot_be_made_is_told_with_its_address(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text(IMPOSSIBLE, "utf-8")
    wrong = load_spec("scenarios: [ring, bad.yaml, token-late]\n", "my.yaml", folder=tmp_path)
    with pytest.raises(BluecutError) as caught:
        sweep(spark, wrong, tmp_path / "out")
    link = grid(wrong).cells[1].address(1).link
    assert str(caught.value).startswith("run 1 cannot be made: own-") and str(caught.value).endswith(f"; it is {link}")
    assert manifest(tmp_path / "out").done == 0 and complete_batches(tmp_path / "out") == ()


# --- the command, in processes of its own ----------------------------------------------------------------------


def wait_for(folder: Path, batches: int, process: "subprocess.Popen[str]") -> None:
    """Wait until so many batches are complete."""
    end = time.monotonic() + PATIENCE
    while len(complete_batches(folder / "out")) < batches:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.02)


STOPPED = "bluecut: stopped before the end; what is complete is kept\n"


@pytest.mark.slow
def test_killed_or_told_to_stop_it_goes_on_and_comes_to_the_same_end(whole: Whole, tmp_path: Path) -> None:
    for asked, left in ((signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130), (signal.SIGTERM, 143)):
        before = len(complete_batches(tmp_path / "out"))
        with started(tmp_path, *sweeping(tmp_path)) as process:
            wait_for(tmp_path, before + 1, process)  # this life has made one, so it is at work
            process.send_signal(asked)
            _, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == left, err
        assert complaints(err) == ("" if asked == signal.SIGKILL else STOPPED)
        there = manifest(tmp_path / "out")
        assert before < len(there.batches) < RUNS
        now = read(tmp_path / "out")
        assert now is not None and now.done <= there.done
        assert (now.stage == "cancelled") is (asked != signal.SIGKILL)
    with started(tmp_path, *sweeping(tmp_path)) as process:
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, complaints(err)) == (0, "")
    assert whole[1].digest in out
    made = manifest(tmp_path / "out")
    assert (made.complete, made.digest, made.rows) == (True, whole[1].digest, whole[1].rows)
    assert written(tmp_path / "out") == written(whole[0])
    now = read(tmp_path / "out")
    assert now is not None and (now.stage, now.done, now.mistake) == ("done", RUNS, None)


@pytest.mark.slow
def test_executors_of_their_own_come_to_the_same_digest_though_one_is_killed(whole: Whole, tmp_path: Path) -> None:
    with started(tmp_path, *sweeping(tmp_path, "local-cluster[2,1,1024]")) as process:
        wait_for(tmp_path, 1, process)
        kill_one(executors(process.pid))
        assert len(complete_batches(tmp_path / "out")) < RUNS
        _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, complaints(err)) == (0, "")
    assert manifest(tmp_path / "out").digest == whole[1].digest


def kill_one(executors: list[int]) -> None:
    """Kill the first one still running: Spark may have replaced another meanwhile."""
    for executor in executors:
        with suppress(ProcessLookupError):
            os.kill(executor, signal.SIGKILL)
            return
    raise AssertionError(f"none of {executors} is there")


def executors(pid: int) -> list[int]:
    """Return the processes below ``pid`` in which Spark runs tasks, the oldest first."""
    found = []
    for child in psutil.Process(pid).children(recursive=True):
        with suppress(psutil.Error):  # it has ended meanwhile
            if any("CoarseGrainedExecutorBackend" in word for word in child.cmdline()):
                found.append(child.pid)
    return sorted(found)


# --- the command, where there is nothing for Spark to do ----------------------------------------------------------


def test_a_mistake_in_the_spec_is_told_before_spark_starts(tmp_path: Path) -> None:
    (tmp_path / "my.yaml").write_text("topologies: [rong]\n", "utf-8")
    done = bluecut("sweep", str(tmp_path / "my.yaml"), "-o", str(tmp_path / "out"))
    assert (done.code, done.out) == (2, "")
    assert "my.yaml, line 1: topologies[0]: must be one of chain, ring, star, grid, complete, join" in done.err
    assert not (tmp_path / "out").exists()


def test_a_folder_for_sweeps_says_so_too(tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text("topologies: [rong]\n", "utf-8")
    assert bluecut("sweep", str(tmp_path / "spec.yaml"), "-o", str(tmp_path)).code == 2
    now = read(tmp_path)
    assert now is not None and now.stage == "failed" and now.mistake is not None
    assert str(phrase(now.mistake)).startswith(f"{tmp_path}/spec.yaml, line 1: topologies[0]: must be one of")


def test_a_folder_of_other_files_is_left_as_it_is(tmp_path: Path) -> None:
    for text, says in (("topologies: [rong]\n", "must be one of"), (TINY, "holds my.yaml, but no sweep.json")):
        (tmp_path / "my.yaml").write_text(text, "utf-8")
        done = bluecut("sweep", str(tmp_path / "my.yaml"), "-o", str(tmp_path))
        assert (done.code, done.out) == (2, "") and says in done.err
        assert [path.name for path in tmp_path.iterdir()] == ["my.yaml"]


def test_so_is_a_grid_without_cells_and_the_folder_says_why(tmp_path: Path) -> None:
    (tmp_path / "my.yaml").write_text("topologies: [chain]\nsizes: [3]\nalgorithms: [mattern]\n", "utf-8")
    (tmp_path / "out").mkdir()
    done = bluecut("sweep", str(tmp_path / "my.yaml"), "-o", str(tmp_path / "out"), "--lang", "zh")
    assert done.code == 2 and "没有一种组合可用" in done.err
    now = read(tmp_path / "out")
    assert now is not None and now.stage == "failed" and now.mistake is not None
    assert now.mistake["template"] == "{spec}: no combination fits; of {what}: {why}"
    assert json.loads((tmp_path / "out" / "progress.json").read_text("utf-8"))["pid"] == os.getpid()


def test_so_is_a_folder_that_somebody_else_sweeps_into_whose_progress_stays(tmp_path: Path) -> None:
    (tmp_path / "my.yaml").write_text(TINY, "utf-8")
    with locked(tmp_path / "out"):
        done = bluecut("sweep", str(tmp_path / "my.yaml"), "-o", str(tmp_path / "out"))
    assert done.code == 2 and "another bluecut command is at work here" in done.err
    assert read(tmp_path / "out") is None
