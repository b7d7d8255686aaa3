"""Snapshots to look at: from each group ordinary ones, those that broke a check, and extreme ones.

The same sweep always has the same samples, whatever the order of its rows. Samples are picked in rounds, the most
informative first, so that even a small report has something from every group. From a group without snapshots, one run
is picked.
"""

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from app.analysis.sweep_report import MEASURES
from app.pipeline.measure.snapshots import SNAPSHOT

MOST = 2_000
"""The most candidates; a report has room for fewer."""

WRONG = 3
"""How many of each group for each check that they broke."""

ONE, FAULT = 1, 2
"""The rounds of the ordinary snapshot, and of the first that broke a check."""

PICKS: tuple[tuple[str, float], ...] = (
    ("duration", 0.5),
    ("loss", 0.5),
    *(("duration", share) for share in (1, 0)),
    *((name, 1) for name in ("recorded", "loss", "controls", "blocked", "paused")),
    *(("duration", share) for share in (0.25, 0.75)),
    *(("recorded", 0.5), ("controls", 0), ("controls", 0.5), ("bytes", 1), ("ticks", 0.5)),
    *(("duration", share) for share in (0.125, 0.375, 0.625, 0.875)),
    *(("recorded", share) for share in (0.25, 0.75)),
)
"""By round, which snapshots of a group: their place, from 0 to 1, when the group is ordered by a measure."""


def samples(taken: DataFrame, runs: DataFrame) -> DataFrame:
    """Return the rows of ``taken`` to look at, the most informative first, each with its round (``turn``); and single
    runs of groups without snapshots."""
    order = [F.col(name) for name in SNAPSHOT]
    wrong = taken.select("group", *SNAPSHOT, F.explode("broken").alias("check"))
    nth = F.row_number().over(Window.partitionBy("group", "check").orderBy(*order))
    violating = wrong.withColumn("nth", nth).where(F.col("nth") <= WRONG)
    late = len(PICKS) + F.col("nth")
    chosen = violating.select(*SNAPSHOT, F.when(F.col("nth") == 1, FAULT).otherwise(late).alias("turn"))

    first = F.row_number().over(Window.partitionBy("group").orderBy(*order))
    lone = taken.where("not completed").withColumn("nth", first).where("nth = 1")
    chosen = chosen.unionByName(lone.select(*SNAPSHOT, F.lit(ONE).alias("turn")))
    chosen = chosen.unionByName(_standing(taken))

    turns = chosen.groupBy(*SNAPSHOT).agg(F.min("turn").alias("turn"))
    mixed = F.crc32(F.concat_ws(" ", *order).cast("binary"))  # so that no group is always last
    found = taken.join(F.broadcast(turns), list(SNAPSHOT)).unionByName(_bare(taken, runs), allowMissingColumns=True)
    return found.orderBy("turn", mixed, *order).limit(MOST)


def _bare(taken: DataFrame, runs: DataFrame) -> DataFrame:
    """Return for each group without snapshots its median run by loss."""
    none = runs.join(F.broadcast(taken.select("group").distinct()), "group", "left_anti")
    within = Window.partitionBy("group")
    rank = F.row_number().over(within.orderBy("loss", "run"))
    middle = none.select("*", rank.alias("rank"), F.count("*").over(within).alias("n")).where("rank = (n + 1) div 2")
    return middle.select(
        *("group", "run", "url", "paused", "blocked", "loss"),
        F.lit(False).alias("completed"),
        F.array().cast("array<string>").alias("judged"),
        F.array().cast("array<string>").alias("broken"),
        F.lit(ONE).alias("turn"),
    )


def _standing(taken: DataFrame) -> DataFrame:
    """Return SNAPSHOT and ``turn`` of the snapshots at the places in PICKS. Equal ones are ordered by SNAPSHOT."""
    numbers = [F.col(name).cast("long").alias(name) for name in MEASURES]
    each = taken.where("completed").select("group", *SNAPSHOT, *numbers)
    values = each.unpivot(["group", *SNAPSHOT], list(MEASURES), "measure", "value").where(F.col("value").isNotNull())
    within = Window.partitionBy("group", "measure")
    ranked = values.select(
        *SNAPSHOT,
        "measure",
        F.row_number().over(within.orderBy("value", *SNAPSHOT)).alias("rank"),
        F.count("*").over(within).alias("n"),
        (F.min("value").over(within) == F.max("value").over(within)).alias("flat"),
    )
    picks = [(turn, measure, float(share)) for turn, (measure, share) in enumerate(PICKS, 1)]
    spots = taken.sparkSession.createDataFrame(picks, "turn int, measure string, share double")
    spot = ranked.join(F.broadcast(spots), "measure")
    there = F.floor(F.col("share") * (F.col("n") - 1)) + 1
    told = (F.col("measure") == "duration") | ~F.col("flat")  # extremes of what never changes say nothing
    return spot.where((F.col("rank") == there) & told).select(*SNAPSHOT, "turn")
