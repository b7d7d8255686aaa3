"""Activities in which a class is the system: which scenario, and what people may do in each round.

They are one YAML file each, in ``scenarios/activities`` or in a folder of a teacher, see ``app.course.activity_store``.
"""

from typing import Annotated, Literal

from pydantic import Field, ValidationError

from app.course.yaml_forms import Form, Library
from app.forms.explain import explained
from app.forms.fields import Name
from app.forms.yaml_source import read
from app.scenario.format import Words
from app.scenario.library import LIBRARY

BYTES = 16_384

Deed = Literal["start", "send", "change", "deliver", "record", "send_marker", "log", "close", "done"]
"""What people can do, see ``DEEDS`` of ``app.course.live_run``."""


class RoundForm(Form):
    """A round: what people are told, what they may do, the lines of the rule that they see, and who finishes the
    snapshot: as a ``photograph``, of states alone, or the right ``rule``. Where nobody may start it, the presenter
    does. At the end, the process that is named in ``crash`` crashes, and the system rolls back to the snapshot."""

    title: Words
    says: Words
    rule: Annotated[tuple[Words, ...], Field(max_length=4, strict=False)] = ()
    deeds: Annotated[list[Deed], Field(min_length=1)]
    ends: Literal["photograph", "rule"]
    crash: Name | None = None


class ActivityForm(Form):
    """An activity. ``paper`` says what lies on the table where it is played without any network."""

    title: Words
    about: Words
    paper: Words
    scenario: Library
    rounds: Annotated[list[RoundForm], Field(min_length=1, max_length=9)]


def load(text: str, name: str) -> ActivityForm:
    """Read an activity. Raises SourceError."""
    source = read(text, name, limit=BYTES)
    try:
        form = ActivityForm.model_validate(source.values)
    except ValidationError as error:
        raise explained(source, error, ActivityForm) from None
    if form.scenario not in LIBRARY.names():
        raise source.error(("scenario",), "no scenario is called {name!r}", name=form.scenario)
    scenario = LIBRARY.scenario(form.scenario)
    for place, told in enumerate(form.rounds):
        if told.crash is not None and not (scenario.recovers and told.crash in scenario.topology.names):
            where = ("rounds", place, "crash")
            raise source.error(where, "{name} cannot crash and come back in this scenario", name=told.crash)
    return form
