"""Where to? Storing takes time: alongside the work, or instead of it."""

from typing import Any

from app.analysis.experiments import STORAGE_MOMENTS, STORING, storage
from app.pictures.chart import Axis, Figure, Point, Series
from app.web.measure.costs.measure_queue import Results
from app.web.measure.costs.measured_run import Trial, trial
from app.web.measure.costs.query import Query
from app.words.catalogues import word

WAYS = (("beside", False), ("instead", True))


def _one(storing: int, *, stops: bool) -> Trial:
    """Return the run in which storing takes so long."""
    key = "tradeoffs.run.storage.instead" if stops else "tradeoffs.run.storage.beside"
    return trial(storage(storing, stops=stops), key, ticks=storing)


def _crashed(storing: int, at: int) -> Trial:
    """Return the same, alongside the work, with a crash."""
    return trial(storage(storing, stops=False, crash=at), "tradeoffs.run.storage.crash", ticks=storing, at=at)


def trials(query: Query) -> tuple[Trial, ...]:
    """Return both ways, and the crashes, for every duration of storing."""
    whole = [_one(storing, stops=stops) for storing in STORING for _, stops in WAYS]
    return (*whole, *(_crashed(storing, at) for storing in STORING for at in STORAGE_MOMENTS))


def _again(results: Results, storing: int) -> float:
    """Return how many items are read and processed again after a crash, on average over its moments."""
    return sum(results[_crashed(storing, at)].took.again for at in STORAGE_MOMENTS) / len(STORAGE_MOMENTS)


def _lasting(results: Results, storing: int) -> float | None:
    """Return how long a checkpoint lasts, on average."""
    lasted = [each.lasts or 0 for each in results[_one(storing, stops=False)].took.complete]
    return sum(lasted) / len(lasted) if lasted else None


def _figures(results: Results, language: str, lang: str | None) -> tuple[Figure, Figure]:
    """Return how long the work takes, both ways; and how the cost of a crash grows with the delay of a checkpoint."""
    ticks = word("tradeoffs.unit.ticks", language)
    across = Axis(word("tradeoffs.axis.storing", language), ticks)
    series = []
    for way, stops in WAYS:
        runs = [(storing, _one(storing, stops=stops)) for storing in STORING]
        points = tuple(Point(storing, results[run].took.over, run.url(lang)) for storing, run in runs)
        series.append(Series(word(f"tradeoffs.storage.{way}", language), points))
    title = word("tradeoffs.storage.figure", language)
    over = Figure("storage", title, across, Axis(word("tradeoffs.axis.over", language), ticks), tuple(series))
    undone = []
    for storing in STORING:
        worst = max(STORAGE_MOMENTS, key=lambda at: results[_crashed(storing, at)].took.again)
        words = word("tradeoffs.storage.worst", language, at=worst, count=len(STORAGE_MOMENTS))
        undone.append(Point(storing, _again(results, storing), _crashed(storing, worst).url(lang), words))
    title, up = word("tradeoffs.storage.replay", language), word("tradeoffs.axis.replay", language)
    replay = Figure("replay", title, across, Axis(up), (Series(up, tuple(undone)),))
    return over, replay


def context(query: Query, results: Results, language: str, lang: str | None) -> dict[str, Any]:
    """Return what ``_costs_storage.html`` gets: the ``figures``; ``rows`` [(way, ticks until all is done, URL)]; how
    long a checkpoint ``lasts``; ``crashes`` [(at, items processed again, URL)]."""
    now = query.storing
    runs = [(way, _one(now, stops=stops)) for way, stops in WAYS]
    falls = [(at, _crashed(now, at)) for at in STORAGE_MOMENTS]
    return {
        "figures": _figures(results, language, lang),
        "rows": [(way, results[run].took.over, run.url(lang)) for way, run in runs],
        "lasts": _lasting(results, now),
        "crashes": [(at, results[run].took.again, run.url(lang)) for at, run in falls],
    }
