"""How measures grow: straight lines by least squares, for each algorithm and order, over all completed snapshots."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from app.analysis.sweep_report import OF_SNAPSHOTS

AGAINST = ("channels", "diameter", "processes")
"""What a measure may depend on."""

OF = ("algorithm", "discipline")
"""What gets a line of its own: an algorithm counts separately for each channel order."""


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
