"""Waiting for what other processes and threads do."""

import time
from collections.abc import Callable

PATIENCE = 300.0
"""Seconds after which a process counts as hung, however busy the machine is."""


def until(true: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait for something to be true. Raises AssertionError if it never is."""
    late = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < late, "that took too long"
        time.sleep(0.02)
