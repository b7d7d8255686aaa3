"""When? Checkpoints at an interval, or only in quiet times."""

from typing import Any

from app.analysis.experiments import BUSY, MOMENTS, tides
from app.pictures.chart import Axis, Figure, Point, Series
from app.web.measure.costs.measure_queue import Results
from app.web.measure.costs.measured_run import Trial, trial
from app.web.measure.costs.query import Query
from app.words.catalogues import word

WAYS = (("regular", False), ("waiting", True))


def _one(query: Query, *, wait: bool, crash: int | None = None) -> Trial:
    """Return a run, with a crash or without."""
    key = "tradeoffs.run.tides.waiting" if wait else "tradeoffs.run.tides.regular"
    values = tides(wait=wait, quiet=query.quiet, crash=crash)
    return trial(values, key) if crash is None else trial(values, f"{key}.crash", at=crash)


def trials(query: Query) -> tuple[Trial, ...]:
    """Return both ways, without a crash and with one at each moment."""
    return tuple(_one(query, wait=wait, crash=at) for _, wait in WAYS for at in (None, *MOMENTS))


def context(query: Query, results: Results, language: str, lang: str | None) -> dict[str, Any]:
    """Return what ``_costs_tides.html`` gets: the ``figure``; ``rows`` [(way, checkpoints, items visible by the end of
    the first busy time, ticks until all is done, most items processed again, URL)]; ``busy``, its length."""
    series, rows = [], []
    for way, wait in WAYS:
        runs = [(at, _one(query, wait=wait, crash=at)) for at in MOMENTS]
        points = tuple(Point(at, results[run].took.again, run.url(lang)) for at, run in runs)
        series.append(Series(word(f"tradeoffs.tides.{way}", language), points))
        still = _one(query, wait=wait)
        took = results[still].took
        most = max(results[run].took.again for _, run in runs)
        early = sum(time <= BUSY for time in took.visible)
        rows.append((way, len(took.checkpoints), early, took.over, most, still.url(lang)))
    ticks = word("tradeoffs.unit.ticks", language)
    figure = Figure(
        "tides",
        word("tradeoffs.tides.figure", language),
        Axis(word("tradeoffs.axis.moment", language), ticks),
        Axis(word("tradeoffs.axis.replay", language)),
        tuple(series),
    )
    return {"figure": figure, "rows": rows, "busy": BUSY}
