"""Figures: measurements, as one value that a page both draws and writes out as a table.

``static/js/plot`` draws ``Figure.value``; ``templates/_figure.html`` has the place for the drawing, and the table.

What the browser gets
---------------------
``title``   of the figure
``x``       {label, scale, names, domain}: the label with its unit; ``scale`` is linear, log, symlog (logarithmic
            from 1, and linear below) or names; ``names`` in order, only for a scale of names; ``domain`` [from, to],
            if the figure shares its scale with others
``y``       the same. At most one of the two has names; if that is y, every name has its own row
``series``  [{name, mark, points, whole, same}]: ``mark`` is point, line, step, bar, trend (a line without marks) or box
            (only in rows); a point is [x, y, URL, words, to, wrong, spread], and ends at its last value that is not
            null. Values other than names may be null: there is nothing to measure. ``to`` is the end of a bar that
            covers more than one value of x; ``wrong`` says that something was violated there; ``spread`` describes a
            box: the start of its line, its left edge, its middle, its right edge, and the end of its line. ``whole`` is
            true if the words of the points say everything and nothing should precede them. ``same`` says, in words,
            which earlier line this one lies on; without it, on none

A name along y may have a second line, after a line break, with more about its row.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from app.core.model.value import Frozen
from app.core.model.values import Json
from app.words.catalogues import word

Mark = Literal["point", "line", "step", "bar", "trend", "box"]
Scale = Literal["linear", "log", "symlog", "names"]
Number = int | float

SERIES = 6
"""The number of available colours, shapes and dashes."""


class Axis(Frozen):
    """One side of a figure: its ``title``, the ``unit`` of its values (may be empty) and its scale."""

    title: str
    unit: str = ""
    scale: Scale = "linear"
    domain: tuple[Number, Number] | None = None
    """The range shared by figures that are compared; None: the range of the points."""

    def label(self, language: str) -> str:
        """Return the title with its unit."""
        return word("figure.with-unit", language, title=self.title, unit=self.unit) if self.unit else self.title


class Point(Frozen):
    """One measured value. ``x`` is a number or, on a scale of names, a name, and so is ``y``; None says that there was
    nothing to measure. ``href`` leads to the measured run, ``words`` add to the point; ``to`` makes a bar cover
    everything from ``x`` to there. ``wrong``: something was violated there. ``spread`` makes a box: five numbers from
    small to large, the third of which is ``x``."""

    x: Number | str | None
    y: Number | str | None
    href: str | None = None
    words: str | None = None
    to: Number | None = None
    wrong: bool = False
    spread: tuple[Number, ...] | None = None


class Series(Frozen):
    """Points that belong together, under one name."""

    name: str
    points: tuple[Point, ...]
    mark: Mark = "line"
    whole: bool = False
    """Do the words of its points say everything?"""


class Cell(Frozen):
    """One field of the table."""

    text: str
    href: str | None = None


class Table(Frozen):
    """The numbers of a figure: the column headings, and the rows. The first ``heads`` fields of a row say what the row
    is about."""

    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    heads: int


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of one or several series. ``key`` names it within its page: lower-case letters, digits and ``-``.

    ``numbers`` is the table if it differs from that of the points. Raises ValueError for what cannot be drawn: more
    series than a reader can distinguish, a name on a scale of numbers or a number on a scale of names, no positive
    value on a logarithmic scale.
    """

    key: str
    title: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    numbers: Table | None = None

    def __post_init__(self) -> None:
        if len(self.series) > SERIES:
            raise ValueError(f"{self.key}: {len(self.series)} series; at most {SERIES} can be told apart")
        if self.x.scale == self.y.scale == "names":
            raise ValueError(f"{self.key}: nothing is measured; both scales have names")
        for point in (point for one in self.series for point in one.points):
            for axis, value, which in ((self.x, point.x, "x"), (self.y, point.y, "y")):
                if isinstance(value, str) != (axis.scale == "names"):
                    raise ValueError(f"{self.key}: {value!r} does not fit the scale of {which}, {axis.scale}")
            values = [(self.x, point.x), (self.x, point.to), (self.y, point.y)]
            values += [(self.x, value) for value in point.spread or ()]
            for axis, value in values:
                if axis.scale == "log" and isinstance(value, int | float) and value <= 0:
                    raise ValueError(f"{self.key}: {value} is not on the logarithmic scale of {axis.title}")
                if axis.scale == "symlog" and isinstance(value, int | float) and value < 0:
                    raise ValueError(f"{self.key}: {value} is not on the logarithmic scale of {axis.title}")

    @property
    def empty(self) -> bool:
        """Is there nothing to draw?"""
        return not any(_known(point) for one in self.series for point in one.points)

    @property
    def opens(self) -> bool:
        """Do its points lead to runs?"""
        return any(point.href for one in self.series for point in one.points if _known(point))

    @property
    def places(self) -> tuple[Number | str, ...]:
        """Return the values of x: numbers from small to large, names in order of first appearance."""
        found = dict.fromkeys(point.x for one in self.series for point in one.points if point.x is not None)
        return tuple(found) if self.x.scale == "names" else tuple(sorted(found, key=float))

    @property
    def rows(self) -> tuple[str, ...]:
        """The names along y, in order of first appearance; none if y has numbers."""
        return tuple(dict.fromkeys(p.y for one in self.series for p in one.points if isinstance(p.y, str)))

    def value(self, language: str) -> Json:
        """Return what the browser draws: see the module's docstring."""
        x, y = _side(self.x, language), _side(self.y, language)
        if self.x.scale == "names":
            x["names"] = list(self.places)
        if self.y.scale == "names":
            y["names"] = list(self.rows)
        return {
            "title": self.title,
            "x": x,
            "y": y,
            "series": [
                {"name": one.name, "mark": one.mark, "points": [_wired(point) for point in one.points]}
                | ({"whole": True} if one.whole else {})
                | ({"same": word("figure.same", language, name=other)} if (other := self._covered_by(one)) else {})
                for one in self.series
            ],
        }

    def _covered_by(self, line: Series) -> str | None:
        """Return the name of the first line with the same values, if that is another one, before it: only one of the
        two can be seen."""
        values = [(point.x, point.y) for point in line.points]
        if line.mark != "line" or len(values) < 2 or not any(map(_known, line.points)):
            return None
        before = self.series[: self.series.index(line)]
        return next((one.name for one in before if [(point.x, point.y) for point in one.points] == values), None)

    def table(self, language: str) -> Table:
        """Return the same numbers in rows: one per x if no series has two points at the same x, else one per point."""
        x, y = self.x.label(language), self.y.label(language)
        if self.numbers:
            return self.numbers
        if self.y.scale == "names":
            turned = (
                (Cell(str(p.y)), Cell(one.name), _value_of(p.x, p.href)) for one in self.series for p in one.points
            )
            return Table((y, word("figure.series", language), x), tuple(turned), 2)
        if any(len({point.x for point in one.points}) < len(one.points) for one in self.series):
            rows = ((Cell(one.name), *_cells(point)) for one in self.series for point in one.points)
            return Table((word("figure.series", language), x, y), tuple(rows), 1)
        return Table((x, *(one.name for one in self.series)), tuple(self._side_by_side()), 1)

    def _side_by_side(self) -> Iterator[tuple[Cell, ...]]:
        found = [{point.x: point for point in one.points} for one in self.series]
        for place in self.places:
            here = [points.get(place) for points in found]
            named = next(point for point in here if point)
            yield Cell(_spread(named)), *(_cells(point)[1] if point else Cell("") for point in here)


