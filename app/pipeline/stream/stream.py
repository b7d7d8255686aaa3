"""Follow a sweep that is still being made: running totals, and an alert as soon as there are rows that show an orphan,
or a channel that recorded something else than what was in flight.

Structured Streaming reads the files that are new in ``rows`` in micro-batches, keeps what it knows of runs that are not
whole yet in a state (``app.pipeline.stream.following``), and writes what it finds into one folder a micro-batch
(``app.pipeline.stream.followed``). The files of a micro-batch are in Spark's offset log before it runs, and the commit
log has it when its tables are written and its state is kept. Whoever is killed in between runs the same files again
from the same state, into the same folder. So the tables come out the same however often that happens.

References
----------
Apache Spark 4.3, Structured Streaming Programming Guide: fault tolerance semantics, transformWithState, foreachBatch.
"""

import fcntl
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import app.pipeline
from app.core.model import BluecutError
from app.core.phrased import read as phrase
from app.pipeline.engine.failure import because
from app.pipeline.rows.kept import keep, kept
from app.pipeline.rows.lock import at_work
from app.pipeline.rows.schema import SQL, TYPES
from app.pipeline.rows.tables import escaped
from app.pipeline.stream.followed import Found, Row, Totals, checkpoint, committed, found, rows, tables, written
from app.pipeline.stream.orphans import NEEDED
from app.pipeline.stream.version import begun, numbered, same
from app.pipeline.sweep.manifest import complete_batches, manifest, plan
from app.pipeline.sweep.progress import read as progress

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

ROCKS = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
FILES = 500
"""How many files a micro-batch reads at most. A task of the sweep writes six that are read."""

TOLD = "told.json"
"""The file that says up to which micro-batch alerts have been told."""

EVERY = "1 second"
FOREVER = "36500d"
"""Spark forgets files that are so much older than the newest, and would not read them."""

LATE = "Python worker failed to connect back"
"""What Spark says where a Python that it has started has said nothing for ten seconds: the machine is busy."""

STARTS = 20
"""How often the query is started where that happens."""


@dataclass(frozen=True, slots=True)
class News:
    """What came since the last time: the totals of all that is whole, and the new alerts in the order in which their
    micro-batches came, of which ``last`` is the last."""

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
    """Follow a sweep until it is complete, or until all is read that is there (``once``). What was found in all.

    ``files`` is how many files a micro-batch reads at most. Raises BluecutError where there is no sweep, somebody else
    follows it, another version of Bluecut has begun to, Spark gives up, or, without ``once``, nobody sweeps any more
    and it is not complete: what is there has been read and told by then.
    """
    plan(directory)
    with alone(directory):
        same(directory)
        if not begun(directory):
            shutil.rmtree(directory / "stream" / "tables", ignore_errors=True)  # of a checkpoint that was deleted
            keep(directory / "stream" / TOLD, {"batch": -1})
            numbered(directory)
        unwritten(directory)
        news = newspaper(directory, told(directory))

        def tell() -> None:
            new = next(news)
            watch(new)
            if new.last > told(directory):
                keep(directory / "stream" / TOLD, {"batch": new.last})

        while not once and not complete_batches(directory):
            if over(directory) and not complete_batches(directory):
                raise stopped(directory)
            tell()
            time.sleep(1)  # Spark learns from the first files it sees that their folders say kind=K
        watched(spark, directory, tell, files=files, once=once)
        tell()
        if not once and not manifest(directory).complete:
            raise stopped(directory)
        return found(directory)


def unwritten(directory: Path) -> None:
    """Take away the tables of a micro-batch that is not done for Spark: it runs again, and they are not to be told
    before."""
    for number in written(directory):
        if number > committed(directory):
            shutil.rmtree(tables(directory) / f"batch={number:05}")


def over(directory: Path) -> bool:
    """Are all batches there that will be? Whoever sweeps holds the lock until the last one is."""
    return not at_work(directory) or manifest(directory).complete


def stopped(directory: Path) -> BluecutError:
    """Why nothing more comes, though the sweep is not complete."""
    now = progress(directory)
    if now is not None and now.stage == "failed" and now.mistake is not None:
        return BluecutError(
            "{file}: the sweep failed, and is not complete: {reason}", file=directory, reason=phrase(now.mistake)
        )
    if now is not None and now.stage == "cancelled":
        return BluecutError(
            "{file}: the sweep was cancelled before it was complete; go on with it, or read what is there by --once",
            file=directory,
        )
    return BluecutError(
        "{file}: nobody is sweeping, and the sweep is not complete; go on with it, or read what is there by --once",
        file=directory,
    )


