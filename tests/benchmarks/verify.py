"""Both verifiers compared with DuckDB, on the same query, the same Parquet files and the same cores.

``uv run --group spark --group bench python -m tests.benchmarks.verify --millions 1 10 --files 50 200`` prints, for each
size, the seconds of the fastest of some alternating runs and the ratio to DuckDB, the same for the processor time of
all processes, and how far their memory grew. All have answered the same question equally often before; what each needed
the first time is printed as well. On a shared machine, only ratios within one run mean anything.
"""

import argparse
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import duckdb
import psutil
import pyarrow.compute as pc
from pyspark.sql import DataFrame, SparkSession

from app.core.oracle.checks import ROW_CHECKS
from app.pipeline.engine.session import session
from app.pipeline.rows.tables import batches, shares, tables
from app.pipeline.verify import relational
from app.pipeline.verify.arrays import verifier
from tests.benchmarks.cpu import cpu
from tests.benchmarks.events import events
from tests.benchmarks.result import Result

GOALS = {("local", 10): 0.9, ("relational", 10): 3.0, ("local", 50): 0.6, ("relational", 50): 2.0, ("local", 200): 0.5}
"""By verifier and millions of events, the time to reach, as a ratio to DuckDB's."""

Broken = dict[str, int]
"""By check, how many snapshots break it."""

QUESTION = """
WITH ends AS (
    SELECT c.run, c.life, s.snapshot, c.channel, s.cut AS source_cut, t.cut AS target_cut
    FROM channel c
    JOIN cut s ON s.run = c.run AND s.life = c.life AND s.process = c.source
    JOIN cut t ON t.run = c.run AND t.life = c.life AND t.process = c.target AND t.snapshot = s.snapshot
), crossing AS MATERIALIZED (
    SELECT m.run, m.life, e.snapshot, m.channel, m.message, m.sent,
        coalesce(m.sent <= source_cut, false) AS inside, coalesce(m.received <= target_cut, false) AS arrived
    FROM message m JOIN ends e ON e.run = m.run AND e.life = m.life AND e.channel = m.channel
    WHERE coalesce(m.sent <= source_cut, false) <> coalesce(m.received <= target_cut, false)
        OR m.lost OR m.copied IS NOT NULL
), need AS (
    SELECT run, life, snapshot, channel, list(message ORDER BY sent) AS queue
    FROM crossing WHERE inside AND NOT arrived GROUP BY ALL
), have AS (
    SELECT run, life, snapshot, channel, list(message ORDER BY place) AS queue FROM recorded GROUP BY ALL
), amounts AS (
    SELECT c.run, c.life, c.snapshot, quantity, amount
    FROM stock JOIN cut c ON c.run = stock.run AND c.life = stock.life AND c.process = stock.process
    UNION ALL SELECT run, life, snapshot, quantity, -amount FROM holding
    UNION ALL SELECT r.run, r.life, r.snapshot, quantity, -amount
    FROM recorded r JOIN worth w ON w.run = r.run AND w.life = r.life AND w.message = r.message
), unbalanced AS (
    SELECT run, life, snapshot, quantity FROM amounts GROUP BY ALL HAVING sum(amount) <> 0
), excess AS (
    SELECT e.run, e.life, e.snapshot
    FROM ends e LEFT JOIN marker m
        ON m.run = e.run AND m.life = e.life AND m.snapshot = e.snapshot AND m.channel = e.channel
    WHERE coalesce(m.count, 0) <> 1
    UNION ALL SELECT run, life, snapshot FROM cut WHERE records <> 1
)
SELECT
    (SELECT count(DISTINCT (run, life, snapshot)) FROM crossing WHERE arrived AND NOT inside) AS consistent,
    (SELECT count(DISTINCT (run, life, snapshot)) FROM need FULL JOIN have USING (run, life, snapshot, channel)
        WHERE need.queue IS DISTINCT FROM have.queue) AS channels,
    (SELECT count(DISTINCT (run, life, snapshot)) FROM unbalanced) AS conserved,
    (SELECT count(DISTINCT (run, life, snapshot)) FROM excess) AS cost
"""


def by_duckdb(directory: Path, threads: int) -> Broken:
    """Run the query in SQL that suits DuckDB."""
    with duckdb.connect(config={"threads": threads}) as connection:
        for kind in ("channel", "message", "cut", "recorded", "marker", "stock", "holding", "worth"):
            files = f"{directory}/rows/*/kind={kind}/*.parquet"
            connection.execute(f"CREATE VIEW {kind} AS FROM read_parquet('{files}', hive_partitioning = false)")
        row = connection.execute(QUESTION).fetchone()
    return dict(zip(ROW_CHECKS, row or (), strict=True))


def counted(verdicts: DataFrame) -> Broken:
    """Fetch all verdicts, and return how many break each check."""
    found = verdicts.toArrow()
    broken = pc.value_counts(found["check"].filter(pc.invert(found["holds"])))
    return dict.fromkeys(ROW_CHECKS, 0) | {one["values"]: one["counts"] for one in broken.to_pylist()}


def by_spark(spark: SparkSession, directory: Path) -> Broken:
    """Run the verifier in Spark SQL."""
    with relational.judged(tables(spark, batches(directory)), rows=False) as found:
        return counted(found)


