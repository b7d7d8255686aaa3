"""A little of everything that the pipeline does with Spark."""

import tempfile
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import SparkSession


def warm(spark: "SparkSession") -> int:
    """Write rows made in Python, read, group, join and sort them; return the number of groups."""
    with tempfile.TemporaryDirectory() as folder:
        rows = spark.range(0, 1000, 1, 2).mapInArrow(same, "id long")
        rows.selectExpr("id", "id % 7 AS place", "array(id) AS many", "named_struct('a', id) AS pair").write.mode(
            "overwrite"
        ).option("compression", "zstd").partitionBy("place").parquet(folder)
        read = spark.read.parquet(folder)
        groups = read.groupBy("place").agg({"id": "max"}).withColumnRenamed("max(id)", "most")
        return len(read.join(groups, "place").where("id = most").orderBy("place").collect())


def same(batches: Iterable["pyarrow.RecordBatch"]) -> Iterator["pyarrow.RecordBatch"]:
    """Yield all rows unchanged."""
    yield from batches
