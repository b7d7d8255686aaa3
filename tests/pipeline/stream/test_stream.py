"""A sweep is followed: the tables say the same as reading all rows at once."""

import threading
from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from app.core.model.error_json import written as written_phrase
from app.core.model.values import BluecutError, Phrase
from app.pipeline.engine.restarts import LATE, STARTS
from app.pipeline.rows.from_run import Rows
from app.pipeline.rows.lock import locked
from app.pipeline.rows.tables import escaped
from app.pipeline.stream import stream as module
from app.pipeline.stream.results import BROKEN, Found, committed, found, totals, written
from app.pipeline.stream.stream import News, alone, follow, newspaper, started, unwritten
from app.pipeline.sweep.progress import Progress, write
from app.words.error_words import error_text
from tests.cli.command import bluecut
from tests.pipeline import made


def planted(rows: Rows) -> Rows:
    """Return the same run with one cut moved, so that the snapshot has received what was not sent; its simulator does
    not say so."""
    row = next(row for row in rows["message"] if row.get("received") is not None)
    source = next(one["source"] for one in rows["channel"] if one["channel"] == row["channel"])
    target = next(one["target"] for one in rows["channel"] if one["channel"] == row["channel"])
    moved = {source: 0, target: row["received"]}
    return rows | {"cut": [one | {"cut": moved.get(one["process"], one["cut"])} for one in rows["cut"]]}


def misheard(rows: Rows) -> Rows:
    """Return the same run with a message recorded in another channel; its simulator does not say so."""
    first, *others = rows["recorded"]
    (channel,) = {row["channel"] for row in rows["channel"][:2]} - {first["channel"]}
    return rows | {"recorded": [first | {"channel": channel}, *others]}


@pytest.mark.slow
def test_rows_that_come_in_small_portions_add_up_to_what_they_say_at_once(spark: SparkSession, tmp_path: Path) -> None:
    directory, traces = made.planned(tmp_path / "a [b]{c}", 8, 4), made.runs(8)
    traces[0], traces[4] = misheard(traces[0]), planted(traces[4])
    made.written(directory, 0, traces[:4], parts=2)
    told: list[News] = []
    made.same(follow(spark, directory, once=True, files=3, watch=told.append), traces[:4])
    before = committed(directory)
    assert before >= 3
    made.written(directory, 1, traces[4:])
    tables = follow(spark, directory, once=True, watch=told.append)
    made.same(tables, traces)
    assert committed(directory) > before and totals(tables.runs).differs == 2
    faults = {row["fault"] for row in tables.alerts if row["run"] == 0}
    assert faults == {"missing", "extra"} and all(row["sent"] is None for row in tables.alerts if row["run"] == 0)
    late = [row["run"] for row in tables.alerts if row["algorithm"] == "late-marker"]
    assert sorted({*late}) == [2, 6] and [row["run"] for row in tables.alerts if row["run"] == 4]
    said = [(row["run"], row["message"]) for news in told for row in news.alerts]
    assert sorted(said) == [(row["run"], row["message"]) for row in tables.alerts]
    assert all(row["url"].startswith("/run/") for row in tables.alerts)


@pytest.mark.slow
def test_it_follows_until_the_sweep_is_complete_and_tells_of_what_is_wrong_while_more_is_still_to_come(
    spark: SparkSession, tmp_path: Path
) -> None:
    directory, traces = made.planned(tmp_path, 6, 3), made.runs(6)
    begun, alarmed = threading.Event(), threading.Event()
    told: list[tuple[int, Any]] = []

    def sweep() -> None:
        begun.wait(300)
        made.written(directory, 0, traces[:3])
        alarmed.wait(300)  # without an alert there is no second batch
        made.written(directory, 1, traces[3:])

    def watch(news: News) -> None:
        begun.set()
        for alert in news.alerts:
            told.append((len(list(directory.glob("rows/batch=*"))), alert))
            alarmed.set()

    sweeping = threading.Thread(target=sweep)
    sweeping.start()
    try:
        with locked(directory):
            made.same(follow(spark, directory, watch=watch), traces)
    finally:
        begun.set()
        alarmed.set()
        sweeping.join()
    batches, first = told[0]
    assert (batches, first["run"], first["url"], first["fault"]) == (1, 2, "/run/late-marker", "orphan")


