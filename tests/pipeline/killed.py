"""A sweep, and a stream, that are killed at random moments, and then continue with the same command.

``python -m tests.benchmarks.killed`` does this for many seeds; the tests for one each.
"""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pyarrow.parquet as pq

from app.pipeline.rows.from_run import Rows
from app.pipeline.rows.schema import KINDS
from app.pipeline.stream.results import committed, found
from app.pipeline.sweep.grid import grid, place
from app.pipeline.sweep.manifest import complete_batches, manifest
from app.pipeline.sweep.progress import read
from app.pipeline.sweep.spec import load_spec
from app.pipeline.sweep.task import traced
from tests.pipeline import made
from tests.until import members, until

ROOT = Path(__file__).parents[2]
SPEC = """
parts:
  - scenarios: [token-late]
  - {topologies: [ring], sizes: [3], algorithms: [chandy-lamport, late-marker], moves: 4, intervals: [4], seeds: 4}
  - {topologies: [join], sizes: [6], programs: [dataflow], algorithms: [aligned], moves: 6, crashes: 200, seeds: 2}
"""
RUNS = 11

PATIENCE = 600.0
"""Seconds after which a process counts as hung, however busy the machine is."""

START = 8.0
"""About how many seconds a command takes until its first batch is complete."""


def complaints(err: str) -> str:
    """Return what a sweep says on stderr, without the progress that it reports if it takes long."""
    told = re.compile(r"(verifying|measuring|[a-zA-Z ]+: (part )?\d+ of \d+)\n")
    return "".join(line for line in err.splitlines(keepends=True) if not told.fullmatch(line))


@contextmanager
def started(
    folder: Path, *arguments: str, command: tuple[str, ...] = ("-c", "from app.cli.main import main; main()")
) -> Iterator["subprocess.Popen[str]"]:
    """Run a command that leads its process group, with a temporary folder that goes with the test; end it at the
    end."""
    (folder / "temporary").mkdir(exist_ok=True)
    process = subprocess.Popen(
        [sys.executable, *command, *arguments],
        cwd=ROOT,
        env=os.environ | {"TMPDIR": str(folder / "temporary")},
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def sweeping(folder: Path, master: str = "local[2]") -> tuple[str, ...]:
    """Return the arguments of a sweep in batches of one run."""
    (folder / "my.yaml").write_text(SPEC, "utf-8")
    command = ("sweep", str(folder / "my.yaml"), "-o", str(folder / "out"))
    return (*command, "--master", master, "--brief", "--batch", "1")


def written(directory: Path) -> Rows:
    """Return all rows of a folder by kind, in the order of their runs; those of a run as they are in its file."""
    found: Rows = {}
    for kind in KINDS:
        files = sorted(directory.glob(f"rows/batch=*/kind={kind}/*.parquet"))
        rows = [row for file in files for row in pq.ParquetFile(file).read(list(KINDS[kind])).to_pylist()]
        found[kind] = sorted(rows, key=lambda row: int(row["run"]))
    return found


def wanted() -> Rows:
    """Return all rows of the sweep, as its runs have them."""
    cells = grid(load_spec(SPEC, "my.yaml")).cells
    traces = [traced(cells[place(cells, run)], run) for run in range(RUNS)]
    return {
        kind: [{name: row.get(name) for name in KINDS[kind]} for one in traces for row in one[kind]] for kind in KINDS
    }


def kill(process: "subprocess.Popen[str]", *, alone: bool) -> None:
    """Kill a process with its whole group, or ``alone``, so that its JVM notices on its own."""
    if alone:
        process.kill()
    else:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def gone(group: int) -> None:
    """Wait until no process of a group is running."""
    until(lambda: not members(group))


def swept(seed: int, folder: Path) -> str:
    """Kill a sweep at a random moment, right after its start or after some batches, and let it continue while the JVM
    of the killed one may still be running. Return when it was killed. Raises AssertionError if its result differs."""
    draw = Random(seed)
    batches, alone = draw.choice((0, 0, *range(1, RUNS))), draw.random() < 0.5
    later = draw.uniform(0, START if not batches else 1.0)
    arguments = sweeping(folder)
    with started(folder, *arguments) as process:
        end = time.monotonic() + PATIENCE
        while len(complete_batches(folder / "out")) < batches and process.poll() is None and time.monotonic() < end:
            time.sleep(0.005)
        time.sleep(later)
        hit = process.poll() is None
        kill(process, alone=alone) if hit else None
    there = len(complete_batches(folder / "out"))
    with started(folder, *arguments) as process:
        _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, complaints(err)) == (0, ""), err
    assert manifest(folder / "out").complete
    assert written(folder / "out") == wanted()
    names = {path.name for path in (folder / "out").iterdir() if not path.name.startswith(".")}
    assert names == {"lock", "manifest.json", "progress.json", "rows", "sweep.json"}
    now = read(folder / "out")
    assert now is not None and (now.stage, now.done) == ("done", RUNS)
    assert list((folder / "temporary").glob("bluecut-spark-*")) == []
    who = "the process alone" if alone else "all of its group"
    return f"{who}, {later:.2f} s after batch {batches}: {there} of {RUNS} were there" if hit else "it was over before"


FILES = 5
"""How many files a micro-batch reads."""

FOLLOW = f"""
import sys
from pathlib import Path
from app.pipeline.engine.session import session
from app.pipeline.stream.stream import follow
with session("local[1]", "killed", shuffle=2, brief=True) as spark:
    follow(spark, Path(sys.argv[1]), once=True, files={FILES})
"""


def offered(directory: Path) -> int:
    """Return the last micro-batch in the offset log, -1 if there is none."""
    logs = directory / "stream" / "checkpoint" / "offsets"
    return max((int(path.name) for path in logs.glob("*") if path.name.isdigit()), default=-1)


def followed(seed: int, folder: Path) -> str:
    """Kill a stream once or twice, some time after it has planned another micro-batch, and let it continue. Return when
    it was killed. Raises AssertionError if its tables are not those of all rows, each row once."""
    draw = Random(seed)
    directory, traces = made.planned(folder / "sweep", 12, 4), made.runs(12)
    for number in range(3):
        made.written(directory, number, traces[4 * number : 4 * number + 4], parts=2)
    told: list[str] = []
    for _ in range(draw.randint(1, 2)):
        more, later, alone = draw.randint(1, 2), draw.random() * 1.5, draw.random() < 0.5
        with started(folder, str(directory), command=("-c", FOLLOW)) as process:
            end, until = time.monotonic() + PATIENCE, offered(directory) + more
            while offered(directory) < until and process.poll() is None and time.monotonic() < end:
                time.sleep(0.01)
            time.sleep(later)
            if process.poll() is None:
                kill(process, alone=alone)
                told.append(f"micro-batch {offered(directory)} planned, {committed(directory)} done")
        gone(process.pid)
    with started(folder, str(directory), command=("-c", FOLLOW)) as process:
        _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, ""), err
    assert committed(directory) >= 5
    made.same(found(directory), traces)
    assert list((folder / "temporary").glob("bluecut-spark-*")) == []
    return "; ".join(told) or "it was over before"
