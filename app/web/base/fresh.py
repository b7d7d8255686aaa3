"""What has to be looked up on the disk for every request, and is rather looked up beside them."""

import asyncio
import time
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")

APART = 0.25
"""The seconds between two looks while a server is asked for something."""

LASTS = 2.0
"""The seconds that a server goes on looking after it was last asked, and that what it found counts if the machine is so
busy that a look takes long."""


class Fresh(Generic[T]):
    """What ``look`` finds, at most ``lasts`` seconds ago.

    A look at some hundred files takes two milliseconds, and as many tenths of a second while another thread computes:
    at every file it waits for the interpreter. So whoever serves runs ``kept``: then no request waits for a look, and
    what it gets is a quarter of a second and a look old.
    """

    def __init__(self, look: Callable[[], T], lasts: float = 0.0) -> None:
        self._look, self._lasts = look, lasts
        self._found: tuple[float, T] | None = None
        self._asked = 0.0

    def __call__(self) -> T:
        """Return what was found last, or look if that was too long ago."""
        now = self._asked = time.monotonic()
        found = self._found
        return found[1] if found is not None and now < found[0] else self._seen(self._lasts)

    def _seen(self, lasts: float) -> T:
        began = time.monotonic()
        value = self._look()
        self._found = began + lasts, value
        return value

    async def kept(self) -> None:
        """Look again and again, in a thread, as long as somebody asks."""
        try:
            while True:
                await asyncio.sleep(APART)
                if time.monotonic() - self._asked < LASTS:
                    await asyncio.to_thread(self._seen, LASTS)
                else:
                    self._found = None
        finally:
            self._found = None
