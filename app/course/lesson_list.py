"""All lessons: those that come along and, where a teacher has a folder of his own, those in it."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from app.core.model.values import BluecutError, Phrase
from app.course.lesson import Lesson, load
from app.forms.yaml_source import SourceError
from app.paths import SCENARIOS

OWN = SCENARIOS / "lessons"


@dataclass(frozen=True, slots=True)
class Shelf:
    """Lessons in the order of their places, and what is wrong with the files that are none."""

    lessons: tuple[Lesson, ...]
    mistakes: tuple[BluecutError, ...] = ()

    def lesson(self, name: str) -> Lesson | None:
        """Return the lesson with this name, if there is one."""
        return next((one for one in self.lessons if one.name == name), None)


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
