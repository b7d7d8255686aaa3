"""The growth of a measure: the least-squares line through all snapshots that a query leaves."""

from collections.abc import Iterable, Mapping, Sequence

from app.analysis.sweep_report import Group
from app.core.model.value import Frozen
from app.pictures.chart import Number
from app.web.measure.lab.distribution import Distribution

LEAST = 0.5
"""A line that explains a smaller share of the variance is not drawn, and has no formula."""


class Line(Frozen):
    """``slope`` · x + ``intercept``; ``r2`` is the share of the variance that it explains, of ``n`` snapshots;
    ``about`` if some measured values are rounded in the report."""

    slope: float
    intercept: float
    r2: float
    n: int
    constant: bool = False
    """Was every measured value the same?"""
    about: bool = False

    @property
    def fits(self) -> bool:
        """Does it explain enough to be drawn?"""
        return self.r2 >= LEAST

    @property
    def exact(self) -> bool:
        """Do all measured values lie exactly on the line? For rounded values this is unknown, so no."""
        return self.r2 > 1 - 1e-9 and not self.about

    def at(self, x: Number) -> float:
        """Return the value of the line there."""
        return self.slope * x + self.intercept


def fitted(groups: Iterable[Group], measure: str, against: str) -> Line | None:
    """Return the line through all measured values of these groups; None if they all have the same x. If the measure
    never changes, the line explains everything."""
    found: list[tuple[int, int, int]] = []
    about = False
    for group in groups:
        x = getattr(group, against)
        if x is not None and measure in group.measures:
            each = group.measures[measure]
            about = about or each.about
            found += [(x, y, count) for y, count in zip(each.values, each.counts, strict=True)]
    n = sum(count for _, _, count in found)
    if len({x for x, _, _ in found}) < 2:
        return None
    # Whole numbers, so nothing is lost before the first division.
    x1, y1 = sum(c * x for x, _, c in found), sum(c * y for _, y, c in found)
    xx = n * sum(c * x * x for x, _, c in found) - x1 * x1
    yy = n * sum(c * y * y for _, y, c in found) - y1 * y1
    xy = n * sum(c * x * y for x, y, c in found) - x1 * y1
    return Line(xy / xx, (y1 - xy / xx * x1) / n, xy * xy / (xx * yy) if yy else 1.0, n, not yy, about)


FEW = 3
"""The most rows at zero that are drawn; more would be empty strips, so they are only named."""


def at_zero(rows: Mapping[tuple[str, str], Sequence[Group]], measure: str) -> tuple[tuple[str, str], ...]:
    """Return the rows that are not drawn, because all their measured values are 0, and there are more than FEW such
    rows beside others."""
    found = {key: joint_distribution(groups, measure) for key, groups in rows.items()}
    flat = tuple(key for key, each in found.items() if each and each.max == 0)
    return flat if FEW < len(flat) < sum(each is not None for each in found.values()) else ()


def joint_distribution(groups: Iterable[Group], measure: str) -> Distribution | None:
    """Return the distribution of a measure over these groups together; None if nothing was measured."""
    return Distribution.of(group.measures[measure] for group in groups if measure in group.measures)
