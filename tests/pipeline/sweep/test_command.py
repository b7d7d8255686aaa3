"""A sweep with its report: nothing is done twice, and everything reported is about the current rows."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import pytest
from pyspark.sql import SparkSession

from app.cli.main import status
from app.core.model.values import BluecutError
from app.pipeline.measure.measure import measure
from app.pipeline.rows.atomic_file import read_file
from app.pipeline.sweep import command
from app.pipeline.sweep.command import Outcome, carried_out
from app.pipeline.sweep.manifest import complete_batches, manifest
from app.pipeline.sweep.progress import Progress, read
from app.pipeline.sweep.spec import Spec, load_spec
from app.pipeline.verify.verify import verify
from app.words.error_words import error_text

pytestmark = pytest.mark.slow

TINY = "topologies: [ring]\nsizes: [3]\nalgorithms: [chandy-lamport, late-marker]\nmoves: 4\nintervals: [4]\nseeds: 3\n"
RUNS = 6


def spec() -> Spec:
    return load_spec(TINY, "my.yaml")


def none(*told: object, **more: object) -> NoReturn:
    raise AssertionError("Spark was started")


def here(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the command use the session of the tests."""

    @contextmanager
    def given(*told: object, **more: object) -> Iterator[SparkSession]:
        yield spark

    monkeypatch.setattr(command, "session", given)


@pytest.fixture(scope="module")
def made(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Outcome]:
    """Return a sweep with its report, in batches of four runs."""
    directory = tmp_path_factory.mktemp("sweep") / "out"
    with pytest.MonkeyPatch.context() as patch:
        here(spark, patch)
        return directory, carried_out(spec(), directory, report=True, batch=4)


Made = tuple[Path, Outcome]


def copied(made: Made, tmp_path: Path) -> Path:
    return shutil.copytree(made[0], tmp_path / "copy")


def stamps(directory: Path) -> dict[Path, int]:
    """Return when each file below a folder was written, except those that every command writes."""
    own = {"lock", "progress.json", "manifest.json"}
    return {path: path.stat().st_mtime_ns for path in directory.rglob("*") if path.is_file() and path.name not in own}


def test_at_first_everything_is_done(made: Made) -> None:
    outcome = made[1]
    assert (outcome.swept, outcome.judged, outcome.measured, outcome.nothing) == (True, True, True, False)
    assert outcome.verified is not None and outcome.verified.fine and outcome.verified.findings
    assert read_file(made[0] / "report.json")["verdicts"]["by"] == "verifiers"


def test_what_is_done_is_not_done_again_and_spark_is_not_started(
    made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory, seen = copied(made, tmp_path), list[Progress]()
    (directory / "pending" / "batch=00009").mkdir(parents=True)
    before = stamps(directory)
    monkeypatch.setattr(command, "session", none)
    again = carried_out(spec(), directory, report=True, watch=seen.append)
    assert again.nothing and (again.complete, again.verified) == (made[1].complete, made[1].verified)
    assert stamps(directory) == before and not (directory / "pending").exists()
    assert [(now.stage, now.done) for now in seen][-1] == ("done", RUNS)
    assert carried_out(spec(), directory).nothing


def test_what_is_missing_is_done_and_no_more(
    made: Made, tmp_path: Path, spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = copied(made, tmp_path)
    here(spark, monkeypatch)
    shutil.rmtree(directory / "report")
    (directory / "report.json").unlink()
    again = carried_out(spec(), directory, report=True)
    assert (again.swept, again.judged, again.measured, again.verified) == (False, False, True, made[1].verified)
    shutil.rmtree(directory / "verdicts")
    again = carried_out(spec(), directory, report=True)
    assert (again.swept, again.judged, again.measured, again.verified) == (False, True, True, made[1].verified)
    monkeypatch.setattr(command, "session", none)
    assert carried_out(spec(), directory, report=True).nothing


def test_verdicts_on_fewer_rows_are_not_taken_for_those_on_all(
    made: Made, tmp_path: Path, spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = copied(made, tmp_path)
    here(spark, monkeypatch)
    last = complete_batches(directory)[-1]
    shutil.move(last, tmp_path / "aside")
    with pytest.raises(
        BluecutError, match="the verdicts are for other rows than the present ones; verify again"
    ) as caught:
        measure(spark, directory)
    assert error_text(caught.value.phrase, "zh").endswith(f"请重新验证：bluecut verify {directory}")
    part = verify(spark, directory)
    assert (part.runs, part.planned) == (4, RUNS)
    assert measure(spark, directory).runs == 4
    assert carried_out(spec(), directory).swept and manifest(directory).complete
    with pytest.raises(BluecutError, match="verify again"):
        measure(spark, directory)
    again = carried_out(spec(), directory, report=True)
    assert (again.swept, again.judged, again.measured, again.verified) == (False, True, True, made[1].verified)
    assert read_file(directory / "report.json")["runs"] == RUNS


def test_a_file_that_is_gone_is_missed(made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    directory = copied(made, tmp_path)
    monkeypatch.setattr(command, "session", none)
    next(directory.glob("rows/batch=00001/kind=message/*.parquet")).unlink()
    with pytest.raises(BluecutError, match="rows of the kind message"):
        carried_out(spec(), directory, report=True)
    now = read(directory)
    assert now is not None and now.stage == "failed"


@pytest.mark.parametrize("text", ["topologies: [rong]\n", TINY.replace("[3]", "[4]"), TINY.replace("ring", "chain")])
def test_what_is_refused_leaves_the_progress_of_the_sweep_that_is_there(text: str, made: Made, tmp_path: Path) -> None:
    directory = copied(made, tmp_path)
    before = (directory / "progress.json").read_text("utf-8")
    (tmp_path / "other.yaml").write_text(text, "utf-8")
    assert status(["sweep", str(tmp_path / "other.yaml"), "-o", str(directory)]) == 2
    assert (directory / "progress.json").read_text("utf-8") == before
    now = read(directory)
    assert now is not None and (now.stage, now.done, now.runs) == ("done", RUNS, RUNS)


def test_it_says_why_where_nothing_is_told_of_the_sweep(made: Made, tmp_path: Path) -> None:
    directory = copied(made, tmp_path)
    (directory / "progress.json").unlink()
    with pytest.raises(BluecutError, match="holds the runs of another spec"):
        carried_out(load_spec(TINY.replace("[3]", "[4]"), "my.yaml"), directory)
    now = read(directory)
    assert now is not None and now.stage == "failed"


def test_verdicts_of_another_version_are_found_anew(
    made: Made, tmp_path: Path, spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = copied(made, tmp_path)
    here(spark, monkeypatch)
    covers = directory / "verdicts" / "_covers.json"
    covers.write_text(covers.read_text("utf-8").replace('"counts"', '"colours"'), "utf-8")
    assert carried_out(spec(), directory, report=True).judged
