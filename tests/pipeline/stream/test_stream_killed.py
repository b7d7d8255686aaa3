"""The stream is killed at moments that a seed chooses, again and again: its tables come out as if it had not been."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from app.pipeline.stream.followed import committed, found
from tests.pipeline import made
from tests.pipeline.stream.test_stream import same

FILES = 5
"""How many files a micro-batch reads."""

CODE = f"""
import sys
from pathlib import Path
from app.pipeline.engine.session import session
from app.pipeline.stream.stream import follow
with session("local[1]", "killed", shuffle=2, brief=True) as spark:
    follow(spark, Path(sys.argv[1]), once=True, files={FILES})
"""

PATIENCE = 400.0
"""Seconds until a process that does nothing is given up."""


def started(directory: Path) -> subprocess.Popen[bytes]:
    """The stream at work; what it would leave in the temporary folder when it is killed goes with the test."""
    temporary = directory.parent / "temporary"
    temporary.mkdir(exist_ok=True)
    return subprocess.Popen(
        [sys.executable, "-c", CODE, str(directory)],
        env=os.environ | {"TMPDIR": str(temporary)},
        start_new_session=True,
        stdout=subprocess.DEVNULL,
    )


def planned(directory: Path) -> int:
    """The last micro-batch that the offset log has, -1 where it has none."""
    logs = directory / "stream" / "checkpoint" / "offsets"
    return max((int(path.name) for path in logs.glob("*") if path.name.isdigit()), default=-1)


def killed(process: subprocess.Popen[bytes], directory: Path, draw: Random, *, alone: bool) -> bool:
    """Wait until the process has planned one or two micro-batches more, and a moment longer, and kill it with all that
    it started, or ``alone``, so that its JVM finds out by itself. False where it has come to its end before."""
    wanted, end = planned(directory) + draw.randint(1, 2), time.monotonic() + PATIENCE
    while planned(directory) < wanted and process.poll() is None and time.monotonic() < end:
        time.sleep(0.01)
    time.sleep(draw.random() * 1.5)
    if process.poll() is not None:
        return False
    if alone:
        process.kill()
    else:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return True


def gone(group: int) -> None:
    """Wait until nothing of a process that was killed runs any more."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    raise TimeoutError(group)


@pytest.mark.parametrize("seed", [1985])
def test_killed_again_and_again_it_finds_what_it_would_have_found(seed: int, tmp_path: Path) -> None:
    directory, traces, draw = made.planned(tmp_path / "sweep", 12, 4), made.runs(12), Random(seed)
    for number in range(3):
        made.written(directory, number, traces[4 * number : 4 * number + 4], parts=2)
    kills = 0
    for place in range(2):
        process = started(directory)
        kills += killed(process, directory, draw, alone=place % 2 == 1)
        gone(process.pid)
    assert kills >= 1
    assert started(directory).wait(PATIENCE) == 0
    assert committed(directory) >= 5
    same(found(directory), traces)
