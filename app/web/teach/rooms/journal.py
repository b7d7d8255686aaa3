"""Rooms on the disk: one SQLite file, written by one thread.

What is written while the thread is busy goes into its next transaction, so a hundred votes in one instant are one
write. Each is acknowledged when it is on the disk, as in ``app.web.base.store``; a server that is killed loses nothing
that it has acknowledged. If the file is lost under the running server, all that it knows is written into a new one.
"""

import asyncio
import logging
import queue
import sqlite3
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from pathlib import Path
from typing import TypeAlias

from app.web.base.store import Unkept
from app.web.teach.rooms.rows import TABLES, Row, Statement
from app.web.workers.fair_line import end_turn

FILE = "rooms.sqlite3"
PATIENCE = 10.0
"""Seconds that a transaction waits for another process."""
TOGETHER = 1_000
"""The most writes in one transaction."""

_Job: TypeAlias = tuple[tuple[Statement, ...], asyncio.AbstractEventLoop, "asyncio.Future[None]"]

logger = logging.getLogger("bluecut")


class Journal:
    """The file. It is made with the first room; ``whole`` returns what belongs into a new one, and is called on the
    event loop."""

    def __init__(self, folder: Path, whole: Callable[[], list[Statement]] = list) -> None:
        self.file = folder / FILE
        self._whole = whole
        self._known: tuple[int, int] | None = None
        self._fails = False
        self._jobs: queue.SimpleQueue[_Job] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def rows(self, statement: str) -> list[Row]:
        """Return what a query finds; nothing if there is no file, or none that can be read."""
        if not self.file.is_file():
            return []
        try:
            base = self._open()
            try:
                found = base.execute(statement).fetchall()
                self._known = self._known or self._there()
                return found
            finally:
                base.close()
        except sqlite3.Error as error:
            logger.warning("cannot read %s: %s", self.file, error)
            return []

    async def write(self, *statements: Statement) -> None:
        """Write, and return when it is on the disk. Raises Unkept if it cannot be written."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="rooms", daemon=True)
            self._thread.start()
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self._jobs.put((statements, loop, done))
        end_turn()
        await done

    def _open(self) -> sqlite3.Connection:
        base = sqlite3.connect(self.file, timeout=PATIENCE, isolation_level=None)
        try:
            base.execute("PRAGMA journal_mode=WAL")
            base.execute("PRAGMA synchronous=FULL")
            base.executescript(TABLES)
        except sqlite3.Error:
            base.close()
            raise
        return base

    def _work(self) -> None:
        """Write what has come, again and again."""
        base: sqlite3.Connection | None = None
        while True:
            jobs = [self._jobs.get()]
            while not self._jobs.empty() and len(jobs) < TOGETHER:
                jobs.append(self._jobs.get())
            try:
                if base is not None and self._there() != self._known:
                    base.close()
                    base = None
                if base is None:
                    self._known = self._known if self._there() else None  # a new file may get the number of the old one
                    self.file.parent.mkdir(parents=True, exist_ok=True)
                    base = self._open()
                self._commit(base, [one for statements, _, _ in jobs for one in statements], jobs[0][1])
            except Exception as error:  # whatever it is, this thread goes on: nobody else writes
                if base is not None:
                    base.close()
                base = self._known = None
                self._say(error)
                _tell(jobs, Unkept("rooms need a data folder ($BLUECUT_DATA) that can be written; this one cannot now"))
            else:
                self._say(None)
                _tell(jobs, None)

    def _commit(self, base: sqlite3.Connection, new: list[Statement], loop: asyncio.AbstractEventLoop) -> None:
        """Write; into another file than before, all that is known first."""
        there = self._there()
        if there != self._known:
            told = Future[list[Statement]]()
            loop.call_soon_threadsafe(lambda: told.set_result(self._whole()))
            new = [*told.result(PATIENCE), *new]
        _commit(base, new)
        self._known = there

    def _there(self) -> tuple[int, int] | None:
        """Return which file has the name; None if there is none. A file that is open keeps its number for itself."""
        try:
            found = self.file.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _say(self, error: Exception | None) -> None:
        """Log the first error of several, and that they are over."""
        if error is not None and not self._fails:
            logger.warning("cannot write %s: %s", self.file, error)
        elif error is None and self._fails:
            logger.warning("can write %s again", self.file)
        self._fails = error is not None


def _commit(base: sqlite3.Connection, statements: Iterable[Statement]) -> None:
    base.execute("BEGIN IMMEDIATE")
    try:
        for text, values in statements:
            base.execute(text, values)
    except sqlite3.Error:
        base.execute("ROLLBACK")
        raise
    base.execute("COMMIT")


def _tell(jobs: Iterable[_Job], error: Exception | None) -> None:
    """Let those who wait go on."""
    for _, loop, done in jobs:
        try:
            loop.call_soon_threadsafe(_settle, done, error)
        except RuntimeError:  # the loop has ended, and nobody waits
            continue


def _settle(done: "asyncio.Future[None]", error: Exception | None) -> None:
    if done.done():
        return
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(error)
