"""One command at a time: each that makes rows, or results beside them, holds the lock of their folder meanwhile.

Commands that verify or measure write under fixed names; two at once would mix their results.
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
"""How often the lock is tried: even asking whether a command is at work holds it for a moment."""


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Keep other commands from sweeping into, verifying or measuring the folder meanwhile. Make the folder if it does
    not exist. A process that dies releases the lock.

    Raises BluecutError if another command is at work there.
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
    """Return why no other command can work in the folder now."""
    return BluecutError("{file}: another bluecut command is at work here; wait for its end", file=directory)


def at_work(directory: Path) -> bool:
    """Is a command sweeping into the folder, verifying or measuring it?"""
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
