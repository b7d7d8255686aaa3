"""Activities as a server keeps them: those that come along, and those of teachers, with scenarios of their own in
the folder ``scenarios`` beside them; files that change are read again."""

import logging
from collections.abc import Iterable, Mapping
from pathlib import Path

from app.core.model.values import BluecutError
from app.course.activity import BYTES, OWN, Activity, load, text_of
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
        self._known: dict[str, Activity] = {}

    def known(self) -> Mapping[str, Activity]:
        """Return the activities by their names, as they are now."""
        files = stamps(self.folders)
        scenarios = stamps(folder / OWN for folder in self.folders)
        if (now := [*files, *scenarios]) != self._stamps:
            found, mistakes = dict[str, Activity](), list[BluecutError]()
            for file, _, _ in files:
                own = {each.stem: each for each, _, _ in scenarios if each.parent.parent == file.parent}
                try:
                    found[file.stem] = load(text_of(file, BYTES), file.name, own)
                except BluecutError as error:
                    mistakes.append(error)
                    logger.warning("an activity is left out: %s", error)
            self._known, self.mistakes = found, tuple(mistakes)
            self._stamps = now  # last: other threads take what is known for what is there
        return self._known
