"""The shared scenarios that are too large for a link: one SQLite file, content-addressed, never changed.

A text is stored under the hash of its content, so the same scenario has the same id everywhere, and saving it twice
stores it once. A save is acknowledged only once it is on the disk: SQLite's write-ahead log with ``synchronous=FULL``,
one transaction per save. A killed process loses at most an unacknowledged save.
"""

import logging
import os
import re
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.core.model.values import BluecutError
from app.scenario.library import Unknown
from app.wire.scenario_link import hashed

MOST = 10_000
"""The most scenarios on one server; then it refuses new ones. Nothing is ever deleted."""

PATIENCE = 10.0
"""Seconds that a save waits for another one."""

ID = re.compile(r"x-[0-9a-f]{20}")
FILE = "scenarios.sqlite3"

SWITCHING = threading.Lock()

logger = logging.getLogger("bluecut")


class Missing(Unknown):
    """There is no scenario with an id."""


class Unkept(BluecutError):
    """A scenario could not be saved; the text says why and what still works."""


def folder_of_data() -> Path:
    """Return the folder of the server's data: ``$BLUECUT_DATA``, or the user's default data folder."""
    if named := os.environ.get("BLUECUT_DATA"):
        return Path(named)
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "bluecut"


def address(text: str) -> str:
    """Return the id of a text."""
    return "x-" + hashed(text)


class Store:
    """Texts by their ids. The first save makes the folder; until then nothing is written."""

    def __init__(self, folder: Path | None = None, *, most: int = MOST) -> None:
        self.file = (folder or folder_of_data()) / FILE
        self.most = most

    def save(self, text: str) -> str:
        """Store ``text`` and return its id. Raises Unkept if the disk or the limit refuses."""
        name = address(text)
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with self.open() as base:
                base.execute("BEGIN IMMEDIATE")
                known = base.execute("SELECT 1 FROM scenario WHERE id = ?", (name,)).fetchone()
                if not known and self.count(base) >= self.most:
                    base.execute("ROLLBACK")
                    raise Unkept(
                        "this server keeps {most:,} shared scenarios and has no room for more; "
                        "a smaller scenario travels inside its link and needs no room",
                        most=self.most,
                    )
                base.execute("INSERT OR IGNORE INTO scenario (id, text) VALUES (?, ?)", (name, text))
                base.execute("COMMIT")
        except (OSError, sqlite3.Error) as error:
            logger.warning("cannot save in %s: %s", self.file, error)
            raise Unkept(
                "this server cannot save scenarios now, its data folder ($BLUECUT_DATA) cannot be written; "
                "a smaller scenario travels inside its link and still works"
            ) from None
        return name

    def load(self, name: str) -> str:
        """Return the text stored under ``name``. Raises Missing."""
        if not ID.fullmatch(name):
            raise Missing("no scenario {name!r}; an id is x- and 20 hexadecimal digits", name=name[:40])
        if not self.file.is_file():
            raise Missing("no scenario {name}; this server has not kept it", name=name)
        try:
            with self.open() as base:
                row = base.execute("SELECT text FROM scenario WHERE id = ?", (name,)).fetchone()
        except (OSError, sqlite3.Error) as error:
            logger.warning("cannot read %s: %s", self.file, error)
            raise Missing("the scenario {name} cannot be read now; try again later", name=name) from None
        if row is None:
            raise Missing("no scenario {name}; this server has not kept it", name=name)
        text = str(row[0])
        if address(text) != name:
            logger.error("%s: the text of %s is not what was saved", self.file, name)
            raise Missing("the scenario {name} is damaged on this server", name=name)
        return text

    @contextmanager
    def open(self) -> Iterator[sqlite3.Connection]:
        """Open a new connection for each use: threads and processes never share one."""
        base = sqlite3.connect(self.file, timeout=PATIENCE, isolation_level=None)
        try:
            if base.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                with SWITCHING:  # another connection that switches at the same time is refused, not made to wait
                    base.execute("PRAGMA journal_mode=WAL")
            base.execute("PRAGMA synchronous=FULL")
            base.execute("CREATE TABLE IF NOT EXISTS scenario (id TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID")
            yield base
        finally:
            base.close()

    @staticmethod
    def count(base: sqlite3.Connection) -> int:
        """Return how many scenarios there are."""
        return int(base.execute("SELECT count(*) FROM scenario").fetchone()[0])
