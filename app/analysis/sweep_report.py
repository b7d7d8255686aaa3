"""The report of a sweep: a JSON file of bounded size, made by the pipeline and shown by the Lab.

It is the only connection between the two. The tuples below are the orders in which both list things.
"""

from itertools import pairwise
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from app.core.model.values import Phrase

VERSION = 2
"""Grows when a field that is read changes its meaning or disappears."""

MOST_BYTES = 16_000_000

OF_SNAPSHOTS = ("duration", "ticks", "controls", "recorded", "bytes")
"""What is measured of each snapshot that was completed: steps and ticks of virtual time from its start to its
completion, messages sent for it, messages in its channels, and their bytes as compact JSON."""

OF_RUNS = ("paused", "blocked", "loss")
"""What is measured of each run: steps after which a program was paused, and after which an input was blocked; items
that had to be processed again after crashes."""

MEASURES = (*OF_SNAPSHOTS, *OF_RUNS)

Reason = Literal["aborted", "unfinished", "unasked"]
"""Why a snapshot was not judged: it was aborted, it was never complete, or no check applies to it."""

UNJUDGED: tuple[Reason, ...] = get_args(Reason)

Count = Annotated[int, Field(ge=0)]
Runs = Annotated[str, StringConstraints(pattern=r"^/run/[^\s\\?#]+$")]
"""The address of a group's runs, on this server."""

Rest = Annotated[str, StringConstraints(pattern=r"^(/run/[^\s\\?#]+)?(\?[^\s\\#]*)?$")]
"""The rest of the address of a run and a step; or the whole address."""


class Part(BaseModel):
    """An immutable part of the report."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    def written(self) -> dict[str, object]:
        """Return plain values: those that were given."""
        return self.model_dump(exclude_unset=True)


class Histogram(Part):
    """How often each value of a measure was measured in a group, from small to large. ``about``: there were too many
    values, so neighbours are merged into their mean; the least and the greatest are exact."""

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


class Group(Part):
    """What runs with the same settings have in common.

    ``url`` is the path of its runs, None if no sample is from this group. ``complete`` counts completed snapshots;
    ``judged`` and ``broken``, by check and for ``any`` of them, the snapshots to which it applies and those that broke
    it; ``unjudged`` the others, by reason. Zeros are left out.
    """

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


class Sample(Part):
    """A snapshot to look at, or a run without one. ``run`` is its number in the sweep; ``url`` is relative to that of
    its group; ``broken`` lists checks. Missing measures are None."""

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


class Verdicts(Part):
    """The source of the verdicts, ``verifiers`` or ``simulator``; how many snapshots were judged; how many checks apply
    to them; and on how many verdicts verifiers and simulator disagree (None: not compared)."""

    by: str
    snapshots: Count
    checks: Count
    disagree: Count | None


class Report(Part):
    """The whole report. ``engine`` is the version of the simulator's behaviour with which the addresses of the samples
    lead to the same runs; ``spec`` is what was swept."""

    version: int
    engine: int
    spec: Any
    runs: Count
    snapshots: Count
    verdicts: Verdicts
    groups: tuple[Group, ...]
    samples: tuple[Sample, ...]