def parted(spark: SparkSession, directory: Path) -> dict[str, float]:
    """Return the seconds that the verifier in Spark SQL takes for analysis, for planning, and for the stage that reads
    the messages, the one with the most rows."""
    times = [time.perf_counter()]
    with relational.judged(tables(spark, batches(directory)), rows=False) as found:
        times.append(time.perf_counter())
        found._jdf.queryExecution().executedPlan()
        times.append(time.perf_counter())
        counted(found)
    status = spark.sparkContext._jsc.sc().statusStore()  # type: ignore[union-attr]
    stages = status.jobsList(None).head().stageIds()  # of the latest job
    ran = [status.lastStageAttempt(stages.apply(i)) for i in range(stages.size())]
    most = max(ran, key=lambda stage: stage.inputRecords())
    took = most.completionTime().get().getTime() - most.submissionTime().get().getTime()
    return {
        "analysis": round(times[1] - times[0], 2),
        "planning": round(times[2] - times[1], 2),
        "messages": took / 1000,
    }


def by_files(spark: SparkSession, directory: Path) -> Broken:
    """Run the file-local verifier."""
    return counted(verifier.judged(spark, shares(batches(directory)), rows=False))


def resident() -> int:
    """Return the bytes of memory of this process and its descendants."""
    mine = psutil.Process()
    total = 0
    for each in (mine, *mine.children(recursive=True)):
        with suppress(psutil.Error):  # it has ended meanwhile
            total += each.memory_info().rss
    return total


@contextmanager
def growth() -> Iterator[list[int]]:
    """Yield a list that holds, once the context has ended, by how many bytes memory grew at its peak."""
    found, peak, done = [0], [resident()], threading.Event()
    before = peak[0]

    def look() -> None:
        while not done.wait(0.1):
            peak[0] = max(peak[0], resident())

    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()
    try:
        yield found
    finally:
        done.set()
        watcher.join()
        found[0] = peak[0] - before


def timed(ways: dict[str, Callable[[], Broken]], warm: int, times: int) -> tuple[Broken, dict[str, Any]]:
    """Ask every way in turns, ``warm`` times unmeasured and then ``times`` times; return the answer and the figures.

    A database without a virtual machine is as fast at the second question as at the tenth. Java translates and
    optimises itself meanwhile, so what the first question takes is told apart, as ``cold``.
    """
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    spent: dict[str, list[float]] = {name: [] for name in ways}
    grown = dict.fromkeys(ways, 0)
    answers: dict[str, Broken] = {}
    for round_number in range(warm + times):
        for name, way in ways.items():
            with growth() as more:
                began, used = time.perf_counter(), cpu()
                answers[name] = way()
                seconds[name].append(time.perf_counter() - began)
                spent[name].append(cpu() - used)
            if round_number >= warm:
                grown[name] = max(grown[name], more[0])
        if len({json.dumps(answer) for answer in answers.values()}) != 1:
            raise SystemExit(f"they do not agree: {answers}")
    best, least = ({name: min(each[warm:]) for name, each in found.items()} for found in (seconds, spent))
    return answers["duckdb"], {
        "cold": {name: round(each[0], 2) for name, each in seconds.items()},
        "seconds": {name: round(each, 2) for name, each in best.items()},
        "ratio": {name: round(each / best["duckdb"], 2) for name, each in best.items()},
        "cpu": {name: round(each, 2) for name, each in least.items()},
        "cpu_ratio": {name: round(each / (least["duckdb"] or 1), 2) for name, each in least.items()},
        "grown_mb": {name: each >> 20 for name, each in grown.items()},
    }


def main() -> list[Result]:
    """Measure, and print one JSON object per size."""
    found = []
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--millions", type=int, nargs="+", default=[1, 10])
    parser.add_argument(
        "--files", type=int, nargs="*", default=[50, 200], help="the same without Spark SQL, which is slow"
    )
    parser.add_argument("--warm", type=int, default=5, help="rounds before those that are measured")
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--cores", type=int, default=2)
    asked = parser.parse_args()
    with session(f"local[{asked.cores}]", "bluecut benchmark", shuffle=8) as spark:
        more = [each for each in asked.files if each not in asked.millions]
        for millions in (*asked.millions, *more):
            directory = events(millions)
            ways: dict[str, Callable[[], Broken]] = {
                "duckdb": lambda d=directory: by_duckdb(d, asked.cores),  # type: ignore[misc]
                "relational": lambda d=directory: by_spark(spark, d),  # type: ignore[misc]
                "local": lambda d=directory: by_files(spark, d),  # type: ignore[misc]
            }
            if millions in more:
                del ways["relational"]
            broken, told = timed(ways, asked.warm, asked.times)
            if "relational" in ways:
                rounds = [parted(spark, directory) for _ in range(asked.times)]
                told["parts"] = {name: min(each[name] for each in rounds) for name in rounds[0]}
            load = os.getloadavg()[0]
            print(json.dumps({"millions": millions, "broken": broken, "warm": asked.warm} | told | {"load": load}))
            sys.stdout.flush()
            for name, title in (("local", "whole files"), ("relational", "Spark SQL")):
                if name not in ways:
                    continue
                what = f"time of DuckDB's at {millions} million events, {title}"
                goal = GOALS.get((name, millions))
                found.append(Result(what, told["ratio"][name], "ratio", goal, "less", headline=goal is not None))
    return found


if __name__ == "__main__":
    main()
