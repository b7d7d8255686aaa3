"""The spread of a measure, by algorithm and order: a box for all measured values, and single snapshots to open."""

from app.analysis.sweep_report import Report
from app.core.model.value import Frozen
from app.pictures.chart import Axis, Cell, Figure, Point, Series, Table
from app.web.measure.lab.distribution import SUMMED, Distribution
from app.web.measure.lab.labels import algorithm, axis, link, named, order, sample_line, three_digits
from app.web.measure.lab.query import Query
from app.web.measure.lab.regression import at_zero, joint_distribution
from app.words.catalogues import JOIN, word


class Spread(Frozen):
    """The figure; the algorithms without a value (``without``), those not drawn because all their values are 0
    (``zero``); and whether some numbers are rounded (``about``)."""

    figure: Figure
    without: tuple[str, ...]
    zero: tuple[str, ...]
    about: bool


def spread(report: Report, query: Query, language: str) -> Spread:
    """Return the spread for the query of the report."""
    rows = query.rows(report)
    found = {key: known for key, groups in rows.items() if (known := joint_distribution(groups, query.measure))}
    zero = at_zero(rows, query.measure)
    names = {key: named(rows[key][0], language) for key in rows}
    boxes = tuple(
        Point(each.at(50), names[key], words=_words(names[key], each, language), spread=each.edges)
        for key, each in found.items()
        if key not in zero
    )
    points = tuple(
        Point(value, names[key], link(group, sample, query),
              sample_line(group, sample, query.measure, value, language), wrong=bool(sample.broken))
        for group, sample, value in query.points(report)
        if (key := (group.algorithm, group.discipline)) in found and key not in zero
    )  # fmt: skip
    along = axis(query.measure, language, (value for each in found.values() for value in each.values))
    figure = Figure(
        "spread",
        word("lab.spread.title", language, measure=along.title),
        along,
        Axis(word("gallery.filter.algorithm", language), scale="names"),
        (
            Series(word("lab.spread.box", language), boxes, "box", whole=True),
            Series(word("lab.spread.points", language, count=len(points)), points, "point", whole=True),
        ),
        Table(
            (
                word("gallery.filter.algorithm", language),
                word("lab.filter.discipline", language),
                *(word(f"lab.column.{name}", language) for name in SUMMED),
            ),
            tuple(_row(key, each, language) for key, each in found.items()),
            2,
        ),
    )
    without = tuple(dict.fromkeys(algorithm(key[0], language) for key in rows if key not in found))
    left = tuple(dict.fromkeys(algorithm(key[0], language) for key in zero))
    return Spread(figure, without, left, any(each.about for each in found.values()))


def _words(name: str, found: Distribution, language: str) -> str:
    p5, p25, p50, p75, p95 = (three_digits(value) for value in found.edges)
    text = "lab.spread.constant" if found.min == found.max else "lab.spread.words"
    named = word("lab.spread.named", language, name=name.replace("\n", JOIN[language]))
    return named + word(text, language, n=three_digits(found.n), p5=p5, p25=p25, p50=p50, p75=p75, p95=p95)


def _row(key: tuple[str, str], found: Distribution, language: str) -> tuple[Cell, ...]:
    numbers = (found.n, found.min, *found.edges, found.max, found.mean)
    return (
        Cell(algorithm(key[0], language)),
        Cell(order(*key, language)),
        *(Cell(three_digits(each)) for each in numbers),
    )
