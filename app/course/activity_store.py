"""Activities as a server keeps them: those that come along, and those of teachers; files that change are read again."""

import logging
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from app.core.model.values import BluecutError
from app.course.activity import BYTES, ActivityForm, load
from app.paths import SCENARIOS

FOLDER = SCENARIOS / "activities"

_Stamp = tuple[Path, int, int]
"""A file, when it was changed, and its size."""

logger = logging.getLogger("bluecut")


class Activities:
    """The activities of several folders. Of two files of one name, that of the later folder counts, unless it is
    wrong; what is wrong is in ``mistakes``."""

    def __init__(self, others: Iterable[Path] = ()) -> None:
        self.folders = (FOLDER, *others)
        self.mistakes: tuple[BluecutError, ...] = ()
        self._stamps: list[_Stamp] | None = None
        self._known: dict[str, ActivityForm] = {}

    def known(self) -> Mapping[str, ActivityForm]:
        """Return the activities by their names, as they are now."""
        stamps = list(self._look())
        if stamps != self._stamps:
            self._stamps, found, mistakes = stamps, dict[str, ActivityForm](), list[BluecutError]()
            for file, _, _ in stamps:
                try:
                    found[file.stem] = _read(file)
                except BluecutError as error:
                    mistakes.append(error)
                    logger.warning("an activity is left out: %s", error)
            self._known, self.mistakes = found, tuple(mistakes)
        return self._known

    def _look(self) -> Iterable[_Stamp]:
        for folder in self.folders:
            for file in sorted(folder.glob("*.yaml")):
                with suppress(FileNotFoundError):  # it has gone since the folder was read
                    stat = file.stat()
                    yield file, stat.st_mtime_ns, stat.st_size


def _read(file: Path) -> ActivityForm:
    """Return the activity in a file. Raises BluecutError."""
    try:
        with file.open("rb") as opened:
            text = opened.read(BYTES + 1).decode("utf-8", "surrogateescape")
    except OSError as error:
        raise BluecutError("{file}: {reason}", file=file.name, reason=error.strerror or str(error)) from None
    return load(text, file.name)
