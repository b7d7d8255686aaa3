"""What is measured of a sweep, from tiny tables to a whole report."""

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as F
from pyspark.testing import assertDataFrameEqual

from app.cli.main import status
from app.compact_json import compact
from app.core.model.values import BluecutError
from app.pipeline.measure.distribution import AGAINST, counts, distributions, fits, histograms, values
from app.pipeline.measure.measure import measure
from app.pipeline.measure.samples import samples
from app.pipeline.measure.snapshots import grouped, groups, judged, taken, verified
from app.pipeline.rows.atomic_file import keep
from app.pipeline.rows.from_run import Origin, Rows, trace
from app.pipeline.rows.schema import KINDS, VERDICT_COLUMNS, VERSION, ddl
from app.pipeline.rows.tables import escaped, store
from app.run.run import record
from app.scenario.library import LIBRARY
from app.scenario.run_key import ENGINE, RunKey
from app.web.measure.lab.regression import fitted
from app.web.measure.lab.report import report

MEASURED = "group int, run bigint, life smallint, snapshot int, completed boolean, duration int, ticks int, "
MEASURED += "controls int, recorded int, bytes bigint, paused int, blocked int, loss int, broken array<string>, "
MEASURED += "judged array<string>, url string, aborted boolean"


def snapshots(spark: SparkSession, *rows: dict[str, Any]) -> DataFrame:
    """Return measured snapshots, given only by what matters."""
    usual = {
        "group": 0,
        "life": 0,
        "snapshot": 1,
        "completed": True,
        "broken": [],
        "judged": ["consistent"],
        "aborted": False,
    }
    names = [column.split()[0] for column in MEASURED.split(", ")]
    made = [[(usual | {"run": number} | row).get(name) for name in names] for number, row in enumerate(rows)]
    return spark.createDataFrame(made, MEASURED)


# --- lines -------------------------------------------------------------------------------------------------------


def placed(spark: SparkSession, *rows: tuple[str, int, int, int | None]) -> DataFrame:
    """Snapshots (algorithm/order, control messages, channels, diameter) with as many processes as channels."""
    columns = "algorithm string, discipline string, controls int, channels int, diameter int, processes int, "
    columns += "completed boolean, duration int, ticks int, recorded int, bytes int"
    return spark.createDataFrame([(*a.split("/"), c, e, d, e, True, 7, None, 0, 0) for a, c, e, d in rows], columns)


def lines(found: list[Row], measure: str) -> dict[tuple[str, str], Any]:
    """Return by algorithm/order and what it depends on: slope, intercept, r² and how many snapshots."""
    rows = [row for row in found if row["measure"] == measure]
    return {
        (f"{r['algorithm']}/{r['discipline']}", r["against"]): (r["slope"], r["intercept"], r["r2"], r["n"])
        for r in rows
    }


@pytest.mark.slow
def test_points_on_a_line_give_that_line(spark: SparkSession) -> None:
    found = fits(placed(spark, ("twice/fifo", 7, 3, 1), ("twice/fifo", 11, 5, 1), ("twice/fifo", 21, 10, 1))).collect()
    assert lines(found, "controls") == {
        ("twice/fifo", "channels"): (pytest.approx(2), pytest.approx(1), pytest.approx(1), 3),
        ("twice/fifo", "processes"): (pytest.approx(2), pytest.approx(1), pytest.approx(1), 3),
    }
    assert lines(found, "duration")["twice/fifo", "channels"] == (0, 7, 1, 3)  # it never changes
    assert lines(found, "ticks") == {}


@pytest.mark.slow
def test_points_off_the_line_explain_less_and_what_is_not_known_does_not_count(spark: SparkSession) -> None:
    rows = (("a/fifo", 0, 1, 1), ("a/fifo", 4, 2, 3), ("a/fifo", 2, 3, None), ("b/fifo", 5, 4, 2))
    found = lines(fits(placed(spark, *rows)).collect(), "controls")
    assert found["a/fifo", "channels"] == (pytest.approx(1), pytest.approx(0), pytest.approx(0.25), 3)
    assert found["a/fifo", "diameter"] == (pytest.approx(2), pytest.approx(-2), pytest.approx(1), 2)
    assert not any(algorithm == "b/fifo" for algorithm, _ in found)  # all of it is at one place


