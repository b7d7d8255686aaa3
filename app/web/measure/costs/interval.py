"""How often? Checkpoints cost time, and so do crashes: fewer checkpoints make crashes more expensive."""

from typing import Any

from app.analysis.experiments import INTERVALS, SEEDS, interval, model, young
from app.pictures.chart import Axis, Figure, Point, Series
from app.web.measure.costs.measure_queue import Results
from app.web.measure.costs.measured_run import Trial, trial
from app.web.measure.costs.query import Query
from app.words.catalogues import word


def _one(query: Query, every: int, seed: int) -> Trial:
    """Return a run with random crashes."""
    values = interval(every, query.price, query.mean)
    return trial(values, "tradeoffs.run.interval", seed=seed, every=every, price=query.price, mean=query.mean)


def _calm(query: Query, every: int | None) -> Trial:
    """Return the run without crashes; without an interval, the run with nothing but the work."""
    values = interval(every, query.price, None)
    if every is None:
        return trial(values, "tradeoffs.run.interval.bare")
    return trial(values, "tradeoffs.run.interval.calm", every=every, price=query.price)


def _seeds() -> range:
    """Return the seeds of the runs with crashes."""
    return range(1, SEEDS + 1)


def trials(query: Query) -> tuple[Trial, ...]:
    """Return every interval with every seed, and without crashes."""
    alone = (_calm(query, None), *(_calm(query, every) for every in INTERVALS))
    return (*alone, *(_one(query, every, seed) for every in INTERVALS for seed in _seeds()))


def _extra(results: Results, query: Query, run: Trial) -> float | None:
    """Return how much longer a run took than the work alone, as a share of it; None if it did not finish."""
    took, alone = results[run].took, results[_calm(query, None)].took
    return None if took.full else (took.over - alone.over) / alone.over


def _mean(results: Results, query: Query, every: int) -> float | None:
    """Return the mean over all seeds; None if a run did not finish."""
    shares = [_extra(results, query, _one(query, every, seed)) for seed in _seeds()]
    known = [share for share in shares if share is not None]
    return sum(known) / len(known) if len(known) == len(shares) else None


def _typical(results: Results, query: Query, every: int) -> Trial:
    """Return the run nearest to the mean; of several, that of the first seed."""
    wanted = _mean(results, query, every) or 0.0
    runs = [_one(query, every, seed) for seed in _seeds()]
    return min(runs, key=lambda run: abs((_extra(results, query, run) or 0.0) - wanted))


def _figure(query: Query, results: Results, language: str, lang: str | None) -> Figure:
    """Return the measured cost, the part due to checkpoints, and the formula's prediction."""
    found, formula, stops = [], [], []
    for every in INTERVALS:
        run, still = _typical(results, query, every), _calm(query, every)
        share, alone = _mean(results, query, every), _extra(results, query, still)
        words = word("tradeoffs.interval.nearest", language, count=SEEDS, seed=run.seed)
        found.append(Point(every, percent(share), run.url(lang), words))
        stops.append(Point(every, percent(alone), still.url(lang)))
        formula.append(Point(every, percent(model(every, query.price, query.mean))))
    return Figure(
        "interval",
        word("tradeoffs.interval.figure", language),
        Axis(word("tradeoffs.axis.interval", language), word("tradeoffs.unit.ticks", language)),
        Axis(word("tradeoffs.axis.extra", language), "%"),
        (
            Series(word("tradeoffs.interval.measured", language, count=SEEDS), tuple(found)),
            Series(word("tradeoffs.interval.formula", language), tuple(formula)),
            Series(word("tradeoffs.interval.stops", language), tuple(stops)),
            Series(word("tradeoffs.interval.rule", language), (_rule(query),), "point"),
        ),
    )


def _rule(query: Query) -> Point:
    """Return the interval according to Young's rule."""
    least = young(query.price, query.mean)
    return Point(round(least, 1), percent(model(least, query.price, query.mean)))


def percent(share: float | None) -> float | None:
    """Return a share as a percentage."""
    return None if share is None else round(100 * share, 1)


def context(query: Query, results: Results, language: str, lang: str | None) -> dict[str, Any]:
    """Return what ``_costs_interval.html`` gets: the ``figure``; ``best`` (interval, its cost in percent, its URL),
    None if no run finished; ``young``, the interval of the rule; ``seeds``; and ``runs`` [(interval, [(seed, cost in
    percent, URL)])]."""
    shares = {every: share for every in INTERVALS if (share := _mean(results, query, every)) is not None}
    least = min(shares, key=lambda every: shares[every], default=None)
    runs = []
    for every in INTERVALS:
        each = [(seed, _one(query, every, seed)) for seed in _seeds()]
        runs.append((every, [(seed, percent(_extra(results, query, run)), run.url(lang)) for seed, run in each]))
    return {
        "figure": _figure(query, results, language, lang),
        "best": least and (least, percent(shares[least]), _typical(results, query, least).url(lang)),
        "young": round(young(query.price, query.mean), 1),
        "seeds": SEEDS,
        "runs": runs,
    }
