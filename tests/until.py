"""Waiting for what other processes and threads do."""

import os
import time
from collections.abc import Callable
from contextlib import suppress

import psutil

PATIENCE = 150.0
"""Seconds after which a process counts as hung, however busy the machine is."""


def until(true: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait for something to be true. Raises AssertionError if it never is."""
    late = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < late, "that took too long"
        time.sleep(0.02)


def lives(process: int) -> bool:
    """Is there a process with this id that has not ended? A zombie has."""
    try:
        return psutil.Process(process).status() not in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
    except psutil.NoSuchProcess:
        return False


def members(group: int) -> list[int]:
    """Return the processes of a group that have not ended. Zombies have, where nothing collects them."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error, ProcessLookupError):
            if os.getpgid(process.pid) == group and lives(process.pid):
                found.append(process.pid)
    return found
