"""Measure this tree and another revision of it in turns, in processor time.

    .venv/bin/uv run --frozen --group test python -m tests.benchmarks --against REVISION

Each tree is measured by its own lanes, which know where its modules are. Exits with 1 where a lane has become slower by
more than ``MOST``; a lane that the other tree has not, or cannot run, is named and not compared.
"""

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.lanes import LANES

ROOT = Path(__file__).parents[2]
ROUNDS = 5
MOST = 1.1
"""How much longer a lane may take, as a ratio."""


def microseconds(tree: Path, lane: str) -> float:
    """Return the processor time of a lane in a tree, a step, state or page. Raises CalledProcessError if the tree does
    not have that lane, or cannot run it."""
    command = [sys.executable, "-P", str(tree / "tests" / "benchmarks" / "lanes.py"), lane]
    variables = {**os.environ, "PYTHONPATH": str(tree)}
    return float(subprocess.run(command, cwd=tree, env=variables, check=True, capture_output=True, text=True).stdout)


def measurable(tree: Path, lane: str) -> bool:
    """Can a lane be measured in a tree?"""
    try:
        return microseconds(tree, lane) > 0
    except subprocess.CalledProcessError as error:
        print((error.stderr or "").strip()[-300:], file=sys.stderr)
        return False


def compare(other: Path, rounds: int = ROUNDS) -> bool:
    """Print a table of both trees, and return whether lanes were compared and none has become much slower."""
    good, compared = True, 0
    print(f"{'µs of processor time':<33} {'before':>10} {'now':>10} {'ratio':>6}")
    for lane in LANES:
        if not measurable(other, lane):
            print(f"{lane:<33} cannot be measured there", flush=True)
            continue
        compared += 1
        pairs = [(microseconds(other, lane), microseconds(ROOT, lane)) for _ in range(rounds)]
        before, now = (statistics.median(each) for each in zip(*pairs, strict=True))
        ratio = statistics.median(now / before for before, now in pairs)
        good = good and ratio <= MOST
        print(
            f"{lane:<33} {before:>10,.1f} {now:>10,.1f} {ratio:>6.2f}{'  slower' if ratio > MOST else ''}", flush=True
        )
    return good and compared > 0


def main(revision: str) -> int:
    """Compare this tree with a revision, in a folder that is removed afterwards. Return 1 if a lane is slower."""
    with tempfile.TemporaryDirectory() as folder:
        other = Path(folder) / "other"
        subprocess.run(
            ["git", "worktree", "add", "--detach", other, revision], cwd=ROOT, check=True, capture_output=True
        )
        try:
            return int(not compare(other))
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", other], cwd=ROOT, check=True, capture_output=True)
