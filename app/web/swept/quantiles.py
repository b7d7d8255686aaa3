"""One distribution made of several: the summaries of groups put together.

Counts, extremes and means of the whole are exact. Between the quantiles of a group its values are taken to be spread
evenly, so the quantiles of the whole are exact where there is one group, and near otherwise.
"""

from collections.abc import Sequence
from itertools import pairwise

from app.web.swept.report import Summary

SHARES = {"min": 0.0, "p5": 0.05, "p25": 0.25, "p50": 0.5, "p75": 0.75, "p95": 0.95, "max": 1.0}


def together(summaries: Sequence[Summary]) -> Summary:
    """The summary of everything that one of ``summaries``, of which there is at least one, is about."""
    if len(summaries) == 1:
        return summaries[0]
    n = sum(each.n for each in summaries)
    mean = sum(each.n * each.mean for each in summaries) / n
    found = {name: quantile(summaries, share * n) for name, share in SHARES.items() if name not in ("min", "max")}
    return Summary(n=n, min=min(s.min for s in summaries), max=max(s.max for s in summaries), mean=mean, **found)


def quantile(summaries: Sequence[Summary], wanted: float) -> float:
    """The value below which so many values are."""
    knots = sorted({float(getattr(each, name)) for each in summaries for name in SHARES})
    before, below = knots[0], 0.0
    for knot in knots:
        least, most = (sum(each.n * share(each, knot, up=up) for each in summaries) for up in (False, True))
        if least >= wanted:
            return before if least == below else before + (knot - before) * (wanted - below) / (least - below)
        if most >= wanted:
            return knot  # as many values as are missing are just there
        before, below = knot, most
    return knots[-1]


def share(summary: Summary, value: float, *, up: bool) -> float:
    """What share of the values is less than ``value``, or, ``up``, not more than it."""
    points = [(float(getattr(summary, name)), at) for name, at in SHARES.items()]
    if up and value >= points[-1][0]:
        return 1.0
    if value < points[0][0] or (not up and value == points[0][0]):
        return 0.0
    there = [at for known, at in points if known == value]
    if there:
        return there[-1] if up else there[0]
    for (low, first), (high, last) in pairwise(points):
        if low < value < high:
            return first + (last - first) * (value - low) / (high - low)
    return 1.0