@pytest.mark.slow
@pytest.mark.parametrize("late", [1, STARTS])
def test_a_python_that_is_late_is_started_again(
    late: int, spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory, traces = made.planned(tmp_path, 2, 2), made.runs(2)
    made.written(directory, 0, traces)
    starts = []

    def slow(*told: Any, **more: Any) -> Any:
        starts.append(1)
        if len(starts) <= late:
            raise PySparkException(f"{LATE}.\n\nJVM stacktrace:\norg.apache.spark.SparkException\n\tat X.y(X.scala:1)")
        return started(*told, **more)

    monkeypatch.setattr(module, "started", slow)
    if late < STARTS:
        made.same(follow(spark, directory, once=True), traces)
    else:
        with pytest.raises(BluecutError, match=f"the stream stopped: {LATE}"):
            follow(spark, directory, once=True)
        assert len(starts) == STARTS


@pytest.mark.slow
def test_it_does_not_wait_for_a_sweep_that_has_stopped_and_tells_what_is_there(
    spark: SparkSession, tmp_path: Path
) -> None:
    directory, traces = made.planned(tmp_path, 8, 4), made.runs(4)
    made.written(directory, 0, traces)
    told: list[News] = []
    with pytest.raises(BluecutError, match="the sweep is not running, and not complete"):
        follow(spark, directory, watch=told.append)
    made.same(found(directory), traces)
    assert told[-1].totals.runs == 4


@pytest.mark.slow
def test_every_alert_is_told_once_also_of_a_sweep_that_is_complete_already_and_by_whoever_goes_on(
    spark: SparkSession, tmp_path: Path
) -> None:
    directory, traces = made.planned(tmp_path, 8, 4), made.runs(8)
    for number in range(2):
        made.written(directory, number, traces[number * 4 : number * 4 + 4], parts=2)
    alerts: list[tuple[int, int, int]] = []

    def watch(news: News) -> None:
        alerts.extend((row["run"], row["snapshot"], row["message"]) for row in news.alerts)

    def deaf(news: News) -> None:
        if news.alerts:
            raise KeyboardInterrupt  # nothing has been reported

    with pytest.raises(KeyboardInterrupt):
        follow(spark, directory, watch=deaf)
    tables = follow(spark, directory, watch=watch)
    assert alerts and sorted(alerts) == sorted((row["run"], row["snapshot"], row["message"]) for row in tables.alerts)
    follow(spark, directory, watch=watch)
    assert len(alerts) == len(tables.alerts)


MISTAKE = written_phrase(Phrase("run {run} cannot be made: {reason}; it is {url}", run=3, reason="no", url="/run/x"))


@pytest.mark.parametrize(
    ("now", "says"),
    [
        (None, "the sweep is not running, and not complete; resume it, or read what is there with --once"),
        (Progress("sweeping", 8, 4), "the sweep is not running, and not complete; resume it, or read "),
        (Progress("cancelled", 8, 4), "the sweep was cancelled before it was complete; resume it, or read "),
        (
            Progress("failed", 8, 4, mistake=MISTAKE),
            "the sweep failed, and is not complete: run 3 cannot be made: no; it is /run/x",
        ),
    ],
)
def test_why_a_sweep_has_stopped_is_told(now: Progress | None, says: str, tmp_path: Path) -> None:
    directory = made.planned(tmp_path, 8, 4)
    if now is not None:
        write(directory, now)
    no_spark: Any = None
    with pytest.raises(BluecutError) as caught:
        follow(no_spark, directory)
    assert str(caught.value).startswith(f"{directory}: {says}")
    assert error_text(caught.value.phrase, "zh").startswith(f"{directory}：批量运行")


def test_tables_of_a_micro_batch_that_is_not_done_are_taken_away(tmp_path: Path) -> None:
    commits = tmp_path / "stream" / "checkpoint" / "commits"
    commits.mkdir(parents=True)
    (commits / "0").write_text("v1\n{}")
    for number in (0, 1, 2):
        table(tmp_path, number, whole=True)
    unwritten(tmp_path)
    assert written(tmp_path) == (0,)
    assert [path.name for path in (tmp_path / "stream" / "tables").iterdir()] == ["batch=00000"]


def test_who_was_never_started_or_never_followed_is_told_so(tmp_path: Path) -> None:
    done = bluecut("stream", str(tmp_path))
    assert (done.code, done.out) == (2, "") and "there is no sweep" in done.err
    with pytest.raises(BluecutError, match="nobody has followed this sweep yet"):
        found(made.planned(tmp_path, 1, 1))


def test_two_do_not_follow_the_same_sweep(tmp_path: Path) -> None:
    with alone(tmp_path), pytest.raises(BluecutError, match="another stream follows"), alone(tmp_path):
        pass
    with alone(tmp_path):
        pass


def table(directory: Path, number: int, *, whole: bool) -> Path:
    """Return the folder of a micro-batch that found nothing."""
    folder = directory / "stream" / "tables" / f"batch={number:05}"
    folder.mkdir(parents=True)
    if whole:
        (folder / "_SUCCESS").touch()
    return folder


def test_a_table_that_is_being_written_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "stream" / "checkpoint" / "commits").mkdir(parents=True)
    table(tmp_path, 0, whole=True)
    half = table(tmp_path, 1, whole=False) / "table=runs"
    half.mkdir()
    (half / "part-0.parquet").write_bytes(b"PAR1")
    assert written(tmp_path) == (0,) and found(tmp_path) == Found((), ())
    assert next(newspaper(tmp_path, -1)).alerts == ()


