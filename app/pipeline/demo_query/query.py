"""A small Structured Streaming query that you can watch and kill: ``python -m app.pipeline.demo_query.query DIR``.

Two logs grow by numbered items. Each micro-batch reads a few of them, a keyed state counts and sums them, and every
row goes to two sinks: one that writes each batch under its number, and one that appends everything. The query pauses
twice in each batch, so that it can be killed there: before its tasks run, when only the offset log has the batch, and
after both sinks have it, but not yet the commit log. Started again on the same DIR, it continues from its checkpoint.

It ends after a number of batches, or of minutes.

Files of DIR
------------
``source/P.jsonl``, ``source/Q.jsonl``   the logs (see ``app.pipeline.demo_query.numbered_source``)
``checkpoint/``              Spark's own
``exact/N/rows.json``        sink by number: ``{"life", "pid", "rows": [{log, n, key, value, count, sum}]}``; batch N
                             written again replaces the first
``plain.jsonl``              plain sink: a line for each row, ``{"batch", "life", log, n, key, value}``
``lives.jsonl``              a line for each start of the query: ``{"life", "pid"}``
``store/N.json``             what Spark's state data source reads of the state after batch N, once it is committed:
                             ``{"batch", "life", "rows": [{key, count, sum}], "mistake"}``; ``mistake`` says why it
                             could not be read, or is null
``now.json``                 ``{"stage", "batch", "life", "pid", "mistake", "at", "until", "ends"}``; replaced
                             atomically. ``stage`` is starting, waiting (for items), planned (the offset log has the
                             batch), written (the sinks have it, the commit log has not), ended or failed. ``mistake``
                             is ``{"template", "fields"}`` or null. ``at`` is when the stage began, ``until`` when its
                             pause is over (null: no pause), ``ends`` when the query will end, all in seconds since 1970

References
----------
Apache Spark 4.3, Structured Streaming Programming Guide: recovering from failures, foreachBatch, transformWithState.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TypeAlias

from app.core.model.error_json import written
from app.core.model.values import BluecutError, Json, Phrase
from app.formats.spark_checkpoint import numbers
from app.pipeline.engine.packages import needed
from app.pipeline.engine.restarts import ROCKS, patiently

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

BATCHES = 24
MINUTES = 10
PACE = 2.0
"""Seconds between two items of a log."""

BEFORE = 1.5
HOLD = 4.0
"""Seconds that a batch pauses before its tasks run, and between the sinks and the commit."""

LEAVING = 2.0
"""Seconds that Java may take to exit after it can no longer be reached."""

Java: TypeAlias = "subprocess.Popen[bytes]"

KEYS = ("a", "b", "c")
MASTER = "local[2,4]"
"""Spark here, with two cores. A task is tried four times, as on a cluster; with ``local[2]``, once."""


@dataclass(slots=True)
class Life:
    """One start of the query on a folder: the ``life``-th, in the process ``pid``."""

    folder: Path
    life: int
    pid: int
    before: float = BEFORE
    hold: float = HOLD
    batches: int = BATCHES
    ends: float | None = None
    stage: str = field(default="", init=False)
    latest: int | None = field(default=None, init=False)
    lock: threading.RLock = field(default_factory=threading.RLock, init=False)

    def now(self, stage: str, batch: int | None = None, mistake: Json = None, rest: float | None = None) -> None:
        """Write the current stage and batch, and that ``rest`` seconds of pause begin. A life that is over writes
        nothing more: when Java is gone, a batch may still be at work in Python."""
        at = time.time()
        until = None if rest is None else at + rest
        facts: dict[str, Json] = {"stage": stage, "batch": batch, "life": self.life, "pid": self.pid}
        facts |= {"mistake": mistake, "at": at, "until": until, "ends": self.ends}
        with self.lock:
            if self.stage not in ("ended", "failed"):
                self.stage, self.latest = stage, batch
                _replaced(self.folder / "now.json", facts)

    def rest(self) -> None:
        """Write that the query waits for items, if the batch in the sinks is committed."""
        with self.lock:
            if self.stage == "written" and self.latest is not None and _committed(self.folder, self.latest):
                self.now("waiting")

    def batch(self, rows: "DataFrame", batch: int) -> None:
        """Run one micro-batch, from when the offset log has it until the commit log may have it."""
        self.now("planned", batch, rest=self.before)
        time.sleep(self.before)
        made = sorted((row.asDict() for row in rows.collect()), key=lambda row: (row["log"], row["n"]))
        self.by_number(batch, made)
        self.plainly(batch, made)
        self.now("written", batch, rest=self.hold)
        time.sleep(self.hold)

    def by_number(self, batch: int, rows: list[dict[str, object]]) -> None:
        """Write to the sink that knows batches: a folder for each number. The same number again replaces it."""
        place, made = self.folder / "exact" / str(batch), self.folder / "exact" / f"{batch}.pending"
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir(parents=True)
        _replaced(made / "rows.json", {"life": self.life, "pid": self.pid, "rows": rows})
        shutil.rmtree(place, ignore_errors=True)
        made.rename(place)

    def plainly(self, batch: int, rows: list[dict[str, object]]) -> None:
        """Write to the sink that appends."""
        names = ("log", "n", "key", "value")
        facts = [{"batch": batch, "life": self.life} | {name: row[name] for name in names} for row in rows]
        appended(self.folder / "plain.jsonl", facts)

    def stored(self, spark: "SparkSession") -> None:
        """Store what Spark's state data source reads of the state after each committed batch, once."""
        from pyspark.errors import PySparkException

        from app.pipeline.stream.state_reader import state

        place = self.folder / "store"
        place.mkdir(exist_ok=True)
        for batch in range(self.batches):
            file = place / f"{batch}.json"
            if file.is_file() or not _committed(self.folder, batch):
                continue
            facts: dict[str, Json] = {"batch": batch, "life": self.life, "rows": [], "mistake": None}
            try:
                found = state(spark, self.folder / "checkpoint", batch, 0, {"stateVarName": "total"}).collect()
            except PySparkException as error:
                facts["mistake"] = _because(error)
            else:
                told = sorted((row["key"]["key"], row["value"]["count"], row["value"]["sum"]) for row in found)
                facts["rows"] = [{"key": key, "count": count, "sum": total} for key, count, total in told]
            _replaced(file, facts)


