"""Activities as a server keeps them: those that come along, and those of teachers; files that change are read again."""

import logging
from collections.abc import Iterable, Mapping
from pathlib import Path

from app.core.model.values import BluecutError
from app.course.activity import BYTES, ActivityForm, load
from app.course.file_stamps import Stamp, stamps
from app.paths import SCENARIOS

FOLDER = SCENARIOS / "activities"

logger = logging.getLogger("bluecut")


class Activities:
    """The activities of several folders. Of two files of one name, that of the later folder counts, unless it is
    wrong; what is wrong is in ``mistakes``."""

    def __init__(self, others: Iterable[Path] = ()) -> None:
        self.folders = (FOLDER, *others)
        self.mistakes: tuple[BluecutError, ...] = ()
        self._stamps: list[Stamp] | None = None
        self._known: dict[str, ActivityForm] = {}

    def known(self) -> Mapping[str, ActivityForm]:
        """Return the activities by their names, as they are now."""
        now = stamps(self.folders)
        if now != self._stamps:
            self._stamps, found, mistakes = now, dict[str, ActivityForm](), list[BluecutError]()
            for file, _, _ in now:
                try:
                    found[file.stem] = _read(file)
                except BluecutError as error:
                    mistakes.append(error)
                    logger.warning("an activity is left out: %s", error)
            self._known, self.mistakes = found, tuple(mistakes)
        return self._known


def _read(file: Path) -> ActivityForm:
    """Return the activity in a file. Raises BluecutError."""
    try:
        with file.open("rb") as opened:
            text = opened.read(BYTES + 1).decode("utf-8", "surrogateescape")
    except OSError as error:
        raise BluecutError("{file}: {reason}", file=file.name, reason=error.strerror or str(error)) from None
    return load(text, file.name)
