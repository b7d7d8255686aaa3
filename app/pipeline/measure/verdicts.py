"""Who judged the snapshots of a sweep, and how."""

from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from app.pipeline.measure.snapshots import SNAPSHOT
from app.pipeline.rows.schema import VERDICT_COLUMNS
from app.pipeline.rows.tables import escaped

VERDICTS = "verdicts"


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
