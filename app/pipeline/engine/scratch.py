"""The temporary folder of a process that runs Spark, and those that killed ones have left behind.

``owner`` in the folder is locked by the process as long as it lives, and by nobody afterwards, however it ended; so
whether it lives needs no belief in a process id that may be another's by now. Who starts takes away the folders of its
own user that nobody owns any more. A folder without ``owner`` is being made, and is left alone.
"""

import atexit
import fcntl
import os
import shutil
import stat
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

PREFIX = "bluecut-spark-"
OWNER = "owner"
JAVA = "java"
"""Where the JVM unpacks its native libraries, which one that is killed leaves behind, too."""

LATE = 50
"""Tenths of a second that the JVM has to leave a folder alone."""


@cache
def scratch() -> Path:
    """The temporary folder of this process: its JVM goes on using that of its first session. Removed at the end."""
    clear(Path(tempfile.gettempdir()))
    folder, _ = owned()
    atexit.register(remove, folder)
    return folder


def owned() -> tuple[Path, int]:
    """A new folder, and its owner's file, which is to stay open as long as the folder is used."""
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    (folder / JAVA).mkdir()
    made = folder / f".{OWNER}"
    file = os.open(made, os.O_RDWR | os.O_CREAT, 0o600)
    with suppress(OSError):  # some file systems have no locks; then nobody takes the folder for one that is left
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        made.rename(folder / OWNER)  # locked before it has its name: nobody ever sees it without
    return folder, file


def clear(temporary: Path) -> None:
    """Take away the folders of processes of this user that have ended without doing so."""
    for folder in temporary.glob(f"{PREFIX}*"):
        with suppress(OSError):
            seen = folder.lstat()
            if stat.S_ISDIR(seen.st_mode) and seen.st_uid == os.getuid():
                left(folder)


def left(folder: Path) -> None:
    """Take a folder away unless its owner lives, or somebody else is at it. The lock goes last: while anything is left,
    the next one sees whose it was. Raises OSError where its owner cannot be asked."""
    with (folder / OWNER).open("r+") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        for entry in folder.iterdir():
            if entry.name != OWNER:
                shutil.rmtree(entry, ignore_errors=True) if entry.is_dir() else entry.unlink()
        if [entry.name for entry in folder.iterdir()] == [OWNER]:
            (folder / OWNER).unlink()
            folder.rmdir()


def remove(folder: Path) -> None:
    """Remove a folder in which the JVM may be tidying up still."""
    for _ in range(LATE):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(0.1)