def _known(point: Point) -> bool:
    """Was anything measured there?"""
    return point.x is not None and point.y is not None


def _side(axis: Axis, language: str) -> dict[str, Json]:
    """Return an axis for the browser, without its names."""
    told: dict[str, Json] = {"label": axis.label(language), "scale": axis.scale}
    return told | {"domain": [*axis.domain]} if axis.domain else told


def _wired(point: Point) -> list[Json]:
    """Return a point as the browser gets it."""
    box: Json = None if point.spread is None else [*point.spread]
    values: list[Json] = [point.x, point.y, point.href, point.words, point.to, point.wrong or None, box]
    while values[-1] is None and len(values) > 2:
        values.pop()
    return values


def _cells(point: Point) -> tuple[Cell, Cell]:
    """Return where a point is and what was measured there, with a link to its run."""
    return Cell(_spread(point)), _value_of(point.y, point.href)


def _value_of(value: Number | str | None, href: str | None) -> Cell:
    """Return what was measured, with a link to its run."""
    return Cell("—" if value is None else value if isinstance(value, str) else four_digits(value), href)


def _spread(point: Point) -> str:
    """Return the x of a point: a name, a number, or a range."""
    if isinstance(point.x, str | None):
        return point.x or "—"
    return four_digits(point.x) if point.to is None else f"{four_digits(point.x)}–{four_digits(point.to)}"


def four_digits(value: Number) -> str:
    """Return a number with four significant digits, and all digits before the decimal point."""
    if isinstance(value, int) or abs(value) >= 1_000 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.4g}"
