"""The spec of a sweep: the runs to make, as a YAML file.

Either scenarios from the library (or files), or generated ones::

    topologies: [chain, ring, star, grid, complete, {random: {degree: 2}}]
    sizes: [3, 5, 8]
    programs: [bank]
    algorithms: [chandy-lamport, late-marker]
    disciplines: [fifo, any]
    seeds: 20

Every combination is a cell of the grid (``app.pipeline.sweep.grid``), and every cell has ``seeds`` runs. The fields:

scenarios
    names from the library, or files beside the spec; in addition there may be ``algorithms``, ``disciplines`` and
    ``seeds``, each by default the scenario's own
topologies
    ``chain`` and ``ring``, whose channels go one way; ``star``, ``complete`` and ``grid`` (rows as long as there are
    rows, or one longer, the last one perhaps shorter), whose channels go both ways; ``{random: {degree: 2, seed: 1}}``;
    for dataflows ``chain``, and ``join``, where two sources meet in a sum and one of them passes through slow tasks
sizes
    how many processes, the coordinator of a dataflow among them
programs
    ``bank`` (the default), ``token``, ``dataflow``
algorithms
    names, or ``all``
disciplines
    ``fifo`` (the default), ``causal``, ``any``
delays
    how long messages travel, in ticks: a number, or ``[from, to]``; by default ``[0, 4]``
intervals
    from one start of a snapshot to the next, in ticks; by default 20. (For an engine that runs batches: the items per
    batch.)
moves
    how many moves the program makes per process, or how many items a source has; by default 20
snapshots
    how many are started (in a dataflow, as many as there is time for); by default 2
losses, duplications
    how many of a hundred messages, markers among them, channels lose, and how many they duplicate; by default none
schedule
    ``timed`` (the default: messages travel in virtual time), or ``seeded``: each step is drawn from all that can
    happen, and intervals count steps
crashes
    in a dataflow, after how many ticks on average a process crashes; without it, none does
seeds
    how many, from 1 on, or ``{first: 101, count: 20}``; by default 1
steps
    where a run stops; by default 2,000
parts
    several such grids, in sequence, in place of all these fields

The limits on combinations, runs and so on are the constants of this module.
"""

from collections.abc import Iterator
from math import prod
from pathlib import Path as File
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

from pydantic import BaseModel, Field, StringConstraints

from app.algorithms.registry import ALGORITHMS, no_algorithm
from app.core.model.value import Frozen
from app.core.model.values import Json, Phrase
from app.forms.explain import formed, no_scenario
from app.forms.fields import SNAPSHOTS, STEPS, STRICT
from app.forms.json_shape import items
from app.forms.yaml_source import Source, read
from app.scenario.format import FILE_BYTES, PROCESSES, Discipline, Percent, Seed, Words
from app.scenario.library import LIBRARY
from app.scenario.scenario import load

CELLS = 10_000
"""How many combinations a spec may have, including those that do not fit."""
RUNS = 1_000_000
SEEDS = 100_000
VALUES = 64
"""How many values a list may have; there may be more scenarios."""
SCENARIOS = 200
PARTS = 20
MOVES = 1_000
TICKS = 10_000
BYTES = 65_536
"""The maximum length of the text in bytes."""

ALL = "all"
DELAY = (0, 4)

Tick = Annotated[int, Field(ge=0, le=TICKS, strict=True)]
Reference = Annotated[str, StringConstraints(min_length=1, max_length=200, strict=True)]
"""A scenario: a name from the library, or a file."""
T = TypeVar("T")
Several: TypeAlias = Annotated[list[T], Field(min_length=1, max_length=VALUES)]
Shape = Literal["chain", "ring", "star", "grid", "complete", "join"]


class Form(BaseModel):
    """A part of a spec."""

    model_config = STRICT


class DegreeForm(Form):
    """A random, strongly connected graph with about ``degree`` outputs per process."""

    degree: Annotated[int, Field(ge=1, le=20, strict=True)] = 2
    seed: Seed = 1


class RandomForm(Form):
    """A randomly drawn shape."""

    random: DegreeForm


