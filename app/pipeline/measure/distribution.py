"""How a measure is distributed within each group, how many of the group's snapshots broke which check, and how measures
grow: straight lines by least squares, for each algorithm and order, over all completed snapshots."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from app.analysis.sweep_report import OF_RUNS, OF_SNAPSHOTS

QUANTILES = {"p5": 0.05, "p25": 0.25, "p50": 0.5, "p75": 0.75, "p95": 0.95}

AGAINST = ("channels", "diameter", "processes")
"""What a measure may depend on."""

OF = ("algorithm", "discipline")
"""What gets a line of its own: an algorithm counts separately for each channel order."""


def values(taken: DataFrame, runs: DataFrame) -> DataFrame:
    """Return all that was measured: ``group``, ``measure`` and ``value``, one row per value. What was not measured is
    null in ``taken`` and ``runs``, and has no row."""
    completed = taken.where("completed")
    both = (_long(completed, OF_SNAPSHOTS), _long(runs, OF_RUNS))
    return both[0].unionByName(both[1]).where(F.col("value").isNotNull())


def _long(frame: DataFrame, measures: tuple[str, ...]) -> DataFrame:
    """Return a row for each row and measure, with the value as a long."""
    numbers = [F.col(name).cast("long").alias(name) for name in measures]
    return frame.select("group", *numbers).unpivot("group", list(measures), "measure", "value")


def distributions(values: DataFrame) -> DataFrame:
    """Return by ``group`` and ``measure``: ``n``, ``min``, the quantiles, ``max`` and ``mean``. A quantile is the
    smallest measured value such that this share of all values is at or below it: exact, and a whole number if the
    values are."""
    shares = (
        F.expr(f"percentile_disc({share}) WITHIN GROUP (ORDER BY value)").cast("long").alias(name)
        for name, share in QUANTILES.items()
    )
    return values.groupBy("group", "measure").agg(
        F.count("*").alias("n"),
        F.min("value").alias("min"),
        *shares,
        F.max("value").alias("max"),
        F.avg("value").alias("mean"),
    )


def histograms(values: DataFrame) -> DataFrame:
    """Return by ``group``, ``measure`` and ``value`` how many times, ``n``, exactly this was measured. Every
    distribution over several groups follows from it exactly."""
    return values.groupBy("group", "measure", "value").agg(F.count("*").alias("n"))


def counts(taken: DataFrame, checks: tuple[str, ...]) -> DataFrame:
    """Return by ``group`` how many ``snapshots`` there are, how many were ``complete``, and for each of ``checks`` and
    for ``any`` of them, to how many it applied (``judged_…``) and how many broke it (``broken_…``); and why the others
    were not judged (``unjudged_…``): they were aborted, they were never complete, or no check applies to them."""
    unjudged = F.size("judged") == 0
    judged = [F.count_if(F.array_contains("judged", name)).alias(f"judged_{name}") for name in checks]
    broken = [F.count_if(F.array_contains("broken", name)).alias(f"broken_{name}") for name in checks]
    return taken.groupBy("group").agg(
        F.count("*").alias("snapshots"),
        F.count_if("completed").alias("complete"),
        *judged,
        F.count_if(F.size("judged") > 0).alias("judged_any"),
        *broken,
        F.count_if(F.size("broken") > 0).alias("broken_any"),
        F.count_if(unjudged & F.col("aborted")).alias("unjudged_aborted"),
        F.count_if(unjudged & ~F.col("aborted") & ~F.col("completed")).alias("unjudged_unfinished"),
        F.count_if(unjudged & ~F.col("aborted") & F.col("completed")).alias("unjudged_unasked"),
    )


def fits(taken: DataFrame) -> DataFrame:
    """Return ``measure`` = ``slope`` × ``against`` + ``intercept``, with ``r2`` and ``n``, by ``algorithm``
    and ``discipline``.

    ``taken`` has these two, the measures and AGAINST. A pair with a null does not count; if all points lie at one
    place, there is no line and no row. If a measure never changes, ``r2`` is 1.
    """
    numbers = [F.col(name).cast("double").alias(name) for name in (*OF_SNAPSHOTS, *AGAINST)]
    completed = taken.where("completed").select(*OF, *numbers)
    measured = completed.unpivot([*OF, *AGAINST], list(OF_SNAPSHOTS), "measure", "y")
    pairs = measured.unpivot([*OF, "measure", "y"], list(AGAINST), "against", "x")
    lines = pairs.groupBy(*OF, "measure", "against").agg(
        F.regr_slope("y", "x").alias("slope"),
        F.regr_intercept("y", "x").alias("intercept"),
        F.regr_r2("y", "x").alias("r2"),
        F.regr_count("y", "x").alias("n"),
    )
    return lines.where(F.col("slope").isNotNull()).orderBy(*OF, "measure", "against")
