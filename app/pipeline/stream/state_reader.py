"""What is in the state of a Spark streaming checkpoint, batch by batch, read by Spark's own state data source.

A checkpoint is a distributed snapshot that a real engine took. Micro-batch execution uses no markers: between two
batches nothing is in flight, and the cut is the offset log. So the state after batch b must be exactly the result of
everything before ``offsets/b``. This is checked here for the stream that follows a sweep: which runs are incomplete is
counted again from the files that the log names.

The logs themselves are read by ``app.formats.spark_checkpoint``, without Spark.

References
----------
Apache Spark 4.3, State Data Source Integration Guide: ``statestore``, ``state-metadata``.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlparse

from app.core.model.value import Frozen
from app.core.model.values import Json
from app.formats.spark_checkpoint import Batch, Checkpoint
from app.pipeline.engine.error_text import because
from app.pipeline.rows.schema import SQL, TYPES
from app.pipeline.rows.tables import escaped
from app.pipeline.stream.orphans import NEEDED, About

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row, SparkSession

SAMPLE = 3
"""How many rows of a state are shown."""

COUNTED = "rows"
"""The variable in which the stream that follows a sweep counts the rows of each incomplete run."""


class Kept(Frozen):
    """The state after a batch of one operator, and of one of its variables or stores (empty if it has only one).

    ``rows`` counts them by partition, ``sample`` has some as Spark stores them. ``mistake`` says why the state cannot
    be read; then there is nothing else.
    """

    batch: int
    operator: int
    part: str
    rows: tuple[tuple[int, int], ...] = ()
    sample: tuple[Json, ...] = ()
    mistake: str | None = None

    @property
    def count(self) -> int:
        """Return how many rows there are."""
        return sum(rows for _, rows in self.rows)


class Equal(Frozen):
    """Is the state after a batch the result of everything before ``offsets/batch``? ``runs`` are the incomplete ones,
    ``differ`` those for which the state says something else; ``files`` is how many were read. ``mistake`` says why it
    cannot be checked."""

    batch: int
    files: int = 0
    runs: int = 0
    differ: int = 0
    mistake: str | None = None


def states(spark: "SparkSession", directory: Path, found: Checkpoint, batches: Iterable[int]) -> tuple[Kept, ...]:
    """Return the states of all operators after these batches, which must be done."""
    if any(batch.commit is not None and batch.commit.ids for batch in found.batches):
        spark.conf.set("spark.sql.streaming.stateStore.checkpointFormatVersion", "2")
    return tuple(
        _state_after(spark, directory, batch, operator.number, part, options)
        for batch in batches
        for operator in found.operators
        for part, options in _parts(operator.variables, [store.name for store in operator.stores])
    )


def _parts(variables: Iterable[tuple[str, str]], stores: list[str]) -> list[tuple[str, dict[str, str]]]:
    """Return an operator's variables, or otherwise its stores, each with the options for reading it."""
    if named := [(name, {"stateVarName": name}) for name, kind in variables if kind != "TimerState"]:
        return named
    return [("" if name == "default" else name, {"storeName": name}) for name in stores]


def _state_after(
    spark: "SparkSession", directory: Path, batch: int, operator: int, part: str, options: dict[str, str]
) -> Kept:
    from pyspark.errors import PySparkException

    try:
        frame = state(spark, directory, batch, operator, options).persist()
        try:
            counted = frame.groupBy("partition_id").count().collect()
            some = frame.limit(SAMPLE).drop("partition_id").collect()
        finally:
            frame.unpersist()
    except PySparkException as error:
        return Kept(batch, operator, part, mistake=because(error))
    rows = tuple(sorted((row["partition_id"], row["count"]) for row in counted))
    return Kept(batch, operator, part, rows, tuple(_plain(row) for row in some))


def state(spark: "SparkSession", directory: Path, batch: int, operator: int, options: dict[str, str]) -> "DataFrame":
    """Return the rows of a state after a batch: key, value (or element), and their partition."""
    reader = spark.read.format("statestore").option("batchId", batch).option("operatorId", operator)
    for name, value in options.items():
        reader = reader.option(name, value)
    return reader.load(str(directory.absolute()))


def _plain(row: "Row") -> Json:
    """Return a row as plain values. Columns with the same name, as in an aggregation, become a list."""

    def converted(value: Any) -> Json:
        if hasattr(value, "__fields__"):
            names = list(value.__fields__)
            if len(dict.fromkeys(names)) < len(names):
                return [converted(item) for item in value]
            return {name: converted(item) for name, item in zip(names, value, strict=True)}
        match value:
            case dict():
                return {str(converted(key)): converted(item) for key, item in value.items()}
            case list() | tuple():
                return [converted(item) for item in value]
            case None | str() | int() | float():
                return value
        return str(value)

    return converted(row)


def equal(spark: "SparkSession", directory: Path, found: Checkpoint, batch: Batch) -> Equal:
    """Check the state of the stream that follows a sweep after a batch.

    The input is counted from the files that the log names, by SQL and not by the handler: the rows of each run, and how
    many it should have. The state must have the runs that lack rows, with exactly these counts, and no others.
    """
    from pyspark.errors import PySparkException
    from pyspark.sql.functions import coalesce, col, count, lit, when

    if (inputs := found.until(batch)) is None:
        return Equal(batch.number, mistake="the log of the source does not have all files")
    files = [_local(one.path) for one in inputs]
    try:
        came = _counted(spark, files) if files else spark.createDataFrame([], "run BIGINT, rows BIGINT")
        said = state(spark, directory, batch.number, 0, {"stateVarName": COUNTED})
        said = said.select(col("key.number").alias("run"), col("value.rows").cast("long").alias("said"))
        both = came.join(said, "run", "full")
        right = coalesce(col("rows") == col("said"), lit(False))
        told = both.agg(count(lit(1)).alias("runs"), count(when(~right, 1)).alias("differ")).first()
    except PySparkException as error:
        return Equal(batch.number, len(files), mistake=because(error))
    return Equal(batch.number, len(files), told["runs"] if told else 0, told["differ"] if told else 0)


def _counted(spark: "SparkSession", files: list[str]) -> "DataFrame":
    """Count for each incomplete run its rows in the files."""
    from pyspark.sql.functions import coalesce, col, count, lit, max, sum, when

    wanted = [name for name in About._fields if TYPES[name] == "int"]
    schema = ", ".join(f"`{name}` {SQL[TYPES[name]]}" for name in dict.fromkeys(("run", *wanted, "recorded")))
    base = files[0].partition("/batch=")[0]
    rows = spark.read.schema(f"{schema}, `kind` STRING").option("basePath", base).parquet(*map(escaped, files))
    told = (
        rows.where(col("kind").isin(*NEEDED))
        .groupBy("run")
        .agg(
            count(lit(1)).alias("rows"),
            *(max(when(col("kind") == "run", col(name))).alias(name) for name in wanted),
            count(when(col("kind") == "snapshot", 1)).alias("came"),
            coalesce(sum(when(col("kind") == "snapshot", col("recorded"))), lit(0)).alias("recorded"),
        )
    )
    total = 1 + col("channels") * col("lives") + col("messages") + col("cuts") + col("snapshots") + col("recorded")
    whole = (col("came") >= col("snapshots")) & (col("rows") == total)
    return told.where(~coalesce(whole, lit(False))).select("run", "rows")


def _local(path: str) -> str:
    """Return a path of the log as a reader takes it."""
    return unquote(urlparse(path).path) if path.startswith("file:") else path
