"""The cost of safety per item, as figures: every point is measured on a run, and opens it."""

from collections.abc import Callable, Iterable
from functools import cache

from app.narration.tell import word
from app.simulator.item_cost import (
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
from app.simulator.run import Run, record
from app.view.carried import scenario_in
from app.view.figure import Axis, Figure, Point, Series
from app.web.costs.trial import Trial, trial

SIDES = ("aligned", "millwheel")


@cache
def run_of(one: Trial) -> Run:
    """Return the run of a trial."""
    return record(scenario_in(one.text))


@cache
def measured(one: Trial, measure: Callable[[Run], float]) -> float:
    """Return what is measured on the run of a trial."""
    return round(measure(run_of(one)), 2)


def figures(spoken: str, lang: str | None) -> tuple[Figure, ...]:
    """Return the figures in the visitor's language; ``lang`` is the language that links name."""

    def series(name: str, trials: Iterable[tuple[int, Trial]], measure: Callable[[Run], float]) -> Series:
        points = (Point(x, measured(one, measure), one.url(lang)) for x, one in trials)
        return Series(word(f"claim.item.{name}", spoken), tuple(points))

    def figure(key: str, *drawn: Series) -> Figure:
        x, y = (Axis(word(f"claim.item.{key}.{side}", spoken)) for side in ("x", "y"))
        return Figure(f"item-{key}", word(f"claim.item.{key}", spoken), x, y, drawn)

    lines = {
        name: [(n, trial(line(n, name), "claim.item.run.operators", count=n)) for n in OPERATORS] for name in SIDES
    }
    tables = {name: [(n, trial(table(n, name), "claim.item.run.keys", count=n)) for n in KEYS] for name in SIDES}
    rates = [(ROUND_TRIP // gap, trial(rate(gap), "claim.item.run.rate", ticks=gap)) for gap in GAPS]
    return (
        figure("operators", *(series(name, lines[name], states_per_item) for name in SIDES)),
        figure(
            "keys",
            series("full", tables["aligned"], keys_in_full),
            series("incremental", tables["aligned"], keys_as_increments),
            series("millwheel", tables["millwheel"], keys_changed),
        ),
        figure("rate", series("millwheel", rates, ids_at_once)),
    )
