"""The shared scenarios that are too large for a link: one SQLite file, content-addressed, never changed. They are kept
as long as there is room; then those that nobody has opened for long give way.

A text is stored under the hash of its content, so the same scenario has the same id everywhere, and saving it twice
stores it once. A save is acknowledged only once it is on the disk: SQLite's write-ahead log with ``synchronous=FULL``,
one transaction per save. A killed process loses at most an unacknowledged save.
"""

import logging
import os
import re
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from app.core.model.value import Frozen
from app.core.model.values import BluecutError
from app.scenario.library import Unknown
from app.web.base.quota import Quota
from app.wire.scenario_link import hashed

MOST = 10_000
"""The most scenarios on one server."""

PER_HOUR = 120
"""The most new scenarios of one client in an hour."""

UNOPENED = 90
"""The days without being opened after which a scenario gives way to others if there is no room."""

OF_DISK = 0.1
"""The largest part of its disk that the file may take."""

PATIENCE = 10.0
"""Seconds that a save waits for another one."""

HOUR, DAY = 3_600, 86_400

LAYOUT = 1
TABLES = """
CREATE TABLE opened (id TEXT PRIMARY KEY, day INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE total (scenarios INTEGER NOT NULL);
INSERT INTO opened SELECT id, {today} FROM scenario;
INSERT INTO total SELECT count(*) FROM scenario;
CREATE TRIGGER counted AFTER INSERT ON scenario BEGIN UPDATE total SET scenarios = scenarios + 1; END;
CREATE TRIGGER dated AFTER INSERT ON scenario BEGIN REPLACE INTO opened VALUES (new.id, strftime('%s') / 86400); END;
CREATE TRIGGER gone AFTER DELETE ON scenario BEGIN UPDATE total SET scenarios = scenarios - 1; END;
PRAGMA user_version = {layout};
"""
"""What came after the table of scenarios: the days on which they were last opened, and how many there are."""

_OPENED = "INSERT INTO opened (id, day) VALUES (?, ?) ON CONFLICT DO UPDATE SET day = max(day, excluded.day)"
"""A clock that has jumped back makes nothing older: it will be right again."""

ID = re.compile(r"x-[0-9a-f]{20}")
FILE = "scenarios.sqlite3"

SWITCHING = threading.Lock()

logger = logging.getLogger("bluecut")

PART = ".part"
"""The end of a backup's name until it is complete."""


class Missing(Unknown):
    """There is no scenario with an id."""


class Unkept(BluecutError):
    """A scenario could not be saved; the text says why and what still works. It may be tried again in ``seconds``."""

    seconds = 60


class Full(Unkept):
    """All places for what is kept are taken."""


class TooOften(Unkept):
    """A client keeps more than its share, until ``seconds`` are over."""

    def __init__(self, template: str, /, seconds: int, **fields: object) -> None:
        super().__init__(template, **fields)
        self.seconds = seconds


class Unreadable(BluecutError):
    """The store cannot be read now."""


