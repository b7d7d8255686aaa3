"""The temporary folder of a process that runs Spark, and the folders that killed processes left behind.

The process locks ``owner`` in the folder while it runs; the lock is free afterwards, however the process ended. So
nothing depends on a process id, which may belong to another process by now. At its start, a process removes its user's
folders that have no owner any more. A folder without ``owner`` is still being made, and is left alone.
"""

import atexit
import os
import shutil
import stat
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

from filelock import lock_descriptor

PREFIX = "bluecut-spark-"
OWNER = "owner"
JAVA = "java"
"""Where the JVM unpacks its native libraries, which a killed JVM leaves behind, too."""

LATE = 50
"""How many tenths of a second the JVM may still use a folder."""


@cache
def scratch() -> Path:
    """Return this process's temporary folder, removed at its end: its JVM keeps using that of its first session."""
    clear(Path(tempfile.gettempdir()))
    folder, _ = owned()
    atexit.register(_remove, folder)
    return folder


def owned() -> tuple[Path, int]:
    """Return a new folder, and its owner's file, which must stay open while the folder is in use."""
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    (folder / JAVA).mkdir()
    made = folder / f".{OWNER}"
    file = os.open(made, os.O_RDWR | os.O_CREAT, 0o600)
    with suppress(OSError):  # some file systems have no locks; there no process takes the folder for an abandoned one
        lock_descriptor(file, blocking=False)
        made.rename(folder / OWNER)  # locked before it gets its name, so no process sees it unlocked
    return folder, file


def clear(temporary: Path) -> None:
    """Remove the folders of this user's processes that ended without removing them."""
    for folder in temporary.glob(f"{PREFIX}*"):
        with suppress(OSError):
            seen = folder.lstat()
            if stat.S_ISDIR(seen.st_mode) and seen.st_uid == os.getuid():
                _left(folder)


def _left(folder: Path) -> None:
    """Remove a folder unless its owner is running, or another process is removing it. The lock goes last: while
    anything is left, the next process sees whose it was. Raises OSError if its owner cannot be determined."""
    with (folder / OWNER).open("r+") as file:
        if not lock_descriptor(file.fileno(), blocking=False):
            return
        for entry in folder.iterdir():
            if entry.name != OWNER:
                shutil.rmtree(entry, ignore_errors=True) if entry.is_dir() else entry.unlink()
        if [entry.name for entry in folder.iterdir()] == [OWNER]:
            (folder / OWNER).unlink()
            folder.rmdir()


def _remove(folder: Path) -> None:
    """Remove a folder in which the JVM may still be tidying up."""
    for _ in range(LATE):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(0.1)