def _replaced(file: Path, facts: Json) -> None:
    made = file.with_name(file.name + ".pending")
    made.write_text(json.dumps(facts), encoding="utf-8")
    made.replace(file)


def appended(file: Path, facts: list[Json]) -> None:
    """Add lines to a file, all at once; a line that a kill left incomplete stays on its own."""
    torn = file.is_file() and not file.read_bytes().endswith(b"\n") and file.stat().st_size > 0
    text = ("\n" if torn else "") + "".join(json.dumps(one) + "\n" for one in facts)
    with file.open("ab", buffering=0) as opened:
        opened.write(text.encode())


def _drop_torn_line(file: Path) -> None:
    """Remove the line that a kill left incomplete: no batch has read it, and a log is counted by its lines."""
    if file.is_file():
        with file.open("r+b") as opened:
            opened.truncate(opened.read().rfind(b"\n") + 1)


def record(log: str, n: int) -> Json:
    """Return the n-th item of a log, always the same."""
    return {"n": n, "key": KEYS[(n + len(log) + ord(log)) % len(KEYS)], "value": (7 * n + ord(log)) % 9 + 1}


def producing(folder: Path, batches: int, over: threading.Event) -> None:
    """Extend the logs until they are enough for all batches or the query is over."""
    from app.pipeline.demo_query.numbered_source import MOST, lines

    folder.mkdir(parents=True, exist_ok=True)
    for log in MOST:
        _drop_torn_line(folder / f"{log}.jsonl")
    lengths = {log: len(lines(folder, log)) for log in MOST}
    while not over.is_set():
        growing = [log for log, most in MOST.items() if lengths[log] < most * batches]
        for log in growing:
            lengths[log] += 1
            appended(folder / f"{log}.jsonl", [record(log, lengths[log])])
        if not growing or over.wait(PACE):
            return


