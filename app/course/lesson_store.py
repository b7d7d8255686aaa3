"""Lessons as a server keeps them: read when they are first asked for, and again when their file has changed."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from threading import Lock, Thread

from app.course.file_stamps import Stamp, stamps
from app.course.lesson import Lesson
from app.course.lesson_list import OWN, Shelf, lesson_in, shelved
from app.forms.yaml_source import SourceError


class Kept:
    """The lessons of several folders: those that come along, and those of teachers, whose answers are looked at, too,
    beside whatever else the server does. Of two files of one name, that of the later folder counts, unless it is
    wrong."""

    def __init__(self, others: Iterable[Path] = (), own: Path = OWN) -> None:
        self.own = own
        self.others = tuple(others)
        self._lock = Lock()
        self._files: dict[Stamp, Lesson | SourceError] = {}
        self._shelf: tuple[list[Stamp], Shelf] | None = None
        self._trial: Thread | None = None

    def shelf(self) -> Shelf:
        """Return all lessons, as they are now. This asks nothing of their runs: missing answers in a teacher's file are
        noticed a little later."""
        stamps = self.stamps()
        with self._lock:
            if self._shelf is None or self._shelf[0] != stamps:
                known = self._files
                self._files = {stamp: known.get(stamp) or self.read(stamp[0]) for stamp in stamps}
                self._shelf = (stamps, shelved((stamp[0].name, found) for stamp, found in self._files.items()))
                self._try({stamp: one for stamp, one in self._files.items() if stamp not in known})
            return self._shelf[1]

    def settled(self) -> Shelf:
        """Return all lessons, after all answers in the files of teachers have been checked."""
        self.shelf()
        if (trial := self._trial) is not None:
            trial.join()
        return self.shelf()

    def stamps(self) -> list[Stamp]:
        """Return the stamps of all files; those that come with the project are first."""
        return stamps((self.own, *self.others))

    def read(self, file: Path) -> Lesson | SourceError:
        """Return a lesson, or what is wrong with it."""
        found = lesson_in(file)
        return replace(found, own=True) if isinstance(found, Lesson) and file.parent in self.others else found

    def _try(self, new: dict[Stamp, Lesson | SourceError]) -> None:
        """Begin to look at the answers of teachers' lessons, after those that are looked at already."""
        lessons = {stamp: one for stamp, one in new.items() if isinstance(one, Lesson) and one.own}
        if lessons:
            self._trial = Thread(target=self._tried, args=(lessons, self._trial), daemon=True, name="lessons")
            self._trial.start()

    def _tried(self, lessons: dict[Stamp, Lesson], before: Thread | None) -> None:
        """Look at the answers; a lesson that has none is a mistake from now on."""
        if before is not None:
            before.join()
        for stamp, lesson in lessons.items():
            try:
                tried(lesson)
            except SourceError as error:
                with self._lock:
                    if stamp in self._files:
                        self._files[stamp] = error
                        self._shelf = None


def tried(lesson: Lesson) -> None:
    """Try everything that a lesson asks its runs. Raises SourceError if a run has no answer."""
    for asked in ("begin", "cuts", "scenes", "questions", "doors"):
        getattr(lesson, asked)
