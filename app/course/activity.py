"""Activities in which a class is the system: which scenario, and what people may do in each round.

They are one YAML file each, in ``scenarios/activities`` or in a folder of a teacher, see ``app.course.activity_store``.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from app.core.model.value import Frozen
from app.core.model.values import BluecutError
from app.course.live_run import LiveRun
from app.course.yaml_forms import Form, Library
from app.forms.explain import filled
from app.forms.fields import Name
from app.forms.yaml_source import Source, read
from app.scenario.format import VISITOR_BYTES, Words
from app.scenario.library import LIBRARY
from app.scenario.scenario import Scenario, build
from app.wire.scenario_link import LONGEST, canonical, packed, scenario_in

BYTES = 16_384
OWN = "scenarios"
"""The folder, beside the activities of a teacher, with scenarios that the library does not have."""

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
    """An activity. ``paper`` says what lies on the table where it is played without any network. The
    ``scenario`` is one of the library, or a file of this name in the folder OWN beside the activity."""

    title: Words
    about: Words
    paper: Words
    scenario: Library
    rounds: Annotated[list[RoundForm], Field(min_length=1, max_length=9)]


class Activity(Frozen):
    """An activity with its scenario, and how addresses name that: an own one is carried by its links, so that phones
    can open their run anywhere."""

    form: ActivityForm
    scenario: Scenario
    ref: str


def load(text: str, name: str, own: Mapping[str, Path] | None = None) -> Activity:
    """Read an activity; ``own`` are the files of scenarios beside it. Raises SourceError."""
    source = read(text, name, limit=BYTES)
    if isinstance(source.values, dict) and "topology" in source.values and "rounds" not in source.values:
        raise source.error(("topology",), "this is a scenario; put it into the folder {folder} here", folder=OWN)
    form = filled(source, ActivityForm)
    if own and form.scenario in own:
        scenario, ref = _carried(own[form.scenario])
    elif form.scenario in LIBRARY.names():
        scenario, ref = LIBRARY.scenario(form.scenario), form.scenario
    else:
        raise source.error(
            ("scenario",),
            "no scenario is called {name!r}; put it into {file}, or name one of the library",
            name=form.scenario,
            file=f"{OWN}/{form.scenario}.yaml",
        )
    _try(source, form, scenario)
    return Activity(form, scenario, ref)


def _carried(file: Path) -> tuple[Scenario, str]:
    """Return a teacher's scenario, and the ref that carries it. Raises SourceError for a mistake in its file."""
    name = f"{OWN}/{file.name}"
    source = read(text_of(file, VISITOR_BYTES), name, limit=VISITOR_BYTES)
    build(source)  # mistakes are told with the lines of the file
    assert isinstance(source.values, dict)
    whole = canonical(source.values)
    ref = packed(whole)
    if len(ref) > LONGEST:
        raise source.error(
            (), "too large for a link: {size:,} characters; at most {most:,}", size=len(ref), most=LONGEST
        )
    return scenario_in(whole), ref


def text_of(file: Path, most: int) -> str:
    """Return what is in a file, at most one byte more than ``most``. Raises BluecutError."""
    try:
        with file.open("rb") as opened:
            return opened.read(most + 1).decode("utf-8", "surrogateescape")
    except OSError as error:
        raise BluecutError("{file}: {reason}", file=file.name, reason=error.strerror or str(error)) from None


def _try(source: Source, form: ActivityForm, scenario: Scenario) -> None:
    """Raise SourceError if nobody could do anything in a round, or what it asks for cannot be."""
    for place, told in enumerate(form.rounds):
        if not LiveRun(scenario).possible(told.deeds):
            raise source.error(
                ("rounds", place, "deeds"), "nobody can do any of this at first; a program that moves is needed"
            )
        if told.crash is not None and not (scenario.recovers and told.crash in scenario.topology.names):
            raise source.error(
                ("rounds", place, "crash"), "{name} cannot crash and come back in this scenario", name=told.crash
            )
