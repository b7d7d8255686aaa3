"""All algorithms on one pipeline, side by side."""

from typing import Any

from app.algorithms.registry import ALGORITHMS
from app.analysis.experiments import straggler
from app.core.model.algorithm import Algorithm, Kind
from app.scenario.scenario import unfit
from app.web.measure.costs.measure_queue import Results
from app.web.measure.costs.measured_run import Trial, trial
from app.web.measure.costs.query import Query
from app.wire.scenario_link import scenario_in
from app.words.guarantee_words import promised, result

SLOW, CRASH = 5, 70
"""The ticks per item of the slow task, and the tick at which the sum crashes."""

ALSO = ("chandy-lamport", "at-least-once")
"""The algorithm for any graph, and a wrong one that people choose."""


def _fits_pipeline(rules: Algorithm[Any]) -> bool:
    """Is the algorithm made for dataflows, right, and able to run this pipeline? A few others are shown too."""
    made = rules.COORDINATED or rules.KIND in (Kind.PRIVATE, Kind.ITEMS)
    right = rules.WRONG is None and rules.RECOVERY != "none"
    if not (made and right) and rules.NAME not in ALSO:
        return False
    scenario = scenario_in(trial(straggler(SLOW), "tradeoffs.run.straggler", ticks=SLOW).text)
    return unfit(rules, scenario.topology, scenario.program) is None


def _compared() -> tuple[str, ...]:
    """Return the algorithms of the table, in the order of the family."""
    return tuple(name for name, rules in ALGORITHMS.items() if _fits_pipeline(rules))


def _one(name: str, *, crash: bool) -> Trial:
    """Return the run under an algorithm."""
    if crash:
        values = straggler(SLOW, name, crash=CRASH)
        return trial(values, "tradeoffs.run.dashboard.crash", judged=True, ticks=SLOW, at=CRASH)
    return trial(straggler(SLOW, name), "tradeoffs.run.straggler", ticks=SLOW)


def _driverless() -> Trial:
    """Return micro-batches whose driver crashes when the sum does in the other runs."""
    values = straggler(SLOW, "micro-batch", crash=CRASH, falls="JM")
    return trial(values, "tradeoffs.run.dashboard.driver", judged=True, ticks=SLOW, at=CRASH)


def trials(query: Query) -> tuple[Trial, ...]:
    """Return every algorithm, without a crash and with one; and the crash of a driver."""
    return (*(_one(name, crash=crash) for name in _compared() for crash in (False, True)), _driverless())


def context(query: Query, results: Results, language: str, lang: str | None) -> dict[str, Any]:
    """Return what ``_costs_dashboard.html`` gets: ``slow``, ``crash``, and ``rows`` of mappings: ``name``, ``calm`` and
    ``crashed`` (URLs), the measures without a crash (``lasts``, ``aligns``, ``waits``, ``stored``, ``bytes``,
    ``uploads``, ``latency``, ``throughput``) and after it (``again``, ``back``, ``whole``); ``state`` and ``output``
    are what that run shows and what is promised, in words, or None. ``driver`` is the ``url`` of the run in which it
    crashes, and how many processes rolled ``back`` there."""
    outages = results[_driverless()].took.outages
    driver = {"url": _driverless().url(lang), "back": outages[0].gone_back if outages else None}
    rows = [_row(name, results, language, lang) for name in _compared()]
    return {"slow": SLOW, "crash": CRASH, "rows": rows, "driver": driver}


def _row(name: str, results: Results, language: str, lang: str | None) -> dict[str, Any]:
    """Return the row of one algorithm."""
    calm, crashed = _one(name, crash=False), _one(name, crash=True)
    took, after = results[calm].took, results[crashed]
    book = after.book
    complete = took.complete
    outage = after.took.outages[0] if after.took.outages else None
    barriers = bool(complete) and not ALGORITHMS[name].BATCHES
    return {
        "name": name,
        "calm": calm.url(lang),
        "crashed": crashed.url(lang),
        "lasts": sum(each.lasts or 0 for each in complete) / len(complete) if complete else None,
        "aligns": max(each.longest for each in complete) if barriers else None,
        "waits": max(each.waited for each in complete) if barriers else None,
        "stored": max(each.in_flight for each in complete) if complete else None,
        "bytes": max(each.size for each in complete) if complete else None,
        "uploads": max(each.uploading for each in complete) if barriers else None,
        "latency": took.mean_latency,
        "throughput": took.throughput,
        "again": outage.again if outage else None,
        "back": outage.gone_back if outage else None,
        "whole": outage.lasts if outage else None,
        "state": book and (result(book.state, language), promised(book.promise.state, language)),
        "output": book and (result(book.output, language), promised(book.promise.output, language)),
    }
