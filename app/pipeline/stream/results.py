"""What the stream has found so far: its tables, read without Spark, and their totals.

::

    DIR/stream/checkpoint/              Spark's own: offsets, commits, state
    DIR/stream/tables/batch=00000/      one folder per micro-batch, written again if Spark runs the batch again
        table=runs/part-….parquet       a row for each complete run, for which nothing more can come
        table=alerts/part-….parquet     a row for each orphan, and for each channel with a wrong recorded state
        _SUCCESS                        comes last: without it the folder is not read
    DIR/stream/told.json                up to which micro-batch alerts have been reported
    DIR/stream/version.json             in which form all this is
    DIR/stream/lock                     held by the command that follows

Which rows come in which micro-batch depends on when the stream was started and killed; all rows together do not.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.core.model.value import Frozen
from app.core.model.values import BluecutError, Json
from app.core.oracle.checks import ROW_CHECKS
from app.formats.spark_checkpoint import numbers

OWN = ("consistent", "channels")
"""The checks on which the stream has its own verdicts; the others are the simulator's."""

BROKEN = {check: f"broken_{check}" for check in ROW_CHECKS}
"""By check, the column that counts the snapshots that fail it."""

TABLES = {
    "alerts": (
        *("run", "url", "algorithm", "discipline", "scenario", "life", "snapshot", "fault", "message", "channel"),
        *("sent", "source_cut", "received", "target_cut"),
    ),
    "runs": (
        *("run", "url", "algorithm", "discipline", "scenario", "cell", "events", "messages", "snapshots", "judged"),
        *("differs", *BROKEN.values()),
    ),
}
"""The tables and their columns, made and described by ``app.pipeline.stream.stateful``."""

Row = dict[str, Any]


class Found(Frozen):
    """The tables: ``runs`` by number, ``alerts`` by run and snapshot, orphans first."""

    runs: tuple[Row, ...]
    alerts: tuple[Row, ...]


@dataclass(slots=True)
class Totals:
    """Sums over complete runs. ``violations`` counts snapshots by algorithm, channel order and check; ``differs`` those
    for which the simulator disagrees on one of OWN."""

    runs: int = 0
    events: int = 0
    messages: int = 0
    snapshots: int = 0
    judged: int = 0
    differs: int = 0
    violations: dict[tuple[str, str], dict[str, int]] = field(default_factory=dict)

    def add(self, run: Row) -> None:
        """Add a run."""
        self.runs += 1
        for name in ("events", "messages", "snapshots", "judged", "differs"):
            setattr(self, name, getattr(self, name) + run[name])
        mine = self.violations.setdefault((run["algorithm"], run["discipline"]), dict.fromkeys(BROKEN, 0))
        for check, column in BROKEN.items():
            mine[check] += run[column]

    def as_json(self) -> Json:
        """Return the totals as plain values."""
        told: dict[str, Json] = {name: getattr(self, name) for name in Totals.__slots__ if name != "violations"}
        several: list[Json] = [
            {"algorithm": algorithm, "discipline": discipline, "checks": {**self.violations[algorithm, discipline]}}
            for algorithm, discipline in sorted(self.violations)
        ]
        return told | {"violations": several}


def totals(runs: tuple[Row, ...]) -> Totals:
    """Return the totals of runs."""
    found = Totals()
    for run in runs:
        found.add(run)
    return found


def tables(directory: Path) -> Path:
    """Return the folder of a sweep's tables."""
    return directory / "stream" / "tables"


def checkpoint(directory: Path) -> Path:
    """Return the folder of the stream's checkpoint."""
    return directory / "stream" / "checkpoint"


def found(directory: Path) -> Found:
    """Return all that the stream has found so far.

    Raises BluecutError if the sweep was never followed, or if the tables of a micro-batch are missing that the
    checkpoint considers done.
    """
    if not checkpoint(directory).is_dir():
        raise BluecutError("{file}: nobody has followed this sweep yet; run bluecut stream {file}", file=directory)
    there = written(directory)
    for number in range(committed(directory) + 1):
        if number not in there:
            raise BluecutError(
                "{file}: the tables of micro-batch {batch} are missing, which the checkpoint counts as done; delete "
                "{folder} and follow again",
                file=directory,
                batch=number,
                folder=directory / "stream",
            )
    runs = [row for number in there for row in rows(directory, number, "runs")]
    alerts = [row for number in there for row in rows(directory, number, "alerts")]
    return Found(
        tuple(sorted(runs, key=lambda row: row["run"])),
        tuple(sorted(alerts, key=_place)),
    )


def _place(alert: Row) -> tuple[int, int, int, bool, str, int]:
    """Return the sort key of an alert: orphans come before wrong channels."""
    orphan = alert["fault"] == "orphan"
    where = "" if orphan else alert["channel"]
    return alert["run"], alert["life"], alert["snapshot"], not orphan, where, alert["message"]


def written(directory: Path) -> tuple[int, ...]:
    """Return the micro-batches with complete tables, in order."""
    found = (path.parent for path in tables(directory).glob("batch=*/_SUCCESS"))
    return tuple(sorted(int(folder.name.removeprefix("batch=")) for folder in found))


def committed(directory: Path) -> int:
    """Return the last micro-batch that Spark has committed, -1 if there is none."""
    return max(numbers(checkpoint(directory) / "commits"), default=-1)


def rows(directory: Path, number: int, table: str) -> Iterator[Row]:
    """Yield the rows that a micro-batch added to a table."""
    import pyarrow.parquet

    for file in sorted((tables(directory) / f"batch={number:05}" / f"table={table}").glob("*.parquet")):
        yield from pyarrow.parquet.ParquetFile(file).read(columns=list(TABLES[table])).to_pylist()
