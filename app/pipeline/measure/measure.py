"""What the snapshots of a sweep cost, and how often each check was broken: tables, and the report made from them.

The tables are in ``DIR/report/``, one Parquet folder each: ``groups``, ``measures``, ``values``, ``samples`` and
``fits``; the columns are those of ``groups``, ``distributions``, ``histograms``, ``samples`` and ``fits``.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

from app.analysis.sweep_report import VERSION, Report
from app.core.model.values import BluecutError, Json
from app.core.oracle.checks import ROW_CHECKS
from app.pipeline.measure.distribution import counts, distributions, fits, histograms, values
from app.pipeline.measure.report import FILE, report, write
from app.pipeline.measure.samples import samples
from app.pipeline.measure.snapshots import grouped, groups, judged, taken
from app.pipeline.rows.provenance import cover, covered
from app.pipeline.rows.tables import VERDICTS, batches, escaped, replaced, table
from app.pipeline.sweep.manifest import stored

TABLES = "report"


def measure(spark: SparkSession, directory: Path, watch: Callable[[int, int], None] = lambda done, of: None) -> Report:
    """Measure a sweep whose folder's lock is held: write ``DIR/report.json`` and the tables of ``DIR/report/``, and
    return the report. ``watch`` is called with how many tables are made, out of how many.

    Raises BluecutError if there is nothing to measure.
    """
    directory = directory.absolute()  # tasks may work in another folder
    plan = planned(directory)
    there = current(directory)
    runs, snapshots = table(spark, "run", there), table(spark, "snapshot", there)
    verdicts, by = judged(spark, directory, snapshots)
    known = groups(runs).cache()
    each = grouped(runs, known)
    found = taken(snapshots, each, verdicts).cache()
    try:
        every = values(found, each)
        tables = _written(
            directory,
            {
                "groups": _counted(known, counts(found, ROW_CHECKS)).orderBy("group"),
                "measures": distributions(every).orderBy("group", "measure"),
                "values": histograms(every).orderBy("group", "measure", "value"),
                "samples": samples(found, each),
                "fits": fits(found),
            },
            watch,
        )
    finally:
        found.unpersist()
        known.unpersist()
    whole = report(plan, by, *(_collected(spark, tables / name) for name in ("groups", "values", "samples")))
    write(directory, whole)
    cover(directory / TABLES, there, version=VERSION, by=by["by"])
    return whole


def current(directory: Path) -> tuple[Path, ...]:
    """Return the batches to measure. Raises BluecutError if there is none, or if there are verdicts on other rows."""
    there = batches(directory)
    if (directory / VERDICTS).is_dir() and covered(directory / VERDICTS, there) is None:
        raise BluecutError(
            "{file}: the verdicts are for other rows than the present ones; verify again: bluecut verify {file}",
            file=directory,
        )
    return there


def before(directory: Path) -> bool:
    """Have exactly the current rows been measured, by the verdicts of the verifiers?"""
    said = covered(directory / TABLES, batches(directory))
    whole = said is not None and (said.get("version"), said.get("by")) == (VERSION, "verifiers")
    return whole and (directory / FILE).is_file()


def _counted(groups: DataFrame, counts: DataFrame) -> DataFrame:
    """Return the groups with their counts, 0 for a group without snapshots."""
    return groups.join(counts, "group", "left").na.fill(0, [name for name in counts.columns if name != "group"])


def planned(directory: Path) -> dict[str, Json]:
    """Return the plan of a sweep. Raises BluecutError if there is none, or if its rows are of another version."""
    plan = stored(directory)
    if plan is None or not {"engine", "spec"} <= set(plan):
        raise BluecutError("{file}: this is not the folder of a sweep; it has no sweep.json", file=directory)
    return plan


def _written(directory: Path, tables: dict[str, DataFrame], watch: Callable[[int, int], None]) -> Path:
    """Write the tables of one measurement; return their folder. The samples stay in their order."""
    place, made = directory / TABLES, directory / f"{TABLES}.part"
    shutil.rmtree(made, ignore_errors=True)
    for done, (name, rows) in enumerate(tables.items()):
        watch(done, len(tables))
        rows.coalesce(1).write.parquet(str((made / name).resolve()), compression="zstd")
    watch(len(tables), len(tables))
    replaced(place, made)
    return place


def _collected(spark: SparkSession, table: Path) -> list[dict[str, object]]:
    """Return the rows of a one-file table, in order."""
    return [row.asDict() for row in spark.read.parquet(escaped(str(table.resolve()))).collect()]
