"""The growth of a measure with the size of the graph: a small figure for each algorithm and order, those of one program
on the same scales, with the line fitted to all snapshots that the query leaves."""

from collections.abc import Sequence

from app.analysis.sweep_report import OF_RUNS, Group, Report, Sample
from app.core.model.value import Frozen
from app.pictures.chart import Axis, Figure, Number, Point, Series
from app.web.measure.lab.labels import algorithm, axis, called, link, order, sample_line, share, three_digits
from app.web.measure.lab.query import Query
from app.web.measure.lab.regression import Line, at_zero, fitted
from app.words.catalogues import word

BELOW = 1 - 1e-6
"""The largest explained share shown for rounded values, which may hide deviations."""

BENDS = 24
"""The points of a line on a logarithmic scale, where it is a curve."""


Place = tuple[Group, Sample, Number, Number]
"""A snapshot, the size of its graph, and the measured value."""


class Panel(Frozen):
    """The figure of one algorithm on channels of one ``order``, its line as a ``formula`` and the share that the line
    explains (``fit``), None if there is no line; and whether the line is through rounded numbers (``about``)."""

    figure: Figure
    order: str
    formula: str | None
    fit: str | None
    about: bool


class Curve(Frozen):
    """What one panel draws."""

    groups: list[Group]
    points: list[Place]
    line: Line | None


def panels(report: Report, query: Query, language: str) -> dict[str, tuple[Panel, ...]]:
    """Return, by program, a panel for each algorithm and order with measured values; those of a program share their
    scales."""
    points: dict[int, list[Place]] = {}
    for group, sample, y in query.points(report):
        x = getattr(group, query.against)
        if x is not None:
            points.setdefault(group.id, []).append((group, sample, x, y))
    programs: dict[str, dict[tuple[str, str], list[Group]]] = {}
    for group in query.groups(report):
        programs.setdefault(group.program, {}).setdefault((group.algorithm, group.discipline), []).append(group)
    zero = at_zero(query.rows(report), query.measure)
    made: dict[str, tuple[Panel, ...]] = {}
    for program, those in programs.items():
        curves = [_curve(groups, points, query) for key, groups in those.items() if key not in zero]
        drawn = [each for each in curves if each.points]
        if drawn:
            name = called("sweep.program.", program, language)
            made[name] = _side_by_side(f"growth-{len(made)}", drawn, query, language)
    return made


def _curve(groups: list[Group], points: dict[int, list[Place]], query: Query) -> Curve:
    """Return the points of some groups, and the line through all their measured values."""
    there = [point for group in groups for point in points.get(group.id, [])]
    return Curve(groups, there, fitted(groups, query.measure, query.against))


def _side_by_side(key: str, curves: Sequence[Curve], query: Query, language: str) -> tuple[Panel, ...]:
    xs = [x for each in curves for _, _, x, _ in each.points]
    ys = [y for each in curves for _, _, _, y in each.points]
    left, right = min(xs), max(xs)
    up = axis(query.measure, language, ys)
    low: Number = min(ys) if up.scale == "log" else 0
    ends = [each.line.at(end) for each in curves if each.line and each.line.fits for end in _extremes(each)]
    high = max(1, *ys, *ends)
    across = Axis(word(f"lab.against.{query.against}", language), domain=(left, right if right > left else left + 1))
    up = Axis(up.title, up.unit, up.scale, (low, high))
    return tuple(_panel(f"{key}-{place}", each, across, up, query, language) for place, each in enumerate(curves))


def _panel(key: str, each: Curve, across: Axis, up: Axis, query: Query, language: str) -> Panel:
    first = each.groups[0]
    points = tuple(
        Point(x, y, link(group, sample, query), sample_line(group, sample, query.measure, y, language),
              wrong=bool(sample.broken))
        for group, sample, x, y in each.points
    )  # fmt: skip
    series = [Series(word("lab.growth.points", language), points, "point", whole=True)]
    trend = drawn(each.line, _extremes(each), up) if each.line and each.line.fits else ()
    if trend:
        series.append(Series(word("lab.growth.line", language), tuple(Point(x, y) for x, y in trend), "trend"))
    figure = Figure(key, algorithm(first.algorithm, language), across, up, tuple(series))
    return Panel(
        figure,
        order(first.algorithm, first.discipline, language),
        formula(each.line, query, language) if each.line else None,
        _explained(each.line, query, language) if each.line else None,
        each.line is not None and each.line.about,
    )


def _extremes(each: Curve) -> tuple[Number, Number]:
    xs = [x for _, _, x, _ in each.points]
    return min(xs), max(xs)


def drawn(line: Line, ends: tuple[Number, Number], up: Axis) -> tuple[tuple[float, float], ...]:
    """Return the points of a line, which stops before it leaves the scale at the bottom."""
    least = float(up.domain[0]) if up.domain else 0.0
    first, last = float(ends[0]), float(ends[1])
    if line.slope:
        meets = (least - line.intercept) / line.slope
        first, last = (max(first, meets), last) if line.slope > 0 else (first, min(last, meets))
    elif line.intercept < least:
        return ()
    if first >= last:
        return ()
    many = 1 if up.scale == "linear" else BENDS
    places = [first + (last - first) * step / many for step in range(many + 1)]
    return tuple((x, max(line.at(x), least)) for x in places)


def formula(line: Line, query: Query, language: str) -> str:
    """Return a line in words and numbers, if one fits; it is called equal if it is exact in every snapshot."""
    if not line.fits:
        return word("lab.growth.unfit", language)
    equal = "=" if line.exact else "≈"
    measure = word(f"lab.symbol.{query.measure}", language)
    slope, intercept = _tidy(line.slope), _tidy(line.intercept)
    if three_digits(slope) == "0":
        return f"{measure} {equal} {three_digits(intercept)}"
    against = word(f"lab.symbol.{query.against}", language)
    product = against if slope == 1 else f"{three_digits(slope)} · {against}"
    if three_digits(abs(intercept)) == "0":
        return f"{measure} {equal} {product}"
    return f"{measure} {equal} {product} {'−' if intercept < 0 else '+'} {three_digits(abs(intercept))}"


def _explained(line: Line, query: Query, language: str) -> str:
    """Return the share that a line explains, and of how many snapshots, or runs."""
    many = word("lab.many.runs" if query.measure in OF_RUNS else "lab.many.snapshots", language, n=three_digits(line.n))
    if line.constant:
        return word("lab.growth.rounded" if line.about else "lab.growth.always", language, many=many)
    return word("lab.growth.fit", language, r2=share(line.r2 if line.exact else min(line.r2, BELOW)), many=many)


def _tidy(value: float) -> float:
    """Return a coefficient without the rounding errors of a division."""
    near = round(value)
    return float(near) if abs(value - near) < 1e-9 * max(1.0, abs(value)) else value
