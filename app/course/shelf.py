"""All lessons: those that come along and, where a teacher has a folder of his own, those in it."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from app.course.lesson import Lesson, load
from app.places import SCENARIOS
from app.simulator.source import SourceError

OWN = SCENARIOS / "lessons"


@dataclass(frozen=True, slots=True)
class Shelf:
    """Lessons in the order of their places, and what is wrong with the files that are none."""

    lessons: tuple[Lesson, ...]
    mistakes: tuple[SourceError, ...] = ()

    def lesson(self, name: str) -> Lesson | None:
        """The lesson of this name, if there is one."""
        return next((one for one in self.lessons if one.name == name), None)


def shelf(folders: Iterable[Path] = (OWN,)) -> Shelf:
    """The lessons in all ``*.yaml`` files of the folders. Of two files of one name, that of the later folder counts."""
    files = {file.name: file for folder in folders for file in sorted(folder.glob("*.yaml"))}
    found: list[Lesson] = []
    wrong: list[SourceError] = []
    for name, file in files.items():
        try:
            found.append(load(file.read_text(encoding="utf-8", errors="surrogateescape"), name))
        except SourceError as error:
            wrong.append(error)
    return Shelf(tuple(sorted(found, key=lambda one: (one.form.place, one.name))), tuple(wrong))
