"""A sweep made by hand: any rows, batch by batch, in the layout of ``app.pipeline.sweep.sweep``."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow.parquet
from msgspec import to_builtins

from app.pipeline.rows.arrow import gathered
from app.pipeline.rows.atomic_file import keep
from app.pipeline.rows.from_run import Origin, Rows, trace
from app.pipeline.rows.schema import VERDICT_COLUMNS
from app.pipeline.stream.results import BROKEN, OWN, Found
from app.pipeline.sweep.manifest import Batch, Plan, digest, write_plan
from app.run.run import record
from app.scenario.library import LIBRARY

NAMES = ("blue-figure", "token-late", "late-marker", "barriers-wait")


def planned(directory: Path, runs: int, batch: int) -> Path:
    """Plan a sweep of ``runs`` runs, none of which is there yet; return its folder."""
    directory.mkdir(parents=True, exist_ok=True)
    write_plan(directory, Plan({}, "", runs, batch))
    return directory


def written(directory: Path, number: int, traces: Iterable[Rows], parts: int = 1) -> None:
    """Write a batch: its runs are spread over ``parts`` files per kind. It appears atomically."""
    traces = list(traces)
    pending = directory / "pending" / f"batch={number:05}"
    for part in range(parts):
        for kind, rows in gathered(traces[part::parts]).items():
            (pending / f"kind={kind}").mkdir(parents=True, exist_ok=True)
            file = pending / f"kind={kind}" / f"part-{part:05}.zstd.parquet"
            pyarrow.parquet.write_table(rows, file, compression="zstd")
    first = min(one["run"][0]["run"] for one in traces)
    keep(pending / "_batch.json", to_builtins(Batch(number, first, len(traces), {}, 0, 0, digest(0, 0))))
    (directory / "rows").mkdir(exist_ok=True)
    pending.rename(directory / "rows" / pending.name)


def runs(count: int, first: int = 0) -> list[Rows]:
    """Return the rows of ``count`` runs: a few from the library in turn, each with its own number."""
    bases = [trace(record(LIBRARY.scenario(name)), Origin(0, f"/run/{name}")) for name in NAMES]
    return [numbered(bases[number % len(bases)], number) for number in range(first, first + count)]


def numbered(rows: Rows, run: int) -> Rows:
    """Return the rows as those of another run."""
    return {kind: [row | {"run": run} for row in each] for kind, each in rows.items()}


def expected(traces: Iterable[Rows]) -> tuple[list[dict[str, Any]], list[tuple[int, int, int]]]:
    """Return what the tables of the stream must say, by the plain verifier and by checking all pairs: for each run its
    counts, and for each orphan the run, the snapshot and the message."""
    from tests.pipeline.plain import verdicts

    rows, orphans = [], []
    for one in traces:
        (run,), own = one["run"], verdicts(one)
        said = {row["snapshot"]: row for row in one["snapshot"]}
        rows.append(
            {
                "run": run["run"],
                "events": len(one["event"]),
                "messages": len(one["message"]),
                "snapshots": len(own),
                "judged": sum(checks["consistent"] is not None for checks in own.values()),
                "differs": sum(
                    any(checks[name] is not said[n][VERDICT_COLUMNS[name]] for name in OWN) for n, checks in own.items()
                ),
                **{
                    BROKEN[name]: sum(checks[name] is False for checks in own.values())
                    if name in OWN
                    else sum(row[column] is False for row in said.values())
                    for name, column in VERDICT_COLUMNS.items()
                },
            }
        )
        ends = {(row["life"], row["channel"]): row for row in one["channel"]}
        for number, checks in own.items():
            if checks["consistent"] is None:
                continue
            life = said[number]["life"]
            cut = {row["process"]: row["cut"] for row in one["cut"] if row["snapshot"] == number}
            for row in one["message"]:
                if row["life"] == life and row.get("received") is not None:
                    at = ends[life, row["channel"]]
                    unsent = row.get("sent") is None or row["sent"] > cut[at["source"]]
                    if row["received"] <= cut[at["target"]] and unsent:
                        orphans.append((run["run"], number, row["message"]))
    return rows, sorted(orphans)


def same(tables: Found, traces: Iterable[Rows]) -> None:
    """Check that the tables say what the rows say."""
    runs, orphans = expected(traces)
    assert [{name: row[name] for name in one} for row, one in zip(tables.runs, runs, strict=True)] == runs
    told = [row for row in tables.alerts if row["fault"] == "orphan"]
    assert [(row["run"], row["snapshot"], row["message"]) for row in told] == orphans
    wrong = {(row["run"], row["life"], row["snapshot"]) for row in tables.alerts if row["fault"] != "orphan"}
    assert len(wrong) == sum(row["broken_channels"] for row in runs)
