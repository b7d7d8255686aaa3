"""How a measure grows with the size of the graph: a small figure for each algorithm, all on the same scales, with the
line that was fitted to all of its snapshots."""

from dataclasses import dataclass

from app.narration.tell import word
from app.view.figure import Axis, Figure, Number, Point, Series, shown
from app.web.swept.query import Query
from app.web.swept.report import Fit, Group, Report, Sample
from app.web.swept.words import algorithm, axis, link, told


@dataclass(frozen=True, slots=True)
class Panel:
    """The figure of one algorithm, its line, and the line as a formula; None where there is no line."""

    figure: Figure
    fit: Fit | None
    formula: str | None


def panels(report: Report, query: Query, language: str) -> tuple[Panel, ...]:
    """A panel for each algorithm of which something was measured."""
    found: dict[str, list[tuple[Group, Sample, Number, Number]]] = {}
    for group, sample in query.samples(report):
        x, y = getattr(group, query.against), sample.value(query.measure)
        if x is not None and y is not None:
            found.setdefault(group.algorithm, []).append((group, sample, x, y))
    every = [one for each in found.values() for one in each]
    if not every:
        return ()
    fits = {fit.algorithm: fit for fit in report.fits if (fit.measure, fit.against) == (query.measure, query.against)}
    ends = {name: line(fits[name], [x for _, _, x, _ in each]) for name, each in found.items() if name in fits}
    least, most = min(x for _, _, x, _ in every), max(x for _, _, x, _ in every)
    highest = max([y for _, _, _, y in every] + [y for each in ends.values() for _, y in each])
    across = Axis(word(f"lab.against.{query.against}", language), domain=(least, most if most > least else least + 1))
    up = axis(query.measure, language, (0, max(1, highest)))
    made: list[Panel] = []
    for name, each in found.items():
        points = tuple(
            Point(x, y, link(group, sample, query), told(group, sample, language), wrong=bool(sample.broken))
            for group, sample, x, y in each
        )
        series = [Series(word("lab.growth.points", language), points, "point")]
        if name in ends:
            trend = tuple(Point(x, y) for x, y in ends[name])
            series.append(Series(word("lab.growth.line", language), trend, "trend"))
        figure = Figure(f"growth-{len(made)}", algorithm(name, language), across, up, tuple(series))
        fit = fits.get(name)
        made.append(Panel(figure, fit, formula(fit, language) if fit else None))
    return tuple(made)


def line(fit: Fit, xs: list[Number]) -> tuple[tuple[float, float], ...]:
    """The two ends of a line over these places; it stops where it would go below zero."""
    ends = []
    for x in (min(xs), max(xs)):
        y = fit.intercept + fit.slope * x
        ends.append((-fit.intercept / fit.slope, 0.0) if y < 0 and fit.slope else (float(x), max(y, 0.0)))
    return tuple(ends) if ends[0][0] < ends[1][0] else ()


def formula(fit: Fit, language: str) -> str:
    """A line in words and numbers."""
    sign = "−" if fit.intercept < 0 else "+"
    return word(
        "lab.growth.formula",
        language,
        measure=word(f"lab.symbol.{fit.measure}", language),
        slope=number(fit.slope),
        against=word(f"lab.symbol.{fit.against}", language),
        intercept=f"{sign} {number(abs(fit.intercept))}",
    )


def number(value: float) -> str:
    """A number with three digits that count."""
    short = float(f"{value:.3g}")
    return shown(short).replace("-", "−")
