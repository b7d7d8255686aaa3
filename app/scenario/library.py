"""The library: the scenarios that come with Bluecut, one file each; the file's stem is the scenario's name."""

import logging
import os
from pathlib import Path
from threading import Lock

from app.core.model.values import BluecutError
from app.forms.explain import no_scenario
from app.forms.yaml_source import read
from app.paths import SCENARIOS
from app.scenario.scenario import Scenario, load

ORDER: tuple[str, ...] = tuple(
    read((SCENARIOS / "course" / "order.yaml").read_text("utf-8"), "order.yaml", limit=None).values
)
"""The order in which to learn; scenarios not named here follow by name."""

FIRST = ORDER[0]
"""The scenario that a visitor sees first."""


class Unknown(BluecutError):
    """There is no scenario of that name."""


class Library:
    """The scenarios of one folder. A file is read when it is first requested, and again after it has changed.

    A name is only ever looked up among the existing files; it never becomes part of a path.
    """

    def __init__(self, folder: Path = SCENARIOS) -> None:
        self.folder = folder
        self._lock = Lock()
        self._read: dict[str, tuple[int, Scenario]] = {}

    def files(self) -> dict[str, Path]:
        """Return the files by name, in the library's order."""
        return {name: self._path(name) for name in self.names()}

    def names(self) -> tuple[str, ...]:
        """Return the names of the scenarios, in the library's order."""
        ending = ".yaml"
        with os.scandir(self.folder) as entries:  # pages ask often, and paths take ten times as long
            found = {entry.name.removesuffix(ending) for entry in entries if entry.name.endswith(ending)}
        listed = [name for name in ORDER if name in found]
        return (*listed, *sorted(found - set(listed)))

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.yaml"

    def file(self, name: str) -> Path:
        """Return the file of the scenario called ``name``. Raises Unknown."""
        names = self.names()
        if name not in names:
            raise Unknown("{reason}", reason=no_scenario(name, names))
        return self._path(name)

    def scenario(self, name: str) -> Scenario:
        """Return the scenario called ``name``. Raises Unknown, or SourceError where the file is wrong."""
        return self._scenario(name, self.file(name))

    def scenarios(self) -> tuple[Scenario, ...]:
        """Return all scenarios, in the library's order. A file that is wrong is left out, and the log says why."""
        good = []
        for name, path in self.files().items():
            try:
                good.append(self._scenario(name, path))
            except BluecutError as error:
                logging.getLogger("bluecut").warning("left out of the library: %s", error)
        return tuple(good)

    def _scenario(self, name: str, path: Path) -> Scenario:
        changed = path.stat().st_mtime_ns
        with self._lock:
            known = self._read.get(name)
        if known and known[0] == changed:
            return known[1]
        scenario = load(path.read_text(encoding="utf-8"), name)
        with self._lock:
            self._read[name] = (changed, scenario)
        return scenario


LIBRARY = Library()
