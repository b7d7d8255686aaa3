"""How a measure is spread, by algorithm: a box for all that was measured, and single snapshots to open."""

from collections.abc import Iterable
from dataclasses import dataclass

from app.narration.tell import word
from app.view.figure import Axis, Cell, Figure, Point, Series, Table, shown
from app.web.swept.quantiles import SHARES, together
from app.web.swept.query import Query
from app.web.swept.report import Group, Report, Summary
from app.web.swept.words import algorithm, axis, link, told

COLUMNS = ("n", *SHARES, "mean")


@dataclass(frozen=True, slots=True)
class Spread:
    """The figure; which algorithms have no value (``without``); and whether boxes are made of several groups."""

    figure: Figure
    without: tuple[str, ...]
    joined: bool


def spread(report: Report, query: Query, language: str) -> Spread:
    """What the query asks of the report."""
    found: dict[str, list[Summary]] = {}
    for group in query.groups(report):
        found.setdefault(group.algorithm, []).extend(of(group, query.measure))
    whole = {name: together(each) for name, each in found.items() if each}
    boxes = tuple(
        Point(each.p50, algorithm(name, language), words=words(each, language), spread=edges(each))
        for name, each in whole.items()
    )
    points = tuple(
        Point(value, algorithm(group.algorithm, language), link(group, sample, query), told(group, sample, language),
              wrong=bool(sample.broken))
        for group, sample in query.samples(report)
        if (value := sample.value(query.measure)) is not None and group.algorithm in whole
    )  # fmt: skip
    along = axis(query.measure, language)
    figure = Figure(
        "spread",
        word("lab.spread.title", language, measure=along.title),
        along,
        Axis(word("lab.algorithm", language), scale="names"),
        (
            Series(word("lab.spread.box", language), boxes, "box"),
            Series(word("lab.spread.points", language, count=len(points)), points, "point"),
        ),
        Table(
            (word("lab.algorithm", language), *(word(f"lab.column.{name}", language) for name in COLUMNS)),
            tuple(row(algorithm(name, language), each) for name, each in whole.items()),
            1,
        ),
    )
    without = tuple(algorithm(name, language) for name, each in found.items() if not each)
    return Spread(figure, without, any(len(each) > 1 for each in found.values()))


def of(group: Group, measure: str) -> Iterable[Summary]:
    """The summary of a measure in a group, if there is one."""
    return [group.measures[measure]] if measure in group.measures else []


def edges(summary: Summary) -> tuple[float, ...]:
    """The numbers that make a box."""
    return summary.p5, summary.p25, summary.p50, summary.p75, summary.p95


def words(summary: Summary, language: str) -> str:
    """What a box says."""
    numbers = {name: shown(getattr(summary, name)) for name in ("n", "p25", "p75", "p5", "p95")}
    return word("lab.spread.words", language, **numbers)


def row(name: str, summary: Summary) -> tuple[Cell, ...]:
    """A row of the table."""
    return Cell(name), *(Cell(shown(getattr(summary, column))) for column in COLUMNS)
