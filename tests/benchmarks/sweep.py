"""A sweep on Spark compared with the same runs on multiprocessing.Pool, which writes the same Parquet files.

    .venv/bin/uv run --frozen --group test --group spark python -m tests.benchmarks.sweep [RUNS]

Both have the same cells and seeds, as many processes as there are cores, and as many runs per task; both have done
everything once before. They take turns, so that a noisy machine is noisy for both. Beside the time, the CPU seconds of
all processes together are printed (on Linux), which say more on a shared machine.

The pool writes each kind of rows of a task into one file, by the same functions; it has no batches, no commit and no
digest.
"""

import multiprocessing
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from multiprocessing.pool import Pool
from pathlib import Path

import pyarrow.parquet as pq

from app.pipeline.engine.session import session
from app.pipeline.rows.schema import KINDS
from app.pipeline.sweep.grid import Grid, grid
from app.pipeline.sweep.spec import load_spec
from app.pipeline.sweep.sweep import sweep, tasks
from app.pipeline.sweep.task import Files, Told, pieces
from tests.benchmarks.cpu import cpu
from tests.benchmarks.result import Result

RUNS = 512
ROUNDS = 3
SPEC = """
topologies: [ring, complete, {{random: {{degree: 2}}}}, star]
sizes: [5, 8]
algorithms: [chandy-lamport, late-marker]
disciplines: [fifo, any]
seeds: {seeds}
"""
CELLS = 32


def pooled(pool: Pool, cells: Grid, many: int, folder: Path) -> None:
    """Make all runs on the pool, in ``many`` tasks."""
    done = pool.map(partial(part, cells, many, folder), range(many), chunksize=1)
    assert sum(done) == cells.runs


def part(cells: Grid, many: int, folder: Path, share: int) -> int:
    """Run one task: write the files of its runs; return how many runs there are."""
    wrong: list[Told] = []
    made = range(cells.runs)[share::many]
    with Files(folder, share) as files:
        for tables in pieces(cells.cells, made, wrong):
            files.write(tables)
        files.finish()
    assert not wrong
    return len(made)


def timed(work: Callable[[Path], object]) -> tuple[float, float]:
    """Do the work in a folder of its own; return its elapsed and its CPU seconds."""
    with tempfile.TemporaryDirectory() as folder:
        began, used = time.perf_counter(), cpu()
        work(Path(folder) / "out")
        return time.perf_counter() - began, cpu() - used


def checked(cells: Grid, one: Path, other: Path) -> None:
    """Check that both have written equally many rows of each kind."""
    for kind in KINDS:
        counts = [
            sum(pq.ParquetFile(file).metadata.num_rows for file in folder.rglob(f"kind={kind}/*.parquet"))
            for folder in (one, other)
        ]
        assert counts[0] == counts[1], (kind, counts)


def main() -> list[Result]:
    """Measure and print."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    spec = load_spec(SPEC.format(seeds=max(1, runs // CELLS)), "benchmark")
    cells, cores = grid(spec), os.cpu_count() or 1
    print(f"{cells.runs} runs in {len(cells.cells)} cells, {cores} cores; {ROUNDS} rounds, warm", flush=True)
    scratch = Path(tempfile.mkdtemp())
    with multiprocessing.get_context("spawn").Pool(cores) as pool, session(f"local[{cores}]", "benchmark") as spark:
        many = tasks(spark, cells.runs)
        pooled(pool, cells, many, scratch / "pool")
        sweep(spark, spec, scratch / "spark", batch=cells.runs)
        checked(cells, scratch / "pool", scratch / "spark")
        shutil.rmtree(scratch)
        ratios = []
        for _ in range(ROUNDS):
            theirs = timed(partial(pooled, pool, cells, many))
            ours = timed(lambda folder: sweep(spark, spec, folder, batch=cells.runs))
            ratios.append((theirs[0] / ours[0], theirs[1] / ours[1] if ours[1] else 0.0))
            print(
                f"  Spark {cells.runs / ours[0]:7.1f} runs/s, {ours[1]:6.2f} s of CPU   "
                f"Pool {cells.runs / theirs[0]:7.1f} runs/s, {theirs[1]:6.2f} s of CPU",
                flush=True,
            )
    rate, work = (statistics.median(each) for each in zip(*ratios, strict=True))
    print(f"medians: Spark makes {rate:.2f} of the pool's runs a second, and {work:.2f} of its runs a second of CPU")
    return [
        Result("runs per second, of the pool's", rate, "ratio", 0.9, headline=True),
        Result("runs per second of processor time, of the pool's", work, "ratio"),
    ]


if __name__ == "__main__":
    main()
