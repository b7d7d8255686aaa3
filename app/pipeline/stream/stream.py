"""Follow a sweep that is still being made: running totals, and an alert as soon as rows show an orphan, or a channel
whose recorded state is not what was in flight.

Structured Streaming reads the new files in ``rows`` in micro-batches, stores what it knows about incomplete runs in a
state (``app.pipeline.stream.stateful``), and writes what it finds into one folder per micro-batch
(``app.pipeline.stream.results``). The files of a micro-batch are in Spark's offset log before it runs; the batch is in
the commit log once its tables and its state are written. A query that is killed in between runs the same files again
from the same state, into the same folder. So the tables are the same however often that happens.

References
----------
Apache Spark 4.3, Structured Streaming Programming Guide: fault tolerance semantics, transformWithState, foreachBatch.
"""

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import app.pipeline
from app.core.model.error_json import read as phrase
from app.core.model.value import Frozen
from app.core.model.values import BluecutError
from app.forms.json_shape import mapping
from app.pipeline.engine.error_text import because
from app.pipeline.engine.restarts import ROCKS, patiently
from app.pipeline.rows.atomic_file import keep, read_file
from app.pipeline.rows.lock import at_work, exclusive
from app.pipeline.rows.schema import SQL, TYPES
from app.pipeline.rows.tables import escaped
from app.pipeline.stream.orphans import NEEDED
from app.pipeline.stream.results import Found, Row, Totals, checkpoint, committed, found, rows, tables, written
from app.pipeline.stream.version import begun, numbered, same
from app.pipeline.sweep.manifest import complete_batches, manifest, plan
from app.pipeline.sweep.progress import read as progress

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

FILES = 500
"""How many files a micro-batch reads at most. Six files of each task of the sweep are read."""

TOLD = "told.json"
"""The file that says up to which micro-batch alerts have been reported."""

EVERY = "1 second"
FOREVER = "36500d"
"""Spark ignores files that are this much older than the newest."""


class News(Frozen):
    """What is new since the last time: the totals of all complete runs, and the new alerts in the order of their
    micro-batches, of which ``last`` is the last."""

    totals: Totals
    alerts: tuple[Row, ...]
    last: int = -1


Watch = Callable[[News], None]


def follow(
    spark: "SparkSession",
    directory: Path,
    *,
    once: bool = False,
    watch: Watch = lambda news: None,
    files: int = FILES,
) -> Found:
    """Follow a sweep until it is complete, or until everything there is read (``once``); return all that was found.

    ``files`` is how many files a micro-batch reads at most. Raises BluecutError if there is no sweep, another command
    follows it, another version of Bluecut has begun to, Spark fails, or, without ``once``, the sweep stopped before it
    was complete: everything there has been read and reported by then.
    """
    plan(directory)
    with alone(directory):
        same(directory)
        if not begun(directory):
            shutil.rmtree(directory / "stream" / "tables", ignore_errors=True)  # of a checkpoint that was deleted
            keep(directory / "stream" / TOLD, {"batch": -1})
            numbered(directory)
        unwritten(directory)
        news = newspaper(directory, _last_reported(directory))

        def tell() -> None:
            new = next(news)
            watch(new)
            if new.last > _last_reported(directory):
                keep(directory / "stream" / TOLD, {"batch": new.last})

        while not once and not complete_batches(directory):
            if _over(directory) and not complete_batches(directory):
                raise _stopped(directory)
            tell()
            time.sleep(1)  # from the first files, Spark learns that their folders say kind=K
        _watched(spark, directory, tell, files=files, once=once)
        tell()
        if not once and not manifest(directory).complete:
            raise _stopped(directory)
        return found(directory)


def unwritten(directory: Path) -> None:
    """Remove the tables of a micro-batch that Spark has not committed: it runs again, and they must not be reported
    before."""
    for number in written(directory):
        if number > committed(directory):
            shutil.rmtree(tables(directory) / f"batch={number:05}")


def _over(directory: Path) -> bool:
    """Are all batches there that will be made? The sweeping command holds the lock until the last one."""
    return not at_work(directory) or manifest(directory).complete


def _stopped(directory: Path) -> BluecutError:
    """Return why nothing more comes although the sweep is not complete."""
    now = progress(directory)
    if now is not None and now.stage == "failed" and now.mistake is not None:
        return BluecutError(
            "{file}: the sweep failed, and is not complete: {reason}", file=directory, reason=phrase(now.mistake)
        )
    if now is not None and now.stage == "cancelled":
        return BluecutError(
            "{file}: the sweep was cancelled before it was complete; resume it, or read what is there with --once",
            file=directory,
        )
    return BluecutError(
        "{file}: the sweep is not running, and not complete; resume it, or read what is there with --once",
        file=directory,
    )