class SeedsForm(Form):
    """A number of seeds, from the first on."""

    first: Annotated[int, Field(ge=1, le=2**31 - 1 - SEEDS, strict=True)] = 1
    count: Annotated[int, Field(ge=1, le=SEEDS, strict=True)] = 1


class GridForm(Form):
    """A grid: scenarios, or all combinations of the parts of scenarios."""

    scenarios: Annotated[list[Reference], Field(min_length=1, max_length=SCENARIOS)] | None = None
    topologies: Several[Shape | RandomForm] | None = None
    sizes: Several[Annotated[int, Field(ge=2, le=PROCESSES, strict=True)]] | None = None
    programs: Annotated[list[Literal["bank", "token", "dataflow"]], Field(min_length=1, max_length=3)] | None = None
    algorithms: Literal["all"] | Several[str] | None = None
    disciplines: Annotated[list[Discipline], Field(min_length=1, max_length=3)] | None = None
    delays: Several[Tick | Annotated[list[Tick], Field(min_length=2, max_length=2)]] | None = None
    intervals: Several[Annotated[int, Field(ge=1, le=2_000, strict=True)]] | None = None
    losses: Several[Percent] | None = None
    duplications: Several[Percent] | None = None
    moves: Annotated[int, Field(ge=1, le=MOVES, strict=True)] | None = None
    snapshots: Annotated[int, Field(ge=1, le=SNAPSHOTS, strict=True)] | None = None
    schedule: Literal["timed", "seeded"] | None = None
    crashes: Annotated[int, Field(ge=1, le=1_000_000, strict=True)] | None = None
    seeds: Annotated[int, Field(ge=1, le=SEEDS, strict=True)] | SeedsForm = 1
    steps: Annotated[int, Field(ge=1, le=STEPS, strict=True)] | None = None


class SweepForm(GridForm):
    """One grid, or several parts, each a grid; and its title."""

    title: Words | None = None
    parts: Annotated[list[GridForm], Field(min_length=1, max_length=PARTS)] | None = None


class Spec(Frozen):
    """A spec that has been read and checked. ``files`` are its scenarios from files, as plain values."""

    name: str
    form: SweepForm
    files: tuple[tuple[str, dict[str, Json]], ...] = ()

    @property
    def parts(self) -> tuple[GridForm, ...]:
        """Return the grids in sequence."""
        return tuple(self.form.parts or (self.form,))

    def written(self) -> dict[str, Json]:
        """Return the spec as plain values, without defaults."""
        return self.form.model_dump(mode="json", exclude_unset=True)


def schema() -> dict[str, object]:
    """Return the JSON Schema of a spec."""
    made = SweepForm.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made, "title": "Bluecut sweep"}


def load_spec(text: str, name: str, *, folder: File | None = None) -> Spec:
    """Return the spec that ``text`` describes. ``folder`` is where its files are; without it there can be none.

    Raises SourceError, which names file, line and field and says what would be right.
    """
    source, form = formed(
        text,
        name,
        SweepForm,
        limit=BYTES,
        empty=Phrase("empty; a sweep has scenarios, or topologies, sizes and algorithms"),
        wrong=Phrase("a sweep is a mapping with scenarios, or topologies, sizes, algorithms, …"),
    )
    files: dict[str, dict[str, Json]] = {}
    for path, part in parts(source, form):
        _check(source, path, part)
        for i, wanted in enumerate(part.scenarios or ()):
            if wanted not in LIBRARY.names() and wanted not in files:
                files[wanted] = _from_file(source, (*path, "scenarios", i), wanted, folder)
    spec = Spec(name, form, tuple(files.items()))
    _measure(source, spec)
    return spec


Path = tuple[str | int, ...]


def parts(source: Source, form: SweepForm) -> Iterator[tuple[Path, GridForm]]:
    """Yield each grid, and where it is. Raises SourceError if there are both parts and other fields."""
    if form.parts is None:
        yield (), form
        return
    for field in source.values:
        if field not in ("parts", "title"):
            raise source.error((field,), "does not go with parts; give it in each of them")
    yield from ((("parts", i), part) for i, part in enumerate(form.parts))


