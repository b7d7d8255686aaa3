"""Backups of the shared scenarios: one SQLite file, made and taken back while servers save.

A backup is one moment of the store, whatever is being saved meanwhile. Taking it back adds what the store lacks, since
a scenario never changes.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from app.core.model.values import BluecutError
from app.web.base.store import ID, Store, address

PART = ".part"
"""The end of a backup's name until it is complete."""


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
