"""A run as rows: they say what the run says."""

import pytest

from app.algorithms.registry import ALGORITHMS
from app.core.model.values import BluecutError
from app.pipeline.rows.from_run import Origin, Rows, trace
from app.pipeline.rows.schema import KINDS, VERDICT_COLUMNS
from app.run.run import Run, record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from tests.each import each
from tests.pipeline.plain import verdicts

MIXED = ("blue-figure", "token-late", "late-marker", "random-twelve")


def traced(run: Run) -> Rows:
    return trace(run, Origin(7, "/run/x"))


def said(rows: Rows) -> dict[int, dict[str, bool | None]]:
    return {
        row["snapshot"]: {name: row[column] for name, column in VERDICT_COLUMNS.items()} for row in rows["snapshot"]
    }


@each("name", LIBRARY.names)
def test_whoever_judges_the_rows_comes_to_the_verdicts_of_the_oracle(name: str) -> None:
    rows = traced(record(LIBRARY.scenario(name)))
    assert verdicts(rows) == said(rows)


@pytest.mark.parametrize("name", MIXED)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_so_does_it_under_every_algorithm_that_fits(name: str, algorithm: str) -> None:
    try:
        run = record(LIBRARY.scenario(name), RunKey(algorithm=algorithm))
    except BluecutError:
        return  # the algorithm does not fit, and says so
    rows = traced(run)
    assert verdicts(rows) == said(rows)


def test_rows_have_the_columns_of_their_kind_and_no_other() -> None:
    rows = traced(record(LIBRARY.scenario("random-twelve")))
    for kind, some in rows.items():
        assert all(set(row) <= set(KINDS[kind]) for row in some), kind
    assert [len(rows[kind]) for kind in ("run", "process", "channel", "snapshot", "cut")] == [1, 12, 24, 2, 24]