@pytest.mark.slow
def test_the_same_algorithm_on_channels_of_another_order_has_a_line_of_its_own(spark: SparkSession) -> None:
    rows = (("a/fifo", 1, 1, 1), ("a/fifo", 2, 2, 1), ("a/any", 5, 1, 1), ("a/any", 9, 2, 1))
    found = lines(fits(placed(spark, *rows)).collect(), "controls")
    assert [found[name, "channels"][0] for name in ("a/fifo", "a/any")] == [pytest.approx(1), pytest.approx(4)]


@pytest.mark.slow
def test_a_snapshot_that_was_never_completed_bends_no_line(spark: SparkSession) -> None:
    whole = placed(spark, ("a/fifo", 3, 3, 1), ("a/fifo", 5, 5, 1))
    more = whole.union(placed(spark, ("a/fifo", 90, 4, 1)).withColumn("completed", F.lit(False)))
    assertDataFrameEqual(fits(more), fits(whole))


# --- distributions and counts ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_distribution_is_exact_and_says_how_much_was_measured(spark: SparkSession) -> None:
    runs = spark.createDataFrame([(0, 6, None, None)], "group int, paused int, blocked int, loss int")
    found = snapshots(spark, {"duration": 10}, {"duration": 20}, {"duration": 60, "completed": False}, {"duration": 40})
    every = distributions(values(found, runs))
    expected = [
        (0, "duration", 3, 10, 10, 10, 20, 40, 40, 40, 70 / 3),
        (0, "paused", 1, 6, 6, 6, 6, 6, 6, 6, 6.0),
    ]
    columns = "group int, measure string, n bigint, min bigint, p5 bigint, p25 bigint, p50 bigint, p75 bigint, "
    assertDataFrameEqual(every, spark.createDataFrame(expected, columns + "p95 bigint, max bigint, mean double"))


@pytest.mark.slow
def test_a_quantile_is_a_value_that_was_measured(spark: SparkSession) -> None:
    runs = spark.createDataFrame([], "group int, paused int, blocked int, loss int")
    found = snapshots(spark, *({"duration": value} for value in range(1, 101)))
    row = distributions(values(found, runs)).first()
    assert row is not None
    assert [row[name] for name in ("p5", "p25", "p50", "p75", "p95")] == [5, 25, 50, 75, 95]


@pytest.mark.slow
def test_a_histogram_counts_every_value_that_was_measured(spark: SparkSession) -> None:
    runs = spark.createDataFrame([(0, 6, None, None)], "group int, paused int, blocked int, loss int")
    given = [{"duration": 10}, {"duration": 20}, {"duration": 10}, {"duration": 9, "completed": False}]
    found = histograms(values(snapshots(spark, *given), runs)).orderBy("measure", "value").collect()
    assert [tuple(row) for row in found] == [
        (0, "duration", 10, 2),
        (0, "duration", 20, 1),
        (0, "paused", 6, 1),
    ]


@pytest.mark.slow
def test_what_does_not_apply_is_not_judged_and_what_fails_is_counted_by_check(spark: SparkSession) -> None:
    found = snapshots(
        spark,
        {"judged": ["consistent", "channels"], "broken": ["channels"]},
        {"judged": ["consistent"], "broken": []},
        {"judged": [], "completed": False},
        {"judged": [], "completed": False, "aborted": True},
        {"judged": []},
        {"group": 1, "judged": ["consistent", "channels"], "broken": ["consistent", "channels"]},
    )
    rows = [(0, 5, 3, 2, 1, 2, 0, 1, 1, 1, 1, 1), (1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0)]
    columns = "group int, snapshots bigint, complete bigint, judged_consistent bigint, judged_channels bigint, "
    columns += "judged_any bigint, broken_consistent bigint, broken_channels bigint, broken_any bigint, "
    columns += "unjudged_aborted bigint, unjudged_unfinished bigint, unjudged_unasked bigint"
    assertDataFrameEqual(counts(found, ("consistent", "channels")), spark.createDataFrame(rows, columns))


# --- snapshots with their runs -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_runs_of_one_cell_are_a_group_unless_their_graphs_differ_and_null_is_equal_to_null(spark: SparkSession) -> None:
    usual = dict.fromkeys(KINDS["run"]) | {"cell": 0, "algorithm": "a", "processes": 3, "channels": 3}
    rows = [usual | {"run": 0}, usual | {"run": 1}, usual | {"run": 2, "channels": 4}]
    runs = spark.createDataFrame([[row[name] for name in KINDS["run"]] for row in rows], ddl("run"))
    known = groups(runs)
    assert [(r["group"], r["channels"], r["runs"]) for r in known.collect()] == [(0, 3, 2), (1, 4, 1)]
    assert {r["run"]: r["group"] for r in grouped(runs, known).collect()} == {0: 0, 1: 0, 2: 1}


