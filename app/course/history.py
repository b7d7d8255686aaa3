"""What the field owes to whom, in the order of time.

It is in ``scenarios/course/history.yaml``, whose head says what a milestone has.
"""

from functools import cache
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from app.core.model.values import Phrase
from app.course.claim import LinkForm, check_link
from app.course.glossary import GLOSSARY, Address
from app.course.yaml_forms import Form, Slug
from app.forms.explain import formed, no_term
from app.forms.yaml_source import Source
from app.paths import SCENARIOS
from app.scenario.format import FILE_BYTES, Words
from app.scenario.library import LIBRARY

FILE = SCENARIOS / "course" / "history.yaml"

Kind = Literal["snapshots", "recovery", "streams"]
Line = Annotated[str, StringConstraints(min_length=1, max_length=200, strict=True)]


class MilestoneForm(Form):
    """One step of the field; see the head of the file."""

    name: Slug
    year: Annotated[int, Field(ge=1900, le=2100, strict=True)]
    kind: Kind
    who: Line
    work: Line
    where: Line
    gives: Words
    terms: list[Slug] = Field(default=[], max_length=8)
    shows: list[Address] = Field(min_length=1, max_length=6)


class HistoryForm(Form):
    """All of them, the earliest first."""

    milestones: list[MilestoneForm] = Field(min_length=1)


def load_history(text: str, name: str) -> tuple[MilestoneForm, ...]:
    """Read the milestones that ``text`` lists. Raises SourceError, which names file, line and field and says what would
    be right."""
    source, form = formed(
        text,
        name,
        HistoryForm,
        limit=FILE_BYTES,
        empty=Phrase("empty; a history is a mapping with milestones"),
        wrong=Phrase("a history is a mapping with milestones"),
    )
    scenarios = LIBRARY.names()
    for i, one in enumerate(form.milestones):
        _check(source, i, one, form.milestones[:i], scenarios)
    return tuple(form.milestones)


def _check(source: Source, i: int, one: MilestoneForm, before: list[MilestoneForm], scenarios: tuple[str, ...]) -> None:
    """Check what the form cannot express about a milestone, given the names of the ``scenarios``. Raises
    SourceError."""
    path = ("milestones", i)
    if one.name in [other.name for other in before]:
        raise source.error((*path, "name"), "{id} is given twice; keep one", id=one.name)
    if before and one.year < before[-1].year:
        raise source.error((*path, "year"), "must be at least {year}: the earliest come first", year=before[-1].year)
    known = tuple(GLOSSARY.glossary().forms)
    for k, term in enumerate(one.terms):
        if term not in known:
            raise source.error((*path, "terms", k), "{reason}", reason=no_term(term, known))
    for k, address in enumerate(one.shows):
        check_link(source, (*path, "shows", k), LinkForm(to=address), scenarios)


@cache
def history() -> tuple[MilestoneForm, ...]:
    """Return the milestones that come with the project."""
    return load_history(FILE.read_text(encoding="utf-8"), FILE.name)
