"""How soon the judge tells: the command about one wrong class, and a class of submissions.

.venv/bin/uv run --frozen --group test --group bench python -m tests.benchmarks.verdicts
"""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from app.judge.submissions import rows
from app.judge.suite import FOLDER
from tests.benchmarks.result import Result

TURNS = 5
FILES = 300


def main() -> list[Result]:
    """Measure and print."""
    results = [*_first_verdict(), _class()]
    for result in results:
        print(f"{result.what}: {result.value:.3g} {result.unit}", flush=True)
    return results


def _first_verdict() -> list[Result]:
    """From the start of the command to its end, with a wrong class; beside it, the command that does nothing."""
    command = [str(Path(sys.executable).with_name("bluecut"))]
    wrong = str(FOLDER / "bugs" / "logs_nothing.py")
    told = [_seconds(lambda: _run([*command, "judge", wrong, "--first"])) for _ in range(TURNS)]
    idle = [_seconds(lambda: _run([*command, "--version"])) for _ in range(TURNS)]
    return [
        Result("from Enter to the first verdict on a wrong class", statistics.median(told), "s", 1.0, "less"),
        Result("the same ÷ bluecut --version", statistics.median(told) / statistics.median(idle), "ratio"),
    ]


def _class() -> Result:
    """A class of submissions: right and wrong ones, as many of each, on all cores."""
    given = [*sorted((FOLDER / "right").glob("*.py")), *sorted((FOLDER / "bugs").glob("*.py"))]
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{number}.py" for number in range(FILES)]
        for number, file in enumerate(files):
            file.write_bytes(given[number % len(given)].read_bytes())
        seconds = _seconds(lambda: list(rows(files, 2, "en")))
    return Result(f"a class of {FILES} judged on all cores", seconds, "s", 600, "less", headline=True)


def _seconds(what: Callable[[], object]) -> float:
    began = time.perf_counter()
    what()
    return time.perf_counter() - began


def _run(command: list[str]) -> None:
    subprocess.run(command, capture_output=True, check=False)


if __name__ == "__main__":
    main()
