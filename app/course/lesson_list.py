"""All lessons, by unit and by track: those that come along and those in the folders of teachers."""

from collections.abc import Iterable
from pathlib import Path
from typing import get_args

from app.core.model.value import Frozen
from app.core.model.values import BluecutError, Phrase
from app.course.lesson import Lesson, load
from app.course.yaml_forms import Track, Unit
from app.forms.yaml_source import SourceError
from app.paths import SCENARIOS

OWN = SCENARIOS / "lessons"
UNITS: tuple[str, ...] = get_args(Unit)
TRACKS: tuple[str, ...] = get_args(Track)


class Shelf(Frozen):
    """Lessons in the order of their places, and what is wrong with the files that are none."""

    lessons: tuple[Lesson, ...]
    mistakes: tuple[BluecutError, ...] = ()

    def lesson(self, name: str) -> Lesson | None:
        """Return the lesson with this name, if there is one."""
        return next((one for one in self.lessons if one.name == name), None)

    def places(self) -> dict[int, Lesson]:
        """Return the lessons by place; of several at the same place the first."""
        return {one.form.place: one for one in reversed(self.lessons)}

    def of_track(self, track: str) -> tuple[Lesson, ...]:
        """Return the lessons of a track; all of them if there is no such track."""
        return tuple(one for one in self.lessons if track not in TRACKS or track in one.form.tracks)


def by_unit(lessons: Iterable[Lesson]) -> list[tuple[str, list[Lesson]]]:
    """Return the lessons of each unit; lessons without one come last, as ``own``. Empty units are left out."""
    units: dict[str, list[Lesson]] = {name: [] for name in (*UNITS, "own")}
    for one in lessons:
        units[one.form.unit or "own"].append(one)
    return [(name, mine) for name, mine in units.items() if mine]


def shelf(folders: Iterable[Path] = (OWN,)) -> Shelf:
    """Return the lessons in all ``*.yaml`` files of the folders. Of two files with the same name, the one in the later
    folder counts, unless it is wrong."""
    return shelved((file.name, lesson_in(file)) for folder in folders for file in sorted(folder.glob("*.yaml")))


def lesson_in(file: Path) -> Lesson | SourceError:
    """Return the lesson in a file, or what is wrong with it."""
    try:
        return load(file.read_text(encoding="utf-8", errors="surrogateescape"), file.name)
    except SourceError as error:
        return error
    except OSError as error:
        why = Phrase("the file cannot be read: {reason}", reason=error.strerror or str(error))
        return SourceError(file.name, None, "", why)


def shelved(read: Iterable[tuple[str, Lesson | SourceError]]) -> Shelf:
    """Return the lessons in files with these names, folder by folder. Of several with the same name, the last one
    counts. A mistake in a later file is reported, and the earlier lesson is shown instead."""
    lessons: dict[str, Lesson] = {}
    mistakes: dict[str, list[SourceError]] = {}
    for name, found in read:
        if isinstance(found, Lesson):
            lessons[name] = found
            mistakes.pop(name, None)  # what is replaced need not be right
        else:
            mistakes.setdefault(name, []).append(found)
    return Shelf(
        tuple(sorted(lessons.values(), key=lambda one: (one.form.place, one.name))),
        tuple(_instead(one, lessons.get(name)) for name, several in mistakes.items() for one in several),
    )


def _instead(mistake: SourceError, shown: Lesson | None) -> BluecutError:
    """Return a mistake, with the lesson that is ``shown`` in place of the wrong one."""
    if shown is None:
        return mistake
    if shown.own:
        return BluecutError("{mistake}; your other lesson of this name is shown instead", mistake=mistake.phrase)
    return BluecutError("{mistake}; the built-in lesson of this name is shown instead", mistake=mistake.phrase)
