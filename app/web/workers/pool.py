"""The pool of worker processes: what is asked for several times at once is computed once, and what nobody waits for any
more is stopped together with its process."""

import asyncio
import gc
import multiprocessing
import os
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import forkserver, resource_tracker
from typing import TypeVar

import psutil
from pebble import ProcessExpired, ProcessPool
from starlette.types import ASGIApp

from app.web.workers import worker
from app.web.workers.asked import Answer, Asked
from app.web.workers.fair_line import Crowded, FairLine

T = TypeVar("T")

WORKERS = max(2, min(4, (os.cpu_count() or 2) - 1))
"""How many processes. One client keeps at most all but one of them busy."""

WAITING, SHARE = 64, 24
"""The most requests that wait for a worker, and the most of one client among them."""

PATIENCE, DEADLINE = 30.0, 30.0
"""The most seconds that a request waits for a worker, and that a worker has for it. Then the worker is replaced."""

LEAST = 2.0
"""The seconds that a worker may compute for nobody, its client's place taken: to replace it costs as much. Else who
asks and hangs up several times a second would keep the machine busy with new processes."""

ENDING = 0.2
"""The seconds that the processes may take to end, before they and their source are killed: that takes a few to
start, and whatever waits for it cannot be stopped otherwise."""

_LOST = (TimeoutError, ProcessExpired, BrokenProcessPool)
"""How an answer is lost: it took too long, its worker died, or the pool was closed while it came."""


@dataclass(slots=True)
class _Flight:
    """One computation for all who wait for it. Each client stands in the line for it, in ``turns``; the one whose turn
    comes first has ``begun`` it, and the others leave the line. ``waiting`` counts the requests of each."""

    answer: asyncio.Future[Answer]
    turns: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    waiting: Counter[str] = field(default_factory=Counter)
    begun: str | None = None


