"""A million random runs, or a sample of them, judged three times: ``python -m tests.trust --runs 100000``.

The runs are those of ``scenarios/sweeps/trust.yaml``. Both verifiers and the simulator must agree on every snapshot,
nothing may be broken that should hold, and in the small systems whose chances the explorer can count, runs must be
caught as often as it predicts. The exit status is 1 if not.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pyarrow.dataset as ds
import yaml

from app.algorithms.registry import ALGORITHMS
from app.core.model.values import BluecutError
from app.core.oracle.checks import ROW_CHECKS
from app.paths import SCENARIOS
from app.pipeline.sweep.command import Outcome, carried_out
from app.pipeline.sweep.grid import Cell, Grid, grid
from app.pipeline.sweep.spec import Spec, load_spec
from app.run.chance import chances
from app.run.explore import MOST_STATES

SPEC = SCENARIOS / "sweeps" / "trust.yaml"
DEVIATIONS = 5
"""How many standard deviations a rate may be off: more happens once in 1.7 million times."""

KNOWN_IN_ADVANCE = 40
"""A sample that is too small for every cell has so many runs of each that can be predicted."""


@dataclass(frozen=True, slots=True)
class Rate:
    """How many runs of a cell were caught, and how likely that was for each."""

    cell: Cell
    caught: int
    chance: float

    @property
    def expected(self) -> float:
        """Return how many were to be caught."""
        return self.cell.runs * self.chance

    @property
    def fits(self) -> bool:
        """Is it as predicted? What is certain or impossible must be exact."""
        return abs(self.caught - self.expected) <= DEVIATIONS * sqrt(self.expected * (1 - self.chance)) + 1e-6

    def __str__(self) -> str:
        form = self.cell.scene().form
        part = f"{form.algorithm:18}{form.discipline:8}{'lossy' if form.loss else '':7}{self.cell.runs:>8,}"
        return f"{part}{self.chance:>10.3%}{self.caught / self.cell.runs:>10.3%}  {'' if self.fits else 'no'}"


def named(cells: Grid) -> set[str]:
    """Return the algorithms under which a grid makes runs."""
    return {json.loads(cell.carried)["algorithm"] for cell in cells.cells if cell.carried}


def sample(runs: int, first: int = 1, text: str = SPEC.read_text("utf-8")) -> Spec:
    """Return the spec with about so many runs, whose seeds begin with ``first``. Where they are fewer than there are
    combinations, sizes and faults are thinned out, and shapes where they are very few. An algorithm that it does not
    name runs where those of the first part do of which it can make a run."""
    values: Any = yaml.safe_load(text)
    cells = grid(load_spec(text, SPEC.name, folder=SPEC.parent))
    total, there = cells.runs, named(cells)
    known = [part for part in values["parts"] if "algorithms" in part]
    for name in (each for each in ALGORITHMS if each not in there):
        for part in known:
            alone = deepcopy(part) | {"algorithms": [name]}
            with suppress(BluecutError):  # it fits nothing there
                total += grid(
                    load_spec(yaml.safe_dump(values | {"parts": [alone]}, allow_unicode=True), SPEC.name)
                ).runs
                values["parts"].append(alone)
                break
    few, very_few = total > runs * COMBINED, total > runs * SHAPED
    for part in values["parts"]:
        if "seeds" not in part:
            continue
        count = max(1, round(part["seeds"] * runs / total))
        if few:
            part["sizes"] = part["sizes"][:1]
            if "duplications" in part:
                part["duplications"] = part["duplications"][-1:]
            count = KNOWN_IN_ADVANCE if "schedule" in part else 1
            if very_few and "schedule" not in part:
                part["topologies"] = part["topologies"][::2]
        part["seeds"] = {"first": first, "count": count}
    return load_spec(yaml.safe_dump(values, allow_unicode=True), SPEC.name)


COMBINED, SHAPED = 200, 600
"""With fewer than one run in so many, not every combination has one, and not every shape."""


def judged(spec: Spec, directory: Path, master: str | None = None, *, brief: bool = False) -> tuple[Outcome, Grid]:
    """Make and verify all runs of a spec in a folder."""
    return carried_out(spec, directory, master=master, report=True, brief=brief), grid(spec)


def rates(directory: Path, cells: Grid, most: int = MOST_STATES) -> Iterator[Rate]:
    """Yield, for each cell that can be predicted with at most so many states, how many of its runs the verifiers
    caught."""
    verdicts = ds.dataset(directory / "verdicts", format="parquet").to_table(["run"], filter=~pc.field("holds"))
    caught = set(verdicts["run"].to_pylist())
    for cell in cells.cells:
        if cell.carried is not None and cell.scene().form.schedule.kind == "seeded":
            found = sum(run in caught for run in range(cell.first, cell.first + cell.runs))
            try:
                failing = chances(cell.scene(), most=most)
            except BluecutError:  # too many states
                continue
            yield Rate(cell, found, sum(chance for checks, chance in failing.items() if checks & set(ROW_CHECKS)))


def main() -> int:
    """Judge a sample, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1_000)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--master")
    parser.add_argument("-o", "--output", type=Path, help="a folder to keep; the same command continues there")
    asked = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as temporary:
        directory = asked.output or Path(temporary)
        try:
            outcome, cells = judged(sample(asked.runs, asked.first), directory, asked.master)
        except BluecutError as error:
            parser.error(str(error))
        found = list(rates(directory, cells))
    verified = outcome.verified
    assert verified is not None
    print(f"{verified.runs:,} runs of {len(cells.cells):,} combinations, {verified.snapshots:,} snapshots")
    print(f"{verified.judged:,} verdicts, {verified.disagreements:,} disagreements, {verified.unexpected:,} unexpected")
    print(f"{'algorithm':18}{'order':15}{'runs':>8}{'predicted':>10}{'caught':>10}")
    print(*found, sep="\n")
    print(f"{time.monotonic() - began:,.0f} s")
    return 0 if verified.fine and found and all(rate.fits for rate in found) else 1


if __name__ == "__main__":
    sys.exit(main())
