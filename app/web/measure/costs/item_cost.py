"""The cost of safety per item, as figures: every point is measured on a run, and opens it."""

from collections.abc import Callable, Iterable
from functools import cache

from app.algorithms.registry import standing_for
from app.analysis.item_cost import (
    GAPS,
    KEYS,
    OPERATORS,
    ROUND_TRIP,
    ids_at_once,
    keys_as_increments,
    keys_changed,
    keys_in_full,
    line,
    rate,
    states_per_item,
    table,
)
from app.pictures.chart import Axis, Figure, Point, Series
from app.run.run import Run, record
from app.web.measure.costs.measured_run import Trial, trial
from app.wire.scenario_link import scenario_in
from app.words.catalogues import word

WAYS = {"rollback": standing_for("rollback"), "local": standing_for("local")}
"""Two ways to recover, each with an algorithm."""


@cache
def _run_of(one: Trial) -> Run:
    """Return the run of a trial."""
    return record(scenario_in(one.text))


@cache
def _measured(one: Trial, measure: Callable[[Run], float]) -> float:
    """Return what is measured on the run of a trial."""
    return round(measure(_run_of(one)), 2)


def figures(spoken: str, lang: str | None) -> tuple[Figure, ...]:
    """Return the figures in the visitor's language; ``lang`` is the language that links name."""

    def series(name: str, trials: Iterable[tuple[int, Trial]], measure: Callable[[Run], float]) -> Series:
        points = (Point(x, _measured(one, measure), one.url(lang)) for x, one in trials)
        return Series(word(f"claim.item.{name}", spoken), tuple(points))

    def figure(key: str, *drawn: Series) -> Figure:
        x, y = (Axis(word(f"claim.item.{key}.{side}", spoken)) for side in ("x", "y"))
        return Figure(f"item-{key}", word(f"claim.item.{key}", spoken), x, y, drawn)

    lines = {
        way: [(n, trial(line(n, name), "claim.item.run.operators", count=n)) for n in OPERATORS]
        for way, name in WAYS.items()
    }
    tables = {
        way: [(n, trial(table(n, name), "claim.item.run.keys", count=n)) for n in KEYS] for way, name in WAYS.items()
    }
    rates = [(ROUND_TRIP // gap, trial(rate(gap), "claim.item.run.rate", ticks=gap)) for gap in GAPS]
    return (
        figure("operators", *(series(way, lines[way], states_per_item) for way in WAYS)),
        figure(
            "keys",
            series("full", tables["rollback"], keys_in_full),
            series("incremental", tables["rollback"], keys_as_increments),
            series("local", tables["local"], keys_changed),
        ),
        figure("rate", series("local", rates, ids_at_once)),
    )