@pytest.mark.slow
def test_the_address_of_a_snapshot_is_that_of_the_step_in_which_it_was_complete(spark: SparkSession) -> None:
    usual = dict.fromkeys(KINDS["run"])
    rows = [usual | {"run": 0, "url": "/run/x"}, usual | {"run": 1, "url": "/run/x?v=3-a"}]
    runs = spark.createDataFrame([[row[name] for name in KINDS["run"]] for row in rows], ddl("run"))
    known = runs.withColumn("group", F.lit(0))
    row = dict.fromkeys(KINDS["snapshot"]) | {"life": 0, "snapshot": 1, "started": 4}
    rows = [row | {"run": 0, "completed": 9}, row | {"run": 1}]
    made = spark.createDataFrame([[one[name] for name in KINDS["snapshot"]] for one in rows], ddl("snapshot"))
    verdicts = spark.createDataFrame(
        [(0, 0, 1, True, False, None, None)],
        "run bigint, life smallint, snapshot int, "
        + ", ".join(f"{column} boolean" for column in VERDICT_COLUMNS.values()),
    )
    found = {r["run"]: r for r in taken(made, known, verdicts).collect()}
    assert [found[0]["url"], found[1]["url"]] == ["/run/x?step=9", "/run/x?v=3-a&step=4"]
    assert (found[0]["judged"], found[0]["broken"]) == (["consistent", "channels"], ["channels"])
    assert (found[1]["completed"], found[1]["judged"], found[1]["broken"]) == (False, [], [])


def test_verdicts_of_the_verifiers_are_read_as_they_are(spark: SparkSession) -> None:
    rows = [
        (0, 0, 1, "consistent", True),
        (0, 0, 1, "channels", False),
        (0, 0, 1, "cost", None),
        (0, 0, None, "rows", True),
    ]
    found = verified(
        spark.createDataFrame(rows, "run bigint, life smallint, snapshot int, check string, holds boolean")
    )
    assert [tuple(row) for row in found.collect()] == [(0, 0, 1, True, False, None, None)]


# --- samples -----------------------------------------------------------------------------------------------------


def chosen(found: DataFrame, runs: DataFrame) -> list[int]:
    return [row["run"] for row in samples(found, runs).collect()]


@pytest.mark.slow
def test_samples_are_the_ordinary_the_wrong_and_the_extreme_ones_in_whatever_order_rows_come(
    spark: SparkSession,
) -> None:
    lasted = [31, 12, 44, 20, 25, 90, 3]  # of runs 0, 1, …; in the middle is run 4
    rows = [{"run": run, "duration": d, "broken": ["cost"] if run == 3 else []} for run, d in enumerate(lasted)]
    runs = spark.createDataFrame([], "group int, run bigint, url string, paused int, blocked int, loss int")
    first = chosen(snapshots(spark, *rows), runs)
    assert first[:4] == [4, 3, 5, 6]
    assert sorted(first) == [0, 1, 2, 3, 4, 5, 6]
    assert chosen(snapshots(spark, *reversed(rows)), runs) == first


@pytest.mark.slow
def test_of_a_group_without_snapshots_one_run_is_shown(spark: SparkSession) -> None:
    columns = "group int, run bigint, url string, paused int, blocked int, loss int"
    runs = spark.createDataFrame(
        [(0, 0, "/run/a", 0, 0, 9), (1, 1, "/run/b", 0, 0, 9), (1, 2, "/run/c", 0, 0, 5)], columns
    )
    found = samples(snapshots(spark, {"run": 0, "duration": 4}), runs).collect()
    assert [(row["group"], row["run"], row["snapshot"], row["loss"]) for row in found if row["group"]] == [
        (1, 2, None, 5)
    ]


# --- the whole ---------------------------------------------------------------------------------------------------


def swept(directory: Path, *runs: tuple[str, str | None, str | None]) -> None:
    """The folder of a sweep with runs of the library: (scenario, algorithm, discipline)."""
    traces: list[Rows] = []
    for number, (name, algorithm, discipline) in enumerate(runs):
        run = record(LIBRARY.scenario(name), RunKey(algorithm=algorithm, discipline=discipline))
        traces.append(trace(run, Origin(number, f"/run/{name}?v=x", number)))
    store(directory, traces)
    keep(
        directory / "sweep.json", {"version": VERSION, "engine": ENGINE, "spec": {"runs": len(runs)}, "runs": len(runs)}
    )


