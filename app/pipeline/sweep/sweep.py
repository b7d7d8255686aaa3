"""A sweep: all runs of a grid as rows in Parquet files, made by Spark, batch by batch.

A task makes runs from their numbers alone, and writes their files itself, so it does not matter which task makes which,
how often it is tried, or on which machine. One batch is one Spark job with one stage, and no row passes through the
JVM. Once complete, a batch is moved into ``rows`` by a single rename; so a sweep that is stopped at any moment, even
killed, continues with the same command, and nothing is there twice.

Readers of the files may rely on this, in each ``rows/batch=N``:

- ``_batch.json`` says which runs there are, and how many rows of each kind;
- below ``kind=K`` are the rows of that kind, in files with the columns of the kind;
- a file holds whole runs, and files with the same name below the kinds hold the same runs (if these runs have no row of
  a kind, the kind has no file of that name);
- in a file, rows are in the order of their runs, and those of a run in the order in which ``trace`` gives them.
"""

import shutil
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from msgspec import to_builtins
from msgspec.structs import replace

from app.core.model.values import BluecutError
from app.pipeline.engine.error_text import because
from app.pipeline.rows.atomic_file import keep
from app.pipeline.rows.lock import locked
from app.pipeline.rows.schema import KINDS
from app.pipeline.sweep.grid import Grid, grid
from app.pipeline.sweep.manifest import (
    Batch,
    Manifest,
    Plan,
    digest,
    manifest,
    plan,
    rows,
    write_manifest,
    write_plan,
)
from app.pipeline.sweep.progress import Progress, Watch, unwatched
from app.pipeline.sweep.spec import Spec
from app.pipeline.sweep.task import TOLD, Told, task

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LEAST, MOST, ENOUGH = 32, 1_000, 8
"""How many runs a batch has at least and at most (unless there are too many), and about how many batches a small sweep
has."""
BATCHES = 250
"""How many batches a sweep has at most."""

SLICE = 1_000
"""How many runs a task makes, at most. Every task writes a file of each kind, and readers open them all."""

SLICES = 8
"""How many tasks a batch has if Spark does not say how many it runs at once."""

FIRST = (
    *("lock", "pending", "progress.json", "progress.before.json"),
    *("spec.yaml", "log.txt", "process.json", "process.lock", "tmp"),
)
"""What may be in a sweep's folder before the sweep: its own files, and those of the server that starts it."""


def sweep(
    spark: "SparkSession", spec: Spec, directory: Path, watch: Watch = unwatched, *, batch: int | None = None
) -> Manifest:
    """Make all runs of the spec that are not there yet; return what is complete then.

    ``batch`` is how many runs a batch has; a sweep that continues keeps its first value.

    Raises BluecutError if the folder holds another sweep, another command is sweeping there, a run cannot be made, or
    Spark fails; what is complete by then stays.
    """
    directory = directory.absolute()  # tasks may work in another folder
    fit(directory)
    with locked(directory):
        return made(spark, *prepared(spec, directory, batch), directory, watch)


