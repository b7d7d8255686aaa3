"""Addresses: turn the query string into the key of a run, and back.

``/run/{ref}?algorithm=&seed=&discipline=&choices=&drain=1&manual=1&step=&presenter=1&view=&lang=&v=ENGINE-DIGEST``

The addresses that we make leave out values equal to the scenario's own. ``v`` names the engine and the scenario for
which a link was made: choices are indices, and mean nothing if either has changed.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar
from urllib.parse import quote, urlencode

from msgspec.structs import replace
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from app.algorithms.registry import ALGORITHMS
from app.core.model.system import DISCIPLINES
from app.core.model.value import Frozen
from app.core.model.values import BluecutError
from app.forms.explain import either, meant
from app.forms.fields import STEPS
from app.scenario.format import Seed
from app.scenario.run_key import ENGINE, RunKey, read, written
from app.scenario.scenario import Scenario

VIEWS = ("stage", "time", "both")
"""What presenter mode can show; without this field, both on a broad screen and the stage on others."""

Word = Annotated[str, StringConstraints(max_length=40)]


class Fields(BaseModel):
    """Fields that may follow the question mark of an address. An empty one counts as not given, because forms send
    empty fields. Unknown ones are ignored, because other sites add their own to links, but not one that looks like a
    field of ``RUN``: another run would be shown than was meant."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    RUN: ClassVar[tuple[str, ...]] = ()
    """The fields that decide which run it is."""

    @model_validator(mode="before")
    @classmethod
    def without_empty(cls, given: object) -> Any:
        """Leave out empty fields. Raises BluecutError where the name of a field is misspelt."""
        if not isinstance(given, dict):
            return given
        filled = {name: value for name, value in given.items() if value != ""}
        known = {field.alias or name for name, field in cls.model_fields.items()}
        for name in filled:
            if name not in known and (near := meant(name, cls.RUN)):
                raise BluecutError("{name}: no such field; did you mean {near}?", name=name[:40], near=either(near))
        return filled


class Query(Fields):
    """The fields that name a run, a step, and how it is looked at."""

    RUN = ("algorithm", "seed", "discipline", "choices", "drain", "manual", "step")

    algorithm: Word | None = Field(None, description=f"one of {', '.join(ALGORITHMS)}")
    seed: Seed | None = Field(None, strict=False, description="the seed of the schedule")
    discipline: Word | None = Field(None, description=f"one of {', '.join(DISCIPLINES)}")
    choices: Annotated[str, StringConstraints(max_length=8_000)] = Field("", description="STEP:INDEX.INDEX,STEP:INDEX")
    drain: bool = Field(False, description="after the choices nothing new begins")
    manual: bool = Field(False, description="nothing happens but the choices")
    step: int = Field(0, ge=0, le=STEPS, description="the step to show first")
    presenter: bool = Field(False, description="large type for a lecture hall")
    view: Word | None = Field(None, description="what presenter mode shows: stage, time or both")
    lang: Word | None = Field(None, description="en or zh")
    v: Annotated[str, StringConstraints(max_length=80)] | None = Field(None, description="ENGINE-DIGEST of the link")

    def key(self) -> RunKey:
        """Return the key of the run. Raises BluecutError if the choices cannot be read."""
        return RunKey(self.algorithm, self.seed, self.discipline, read(self.choices), self.drain, self.manual)


class Address(Frozen):
    """A run of a scenario, and a step in it. ``lang`` is set only if the address itself names a language."""

    ref: str
    scenario: Scenario
    key: RunKey
    step: int = 0
    presenter: bool = False
    lang: str | None = None
    view: str | None = None

    def path(self, place: str = "run", /, *rest: object) -> str:
        """Return the path without a query: ``/run/ref/…``."""
        return "/" + "/".join([place, self.quoted, *map(str, rest)])

    def query(self, **more: object) -> dict[str, str]:
        """Return the fields that name the run, followed by ``more``. The step and ``v`` are not among them."""
        key = self.key
        named: dict[str, object] = {
            "algorithm": key.algorithm,
            "seed": key.seed,
            "discipline": key.discipline,
            "choices": written(key.choices),
            "drain": 1 if key.drain else None,
            "manual": 1 if key.manual else None,
            **more,
        }
        return {name: str(value) for name, value in named.items() if value not in (None, "")}

    def url(self, place: str = "run", /, *rest: object, **more: object) -> str:
        """Return the address as text."""
        return written_url(self.path(place, *rest), self.query(**more))

    @property
    def quoted(self) -> str:
        """The ref, quoted for an address."""
        return quote(self.ref, safe=".")

    @property
    def plain(self) -> str:
        """The scenario without a key: the run as its author wrote it."""
        return self.path()

    @property
    def seen(self) -> dict[str, object]:
        """How the visitor looks at the run: the size, what is beside the stage, and the language."""
        return {"presenter": 1 if self.presenter else None, "view": self.view, "lang": self.lang}

    @property
    def here(self) -> str:
        """This step as this visitor sees it."""
        return self.url(step=self.step or None, **self.seen, v=stamp(self.scenario))

    @property
    def link(self) -> str:
        """The permanent link to this step, for other people."""
        return self.url(step=self.step or None, v=stamp(self.scenario))

    def link_to(self, place: str = "run", /, *rest: object, **more: object) -> str:
        """Return the address of a page about the run, in the language of this one, for this version of the
        scenario."""
        return self.url(place, *rest, **more, lang=self.lang, v=stamp(self.scenario))

    def of_step(self, step: int, place: str = "run") -> str:
        """Return the same of a page at a step."""
        return self.link_to(place, step=step or None)

    def at(self, step: int) -> "Address":
        """Return the same run at another step."""
        return replace(self, step=step)


def written_url(path: str, query: Mapping[str, str] | Sequence[tuple[str, str]]) -> str:
    """Return path and query as text, with the characters of choices unescaped; in pairs, a name may occur several
    times."""
    return f"{path}?{urlencode(query, safe=':,.')}" if query else path


def address(ref: str, scenario: Scenario, query: Query) -> Address:
    """Return the address that a request names. Raises BluecutError if the choices cannot be read."""
    lang = query.lang if query.lang in ("en", "zh") else None
    view = query.view if query.view in VIEWS else None
    return Address(ref, scenario, canonical(scenario, query.key()), query.step, query.presenter, lang, view)


def canonical(scenario: Scenario, key: RunKey) -> RunKey:
    """Return the key without the scenario's own values, so that equal runs have equal addresses."""
    form = scenario.form
    return replace(
        key,
        algorithm=None if key.algorithm == form.algorithm else key.algorithm,
        seed=None if not scenario.draws(key) or key.seed == form.schedule.seed else key.seed,
        discipline=None if key.discipline == form.discipline else key.discipline,
    )


def stamp(scenario: Scenario) -> str:
    """Return the ``v`` that a link needs for its choices and steps to keep their meaning."""
    return f"{ENGINE}-{scenario.digest}"


def is_stale(query: Query, scenario: Scenario) -> bool:
    """Was the link made for another engine, or for another version of the scenario?"""
    return query.v is not None and query.v != stamp(scenario)
