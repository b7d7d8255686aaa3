"""The small systems in which a written class is tried, each with its bounds."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from app.core.model.value import Frozen
from app.core.model.values import BluecutError, Phrase
from app.forms.explain import formed
from app.forms.fields import STRICT, Name
from app.paths import SCENARIOS
from app.run.explore import limits
from app.scenario.format import ExploreForm
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.scenario.scenario import Scenario
from app.wire.scenario_link import LONGEST, canonical, packed, scenario_in

FOLDER = SCENARIOS / "judge"
LEVELS = (1, 2, 3, 4, 5)
"""1: fill the gaps; 2: the whole class; 3: several snapshots at once; 4: channels that keep no order; 5: the fewest
markers."""
USUAL = 2
"""The level of a class that names none."""
UNORDERED = 4
"""From this level on channels keep no order, and the systems of the levels before do not belong to a level."""
HAND = "by-hand"
"""The algorithm of the run that shows what a class did."""


BEGINNING = 1_000
"""In so many characters a class says how to try it."""
_NAMED = re.compile(r"bluecut judge (?:--level ([1-5]) )?FILE")


def named_level(sources: Iterable[str]) -> int:
    """Return the level that the classes name where they say how to try them, by default the usual one. Raises
    BluecutError if they name several."""
    named = {int(found[1] or USUAL) for source in sources if (found := _NAMED.search(source[:BEGINNING]))} or {USUAL}
    if len(named) > 1:
        raise BluecutError("--level: give one; the classes name {known}", known=tuple(map(str, sorted(named))))
    return named.pop()


class SystemForm(BaseModel):
    """A system of the suite: a scenario of the library, with bounds of its own, and where markers are counted, the
    fewest with which a class is known to pass."""

    model_config = STRICT
    level: Annotated[int, Field(ge=2, le=5, strict=True)]
    scenario: str
    starts: list[Name]
    moves: Annotated[int, Field(ge=0, le=50, strict=True)]
    discipline: Literal["fifo", "any"] | None = None
    fewest: Annotated[int, Field(ge=0, strict=True)] = 0


class SuiteForm(BaseModel):
    """The file of the suite."""

    model_config = STRICT
    systems: list[SystemForm]


class TrialSystem(Frozen):
    """A system in which a class is tried: its scenario, the key that makes its run by hand, and the bounds of the
    search. ``hidden`` numbers those of which nobody is told more than the verdict; it is 0 for the others. ``weight``
    is how many points it is worth. ``fewest`` is the number of markers with which a class is known to pass; where it is
    0, markers are not counted."""

    scenario: Scenario
    key: RunKey
    bounds: ExploreForm
    hidden: int = 0
    weight: int = 1
    fewest: int = 0

    @property
    def ref(self) -> str | None:
        """The scenario in an address: a name of the library, or the whole scenario; None if it is too large."""
        if self.scenario.name in LIBRARY.names():
            return self.scenario.name
        text = canonical(self.scenario.form.model_dump(mode="json", exclude_unset=True))
        ref = packed(text)
        known = len(ref) <= LONGEST and scenario_in(text).digest == self.scenario.digest
        return ref if known else None

    @property
    def name(self) -> str:
        """The scenario and who starts; the order of delivery where it is not the scenario's. A hidden one has a
        number alone."""
        if self.hidden:
            return f"hidden {self.hidden}"
        starts = "+".join(self.bounds.starts or ())
        order = f", {self.key.discipline}" if self.key.discipline else ""
        return f"{self.scenario.name} ({starts}{order})"


@cache
def suite() -> tuple[tuple[int, TrialSystem], ...]:
    """Return the systems, each with its level, the smallest first."""
    file = FOLDER / "suite.yaml"
    wrong = Phrase("a suite is a mapping with systems")
    _, form = formed(file.read_text("utf-8"), file.name, SuiteForm, limit=65_536, empty=wrong, wrong=wrong)
    return tuple((one.level, _of_library(one)) for one in form.systems)


def _of_library(one: SystemForm) -> TrialSystem:
    key = RunKey(algorithm=HAND, discipline=one.discipline, manual=True)
    bounds = ExploreForm(moves=one.moves, starts=one.starts)
    return TrialSystem(LIBRARY.scenario(one.scenario), key, bounds, fewest=one.fewest)


def of_level(level: int) -> tuple[TrialSystem, ...]:
    """Return the systems of a level: those of the levels before it belong to it where channels keep their order."""
    if level >= UNORDERED:
        return tuple(one for at, one in suite() if at == level)
    return tuple(one for at, one in suite() if at <= max(level, 2))


def own(scenario: Scenario, *, hidden: int = 0) -> TrialSystem:
    """Return a system of a scenario file of somebody's own, with the bounds in its ``explore`` block."""
    return TrialSystem(scenario, RunKey(algorithm=HAND, manual=True), limits(scenario), hidden)