def _check(source: Source, path: Path, part: GridForm) -> None:
    """Check what the form cannot. Raises SourceError."""
    given = part.model_fields_set - {"title", "parts"}
    if part.scenarios is not None:
        for field in sorted(given - {"scenarios", "algorithms", "disciplines", "seeds"}):
            raise source.error((*path, field), "does not go with scenarios, which say it themselves")
    else:
        for needed in ("topologies", "sizes", "algorithms"):
            if needed not in given:
                raise source.error(
                    (*path, needed), "missing; a sweep has scenarios, or topologies, sizes and algorithms"
                )
    if part.crashes is not None and "dataflow" not in (part.programs or ()):
        raise source.error((*path, "crashes"), "goes with the program dataflow alone")
    lists = ("topologies", "sizes", "programs", "disciplines", "delays", "intervals", "losses", "duplications")
    for field in ("delays", "crashes") if part.schedule == "seeded" else ():
        if field in given:
            raise source.error((*path, field), "does not go with a seeded schedule, which knows no time")
    for field in ("scenarios", "algorithms", *lists):
        values = getattr(part, field)
        for i, value in enumerate(items(values)):
            if value in values[:i]:
                raise source.error((*path, field, i), "given twice; keep one")
    for i, delay in enumerate(part.delays or ()):
        if isinstance(delay, list) and delay[0] > delay[1]:
            raise source.error(
                (*path, "delays", i), "from {low} to {high}; the first is the smaller one", low=delay[0], high=delay[1]
            )
    for i, name in enumerate(items(part.algorithms)):
        if name not in ALGORITHMS:
            raise source.error((*path, "algorithms", i), "{reason}", reason=no_algorithm(name))


def _from_file(source: Source, path: Path, wanted: str, folder: File | None) -> dict[str, Json]:
    """Return the scenario of a file as plain values, checked. Raises SourceError."""
    if folder is None or not wanted.endswith((".yaml", ".yml")):
        raise source.error(path, "{reason}", reason=no_scenario(wanted, LIBRARY.names()))
    try:
        text = (folder / wanted).read_text("utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise source.error(path, "{file}: cannot be read: {reason}", file=wanted, reason=str(reason)) from None
    load(text, wanted)
    values: dict[str, Json] = read(text, wanted, limit=FILE_BYTES).values
    return values


def _measure(source: Source, spec: Spec) -> None:
    """Raise SourceError if there are too many combinations or runs."""
    cells = runs = 0
    for part in spec.parts:
        many = combinations(part)
        cells += many
        runs += many * seeds(part).count
    if cells > CELLS:
        raise source.error((), "{count:,} combinations; at most {most:,}", count=cells, most=CELLS)
    if runs > RUNS:
        raise source.error((), "{count:,} runs; at most {most:,}", count=runs, most=RUNS)


def combinations(part: GridForm) -> int:
    """Return how many combinations a grid has."""
    return prod(map(len, axes(part).values()))


def axes(part: GridForm) -> dict[str, tuple[Any, ...]]:
    """Return the values of each field of a grid, starting with the field that changes most slowly."""
    algorithms = tuple(ALGORITHMS) if part.algorithms == ALL else tuple(part.algorithms or (None,))
    if part.scenarios is not None:
        return {
            "scenario": tuple(part.scenarios),
            "algorithm": algorithms,
            "discipline": tuple(part.disciplines or (None,)),
        }
    return {
        "topology": tuple(part.topologies or ()),
        "size": tuple(part.sizes or ()),
        "program": tuple(part.programs or ("bank",)),
        "algorithm": algorithms,
        "discipline": tuple(part.disciplines or ("fifo",)),
        "delay": tuple((d, d) if isinstance(d, int) else (d[0], d[1]) for d in part.delays or [list(DELAY)]),
        "interval": tuple(part.intervals or (20,)),
        "loss": tuple(part.losses or (0,)),
        "duplication": tuple(part.duplications or (0,)),
    }


def seeds(part: GridForm) -> SeedsForm:
    """Return the seeds of a grid."""
    return part.seeds if isinstance(part.seeds, SeedsForm) else SeedsForm(count=part.seeds)
