"""A slow task: its effect on checkpoints, algorithm by algorithm."""

from typing import Any

from app.algorithms.registry import ALGORITHMS
from app.analysis.durations import Durations
from app.analysis.experiments import SLOW, straggler
from app.pictures.chart import Axis, Figure, Number, Point, Series
from app.web.measure.costs.measure_queue import Results
from app.web.measure.costs.measured_run import Trial, trial
from app.web.measure.costs.query import MEASURES, Query
from app.words.catalogues import word

COMPARED = ("aligned", "aligned-timeout", "unaligned", "at-least-once", "micro-batch", "micro-batch-speculation")
UNITS = {"lasts": "ticks", "aligns": "ticks", "waits": "records", "stored": "records", "latency": "ticks"}


def _one(name: str, slow: int) -> Trial:
    """Return the run under an algorithm, with a task that takes ``slow`` ticks per item."""
    return trial(straggler(slow, name), "tradeoffs.run.straggler", ticks=slow)


def trials(query: Query) -> tuple[Trial, ...]:
    """Return every algorithm at every speed: the slider only chooses which are in the table."""
    return tuple(_one(name, slow) for name in COMPARED for slow in SLOW)


def amount(name: str, measure: str, took: Durations) -> Number | None:
    """Return what was measured. Batches have no barriers, so nothing aligns and nothing is blocked."""
    complete = took.complete
    if measure == "latency":
        return took.mean_latency
    if not complete or (ALGORITHMS[name].BATCHES and measure in ("aligns", "waits")):
        return None
    if measure == "lasts":
        lasted = [each.lasts or 0 for each in complete]
        return sum(lasted) / len(lasted)
    if measure == "aligns":
        return max(each.longest for each in complete)
    if measure == "waits":
        return max(each.waited for each in complete)
    return max(each.in_flight for each in complete)


def _figure(query: Query, results: Results, language: str, lang: str | None) -> Figure:
    """Return the chosen measure over the whole range."""
    series = []
    for name in COMPARED:
        points = []
        for slow in SLOW:
            run = _one(name, slow)
            points.append(Point(slow, amount(name, query.measure, results[run].took), run.url(lang)))
        series.append(Series(word(f"algorithm.{name}", language), tuple(points)))
    unit = word(f"tradeoffs.unit.{UNITS[query.measure]}", language)
    return Figure(
        "straggler",
        word(f"tradeoffs.measure.{query.measure}", language),
        Axis(word("tradeoffs.axis.slow", language), word("tradeoffs.unit.ticks", language)),
        Axis(word(f"tradeoffs.measure.{query.measure}", language), unit),
        tuple(series),
    )


def context(query: Query, results: Results, language: str, lang: str | None) -> dict[str, Any]:
    """Return what ``_costs_straggler.html`` gets: the ``figure``, ``measures`` by name, and ``rows`` [(algorithm, URL,
    values by measure)] of the runs at the slider."""
    rows = []
    for name in COMPARED:
        run = _one(name, query.slow)
        took = results[run].took
        rows.append((name, run.url(lang), [amount(name, measure, took) for measure in MEASURES]))
    return {"figure": _figure(query, results, language, lang), "measures": MEASURES, "rows": rows}
