"""A cache for what takes long to compute, shared by the threads of a server."""

import pickle
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


def memory(value: object) -> int:
    """Estimate the bytes that a value takes. Plain values take some four times as much as when they are pickled."""
    return 4 * len(pickle.dumps(value, pickle.HIGHEST_PROTOCOL))


def _at_once(work: Callable[[], None]) -> None:
    work()


class Cache(Generic[K, V]):
    """Values by key. The first request for a value computes it, and all others wait for that one computation.

    ``most`` bounds the bytes of all values together, as ``size`` measures them: the values requested longest ago are
    dropped. The newest one stays even if it alone is larger. An error goes to everyone who waits, and is not cached.
    ``bytes`` is what all values take now.
    """

    def __init__(self, most: int, size: Callable[[V], int] = memory) -> None:
        self.most = most
        self._size = size
        self._lock = Lock()
        self._futures: OrderedDict[K, Future[V]] = OrderedDict()
        self._sizes: dict[K, int] = {}  # of the computed values only
        self.bytes = 0

    def get(self, key: K, compute: Callable[[], V]) -> V:
        """Return the value of ``key``, which ``compute`` makes if nobody else has. Raises what ``compute`` raises."""
        return self.future(key, compute).result()

    def peek(self, key: K) -> V | None:
        """Return the value of ``key``; None if it is not computed yet."""
        with self._lock:
            if key not in self._sizes:
                return None
            self._futures.move_to_end(key)
            future = self._futures[key]
        return future.result()

    def future(
        self, key: K, compute: Callable[[], V], start: Callable[[Callable[[], None]], None] = _at_once
    ) -> Future[V]:
        """Return the future of a value. If nobody computes it yet, ``start`` is given the computation, to run it now or
        in a thread; what ``start`` raises is the result."""
        with self._lock:
            future = self._futures.get(key)
            if future is not None:
                self._futures.move_to_end(key)
                return future
            future = self._futures[key] = Future()
        try:
            start(lambda: self._compute(key, future, compute))
        except BaseException as error:
            self._fail(key, future, error)
        return future

    def _compute(self, key: K, future: Future[V], compute: Callable[[], V]) -> None:
        try:
            value = compute()
            size = self._size(value)
        except BaseException as error:
            self._fail(key, future, error)
            return
        with self._lock:
            self._sizes[key] = size
            self.bytes += size
            if self.bytes > self.most:
                self._drop(key)
        future.set_result(value)

    def _fail(self, key: K, future: Future[V], error: BaseException) -> None:
        with self._lock:
            del self._futures[key]
        future.set_exception(error)

    def _drop(self, newest: K) -> None:
        """Drop values until the rest is within the bound. The lock is held."""
        for key in [key for key in self._futures if key in self._sizes and key != newest]:
            del self._futures[key]
            self.bytes -= self._sizes.pop(key)
            if self.bytes <= self.most:
                return