def test_tables_that_are_gone_are_missed(tmp_path: Path) -> None:
    commits = tmp_path / "stream" / "checkpoint" / "commits"
    commits.mkdir(parents=True)
    for number in (0, 1):
        (commits / str(number)).write_text("v1\n{}")
    table(tmp_path, 1, whole=True)
    with pytest.raises(BluecutError, match="the tables of micro-batch 0 are missing"):
        found(tmp_path)


def test_totals_add_up_by_algorithm_and_order_of_channels() -> None:
    def run(algorithm: str, inconsistent: int, cost: int) -> dict[str, Any]:
        counts = {"events": 10, "messages": 4, "snapshots": 2, "judged": 2, "differs": 1}
        broken = dict(zip(BROKEN.values(), (inconsistent, 0, 2, cost), strict=True))
        return counts | broken | {"algorithm": algorithm, "discipline": "any"}

    told = totals((run("b", 1, 0), run("a", 0, 1), run("b", 2, 0), run("b", 0, 0) | {"discipline": "fifo"})).as_json()
    sums = {"runs": 4, "events": 40, "messages": 16, "snapshots": 8, "judged": 8, "differs": 4}
    assert {name: told[name] for name in sums} == sums
    assert [tuple(one.values()) for one in told["violations"]] == [
        ("a", "any", {"consistent": 0, "channels": 0, "conserved": 2, "cost": 1}),
        ("b", "any", {"consistent": 3, "channels": 0, "conserved": 4, "cost": 0}),
        ("b", "fifo", {"consistent": 0, "channels": 0, "conserved": 2, "cost": 0}),
    ]


def test_a_path_is_a_pattern_that_means_it_alone() -> None:
    assert escaped("/a*/b[1]{2}?") == "/a\\*/b\\[1\\]\\{2\\}\\?"
