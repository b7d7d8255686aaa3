"""How often something may happen in a stretch of time. Who did it is never written down."""

import threading
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any


class Quota:
    """Counts by name what happens in the present stretch of ``seconds``, for several threads at once."""

    def __init__(self, seconds: int, clock: Callable[[], float]) -> None:
        self._seconds, self._clock = seconds, clock
        self._stretch, self._counts = 0, Counter[str]()
        self._counting = threading.Lock()

    @property
    def left(self) -> int:
        """How many seconds of the present stretch are left, at least one."""
        return self._seconds - int(self._clock() % self._seconds)

    def spent(self, most: int, name: str = "") -> bool:
        """Count once more. Was that more than ``most``?"""
        with self._counting:
            self._turn()
            self._counts[name] += 1
            return self._counts[name] > most

    def reached(self, most: int, name: str = "") -> bool:
        """Have there been so many already?"""
        with self._counting:
            self._turn()
            return self._counts[name] >= most

    def _turn(self) -> None:
        stretch = int(self._clock() // self._seconds)
        if stretch != self._stretch:
            self._stretch, self._counts = stretch, Counter()


def client_of(asked: Mapping[str, Any]) -> str:
    """Return the address from which something is asked, by its scope or request: for the server, that is who asks."""
    client = asked.get("client")
    return str(client[0]) if client else ""
