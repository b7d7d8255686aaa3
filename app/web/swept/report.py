"""The report of a sweep as the web application reads it: a JSON file, its only connection to Spark.

``app/pipeline/measure/report.py``, which makes the fields, describes them.
"""

import json
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from app.core.model import Phrase
from app.simulator.library import Unknown
from app.simulator.mistake import Problem, shown, want

VERSION = 2
MOST_BYTES = 16_000_000

Reason = Literal["aborted", "unfinished", "unasked"]
"""Why a snapshot was not judged: it was aborted, it was never complete, or no check applies to it."""

MEASURES = ("duration", "ticks", "controls", "recorded", "bytes", "paused", "blocked", "loss")
OF_RUNS = ("paused", "blocked", "loss")
CHECKS = ("consistent", "channels", "conserved", "cost")
AGAINST = ("channels", "processes", "diameter")

UNJUDGED: tuple[Reason, ...] = ("aborted", "unfinished", "unasked")

Number = int | float
Count = Annotated[int, Field(ge=0)]
Runs = Annotated[str, StringConstraints(pattern=r"^/run/[^\s\\?#]+$")]
"""The address of a group's runs, on this server."""

Rest = Annotated[str, StringConstraints(pattern=r"^(/run/[^\s\\?#]+)?(\?[^\s\\#]*)?$")]
"""The rest of the address of a run and a step; or the whole address."""


class Unread(Unknown):
    """There is no report to show; the text says why."""


class Strict(BaseModel):
    """An immutable part of the report, without unknown fields."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Histogram(Strict):
    """How often each value of a measure was measured in a group, from small to large."""

    values: Annotated[tuple[Annotated[int, Field(ge=0)], ...], Field(min_length=1)]
    counts: tuple[Annotated[int, Field(ge=1)], ...]
    about: bool = False

    @model_validator(mode="after")
    def fits(self) -> Self:
        """Check that each value has a count, and that the values are in order. Raises ValueError."""
        if len(self.values) != len(self.counts):
            raise ValueError(Phrase("there must be as many counts as values"))
        if any(first >= second for first, second in pairwise(self.values)):
            raise ValueError(Phrase("the values must go from small to large"))
        return self


class Group(Strict):
    """What runs with the same settings have in common."""

    id: int
    algorithm: str
    topology: str
    processes: Count
    channels: Count
    diameter: Count | None
    program: str
    discipline: str
    delay: str | None
    interval: int | None
    scenario: str
    url: Runs | None
    runs: Count
    snapshots: Count
    complete: Count
    judged: dict[str, Count]
    broken: dict[str, Count]
    unjudged: dict[Reason, Count]
    measures: dict[str, Histogram]

    @model_validator(mode="after")
    def adds_up(self) -> Self:
        """Check that every snapshot is judged or is not. Raises ValueError."""
        if self.judged.get("any", 0) + sum(self.unjudged.values()) != self.snapshots:
            raise ValueError(
                Phrase("the snapshots that were judged and those that were not must be all snapshots together")
            )
        if self.broken.get("any", 0) > self.judged.get("any", 0):
            raise ValueError(Phrase("more snapshots are broken than were judged"))
        return self


class Sample(Strict):
    """A snapshot to look at, or a run without one. Missing measures are None."""

    group: int
    run: Count
    url: Rest
    snapshot: int | None
    broken: tuple[str, ...]
    duration: int | None
    ticks: int | None = None
    controls: int | None
    recorded: int | None
    bytes: int | None
    paused: int | None
    blocked: int | None
    loss: int | None

    def at(self, group: Group) -> str:
        """Return its address."""
        return self.url if self.url.startswith("/") else f"{group.url or ''}{self.url}"

    def value(self, measure: str) -> int | None:
        """Return what was measured."""
        found: int | None = getattr(self, measure)
        return found


class Verdicts(Strict):
    """The source of the verdicts, and their totals."""

    by: str
    snapshots: Count
    checks: Count
    disagree: Count | None


class Report(Strict):
    """The whole report."""

    version: int
    engine: int
    spec: Any
    runs: Count
    snapshots: Count
    verdicts: Verdicts
    groups: tuple[Group, ...]
    samples: tuple[Sample, ...]


def report(file: Path) -> Report:
    """Return the report in a file; the latest ones are cached. Raises Unread if it is missing, broken or of another
    version."""
    try:
        stat = file.stat()
    except OSError:
        raise Unread("there is no report of this sweep; it may still be at work, or have been deleted") from None
    if stat.st_size > MOST_BYTES:
        raise Unread("the report of this sweep is larger than {most:,} bytes", most=MOST_BYTES)
    return parsed(file, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=8)
def parsed(file: Path, changed: int, size: int) -> Report:
    """Return the report in a file with this time of change and this size."""
    try:
        values = json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError):
        values = None
    if not isinstance(values, dict) or not isinstance(values.get("version"), int):
        raise Unread("the report of this sweep is damaged; measure the sweep once more: bluecut measure DIR")
    if values["version"] != VERSION:
        raise Unread(
            "the report of this sweep is of version {version}, and this page reads version {known}; "
            "measure the sweep once more: bluecut measure DIR",
            version=values["version"],
            known=VERSION,
        )
    try:
        made = Report.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        raise damaged(".".join(str(part) for part in first["loc"]), misread(first)) from None
    known = {group.id: group for group in made.groups}
    for place, sample in enumerate(made.samples):
        if sample.group not in known:
            raise damaged(f"samples.{place}.group", Phrase("there is no group {group}", group=sample.group))
        if not sample.at(known[sample.group]).startswith("/run/"):
            raise damaged(f"samples.{place}.url", Phrase("this leads to no run"))
    return made


def misread(problem: Problem) -> Phrase:
    """Return our own words for what is wrong with a field: those of a validator of this module, or what would be
    right."""
    if problem["type"] == "value_error":
        said: Phrase = problem["ctx"]["error"].args[0]
        return said
    if problem["type"] == "missing":
        return Phrase("missing; it must be given")
    return Phrase("must be {wanted}, not {got}", wanted=want(problem), got=shown(problem["input"]))


def damaged(field: str, reason: Phrase) -> Unread:
    """Return the error for a field, with the reason."""
    return Unread(
        "the report of this sweep is damaged, at {field}: {reason}; measure the sweep once more: bluecut measure DIR",
        field=field,
        reason=reason,
    )