class Pool:
    """``make`` makes the application in each worker. The processes start when they are first needed, or by ``warm``."""

    def __init__(self, make: Callable[[], ASGIApp], workers: int, deadline: float = DEADLINE) -> None:
        self.workers = workers
        self.deadline = deadline
        self.line = FairLine(workers, WAITING, SHARE, PATIENCE)
        self._make = make
        self._pool: ProcessPool | None = None
        self._closed = False
        self._changing = threading.Lock()
        self._flights: dict[Asked, _Flight] = {}

    def warm(self) -> None:
        """Start the processes, and wait until one is ready, or the pool is closed."""
        try:
            self._schedule(worker.ready).result()
        except (RuntimeError, BrokenProcessPool):
            if not self._closed:
                raise

    @property
    def alive(self) -> bool:
        """Are there processes that can answer?"""
        return self._pool is not None and bool(self._pool.active)

    def close(self) -> None:
        """End the processes at once, for good."""
        self._closed = True
        self._soon(lambda seconds: self._changing.acquire(timeout=seconds))
        try:
            self._end()
        finally:
            self._changing.release()

    def _end(self) -> None:
        """End the processes, if there are any."""
        if self._pool is not None:
            self._pool.stop()  # type: ignore[no-untyped-call]
            over = threading.Event()
            threading.Thread(target=_join, args=(self._pool, over), daemon=True, name="ending").start()
            self._soon(over.wait)
            self._pool = None
            _begun.discard(self)
            gc.collect()  # else the locks that it shared are reported as left behind

    def _soon(self, done: Callable[[float], bool]) -> None:
        """Wait until something is done that is given seconds at a time; see ENDING. Where another pool has processes of
        the same source, as long as it takes. Of a process that has only begun the pool does not know: it would miss the
        locks that go with the pool, and complain."""
        while not done(ENDING):
            server: int | None = forkserver._forkserver._forkserver_pid  # type: ignore[attr-defined]
            if server is not None and not _begun - {self}:
                with suppress(psutil.NoSuchProcess):
                    source = psutil.Process(server)
                    source.suspend()  # it forks no more
                    for each in (*source.children(), source):
                        with suppress(psutil.NoSuchProcess):
                            each.kill()

    async def answer(self, asked: Asked, client: str) -> Answer:
        """Return the answer of a worker. Raises Crowded if there is no room, or the answer took too long. When everyone
        who waits for an answer is cancelled, it is computed no further."""
        flight = self._flights.get(asked)
        if flight is None:
            flight = self._flights[asked] = _Flight(asyncio.get_running_loop().create_future())
        turn = flight.turns.get(client)
        if flight.begun is None and (turn is None or turn.done()):
            turn = flight.turns[client] = asyncio.create_task(self._computed(flight, asked, client))
        flight.waiting[client] += 1
        try:
            if turn is not None:
                await asyncio.wait((turn, flight.answer), return_when=asyncio.FIRST_COMPLETED)
                if flight.begun is None:
                    turn.result()  # it is this client that found no room
            return await asyncio.shield(flight.answer)
        finally:
            self._left(flight, asked, client)

    def _left(self, flight: _Flight, asked: Asked, client: str) -> None:
        """Count one less who waits. Nobody stands in line, and nothing is computed, for nobody."""
        flight.waiting[client] -= 1
        if not flight.waiting[client]:
            del flight.waiting[client]
            if client != flight.begun and (turn := flight.turns.pop(client, None)) is not None:
                turn.cancel()
        if not flight.waiting:
            self._landed(asked, flight)  # who comes later begins anew
            for turn in flight.turns.values():
                turn.cancel()

    def _landed(self, asked: Asked, flight: _Flight) -> None:
        """Forget a computation."""
        if self._flights.get(asked) is flight:
            del self._flights[asked]

    async def _computed(self, flight: _Flight, asked: Asked, client: str) -> None:
        async with self.line.place(client):
            flight.begun = client
            for other, turn in flight.turns.items():
                if other != client:
                    turn.cancel()
            try:
                flight.answer.set_result(await self._made(worker.answer, asked))
            except Exception as error:  # those who wait raise it
                flight.answer.set_exception(error)
            finally:
                self._landed(asked, flight)

    async def call(self, client: str, function: Callable[..., T], *given: object) -> T:
        """Return what a worker computes for a client. Raises Crowded if there is no room, or it takes too long."""
        async with self.line.place(client):
            return await self._made(function, *given)

    async def _made(self, function: Callable[..., T], *given: object) -> T:
        """Return what a worker computes. Raises Crowded if it takes too long or dies."""
        begun = asyncio.get_running_loop().time()
        try:
            made = asyncio.wrap_future(self._schedule(function, *given))
            return await asyncio.shield(made)
        except _LOST:
            raise Crowded(mine=False) from None
        except asyncio.CancelledError:
            with suppress(*_LOST):
                async with asyncio.timeout_at(begun + LEAST):
                    await made
            raise

    def _schedule(self, function: Callable[..., T], *given: object) -> Future[T]:
        """Let a worker call a function. A pool that has lost all its processes is replaced."""
        try:
            return self._running().schedule(function, given, timeout=self.deadline)
        except (RuntimeError, BrokenProcessPool):
            if self._closed:
                raise
            with self._changing:
                self._end()
            return self._running().schedule(function, given, timeout=self.deadline)

    def _running(self) -> ProcessPool:
        """Return the pool. Its processes are forked from one that has imported everything and has no threads. Raises
        BrokenProcessPool if it was closed."""
        with self._changing:
            if self._closed:
                raise BrokenProcessPool
            if self._pool is None:
                _begun.add(self)
                ways = multiprocessing.get_all_start_methods()
                context = multiprocessing.get_context("forkserver" if "forkserver" in ways else "spawn")
                context.set_forkserver_preload(["app.web.app"])
                make = (self._make,)
                self._pool = ProcessPool(self.workers, initializer=worker.begin, initargs=make, context=context)
                with _undisturbed():
                    _ = self._pool.active  # the property starts it
            return self._pool


_begun = set[Pool]()
"""The pools that have processes: all are forked from one."""


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Let the processes that are started meanwhile not hear Ctrl-C, which a terminal tells all: the first one, which
    does, ends the others."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    resource_tracker.ensure_running()  # to start it would let them hear again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _join(pool: ProcessPool, over: threading.Event) -> None:
    """Wait until all processes of a pool have ended, and say so."""
    try:
        pool.join()
    finally:
        over.set()
