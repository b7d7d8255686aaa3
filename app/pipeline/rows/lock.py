"""One at a time: whoever makes rows, or something of them beside them, holds the lock of their folder meanwhile.

Commands that verify or measure write below fixed names; two of them at once would put their halves together.
"""

import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.core.model import BluecutError

LOCK = "lock"
"""The file in the folder."""

CHANCES = 3
"""How often the lock is tried: whoever only asks whether somebody is at work holds it for a moment, too."""


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Nobody else sweeps into the folder, verifies or measures it meanwhile. The folder is made where there is none.
    Who dies lets go.

    Raises BluecutError where somebody does.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
        file = (directory / LOCK).open("a")
    except OSError as error:
        raise BluecutError("{file}: cannot be written: {reason}", file=directory, reason=str(error.strerror)) from None
    with file:
        for chance in reversed(range(CHANCES)):
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if not chance:
                    raise busy(directory) from None
                time.sleep(0.05)
        yield


def busy(directory: Path) -> BluecutError:
    """Why nobody else can work in the folder now."""
    return BluecutError("{file}: another bluecut command is at work here; wait for its end", file=directory)


def at_work(directory: Path) -> bool:
    """Does somebody sweep into the folder, verify or measure it?"""
    try:
        file = (directory / LOCK).open()
    except OSError:
        return False
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False