@pytest.mark.slow
def test_a_whole_sweep_becomes_a_report(spark: SparkSession, tmp_path: Path) -> None:
    tmp_path = tmp_path / "a[1] {b}"
    tmp_path.mkdir()
    swept(tmp_path, ("random-twelve", None, None), ("late-marker", None, None), ("three-guarantees", None, None))
    made = json.loads(compact(measure(spark, tmp_path).written()))
    assert json.loads((tmp_path / "report.json").read_bytes()) == made
    assert (made["version"], made["engine"], made["spec"], made["runs"]) == (2, ENGINE, {"runs": 3}, 3)
    assert made["verdicts"]["by"] == "simulator" and made["verdicts"]["disagree"] is None

    twelve, late, dataflow = made["groups"]
    run = record(LIBRARY.scenario("random-twelve"))
    assert (twelve["algorithm"], twelve["processes"], twelve["channels"]) == ("chandy-lamport", 12, 24)
    assert (twelve["snapshots"], twelve["complete"], twelve["judged"]["any"], twelve["broken"]) == (2, 2, 2, {})
    durations = sorted(int(s.completed or 0) - s.started for s in run.history.recordings.values())
    told = twelve["measures"]["duration"]
    assert told == {"values": durations, "counts": [1, 1]}
    assert twelve["measures"]["controls"] == {"values": [24], "counts": [2]}  # a marker on each channel
    assert late["broken"]["consistent"] == 1 and late["broken"]["any"] == 1
    assert dataflow["measures"]["loss"]["counts"] == [1]
    for group in made["groups"]:
        assert group["judged"].get("any", 0) + sum(group["unjudged"].values()) == group["snapshots"]

    by_group = {group["id"]: [s for s in made["samples"] if s["group"] == group["id"]] for group in made["groups"]}
    assert {s["snapshot"] for s in by_group[0]} == {1, 2}
    assert late["url"] == "/run/late-marker" and by_group[1][0]["url"].startswith("?v=x&step=")
    assert "consistent" in by_group[1][0]["broken"]
    tables = sorted(path.name for path in (tmp_path / "report").glob("[a-z]*"))
    assert tables == ["fits", "groups", "measures", "samples", "values"]
    assert spark.read.parquet(escaped(str(tmp_path / "report" / "groups"))).count() == 3


@pytest.mark.slow
def test_the_lines_that_the_lab_fits_to_a_report_are_those_of_the_table(spark: SparkSession, tmp_path: Path) -> None:
    names = ("random-twelve", "ring-five", "complete", "token-first")
    swept(tmp_path, *((name, "chandy-lamport", "fifo") for name in names))
    shown = measure(spark, tmp_path)
    assert report(tmp_path / "report.json") == shown
    table = spark.read.parquet(escaped(str(tmp_path / "report" / "fits"))).collect()
    assert {(row["measure"], row["against"]) for row in table} >= set(product(("controls", "duration"), AGAINST))
    for row in table:
        line = fitted(shown.groups, row["measure"], row["against"])
        assert line is not None and line.n == row["n"]
        assert (line.slope, line.intercept) == pytest.approx((row["slope"], row["intercept"]))
        assert line.r2 == pytest.approx(row["r2"])


def test_without_runs_there_is_nothing_to_measure(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(BluecutError, match="not the folder of a sweep"):
        measure(spark, tmp_path)
    keep(tmp_path / "sweep.json", {"version": VERSION, "engine": ENGINE, "spec": {}})
    with pytest.raises(BluecutError, match="no rows"):
        measure(spark, tmp_path)


def test_the_command_says_what_is_wrong_with_the_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert status(["measure", str(tmp_path)]) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.startswith("bluecut: ") and "not the folder of a sweep" in said.err


@pytest.mark.slow
def test_verdicts_that_were_verified_are_counted(spark: SparkSession, tmp_path: Path) -> None:
    columns = "run bigint, life smallint, snapshot int, check string, holds boolean, agree boolean"
    rows = [(0, 0, 1, "consistent", True, True), (0, 0, 1, "cost", None, True), (0, 0, None, "rows", True, False)]
    spark.createDataFrame(rows, columns).coalesce(1).write.parquet(str(tmp_path / "verdicts" / "turn=00000"))
    wide, told = judged(spark, tmp_path, spark.createDataFrame([], ddl("snapshot")))
    assert told == {"by": "verifiers", "snapshots": 1, "checks": 1, "disagree": 1}
    assert wide.count() == 1
