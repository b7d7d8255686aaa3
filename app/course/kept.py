"""Lessons as a server keeps them: read when they are first asked for, and again when their file has changed."""

import threading
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from app.core.model import Phrase
from app.course.lesson import Lesson, load
from app.course.shelf import OWN, Shelf
from app.simulator.source import SourceError

Stamp = tuple[Path, int, int]
"""A file, when it was changed, and its size."""


class Kept:
    """The lessons of several folders: those that come along, and those of teachers, whose answers are looked at, too,
    as soon as they are read. Of two files of one name, that of the later folder counts."""

    def __init__(self, others: Iterable[Path] = (), own: Path = OWN) -> None:
        self.own = own
        self.others = tuple(others)
        self._lock = threading.Lock()
        self._files: dict[Stamp, Lesson | SourceError] = {}
        self._shelf: tuple[list[Stamp], Shelf] | None = None

    def shelf(self) -> Shelf:
        """All lessons, as they are now."""
        stamps = self.stamps()
        with self._lock:
            if self._shelf is None or self._shelf[0] != stamps:
                self._files = {stamp: self._files.get(stamp) or self.read(stamp[0]) for stamp in stamps}
                found = self._files.values()
                lessons = sorted((x for x in found if isinstance(x, Lesson)), key=lambda x: (x.form.place, x.name))
                self._shelf = (stamps, Shelf(tuple(lessons), tuple(x for x in found if isinstance(x, SourceError))))
            return self._shelf[1]

    def stamps(self) -> list[Stamp]:
        """The files that count."""
        files = {file.name: file for folder in (self.own, *self.others) for file in sorted(folder.glob("*.yaml"))}
        found: list[Stamp] = []
        for file in files.values():
            with suppress(FileNotFoundError):  # it has gone since the folder was read
                stat = file.stat()
                found.append((file, stat.st_mtime_ns, stat.st_size))
        return found

    def read(self, file: Path) -> Lesson | SourceError:
        """A lesson, or what is wrong with it."""
        try:
            lesson = load(file.read_text(encoding="utf-8", errors="surrogateescape"), file.name)
            if file.parent in self.others:
                tried(lesson)
        except SourceError as error:
            return error
        except OSError as error:
            why = Phrase("the file cannot be read: {reason}", reason=error.strerror or str(error))
            return SourceError(file.name, None, "", why)
        return lesson


def tried(lesson: Lesson) -> tuple[int, int]:
    """How many questions a lesson has, and how many knobs, after all that it asks its runs was asked. Raises
    SourceError where one does not answer."""
    return (len(lesson.questions), len(lesson.doors)) if lesson.begin else (0, 0)
