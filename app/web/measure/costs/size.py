"""How large? The more processes there are, the more often one of them crashes; how much work does that undo?"""

from typing import Any

from app.algorithms.registry import ALGORITHMS, standing_for
from app.analysis.experiments import CROWD_MEAN, CROWD_RECORDS, CROWD_SEEDS, SIZES, alone, crowd, some
from app.pictures.chart import Axis, Figure, Point, Series
from app.web.measure.costs.interval import percent
from app.web.measure.costs.measure_queue import Results
from app.web.measure.costs.measured_run import Measured, Trial, trial
from app.web.measure.costs.query import Query
from app.words.catalogues import word

COMPARED = (standing_for("rollback"), standing_for("local"))


def _seeds() -> range:
    """Return the seeds of the runs."""
    return range(1, CROWD_SEEDS + 1)


def _one(name: str, size: int, seed: int) -> Trial:
    """Return the run of so many processes in a row, with the crashes of a seed."""
    return trial(crowd(size, name), "tradeoffs.run.crowd", seed=seed, size=size)


def trials(query: Query) -> tuple[Trial, ...]:
    """Return every size with every seed; the slider only chooses which are in the table."""
    return tuple(_one(name, size, seed) for size in SIZES for name in COMPARED for seed in _seeds())


def _struck(found: Measured) -> bool:
    """Was there a crash within the time that the work alone takes?"""
    return any(outage.at <= CROWD_RECORDS for outage in found.took.outages)


def _probable(results: Results, size: int) -> float:
    """Return the share of the runs with a crash."""
    return sum(_struck(results[_one(COMPARED[0], size, seed)]) for seed in _seeds()) / CROWD_SEEDS


def _going_back(results: Results, name: str, size: int) -> float | None:
    """Return the share of the processes that roll back, on average over all crashes of all seeds; None without a
    crash."""
    shares = [o.gone_back / size for seed in _seeds() for o in results[_one(name, size, seed)].took.outages]
    return sum(shares) / len(shares) if shares else None


def _again(results: Results, name: str, size: int) -> float:
    """Return the share of the necessary items that are processed again, on average over all seeds."""
    return sum(results[_one(name, size, seed)].took.again for seed in _seeds()) / (CROWD_SEEDS * size * CROWD_RECORDS)


def _first(results: Results, name: str, size: int) -> Trial:
    """Return the first seed's run with a crash; if none has any, that of the first seed."""
    runs = [_one(name, size, seed) for seed in _seeds()]
    return next((run for run in runs if results[run].took.outages), runs[0])


def _figures(results: Results, language: str, lang: str | None) -> tuple[Figure, Figure]:
    """Return the probability of a crash, measured and by the formula; and the share of the work that is repeated."""
    across = Axis(word("tradeoffs.axis.size", language))
    found, formula = [], []
    for size in SIZES:
        run = _first(results, COMPARED[0], size)
        words = word(
            "tradeoffs.crowd.of", language, count=round(_probable(results, size) * CROWD_SEEDS), seeds=CROWD_SEEDS
        )
        found.append(Point(size, percent(_probable(results, size)), run.url(lang), words))
        formula.append(Point(size, percent(some(size, CROWD_RECORDS))))
    chances = Figure(
        "crowd",
        word("tradeoffs.crowd.figure", language, ticks=CROWD_RECORDS),
        across,
        Axis(word("tradeoffs.axis.chance", language), "%"),
        (
            Series(word("tradeoffs.crowd.measured", language, count=CROWD_SEEDS), tuple(found), "point"),
            Series(word("tradeoffs.crowd.formula", language), tuple(formula)),
        ),
    )
    series = []
    for name in COMPARED:
        points = []
        for size in SIZES:
            run = _first(results, name, size)
            words = word("tradeoffs.crowd.opens", language, seed=run.seed)
            points.append(Point(size, percent(_again(results, name, size)), run.url(lang), words))
        series.append(Series(word(f"tradeoffs.crowd.{ALGORITHMS[name].RECOVERY}", language), tuple(points)))
    title, up = word("tradeoffs.crowd.again", language), word("tradeoffs.axis.again", language)
    return chances, Figure("again", title, across, Axis(up, "%"), tuple(series))


def context(query: Query, results: Results, language: str, lang: str | None) -> dict[str, Any]:
    """Return what ``_costs_crowd.html`` gets: the ``figures``; ``ticks`` and ``mean`` of the formula; ``alone`` and
    ``some``, its results, and what was ``measured``, in percent; ``seeds``; and ``rows`` [(way to recover, share
    rolling back, share processed again, [(seed, crashes, URL)])] at the slider."""
    rows = []
    for name in COMPARED:
        runs = [(seed, _one(name, query.size, seed)) for seed in _seeds()]
        links = [(seed, len(results[run].took.outages), run.url(lang)) for seed, run in runs]
        back, work = _going_back(results, name, query.size), _again(results, name, query.size)
        rows.append((ALGORITHMS[name].RECOVERY, percent(back), percent(work), links))
    return {
        "figures": _figures(results, language, lang),
        "ticks": CROWD_RECORDS,
        "mean": CROWD_MEAN,
        "alone": percent(alone(CROWD_RECORDS)),
        "some": percent(some(query.size, CROWD_RECORDS)),
        "measured": percent(_probable(results, query.size)),
        "seeds": CROWD_SEEDS,
        "rows": rows,
    }
