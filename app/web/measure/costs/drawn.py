"""Measured runs as figures and tables: every value is a mean, and opens the run that is nearest to it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from app.analysis.cost_runs import Measured, mean, nearest
from app.core.model.value import Frozen
from app.pictures.chart import Axis, Cell, Figure, Point, Series, four_digits
from app.wire.run_url import written_url
from app.words.catalogues import word

Change = Callable[[float], float]
Runs = Sequence[Measured]


class Drawn(Frozen):
    """Draws in a language; ``lang`` is the one that links name. ``about`` begins the keys of its words."""

    spoken: str
    lang: str | None
    about: str = "costs"

    def word(self, key: str, **fields: object) -> str:
        """Return words of this page."""
        return word(f"{self.about}.{key}", self.spoken, **fields)

    def url(self, run: Measured) -> str:
        """Return the address of a run, where its first checkpoint is complete."""
        query = {"seed": str(run.seed) if run.seed else None, "step": str(run.shows), "lang": self.lang}
        return written_url(f"/run/{run.ref}", {name: value for name, value in query.items() if value})

    def cell(self, runs: Runs, measure: str, unit: str = "", change: Change = float) -> Cell:
        """Return the mean of a measure, for a table."""
        value = mean(runs, measure)
        text = word("costs.none", self.spoken) if value is None else four_digits(change(value)) + unit
        return Cell(text, self.url(nearest(runs, measure)))

    def line(self, name: str, along: Mapping[Any, Runs], measure: str, change: Change | None = None) -> Series:
        """Return the means of a measure along an axis. A point that is about several runs says so."""
        points = []
        for x, runs in along.items():
            value = mean(runs, measure)
            told = word("costs.nearest", self.spoken, count=len(runs)) if len(runs) > 1 else None
            shown = change(value) if change and value is not None else value
            points.append(Point(x, shown, self.url(nearest(runs, measure)), told))
        return Series(name, tuple(points))

    def figure(self, key: str, title: str, x: Axis, y: Axis, *series: Series) -> Figure:
        """Return the figure of some series; ``title`` is a key of its words."""
        return Figure(key, self.word(title), x, y, series)

    def axis(self, key: str, unit: str = "") -> Axis:
        """Return an axis; both are keys of words, but the unit of shares."""
        return Axis(self.word(f"axis.{key}"), unit if unit in ("", "%") else self.word(f"unit.{unit}"))


def percent(of: float = 1) -> Change:
    """Return the function that gives a share of something as a percentage."""
    return lambda value: round(100 * value / of, 1)