def prepared(spec: Spec, directory: Path, batch: int | None = None) -> tuple[Plan, Grid]:
    """Prepare the folder; return the sweep's plan and grid. Raises BluecutError if the folder is not fit."""
    cells = grid(spec)
    size = batch or max(LEAST, min(MOST, -(-cells.runs // ENOUGH)), -(-cells.runs // BATCHES))
    wanted = Plan(spec.written(), cells.digest, cells.runs, size)
    if (directory / "sweep.json").exists():
        there = plan(directory)
        if there.grid != wanted.grid:
            raise BluecutError(
                "{file}: holds the runs of another spec; sweep into another folder, or delete this one", file=directory
            )
        return there, cells
    fit(directory)
    write_plan(directory, wanted)
    return wanted, cells


def fit(directory: Path) -> None:
    """Raise BluecutError if the folder holds other files but no sweep."""
    if (directory / "sweep.json").exists() or not directory.is_dir():
        return
    try:
        names = sorted(entry.name for entry in directory.iterdir())
    except OSError as error:
        raise BluecutError("{file}: cannot be read: {reason}", file=directory, reason=str(error.strerror)) from None
    for name in names:
        if name not in FIRST and not name.startswith("."):
            raise BluecutError(
                "{file}: holds {name}, but no sweep.json; sweep into a new or an empty folder, or into that of a "
                "sweep, which has one",
                file=directory,
                name=name,
            )


def made(spark: "SparkSession", wanted: Plan, cells: Grid, directory: Path, watch: Watch) -> Manifest:
    """Make the missing batches, one after another."""
    complete = manifest(directory)
    there = {batch.batch for batch in complete.batches}
    tidied(directory, complete)
    watch(progress(complete))
    attempt = directory / "pending" / uuid4().hex[:12]  # a killed sweep may still be writing into its own
    for number in range(wanted.batches):
        if number in there:
            continue
        batch = _written(spark, cells, number, wanted, attempt)
        rows(directory, number).parent.mkdir(exist_ok=True)
        (attempt / f"batch={number:05}").rename(rows(directory, number))
        complete = replace(complete, batches=tuple(sorted((*complete.batches, batch), key=lambda one: one.batch)))
        write_manifest(directory, complete)
        watch(progress(complete))
    shutil.rmtree(directory / "pending", ignore_errors=True)
    return complete


def tidied(directory: Path, complete: Manifest) -> None:
    """Remove what a killed sweep left incomplete, and write what is complete."""
    shutil.rmtree(directory / "pending", ignore_errors=True)
    write_manifest(directory, complete)


def progress(complete: Manifest) -> Progress:
    """Return the progress of the sweep."""
    return Progress(
        "sweeping",
        complete.plan.runs,
        complete.done,
        len(complete.batches),
        complete.snapshots,
        complete.broken,
    )


def _written(spark: "SparkSession", cells: Grid, number: int, wanted: Plan, attempt: Path) -> Batch:
    """Make a batch below ``attempt``. Raises BluecutError if a run cannot be made, or if Spark fails."""
    from pyspark.errors import PySparkException

    first, last = wanted.bounds(number)
    folder = attempt / f"batch={number:05}"
    many = tasks(spark, last - first)
    make = partial(task, cells.between(first, last), range(first, last), many, folder)
    try:
        told = [Told(*row) for row in spark.range(0, many, 1, many).mapInArrow(make, TOLD).collect()]
    except PySparkException as error:
        raise BluecutError(
            "Spark failed on runs {first} to {last}: {reason}", first=first, last=last - 1, reason=because(error)
        ) from None
    if wrong := sorted((one.run, one) for one in told if one.run is not None):
        _, one = wrong[0]
        raise BluecutError(
            "run {run} cannot be made: {reason}; it is {url}", run=one.run, reason=one.reason, url=one.url
        )
    counts = {kind: sum(one.rows for one in told if one.kind == kind) for kind in KINDS}
    batch = Batch(
        batch=number,
        first=first,
        runs=last - first,
        rows={kind: count for kind, count in counts.items() if count},
        snapshots=counts["snapshot"],
        broken=sum(one.broken for one in told),
        digest=digest(sum(one.low for one in told), sum(one.high for one in told)),
    )
    if counts["run"] != batch.runs:
        raise BluecutError(
            "runs {first} to {last}: {count} were written", first=first, last=last - 1, count=counts["run"]
        )
    keep(folder / "_batch.json", to_builtins(batch))
    return batch


def tasks(spark: "SparkSession", runs: int) -> int:
    """Return how many tasks make these runs: as many as Spark runs at once, since starting one takes a tenth of a
    second."""
    from pyspark.sql.utils import is_remote

    at_once = SLICES if is_remote() else spark.sparkContext.defaultParallelism
    return max(min(at_once, runs), -(-runs // SLICE))