@contextmanager
def alone(directory: Path) -> Iterator[None]:
    """Nobody else follows the sweep meanwhile: two queries on one checkpoint destroy each other's work.

    Raises BluecutError where somebody does.
    """
    folder = directory / "stream"
    try:
        folder.mkdir(exist_ok=True)
        file = (folder / "lock").open("a")
    except OSError as error:
        raise BluecutError("{file}: cannot be written: {reason}", file=folder, reason=str(error.strerror)) from None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BluecutError("{file}: another stream follows this sweep already", file=directory) from None
        yield


def told(directory: Path) -> int:
    """The last micro-batch whose alerts somebody has been told, -1 where there is none. Whoever followed before that
    was written down has been told of all that is done."""
    said = kept(directory / "stream" / TOLD)
    return said["batch"] if isinstance(said, dict) and isinstance(said.get("batch"), int) else committed(directory)


def newspaper(directory: Path, last: int) -> Iterator[News]:
    """At each asking, what is new. Alerts of the micro-batches up to the ``last`` that was told are not told again,
    also where Spark runs it once more: its rows are the same."""
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


def watched(spark: "SparkSession", directory: Path, tell: Callable[[], None], *, files: int, once: bool) -> None:
    """Run the query to its end, and tell every now and then. It is started again where Spark did not wait for its
    Python. Raises BluecutError where Spark gives up."""
    from pyspark.errors import PySparkException

    for more in reversed(range(STARTS)):
        try:
            ended(started(spark, directory, files=files, once=once), directory, tell, once=once)
            return
        except PySparkException as error:
            if not more or LATE not in str(error):
                raise BluecutError(
                    "{file}: the stream stopped: {reason}", file=directory, reason=because(error)
                ) from None


def ended(query: "StreamingQuery", directory: Path, tell: Callable[[], None], *, once: bool) -> None:
    """Wait for a query's end, and tell every now and then. Raises PySparkException where Spark gives up."""
    try:
        while not query.awaitTermination(1):
            if not once and over(directory):
                query.processAllAvailable()
                break
            tell()
    finally:
        query.stop()


def started(spark: "SparkSession", directory: Path, *, files: int, once: bool) -> "StreamingQuery":
    """Start the query. Without ``once`` it never ends by itself."""
    from app.pipeline.stream.following import COLUMNS, Following, ddl

    spark.conf.set("spark.sql.streaming.stateStore.providerClass", ROCKS)
    known = arriving(spark, directory, files).groupBy("number")
    with carried():
        news = known.transformWithState(Following(), ddl(COLUMNS), outputMode="Append", timeMode="None")
        writer = news.writeStream.foreachBatch(sink(str(tables(directory).absolute())))
        writer = writer.option("checkpointLocation", str(checkpoint(directory).absolute())).queryName("bluecut stream")
        return (writer.trigger(availableNow=True) if once else writer.trigger(processingTime=EVERY)).start()


@contextmanager
def carried() -> Iterator[None]:
    """What Spark is given meanwhile has its own code with it: once it asks a handler for its state beside the driver,
    in a Python that knows nothing of what the session has brought for tasks."""
    from pyspark import cloudpickle

    pickler = cast("Any", cloudpickle)
    pickler.register_pickle_by_value(app.pipeline)
    try:
        yield
    finally:
        pickler.unregister_pickle_by_value(app.pipeline)


def arriving(spark: "SparkSession", directory: Path, files: int) -> "DataFrame":
    """The rows that are needed, as their batches get their places.

    ``number`` is that of the run; of the structs, one for each kind, a row has one and the others are null.
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


def sink(folder: str) -> Callable[["DataFrame", int], None]:
    """What writes a micro-batch: one job, both tables, into the micro-batch's own folder."""

    def write(batch: "DataFrame", number: int) -> None:
        writer = batch.repartition(1).write.mode("overwrite").partitionBy("table")
        writer.parquet(f"{folder}/batch={number:05}")

    return write