class Filled(Frozen):
    """How full a store is: its scenarios, the bytes of its file, and how many of them nobody has opened for long."""

    scenarios: int
    bytes: int
    unopened: int


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

    def __init__(self, folder: Path | None = None, *, most: int = MOST, clock: Callable[[], float] = time.time) -> None:
        self.file = (folder or folder_of_data()) / FILE
        self.most = most
        self.clock = clock
        self._told: dict[str, int] = {}
        self._savers = Quota(HOUR, clock)

    @property
    def today(self) -> int:
        """The days since 1970."""
        return int(self.clock() // DAY)

    def save(self, text: str, client: str | None = None) -> str:
        """Store ``text`` for ``client``, if it is one, and return its id. Raises TooOften if the client has saved much,
        Unkept if the disk or the limit refuses."""
        name = address(text)
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with self.open() as base:
                self.prepare(base)
                base.execute("BEGIN IMMEDIATE")
                try:
                    if not base.execute("SELECT 1 FROM scenario WHERE id = ?", (name,)).fetchone():
                        self._make_room(base)
                        self._count(client)
                        base.execute("INSERT INTO scenario (id, text) VALUES (?, ?)", (name, text))
                        base.execute("DELETE FROM opened WHERE id = ?", (name,))
                    base.execute(_OPENED, (name, self.today))
                except Unkept:
                    base.execute("ROLLBACK")
                    raise
                base.execute("COMMIT")
        except (OSError, sqlite3.Error) as error:
            logger.warning("cannot save in %s: %s", self.file, error)
            raise Unkept(
                "this server cannot save scenarios now, its data folder ($BLUECUT_DATA) cannot be written; "
                "a smaller scenario travels inside its link and still works"
            ) from None
        return name

    def _make_room(self, base: sqlite3.Connection) -> None:
        """Let scenarios that nobody opens give way if there is no room. Raises Full if that is not enough."""
        if self.file.stat().st_size > OF_DISK * shutil.disk_usage(self.file.parent).total:
            raise Full(
                "the scenarios on this server take {part:.0%} of its disk, and there is no room for more; "
                "a smaller scenario travels inside its link and needs no room",
                part=OF_DISK,
            )
        if self.count(base) < self.most:
            return
        self._forget(base, UNOPENED)
        if self.count(base) >= self.most:
            raise Full(
                "this server keeps {most:,} shared scenarios and has no room for more; "
                "a smaller scenario travels inside its link and needs no room",
                most=self.most,
            )

    def _count(self, client: str | None) -> None:
        """Count one more scenario of a client. Raises TooOften."""
        if client is not None and self._savers.spent(PER_HOUR, client):
            raise TooOften(
                "you have saved {most} scenarios in this hour; go on in the next one, "
                "or with a smaller scenario, which travels inside its link",
                self._savers.left,
                most=PER_HOUR,
            )

    def filled(self) -> Filled:
        """Return how full the store is. Raises Unreadable."""
        if not self.file.is_file():
            return Filled(0, 0, 0)
        with self._readable() as base:
            self.prepare(base)
            old = base.execute("SELECT count(*) FROM opened WHERE day <= ?", (self.today - UNOPENED,)).fetchone()
            return Filled(self.count(base), self.file.stat().st_size, int(old[0]))

    def prune(self, days: int = UNOPENED) -> int:
        """Delete the scenarios that nobody has opened for ``days``. Return how many. Raises Unreadable."""
        if not self.file.is_file():
            return 0
        with self._readable() as base:
            self.prepare(base)
            base.execute("BEGIN IMMEDIATE")
            gone = self._forget(base, days)
            base.execute("COMMIT")
            base.execute("VACUUM")
            return gone

    def _forget(self, base: sqlite3.Connection, days: int) -> int:
        """Delete what nobody has opened for ``days``. Return how many there were."""
        limit = (self.today - days,)
        gone = base.execute("DELETE FROM scenario WHERE id IN (SELECT id FROM opened WHERE day <= ?)", limit).rowcount
        base.execute("DELETE FROM opened WHERE day <= ?", limit)
        return gone

    def load(self, name: str) -> str:
        """Return the text stored under ``name``. Raises Missing, or Unreadable."""
        if not ID.fullmatch(name):
            raise Missing("no scenario {name!r}; an id is x- and 20 hexadecimal digits", name=name[:40])
        if not self.file.is_file():
            raise Missing("no scenario {name}; this server has not kept it", name=name)
        row = self._row(name)
        if row is None:
            raise Missing("no scenario {name}; this server has not kept it", name=name)
        text = str(row[0])
        if address(text) != name:
            logger.error("%s: the text of %s is not what was saved", self.file, name)
            raise Missing("the scenario {name} is damaged on this server", name=name)
        return text

    def _row(self, name: str) -> tuple[str] | None:
        """Return what is stored under a name, if anything. Raises Unreadable."""
        asks: tuple[str, tuple[str]] = "SELECT text FROM scenario WHERE id = ?", (name,)
        with self._told_if_not():
            try:
                with self.open() as base:
                    row: tuple[str] | None = base.execute(*asks).fetchone()
                    if row is not None:
                        self._touch(base, name)
            except sqlite3.Error:
                if not self._is_whole():
                    raise
                with closing(sqlite3.connect(f"{self.file.absolute().as_uri()}?immutable=1", uri=True)) as base:
                    row = base.execute(*asks).fetchone()
        return row

    def _is_whole(self) -> bool:
        """Is everything in the file itself? Then it can be read where the disk is full, or nothing may be written."""
        log = self.file.with_name(f"{FILE}-wal")
        return not log.is_file() or log.stat().st_size == 0

    def _touch(self, base: sqlite3.Connection, name: str) -> None:
        """Write down, once a day, that a scenario was opened. Where that is impossible, it is shown all the same."""
        if self._told.get(name) == self.today:
            return
        with suppress(sqlite3.Error):
            base.execute("PRAGMA busy_timeout = 100")
            self.prepare(base)
            base.execute(_OPENED, (name, self.today))
            if len(self._told) >= self.most:
                self._told.clear()
            self._told[name] = self.today

    @contextmanager
    def _readable(self) -> Iterator[sqlite3.Connection]:
        """Open the file. Raises Unreadable if that, or what is done with it, is impossible now."""
        with self._told_if_not(), self.open() as base:
            yield base

    @contextmanager
    def _told_if_not(self) -> Iterator[None]:
        """Raise Unreadable if what is done meanwhile is impossible now."""
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            logger.warning("cannot read %s: %s", self.file, error)
            raise Unreadable("the scenarios on this server cannot be read now; try again later") from None

    def prepare(self, base: sqlite3.Connection) -> None:
        """Add the tables that a file of an earlier version lacks."""
        if base.execute("PRAGMA user_version").fetchone()[0] >= LAYOUT:
            return
        base.execute("BEGIN IMMEDIATE")
        try:
            if base.execute("PRAGMA user_version").fetchone()[0] < LAYOUT:
                for line in TABLES.format(today=self.today, layout=LAYOUT).strip().split("\n"):
                    base.execute(line)
        except sqlite3.Error:
            base.execute("ROLLBACK")
            raise
        base.execute("COMMIT")

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
        """Return how many scenarios there are, without counting them."""
        return int(base.execute("SELECT scenarios FROM total").fetchone()[0])


def backup(store: Store, file: Path) -> int:
    """Write all scenarios to a new file and return how many there are. Raises BluecutError if there are none, the file
    is there, or it cannot be written."""
    part = file.with_name(file.name + PART)
    with _told(file):
        if not store.file.is_file():
            raise BluecutError("{file}: nothing has been saved here yet", file=store.file)
        if file.exists():
            raise BluecutError("{file}: is there already; choose another name", file=file)
        part.unlink(missing_ok=True)
        try:
            with store.open() as base, closing(sqlite3.connect(part)) as copy:
                base.backup(copy)  # at once: in pieces it would begin again at every save
                copy.execute("PRAGMA journal_mode=DELETE")  # one file, without a log beside it
                count = sum(1 for _ in _rows(copy, file))
            with part.open("rb") as written:
                os.fsync(written.fileno())
            part.rename(file)
        finally:
            part.unlink(missing_ok=True)
    return count


def restore(store: Store, file: Path) -> tuple[int, int]:
    """Add what a backup has and the store lacks; return how many that were, and how many the backup has. Raises
    BluecutError, and leaves the store as it is, if the file is no backup, is damaged, or nothing can be written."""
    with _told(file):
        if not file.is_file():
            raise BluecutError("{file}: there is no such file or folder", file=file)
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as kept:
            rows = list(_rows(kept, file))
    with _told(store.file):
        store.file.parent.mkdir(parents=True, exist_ok=True)
        with store.open() as base:
            store.prepare(base)
            base.execute("BEGIN IMMEDIATE")
            known = {name for (name,) in base.execute("SELECT id FROM scenario")}
            new = [(name, text) for name, text in rows if name not in known]
            base.executemany("INSERT INTO scenario (id, text) VALUES (?, ?)", new)
            opened = [(name, store.today) for name, _ in new]  # from today on they may be forgotten
            base.executemany("REPLACE INTO opened (id, day) VALUES (?, ?)", opened)
            base.execute("COMMIT")
    return len(new), len(rows)


def _rows(base: sqlite3.Connection, file: Path) -> Iterator[tuple[str, str]]:
    """Yield the scenarios of a file. Raises BluecutError if one is not what was saved."""
    for name, text in base.execute("SELECT id, text FROM scenario"):
        if not ID.fullmatch(str(name)) or address(str(text)) != name:
            raise BluecutError("{file}: damaged; the text of {name} is not what was saved", file=file, name=str(name))
        yield name, text


@contextmanager
def _told(file: Path) -> Iterator[None]:
    """Tell in a sentence what cannot be read or written."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BluecutError("{file}: cannot be read or written: {reason}", file=file, reason=reason) from None
