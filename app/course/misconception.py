"""The misconceptions that questions catch: what people believe, why it is not so, and the run in which that is seen.

They are in ``scenarios/course/misconceptions.yaml``, by names such as M4.
"""

from collections.abc import Mapping
from functools import cache

from app.course.yaml_forms import BeliefForm, BeliefsForm
from app.forms.explain import filled, no_scenario
from app.forms.yaml_source import read
from app.paths import SCENARIOS
from app.scenario.library import LIBRARY

FILE = SCENARIOS / "course" / "misconceptions.yaml"
BYTES = 65_536


def load(text: str, name: str) -> Mapping[str, BeliefForm]:
    """Read the misconceptions that ``text`` lists. Raises SourceError."""
    source = read(text, name, limit=BYTES)
    form = filled(source, BeliefsForm)
    scenarios = LIBRARY.names()
    for key, belief in form.misconceptions.items():
        if belief.run.scenario not in scenarios:
            where = ("misconceptions", key, "run", "scenario")
            raise source.error(where, "{reason}", reason=no_scenario(belief.run.scenario, scenarios))
    return form.misconceptions


@cache
def beliefs() -> Mapping[str, BeliefForm]:
    """Return the misconceptions that come with the project."""
    return load(FILE.read_text(encoding="utf-8"), FILE.name)
