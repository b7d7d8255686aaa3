"""One row per snapshot: its cost, what was wrong with it and who says so, and what is known about its run. All measures
start here."""

from collections.abc import Callable
from functools import reduce
from operator import and_
from pathlib import Path

from pyspark.sql import Column, DataFrame, SparkSession, Window
from pyspark.sql import functions as F

from app.pipeline.rows.schema import VERDICT_COLUMNS
from app.pipeline.rows.tables import VERDICTS, escaped
from app.pipeline.verify.verify import at_step

GROUP = (
    *("cell", "algorithm", "topology", "processes", "channels", "diameter", "program", "discipline", "delay"),
    *("interval", "scenario"),
)
"""What the runs of a group have in common. A cell of the sweep that draws its graphs has several groups."""

SNAPSHOT = ("run", "life", "snapshot")
"""What names a snapshot within a sweep."""


def groups(runs: DataFrame) -> DataFrame:
    """Number the groups (``group``, from 0) in the order of their columns, and count the ``runs`` of each."""
    counted = runs.groupBy(*GROUP).agg(F.count("*").alias("runs"))
    place = F.row_number().over(Window.orderBy(*(F.col(name).asc_nulls_first() for name in GROUP)))
    return counted.select((place - 1).alias("group"), *GROUP, "runs")


def grouped(runs: DataFrame, groups: DataFrame) -> DataFrame:
    """Return the runs with the number of their ``group``. Columns may be null, and null equals null here."""
    one, other = runs.alias("one"), F.broadcast(groups.drop("runs")).alias("other")
    same = reduce(and_, (F.col(f"one.{name}").eqNullSafe(F.col(f"other.{name}")) for name in GROUP))
    return one.join(other, same).select("one.*", "other.group")


def taken(snapshots: DataFrame, runs: DataFrame, verdicts: DataFrame) -> DataFrame:
    """Return one row per snapshot.

    ``runs`` are ``grouped``; ``verdicts`` has a row per snapshot with the VERDICT_COLUMNS (true, false or
    null). ``judged`` and ``broken`` are the names of the checks that apply and that fail; ``url`` leads to the step in
    which the snapshot was complete, or in which it started if it never was.
    """
    about = runs.select("run", "group", *GROUP, "url", "paused", "blocked", "loss")
    verdicts = verdicts.select(*SNAPSHOT, *VERDICT_COLUMNS.values())
    found = snapshots.drop(*VERDICT_COLUMNS.values()).join(about, "run").join(verdicts, list(SNAPSHOT), "left")
    return found.select(
        *SNAPSHOT,
        "group",
        *GROUP,
        at_step(F.col("url"), F.coalesce("completed", "started")).alias("url"),
        F.col("completed").isNotNull().alias("completed"),
        F.coalesce("aborted", F.lit(False)).alias("aborted"),
        *(F.col(name) for name in ("duration", "ticks", "controls", "recorded", "bytes", "paused", "blocked", "loss")),
        _names(lambda verdict: verdict.isNotNull()).alias("judged"),
        _names(lambda verdict: ~verdict).alias("broken"),
    )


def _names(which: Callable[[Column], Column]) -> Column:
    """Return the names of the checks whose verdict satisfies ``which``."""
    each = (F.when(which(F.col(column)), F.lit(name)) for name, column in VERDICT_COLUMNS.items())
    return F.array_compact(F.array(*each))


def judged(spark: SparkSession, directory: Path, snapshots: DataFrame) -> tuple[DataFrame, dict[str, object]]:
    """Return one row per snapshot with the VERDICT_COLUMNS, and what the report says about who judged: see
    ``app.pipeline.measure.report``. If the rows have not been verified, the verdicts are the simulator's own."""
    place = directory / VERDICTS
    if not place.is_dir():
        told = {
            "by": "simulator",
            "snapshots": snapshots.count(),
            "checks": _count_applicable(snapshots),
            "disagree": None,
        }
        return snapshots.select(*SNAPSHOT, *VERDICT_COLUMNS.values()), told
    verdicts = spark.read.parquet(f"{escaped(str(place.resolve()))}/turn=*")
    wide = verified(verdicts)
    counted = verdicts.agg(
        F.count_if(F.col("snapshot").isNotNull() & F.col("holds").isNotNull()).alias("checks"),
        F.count_if(~F.col("agree")).alias("disagree"),
    ).first()
    checks, disagree = (int(counted[name]) for name in ("checks", "disagree")) if counted else (0, 0)
    return wide, {"by": "verifiers", "snapshots": wide.count(), "checks": checks, "disagree": disagree}


def verified(verdicts: DataFrame) -> DataFrame:
    """Turn verdicts with one row per snapshot and check into one row per snapshot; null if a check does not apply."""
    each = [
        F.bool_or(F.when(F.col("check") == name, F.col("holds"))).alias(column)
        for name, column in VERDICT_COLUMNS.items()
    ]
    return verdicts.where("snapshot IS NOT NULL").groupBy(*SNAPSHOT).agg(*each)


def _count_applicable(snapshots: DataFrame) -> int:
    """Return how many verdicts apply."""
    counted = snapshots.agg(*(F.count(name).alias(name) for name in VERDICT_COLUMNS.values())).first()
    return sum(int(number) for number in counted) if counted else 0
