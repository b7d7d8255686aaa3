"""Logs of numbered items as a source of a stream: one file for each process, and an offset that counts items.

An offset is the number of items of each log that have been read, ``{"P": 12, "Q": 9}``: literally a cut, and not
necessarily a consistent one. A line of a log is ``{"n": 12, "key": "a", "value": 5}``; ``n`` counts from 1.

References
----------
Apache Spark 4.3, Python Data Source API; Structured Streaming Programming Guide, 2026.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pyspark.sql.datasource import DataSource, DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadLimit, ReadMaxRows
from pyspark.sql.types import StructType

NAME = "numbered"
MOST = {"P": 3, "Q": 2}
"""The logs, by the process that writes, and how many items of each a batch has at most."""

LOGS = tuple(MOST)

SCHEMA = "log string, n int, key string, value int"
Row = tuple[str, int, str, int]


def lines(folder: Path, log: str) -> list[str]:
    """Return the complete lines of a log, without one that is still being written."""
    file = folder / f"{log}.jsonl"
    return file.read_text("utf-8").split("\n")[:-1] if file.is_file() else []


@dataclass
class Range(InputPartition):
    """The items of a log after ``start``, up to ``end``."""

    log: str
    start: int
    end: int


class Reader(DataSourceStreamReader):
    """Reads the logs of a folder, a few items of each in a batch."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def initialOffset(self) -> dict[str, int]:
        """Return the offset at which nothing has been read."""
        return dict.fromkeys(LOGS, 0)

    def getDefaultReadLimit(self) -> ReadLimit:
        """Return how many items of all logs together a batch has."""
        return ReadMaxRows(sum(MOST.values()))

    def latestOffset(self, start: dict[str, int], limit: ReadLimit) -> dict[str, int]:
        """Return how far the next batch reads."""
        there = {log: len(lines(self.folder, log)) for log in LOGS}
        if isinstance(limit, ReadAllAvailable):
            return there
        return {log: min(there[log], start[log] + MOST[log]) for log in LOGS}

    def partitions(self, start: dict[str, int], end: dict[str, int]) -> Sequence[Range]:
        """Return one task for each log that has something new."""
        return [Range(log, start[log], end[log]) for log in LOGS if end[log] > start[log]]

    def read(self, partition: InputPartition) -> Iterator[Row]:
        """Yield the items of a range, the same ones each time."""
        if isinstance(partition, Range):
            for line in lines(self.folder, partition.log)[partition.start : partition.end]:
                record = json.loads(line)
                yield partition.log, record["n"], record["key"], record["value"]


class Numbered(DataSource):
    """The source: ``path`` is the folder of the logs."""

    @classmethod
    def name(cls) -> str:
        """Return the name that a query uses."""
        return NAME

    def schema(self) -> str:
        """Return the columns: one row is one item."""
        return SCHEMA

    def streamReader(self, schema: StructType) -> Reader:
        """Return a reader."""
        return Reader(Path(self.options["path"]))
