"""Sweeps and streams that are killed (-9) at random moments, and continue with the same command.

    .venv/bin/uv run --frozen --group test --group spark python -m tests.benchmarks.killed [SEEDS] [FIRST]

For each seed, a line says when it was killed; afterwards all rows, and all tables of the stream, must be there, each
once, and the same as without a kill. The exit status is 1 if they are not.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.pipeline.killed import followed, swept

SEEDS = 10


def main(count: int = SEEDS, first: int = 1) -> int:
    """Try ``count`` seeds; return how many had another result."""
    wrong = 0
    kinds: dict[str, Callable[[int, Path], str]] = {"sweep": swept, "stream": followed}
    for name, work in kinds.items():
        for seed in range(first, first + count):
            began = time.monotonic()
            with tempfile.TemporaryDirectory(prefix="killed-", ignore_cleanup_errors=True) as folder:
                try:
                    says = work(seed, Path(folder))
                except AssertionError as error:
                    wrong += 1
                    says = f"WRONG: {error}"
            print(f"{name}, seed {seed}: {says} ({time.monotonic() - began:.0f} s)", flush=True)
    print(f"{wrong} of {len(kinds) * count} came to another end")
    return wrong


if __name__ == "__main__":
    sys.exit(1 if main(*map(int, sys.argv[1:])) else 0)
