"""A cache of what takes long to make."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

V = TypeVar("V")


class Latest(Generic[V]):
    """The latest values made, ``most`` at most. Threads may share it; two that want the same value both make it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = Lock()
        self._known: OrderedDict[Hashable, V] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], V]) -> V:
        """Return the value of ``key``; make it if it is not known."""
        with self._lock:
            if key in self._known:
                return self._known[key]
        value = make()
        with self._lock:
            self._known[key] = value
            while len(self._known) > self._most:
                self._known.popitem(last=False)
        return value
