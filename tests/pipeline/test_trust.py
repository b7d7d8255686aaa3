"""A thousand random runs of every algorithm, with faults and crashes: three judges agree, and as much is caught as
the explorer predicts. ``python -m tests.trust`` tries a hundred thousand."""

from pathlib import Path

import pytest
import yaml
from pyspark.sql import SparkSession

from app.algorithms.registry import ALGORITHMS
from app.pipeline.sweep.grid import grid
from app.pipeline.sweep.spec import RUNS, load_spec
from app.pipeline.sweep.sweep import sweep
from app.pipeline.verify.verify import verify
from tests.trust import SPEC, Rate, named, rates, sample

pytestmark = pytest.mark.slow

QUICKLY = 3_000
"""Chances are counted where there are at most so many states."""


def test_the_spec_makes_a_million_runs() -> None:
    cells = grid(load_spec(SPEC.read_text("utf-8"), SPEC.name, folder=SPEC.parent))
    assert cells.runs == RUNS == 1_000_000 and not cells.left


def test_an_algorithm_that_the_spec_does_not_name_is_tried_too() -> None:
    values = yaml.safe_load(SPEC.read_text("utf-8"))
    unnamed = {"stop-the-world", "aligned", "millwheel"}
    for part in (each for each in values["parts"] if "algorithms" in each):
        part["algorithms"] = [name for name in part["algorithms"] if name not in unnamed]
    parts = [part for part in values["parts"] if part.get("algorithms", True)]
    assert named(grid(sample(1_000, text=yaml.safe_dump(values | {"parts": parts})))) == set(ALGORITHMS)


def test_both_verifiers_and_the_simulator_agree_on_a_thousand_runs(spark: SparkSession, tmp_path: Path) -> None:
    spec = sample(1_000)
    cells = grid(spec)
    assert named(cells) == set(ALGORITHMS)
    sweep(spark, spec, tmp_path)
    found = verify(spark, tmp_path)
    assert (found.disagreeing, found.surprising) == ((), ()) and found.runs == found.simulated > 1_200
    there = {count.algorithm for count in found.counts if count.broken}
    mended = [count for count in found.counts if count.algorithm == "sequenced"]
    assert "late-marker" in there and any(count.holds for count in mended) and "sequenced" not in there
    made = list(rates(tmp_path, cells, QUICKLY))
    assert len(made) >= 12 and all(rate.fits for rate in made), [str(rate) for rate in made if not rate.fits]
    wrong = next(rate for rate in made if 0.2 < rate.chance < 0.8)
    assert not Rate(wrong.cell, 0, wrong.chance).fits
