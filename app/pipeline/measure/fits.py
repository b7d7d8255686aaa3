"""How measures grow: straight lines by least squares, for each algorithm, over all its completed snapshots."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from app.pipeline.measure.distribution import OF_SNAPSHOTS

AGAINST = ("channels", "diameter", "processes")
"""What a measure may grow with."""


def fits(taken: DataFrame) -> DataFrame:
    """``measure`` = ``slope`` × ``against`` + ``intercept``, with ``r2`` and ``n``, by ``algorithm``.

    ``taken`` has the algorithm, the measures and AGAINST. A pair of which one is null does not count, and where all are
    at one place there is no line and no row. Where a measure never changes, ``r2`` is 1.
    """
    numbers = [F.col(name).cast("double").alias(name) for name in (*OF_SNAPSHOTS, *AGAINST)]
    completed = taken.where("completed").select("algorithm", *numbers)
    measured = completed.unpivot(["algorithm", *AGAINST], list(OF_SNAPSHOTS), "measure", "y")
    pairs = measured.unpivot(["algorithm", "measure", "y"], list(AGAINST), "against", "x")
    lines = pairs.groupBy("algorithm", "measure", "against").agg(
        F.regr_slope("y", "x").alias("slope"),
        F.regr_intercept("y", "x").alias("intercept"),
        F.regr_r2("y", "x").alias("r2"),
        F.regr_count("y", "x").alias("n"),
    )
    return lines.where(F.col("slope").isNotNull()).orderBy("algorithm", "measure", "against")
