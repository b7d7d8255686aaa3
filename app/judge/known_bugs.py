"""The wrong classes that come with the project, and how to recognise them in another one."""

import hashlib
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Annotated

from pydantic import BaseModel, Field, StringConstraints

from app.core.model.values import Phrase
from app.course.misconception import beliefs
from app.course.yaml_forms import BeliefForm
from app.forms.explain import formed
from app.forms.fields import STRICT
from app.judge.judge import Judgement, Trial
from app.judge.suite import FOLDER, LEVELS, of_level
from app.scenario.format import Words
from app.scenario.run_key import written

Sign = Annotated[str, StringConstraints(pattern=r"^(-|[0-9a-f]{8})$")]
NONE = "-"
"""The sign of a system in which nothing fails."""
ENOUGH = 3
"""So many systems must agree."""


class BugForm(BaseModel):
    """A wrong class: what it does, the misconception behind it, the broken variant of the library that it is, and its
    signs in the systems of a level."""

    model_config = STRICT
    level: Annotated[int, Field(ge=LEVELS[0], le=LEVELS[-1], strict=True)] = 3
    does: Words
    belief: str | None = None
    variant: str | None = None
    shows: list[Sign] = Field(default_factory=list)

    @property
    def signs(self) -> Mapping[str, str]:
        """Its signs by the names of the systems."""
        return dict(zip((system.name for system in of_level(self.level)), self.shows, strict=True))

    @property
    def misconception(self) -> BeliefForm | None:
        """The misconception behind it."""
        return beliefs()[self.belief] if self.belief else None


class BugsForm(BaseModel):
    """The file of the wrong classes; the broken variants of the library that no class can be, with the reasons; and
    the comments in the classes."""

    model_config = STRICT
    bugs: dict[str, BugForm]
    elsewhere: dict[str, Words]
    comments: list[Words]


def bugs() -> Mapping[str, BugForm]:
    """Return the wrong classes by the names of their files."""
    return _read().bugs


def elsewhere() -> Mapping[str, Words]:
    """Return why a broken variant of the library is no class, by the names of the variants."""
    return _read().elsewhere


def beginning(level: int, bug: str | None, language: str) -> str:
    """Return the class to begin with on a level, or the wrong one whose ``bug`` is to be found."""
    source = (FOLDER / (f"bugs/{bug}.py" if bug else f"start/{level}.py")).read_text("utf-8")
    for comment in sorted(_read().comments, key=lambda one: -len(one.en)):
        source = source.replace(comment.en, getattr(comment, language))
    return source


@cache
def _read() -> BugsForm:
    file = FOLDER / "bugs.yaml"
    wrong = Phrase("the wrong classes are a mapping with bugs")
    return formed(file.read_text("utf-8"), file.name, BugsForm, limit=65_536, empty=wrong, wrong=wrong)[1]


def sign(trial: Trial) -> str:
    """Return a text that two trials of a system share when the same fails in the same run."""
    if trial.failure is None:
        return NONE
    choices = written(trial.failure.replay.key.choices) if trial.failure.replay else ""
    return hashlib.sha256(f"{trial.failure.what} {choices}".encode()).hexdigest()[:8]


def recognised(judgement: Judgement) -> BugForm | None:
    """Return the wrong class that fails in the same first run, and in most others: the one that is most alike."""
    return recognised_by((trial.system.name, sign(trial)) for trial in judgement.trials)


def recognised_by(signs: Iterable[tuple[str, str]]) -> BugForm | None:
    """Return it by the names of the systems and the signs in them."""
    mine = dict(signs)
    first = next((name for name, sign in mine.items() if sign != NONE), None)
    alike: dict[int, BugForm] = {}
    for bug in bugs().values():
        both = [name for name in bug.signs if name in mine]
        shared = sum(bug.signs[name] == mine[name] for name in both)
        if first in both and bug.signs[first] == mine[first] and shared >= ENOUGH and 2 * shared > len(both):
            alike[shared] = bug
    return alike[max(alike)] if alike else None
