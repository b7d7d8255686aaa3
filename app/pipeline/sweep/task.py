"""A task of a sweep: it makes runs, writes their rows as Parquet files, and tells Spark what it wrote.

A file appears under its name only when it is complete, and its name and its rows depend on nothing but the runs; so a
task that is tried again, even while a lost one is still writing, leaves the same files.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from uuid import uuid4

from app.core.model.values import BluecutError
from app.pipeline.rows.from_run import Rows, trace
from app.pipeline.rows.schema import VERDICT_COLUMNS
from app.pipeline.sweep.grid import Cell, place
from app.run.run import record

if TYPE_CHECKING:
    import pyarrow
    import pyarrow.parquet

HELD = 1 << 16
"""About how many rows a task holds in memory before it writes them: runs of a few hundred rows become one piece."""


class Told(NamedTuple):
    """What a task tells of one kind of rows: how many it wrote, how many of them are broken snapshots, and the sums of
    both halves of their hashes. Or why there is no run: its number and address, and the reason."""

    kind: str
    rows: int
    broken: int
    low: int
    high: int
    run: int | None = None
    url: str | None = None
    reason: str | None = None


TOLD = "kind STRING, rows BIGINT, broken BIGINT, low BIGINT, high BIGINT, run BIGINT, url STRING, reason STRING"
"""The fields of ``Told``, for Spark."""


def task(
    cells: tuple[Cell, ...], runs: range, many: int, folder: Path, shares: Iterable["pyarrow.RecordBatch"]
) -> Iterator["pyarrow.RecordBatch"]:
    """Write below ``folder`` the rows of these ``shares`` of the runs, out of ``many``; yield what was written."""
    import pyarrow

    from app.pipeline.rows.arrow import columns

    for some in shares:
        for share in some.column(0).to_pylist():
            told = [one._asdict() for one in _told(cells, runs[share::many], folder, share)]
            yield pyarrow.RecordBatch.from_pylist(told, schema=columns(TOLD))


def _told(cells: Sequence[Cell], runs: Sequence[int], folder: Path, share: int) -> list[Told]:
    """Write the rows of runs; return by kind what was written, or instead which runs cannot be made."""
    from app.pipeline.rows.hashes import sums

    totals: dict[str, Told] = {}
    wrong: list[Told] = []
    with Files(folder, share) as files:
        for tables in pieces(cells, runs, wrong):
            files.write(tables)
            for kind, rows in tables.items():
                broken = _broken(rows) if kind == "snapshot" else 0
                low, high = sums(kind, rows)
                so_far = totals.get(kind, Told(kind, 0, 0, 0, 0))
                totals[kind] = Told(
                    kind, so_far.rows + len(rows), so_far.broken + broken, so_far.low + low, so_far.high + high
                )
        if not wrong:
            files.finish()
    return wrong or list(totals.values())


def pieces(cells: Sequence[Cell], runs: Iterable[int], wrong: list[Told]) -> Iterator[dict[str, "pyarrow.Table"]]:
    """Yield the rows of runs by kind, some runs at a time; add to ``wrong`` those that cannot be made."""
    from app.pipeline.rows.arrow import gathered

    traces: list[Rows] = []
    held = 0
    for run in runs:
        cell = cells[place(cells, run)]
        try:
            traces.append(traced(cell, run))
        except Exception as error:
            wrong.append(_mistaken(cell, run, error))
            continue
        held += sum(map(len, traces[-1].values()))
        if held > HELD:
            yield gathered(traces)
            traces, held = [], 0
    if traces:
        yield gathered(traces)


def traced(cell: Cell, run: int) -> Rows:
    """Return the rows of a run."""
    address = cell.address(run)
    return trace(record(address.scenario, address.key), cell.origin(run, address.link))


def _mistaken(cell: Cell, run: int, error: Exception) -> Told:
    reason = str(error) if isinstance(error, BluecutError) else f"{type(error).__name__}: {error}"
    return Told("", 0, 0, 0, 0, run, cell.address(run).link, " ".join(reason.split())[:500])


def _broken(snapshots: "pyarrow.Table") -> int:
    """Return how many snapshots fail a check, according to the simulator."""
    from app.pipeline.verify.arrays.columns import flags

    holds = [flags(snapshots[column], null=True) for column in VERDICT_COLUMNS.values()]
    return sum(not all(each) for each in zip(*holds, strict=True))


class Files:
    """The files of one share: one of each kind that has rows."""

    def __init__(self, folder: Path, share: int) -> None:
        self.folder, self.name = folder, f"part-{share:05}.zstd.parquet"
        self.writers: dict[str, pyarrow.parquet.ParquetWriter] = {}
        self.beside = f".{share:05}.{uuid4().hex}"

    def __enter__(self) -> "Files":
        return self

    def write(self, tables: dict[str, "pyarrow.Table"]) -> None:
        """Append rows of each kind."""
        from pyarrow.parquet import ParquetWriter

        for kind, rows in tables.items():
            if kind not in self.writers:
                self._path(kind).parent.mkdir(parents=True, exist_ok=True)
                self.writers[kind] = ParquetWriter(self._path(kind), rows.schema, compression="zstd")
            self.writers[kind].write_table(rows)

    def finish(self) -> None:
        """Give the files their names."""
        for kind, writer in self.writers.items():
            writer.close()
            self._path(kind).replace(self._path(kind).with_name(self.name))

    def __exit__(self, *_: object) -> None:
        for kind, writer in self.writers.items():
            writer.close()
            self._path(kind).unlink(missing_ok=True)

    def _path(self, kind: str) -> Path:
        """Return where rows are written meanwhile: no reader looks at hidden files."""
        return self.folder / f"kind={kind}" / self.beside
