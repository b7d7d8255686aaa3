"""One command at a time: each that makes rows, or results beside them, holds the lock of their folder meanwhile.

Commands that verify or measure write under fixed names; two at once would mix their results.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from app.core.model.values import BluecutError
from app.locks import held

LOCK = "lock"
"""The file in the folder."""

PATIENCE = 0.1
"""Seconds for which the lock is tried: even asking whether a command is at work holds it for a moment."""


def locked(directory: Path) -> AbstractContextManager[None]:
    """Keep other commands from sweeping into, verifying or measuring the folder meanwhile. Make the folder if it does
    not exist. A process that dies releases the lock.

    Raises BluecutError if another command is at work there.
    """
    busy = BluecutError("{file}: another bluecut command is at work here; wait for its end", file=directory)
    return exclusive(directory, busy)


@contextmanager
def exclusive(directory: Path, busy: BluecutError) -> Iterator[None]:
    """Hold the lock of a folder, which is made if it does not exist. Raises ``busy`` if another process has it."""
    # A soft lock would outlive a process that dies.
    lock = FileLock(directory / LOCK, timeout=PATIENCE, fallback_to_soft=False)
    try:
        directory.mkdir(parents=True, exist_ok=True)
        holding = lock.acquire()
    except Timeout:
        raise busy from None
    except OSError as error:
        raise BluecutError("{file}: cannot be written: {reason}", file=directory, reason=str(error.strerror)) from None
    with holding:
        yield


def at_work(directory: Path) -> bool:
    """Is a command sweeping into the folder, verifying or measuring it?"""
    return held(directory / LOCK)
