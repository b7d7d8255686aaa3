"""Where the rows of a sweep are: its batches, and the files of every kind in each."""

import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq

from app.core.model.values import BluecutError
from app.pipeline.rows.arrow import gathered
from app.pipeline.rows.from_run import Rows
from app.pipeline.rows.schema import KINDS, ddl

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Tables = Mapping[str, "DataFrame"]
"""By kind, its rows."""

VERDICTS = "verdicts"
"""The folder, beside that of the rows, of what verifiers say."""

PART = re.compile(r"part-(\d+)")


Share = Mapping[str, Sequence[str]]
"""Files that together hold whole runs: by kind, their paths. No other file is needed to judge these runs."""


def batches(directory: Path) -> tuple[Path, ...]:
    """Return the complete batches of a sweep, in order. Raises BluecutError if there is none."""
    found = tuple(sorted(path for path in (directory / "rows").glob("batch=*") if path.is_dir()))
    if not found:
        raise BluecutError("{file}: there are no rows of runs in it", file=directory)
    return found


def tables(spark: "SparkSession", batches: Sequence[Path]) -> Tables:
    """Return by kind the rows of these batches, with the columns of the kind."""
    return {kind: table(spark, kind, batches) for kind in KINDS}


def table(spark: "SparkSession", kind: str, batches: Sequence[Path]) -> "DataFrame":
    """Return the rows of one kind; a batch without such rows has no folder for it."""
    there = [escaped(str(path)) for batch in batches if (path := batch / f"kind={kind}").is_dir()]
    if not there:
        return spark.createDataFrame([], ddl(kind))
    return spark.read.schema(ddl(kind)).parquet(*there)


def escaped(path: str) -> str:
    """Return a path as a pattern that matches it alone: when Spark reads, it treats every path as a pattern."""
    return "".join(f"\\{letter}" if letter in "\\*?[]{}" else letter for letter in path)


def shares(batches: Iterable[Path]) -> tuple[Share, ...]:
    """Return the files of these batches, grouped by the task that wrote them: a task writes whole runs, and its number
    into the file names."""
    found: dict[tuple[Path, int], dict[str, list[str]]] = {}
    for batch in batches:
        for file in sorted(batch.glob("kind=*/*.parquet")):
            part = PART.match(file.name)
            kinds = found.setdefault((batch, int(part[1]) if part else -1), {})
            kinds.setdefault(file.parent.name.removeprefix("kind="), []).append(str(file))
    return tuple(found[key] for key in sorted(found))


def size(batches: Iterable[Path]) -> int:
    """Return the bytes of all files of these batches."""
    return sum(file.stat().st_size for batch in batches for file in batch.glob("kind=*/*.parquet"))


def replaced(place: Path, made: Path) -> None:
    """Replace an older folder by a complete one; the old one is removed only when the new one is there."""
    old = place.with_name(f"{place.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    if place.exists():
        place.rename(old)
    made.rename(place)
    shutil.rmtree(old, ignore_errors=True)


def store(directory: Path, traces: Iterable[Rows]) -> None:
    """Write the rows of runs as the only batch of a folder, in one share. Raises BluecutError if that fails."""
    try:
        for kind, rows in gathered(traces).items():
            folder = directory / "rows" / "batch=00000" / f"kind={kind}"
            folder.mkdir(parents=True, exist_ok=True)
            pq.write_table(rows, folder / "part-00000.parquet", compression="zstd")
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise BluecutError("{file}: cannot be written: {reason}", file=directory, reason=reason) from None
