"""The distribution of a measure: how often each value was measured. Combined groups lose no precision."""

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import ceil
from typing import Self

from app.analysis.sweep_report import Histogram

SHARES = {"p5": 5, "p25": 25, "p50": 50, "p75": 75, "p95": 95}
"""In percent."""
SUMMED = ("n", "min", *SHARES, "max", "mean")
"""The numbers that tell of a distribution in a table."""


@dataclass(frozen=True)
class Distribution:
    """``values`` from small to large, at least one, and how often each was measured; ``about`` if some of them are
    rounded."""

    values: tuple[int, ...]
    counts: tuple[int, ...]
    about: bool = False

    @classmethod
    def of(cls, histograms: Iterable[Histogram]) -> Self | None:
        """Return the distribution of all the histograms together; None if nothing was measured."""
        found: dict[int, int] = {}
        about = False
        for each in histograms:
            about = about or each.about
            for value, count in zip(each.values, each.counts, strict=True):
                found[value] = found.get(value, 0) + count
        values = tuple(sorted(found))
        return cls(values, tuple(found[value] for value in values), about) if values else None

    @cached_property
    def below(self) -> tuple[int, ...]:
        """How many are at most each of the values."""
        return tuple(accumulate(self.counts))

    @property
    def n(self) -> int:
        """How many were measured."""
        return self.below[-1]

    @property
    def min(self) -> int:
        """The least."""
        return self.values[0]

    @property
    def max(self) -> int:
        """The most."""
        return self.values[-1]

    @property
    def mean(self) -> float:
        """The mean."""
        return sum(value * count for value, count in zip(self.values, self.counts, strict=True)) / self.n

    def at(self, percent: int) -> int:
        """Return the smallest measured value that at least so many percent do not exceed."""
        return self.values[bisect_left(self.below, max(1, ceil(self.n * percent / 100)))]

    @property
    def edges(self) -> tuple[int, ...]:
        """The five numbers of a box: see SHARES."""
        return tuple(self.at(percent) for percent in SHARES.values())
