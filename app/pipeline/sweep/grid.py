"""The grid of a sweep: its cells, and which run is which.

The parts of a spec follow one another. Within a part, the cells are in the order of topologies, sizes, programs,
algorithms, disciplines, delays, intervals, losses, duplications, with the last changing fastest; or of scenarios,
algorithms, disciplines.
What does not fit, such as an algorithm that needs a path between all processes on a chain, is left out, and
``Grid.left`` says what and why.

Each cell has one run per seed, numbered consecutively over the whole grid; so the number of a run gives its cell and
its seed by arithmetic alone, on any machine. A scenario without randomness has one run.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import product
from typing import Any

from msgspec.structs import replace

from app.core.model.value import Frozen
from app.core.model.values import BluecutError, Phrase
from app.forms.yaml_source import Source
from app.pipeline.rows.from_run import Origin
from app.pipeline.sweep.generated_scenarios import label, name, scenario
from app.pipeline.sweep.spec import GridForm, Spec, axes, seeds
from app.scenario.format import VISITOR_BYTES
from app.scenario.library import LIBRARY
from app.scenario.run_key import ENGINE, RunKey
from app.scenario.scenario import Scenario, build
from app.wire.run_url import Address, canonical
from app.wire.scenario_link import LONGEST, packed, scenario_in
from app.wire.scenario_link import canonical as carried_text


class Cell(Frozen):
    """A cell: a scenario, and how many runs it has.

    ``carried`` is the scenario as the JSON that its link carries; None for one from the library, given by its name.
    ``algorithm`` and ``discipline`` are those of the address, None for the scenario's own. ``first`` is the number of
    its first run, ``seed`` that run's seed.
    """

    number: int
    first: int
    runs: int
    seed: int
    scenario: str
    carried: str | None = None
    algorithm: str | None = None
    discipline: str | None = None
    topology: str = ""
    delay: str | None = None
    interval: int | None = None

    def seed_of(self, run: int) -> int:
        """Return the seed of a run of this cell, by the run's number."""
        return self.seed + run - self.first

    def scene(self) -> Scenario:
        """Return the scenario."""
        return LIBRARY.scenario(self.scenario) if self.carried is None else scenario_in(self.carried)

    def address(self, run: int) -> Address:
        """Return where a run can be seen, by the run's number."""
        scene = self.scene()
        key = RunKey(self.algorithm, self.seed_of(run), self.discipline)
        return Address(self.scenario if self.carried is None else _ref(self.carried), scene, canonical(scene, key))

    def origin(self, run: int, link: str) -> Origin:
        """Return what is stored about a run besides the run itself; ``link`` is where it can be seen."""
        return Origin(run, link, self.number, self.scenario, self.topology, self.delay, self.interval)


class Left(Frozen):
    """Cells that do not fit: what they have in common, why, and how many there are."""

    what: Phrase
    why: Phrase
    count: int


class Grid(Frozen):
    """The cells that fit, in their order, and those that are left out."""

    cells: tuple[Cell, ...]
    left: tuple[Left, ...]

    @property
    def runs(self) -> int:
        """Return how many runs there are."""
        return self.cells[-1].first + self.cells[-1].runs

    @property
    def digest(self) -> str:
        """Return a text that is equal for two grids with the same runs, numbered alike."""
        cells = (f"{cell} {cell.scene().digest}" if cell.carried is None else str(cell) for cell in self.cells)
        return sha256("\n".join((str(ENGINE), *cells)).encode()).hexdigest()[:24]

    def between(self, first: int, last: int) -> tuple[Cell, ...]:
        """Return the cells with runs from ``first`` up to, but not including, ``last``."""
        start = place(self.cells, first)
        return tuple(cell for cell in self.cells[start:] if cell.first < last)


def place(cells: Sequence[Cell], run: int) -> int:
    """Return the index in ``cells`` of a run's cell."""
    return bisect_right(cells, run, key=lambda cell: cell.first) - 1


@lru_cache(maxsize=64)
def _ref(carried: str) -> str:
    return packed(carried)


def grid(spec: Spec) -> Grid:
    """Return the grid of a spec. Raises BluecutError if no cell fits."""
    cells: list[Cell] = []
    left: dict[tuple[Phrase, Phrase], int] = {}
    run = 0
    for part in spec.parts:
        for one in _combinations(part):
            try:
                cell = _listed(spec, part, one) if part.scenarios is not None else _generated(part, one)
            except BluecutError as error:
                out = (_named(one), error.phrase)
                left[out] = left.get(out, 0) + 1
                continue
            cells.append(replace(cell, number=len(cells), first=run))
            run += cell.runs
    told = tuple(Left(what, why, count) for (what, why), count in left.items())
    if not cells:
        raise BluecutError(
            "{spec}: no combination fits; of {what}: {why}", spec=spec.name, what=told[0].what, why=told[0].why
        )
    return Grid(tuple(cells), told)


def _combinations(part: GridForm) -> Iterator[dict[str, Any]]:
    """Yield all combinations of a grid, in order: for each axis one of its values."""
    values = axes(part)
    yield from (dict(zip(values, chosen, strict=True)) for chosen in product(*values.values()))


def _named(one: Mapping[str, object]) -> Phrase:
    """Return what combinations that do not fit have in common."""
    if "scenario" in one:
        return Phrase("{algorithm}, {scenario}", algorithm=one["algorithm"] or "-", scenario=one["scenario"])
    return Phrase(
        "{algorithm}, {program}, {topology}", algorithm=one["algorithm"], program=one["program"], topology=label(one)
    )


def _listed(spec: Spec, part: GridForm, one: Mapping[str, Any]) -> Cell:
    """Return the cell of a scenario from the library or a file. Raises BluecutError if it does not fit."""
    wanted, algorithm, discipline = one["scenario"], one["algorithm"], one["discipline"]
    values = next((values for name, values in spec.files if name == wanted), None)
    carried = None if values is None else carried_text(values)
    scene = LIBRARY.scenario(wanted) if carried is None else _carriable(carried, scenario_in(carried))
    key = RunKey(algorithm, None, discipline)
    scene.system(key)
    many = seeds(part)
    first, count = (many.first, many.count) if scene.draws(key) else (0, 1)
    return Cell(0, 0, count, first, wanted, carried, algorithm, discipline)


def _generated(part: GridForm, one: Mapping[str, Any]) -> Cell:
    """Return the cell of a scenario that the sweep makes. Raises BluecutError if it does not fit."""
    values = scenario(part, one)
    scene = _carriable(carried := carried_text(values), build(Source(name(part, one), values, {})))
    scene.system(RunKey())
    many, (low, high) = seeds(part), one["delay"]
    delay = str(low) if low == high else f"{low}-{high}"
    return Cell(
        number=0,
        first=0,
        runs=many.count,
        seed=many.first,
        scenario=name(part, one),
        carried=carried,
        topology=label(one),
        delay=None if part.schedule == "seeded" else delay,
        interval=one["interval"],
    )


def _carriable(carried: str, scene: Scenario) -> Scenario:
    """Return the scenario. Raises BluecutError if it does not fit into a link."""
    if len(carried.encode()) > VISITOR_BYTES or len(_ref(carried)) > LONGEST:
        raise BluecutError("no link can carry so large a scenario")
    return scene