def _query(spark: "SparkSession", folder: Path, batch: Callable[["DataFrame", int], None]) -> "StreamingQuery":
    from app.pipeline.demo_query.numbered_source import NAME, SCHEMA, Numbered
    from app.pipeline.demo_query.running_totals import Totals

    spark.conf.set("spark.sql.streaming.stateStore.providerClass", ROCKS)
    spark.dataSource.register(Numbered)
    read = spark.readStream.format(NAME).option("path", str(folder / "source")).load()
    rows = read.groupBy("key").transformWithState(Totals(), f"{SCHEMA}, count int, sum int", "Update", "None")
    writer = rows.writeStream.foreachBatch(batch).outputMode("update")
    return writer.option("checkpointLocation", str(folder / "checkpoint")).start()


def _lived(life: Life, most: float) -> None:
    """Run the query for all its batches, or ``most`` seconds. Raises the exception that ends it."""
    from app.pipeline.engine.session import session

    over = threading.Event()
    arguments = (life.folder / "source", life.batches, over)
    threading.Thread(target=producing, args=arguments, daemon=True, name="logs").start()
    java: Java | None = None
    try:
        with session(MASTER, "Bluecut: inside", shuffle=1, brief=True) as spark:
            java = getattr(spark.sparkContext._gateway, "proc", None)
            until, life.ends = time.monotonic() + most, time.time() + most
            life.now("waiting")
            patiently(lambda: _followed(spark, life, until))
    except BluecutError:
        if java is not None and (status := _gone(java)) is not None:
            raise BluecutError("the Java that Spark runs on is gone, with status {status}", status=status) from None
        raise
    finally:
        over.set()


def _followed(spark: "SparkSession", life: Life, until: float) -> None:
    """Run the query for all its batches, or until a moment of the monotonic clock. Raises PySparkException if Spark
    fails."""
    running = _query(spark, life.folder, life.batch)
    while running.isActive and time.monotonic() < until and not _committed(life.folder, life.batches - 1):
        time.sleep(0.2)
        life.rest()
        life.stored(spark)
    life.stored(spark)
    running.stop()
    if (wrong := running.exception()) is not None:
        raise wrong


def _gone(java: Java) -> int | None:
    """Return the exit status of a Java that cannot be reached, negative if a signal ended it; None if it is still
    running a moment later."""
    with suppress(subprocess.TimeoutExpired):
        return java.wait(LEAVING)
    return None


def _told_to_end(number: int, frame: object) -> NoReturn:
    """Exit in order after SIGTERM. Raises KeyboardInterrupt."""
    raise KeyboardInterrupt


def _committed(folder: Path, batch: int) -> bool:
    return batch in numbers(folder / "checkpoint" / "commits")


def main(arguments: list[str]) -> int:
    """Run one life on a folder; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m app.pipeline.demo_query.query")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--before", type=float, default=BEFORE)
    parser.add_argument("--hold", type=float, default=HOLD)
    parser.add_argument("--batches", type=int, default=BATCHES)
    parser.add_argument("--minutes", type=float, default=MINUTES)
    asked = parser.parse_args(arguments)
    asked.folder.mkdir(parents=True, exist_ok=True)
    lives = asked.folder / "lives.jsonl"
    number = lives.read_text("utf-8").count("\n") + 1 if lives.is_file() else 1
    appended(lives, [{"life": number, "pid": os.getpid()}])
    life = Life(asked.folder, number, os.getpid(), asked.before, asked.hold, asked.batches)
    life.now("starting")
    signal.signal(signal.SIGTERM, _told_to_end)
    try:
        needed()
        _lived(life, asked.minutes * 60)
    except BluecutError as error:
        life.now("failed", mistake=written(error.phrase))
        return 2
    except KeyboardInterrupt:
        life.now("failed", mistake=written(Phrase("its process was ended, but not from this page")))
        return 128 + signal.SIGTERM
    except Exception as error:
        life.now("failed", mistake=written(Phrase("our mistake: {reason}", reason=_because(error))))
        raise
    life.now("ended")
    return 0


def _because(error: Exception) -> str:
    """Return why it failed, in one line."""
    return f"{type(error).__name__}: {next(iter(str(error).splitlines()), '')}"[:500]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
