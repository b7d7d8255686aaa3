"""Commands on Spark: how they are stopped, and what they report at the end."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import pytest

pytest.importorskip("pyspark")

from app.cli.spark_options import INTERRUPTED, TERMINATED
from app.core.model.values import Phrase
from app.pipeline.engine import session
from app.pipeline.engine.error_text import Unstopped
from app.pipeline.sweep import command as sweeping
from app.pipeline.sweep.manifest import Manifest, Plan, manifest
from app.pipeline.sweep.progress import Progress, Watch
from app.pipeline.verify.verify import Verified
from tests.cli.command import bluecut
from tests.pipeline import made

SPEC = "scenarios: [ring, token-late]\n"


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    """Restore the handler of SIGTERM afterwards."""
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, INTERRUPTED), (signal.SIGTERM, TERMINATED)])
@pytest.mark.parametrize("command", ["verify", "measure", "stream"])
def test_a_command_that_is_told_to_end_says_so_in_one_line(
    command: str, number: signal.Signals, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told(*arguments: object, **options: object) -> NoReturn:
        signal.raise_signal(number)
        raise AssertionError("nobody was interrupted")

    directory = made.planned(tmp_path, 1, 1)
    made.written(directory, 0, made.runs(1))
    monkeypatch.setattr(session, "session", told)
    done = bluecut(command, str(directory))
    begun = "bluecut: starting Spark…\n" if command == "verify" else ""
    assert done == (status, "", f"{begun}bluecut: stopped before the end; what is complete is kept\n")
    assert (INTERRUPTED, TERMINATED) == (130, 143)


def test_a_sweep_whose_spark_does_not_stop_is_told_in_one_line_and_is_no_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def unwilling(*told: object, **more: object) -> Iterator[None]:
        import warnings

        yield
        warnings.warn(
            Unstopped(Phrase("everything is done, but Spark does not stop properly: {reason}", reason="X")),
            stacklevel=1,
        )

    monkeypatch.setattr(sweeping, "session", unwilling)
    monkeypatch.setattr(sweeping, "made", lambda spark, plan, cells, directory, tell: manifest(directory))
    (tmp_path / "my.yaml").write_text(SPEC, "utf-8")
    arguments = ("sweep", str(tmp_path / "my.yaml"), "-o", str(tmp_path / "out"))
    done = bluecut(*arguments)
    assert (done.code, done.err) == (0, "bluecut: everything is done, but Spark does not stop properly: X\n")
    done = bluecut(*arguments, "--lang", "zh")
    assert (done.code, done.err) == (0, "bluecut: 工作已全部完成，但 Spark 未能正常停止：X\n")


def test_a_sweep_says_that_it_verifies_and_measures_and_where_its_report_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def done(*told: object, watch: Watch, **more: object) -> sweeping.Outcome:
        for now in (Progress("sweeping", 6, 6), Progress("verifying"), Progress("verifying", part=0, parts=1)):
            watch(now)
        watch(Progress("measuring"))
        return sweeping.Outcome(Manifest(Plan({}, "", 6, 6), ()), Verified(6, 6, (), 0, 0, (), (), ()))

    monkeypatch.setattr(sweeping, "carried_out", done)
    (tmp_path / "my.yaml").write_text(SPEC, "utf-8")
    found = bluecut("sweep", str(tmp_path / "my.yaml"), "-o", str(tmp_path / "out"), "--report")
    assert found.err.startswith("verifying\nmeasuring\n")
    said = found.out.splitlines()
    assert said[0] == "everything was already there; nothing was done again"
    out = tmp_path / "out"
    assert said[-1] == f"The report is in {out / 'report.json'}; bluecut serve --report {out} shows it."


def test_for_a_spec_of_which_nothing_fits_no_folder_is_made(tmp_path: Path) -> None:
    spec = "topologies: [star]\nsizes: [3]\nalgorithms: [aligned]\n"
    (tmp_path / "my.yaml").write_text(spec, "utf-8")
    done = bluecut("sweep", str(tmp_path / "my.yaml"), "-o", str(tmp_path / "a" / "out"))
    assert done.code == 2 and "no combination fits" in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["my.yaml"]


def test_a_number_of_runs_a_batch_that_does_not_count_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def given(*told: object, **more: object) -> Iterator[None]:
        yield

    monkeypatch.setattr(sweeping, "session", given)
    monkeypatch.setattr(sweeping, "made", lambda spark, plan, cells, directory, tell: manifest(directory))
    (tmp_path / "my.yaml").write_text(SPEC, "utf-8")
    arguments = ("sweep", str(tmp_path / "my.yaml"), "-o", str(tmp_path / "out"), "--batch")
    assert "does not count" not in bluecut(*arguments, "1").out
    assert "does not count" not in bluecut(*arguments, "1").out
    done = bluecut(*arguments, "2")
    assert "at most 1 runs per batch\n--batch 2 has no effect here: the sweep began with 1 runs" in done.out