def alone(directory: Path) -> AbstractContextManager[None]:
    """Keep other commands from following the sweep meanwhile: two queries on one checkpoint destroy each other's work.

    Raises BluecutError if another command follows it.
    """
    another = BluecutError("{file}: another stream follows this sweep already", file=directory)
    return exclusive(directory / "stream", another)


def _last_reported(directory: Path) -> int:
    """Return the last micro-batch whose alerts have been reported, -1 if there is none. Without the file, which older
    versions did not write, all committed batches have been reported."""
    batch = mapping(read_file(directory / "stream" / TOLD)).get("batch")
    return batch if isinstance(batch, int) else committed(directory)


def newspaper(directory: Path, last: int) -> Iterator[News]:
    """Yield what is new on each request. Alerts up to micro-batch ``last`` are not reported again, even if Spark runs
    it again: its rows are the same."""
    read, sums = set[int](), Totals()
    while True:
        alerts: list[Row] = []
        for number in written(directory):
            if number in read:
                continue
            read.add(number)
            for run in rows(directory, number, "runs"):
                sums.add(run)
            if number > last:
                alerts += rows(directory, number, "alerts")
        yield News(sums, tuple(alerts), max(read, default=-1))


def _watched(spark: "SparkSession", directory: Path, tell: Callable[[], None], *, files: int, once: bool) -> None:
    """Run the query to its end, and report now and then. It is started again if Spark did not wait for its Python.
    Raises BluecutError if Spark fails."""
    from pyspark.errors import PySparkException

    try:
        patiently(lambda: _ended(started(spark, directory, files=files, once=once), directory, tell, once=once))
    except PySparkException as error:
        raise BluecutError("{file}: the stream stopped: {reason}", file=directory, reason=because(error)) from None


def _ended(query: "StreamingQuery", directory: Path, tell: Callable[[], None], *, once: bool) -> None:
    """Wait for a query's end, and report now and then. Raises PySparkException if Spark fails."""
    try:
        while not query.awaitTermination(1):
            if not once and _over(directory):
                query.processAllAvailable()
                break
            tell()
    finally:
        query.stop()


def started(spark: "SparkSession", directory: Path, *, files: int, once: bool) -> "StreamingQuery":
    """Start the query. Without ``once`` it does not end on its own."""
    from app.pipeline.stream.stateful import COLUMNS, Following, ddl

    spark.conf.set("spark.sql.streaming.stateStore.providerClass", ROCKS)
    known = _arriving(spark, directory, files).groupBy("number")
    with _carried():
        news = known.transformWithState(Following(), ddl(COLUMNS), outputMode="Append", timeMode="None")
        writer = news.writeStream.foreachBatch(_sink(str(tables(directory).absolute())))
        writer = writer.option("checkpointLocation", str(checkpoint(directory).absolute())).queryName("bluecut stream")
        return (writer.trigger(availableNow=True) if once else writer.trigger(processingTime=EVERY)).start()


@contextmanager
def _carried() -> Iterator[None]:
    """Pickle functions with their code meanwhile: once, Spark asks a handler for its state beside the driver, in a
    Python that lacks what the session sends to tasks."""
    from pyspark import cloudpickle

    pickler = cast("Any", cloudpickle)
    pickler.register_pickle_by_value(app.pipeline)
    try:
        yield
    finally:
        pickler.unregister_pickle_by_value(app.pipeline)


def _arriving(spark: "SparkSession", directory: Path, files: int) -> "DataFrame":
    """Return the needed rows, as their batches are moved into place.

    ``number`` is that of the run; there is one struct for each kind, and a row has one of them; the others are null.
    """
    from pyspark.sql.functions import col, struct, when

    names = dict.fromkeys(("run", *(name for columns in NEEDED.values() for name in columns)))
    schema = ", ".join(f"`{name}` {SQL[TYPES[name]]}" for name in names)
    folder = (directory / "rows").absolute()
    read = spark.readStream.schema(f"{schema}, `kind` STRING").option("basePath", str(folder))
    read = read.option("maxFilesPerTrigger", files).option("maxFileAge", FOREVER)
    there = read.parquet(f"{escaped(str(folder))}/batch=*/kind={{{','.join(NEEDED)}}}")
    kinds = (when(col("kind") == kind, struct(*columns)).alias(kind) for kind, columns in NEEDED.items())
    return there.select(col("run").alias("number"), *kinds)


def _sink(folder: str) -> Callable[["DataFrame", int], None]:
    """Return the function that writes a micro-batch: one job, both tables, into the micro-batch's own folder."""

    def write(batch: "DataFrame", number: int) -> None:
        writer = batch.repartition(1).write.mode("overwrite").partitionBy("table")
        writer.parquet(f"{folder}/batch={number:05}")

    return write
