"""How often hypothesis tries a property.

The ordinary run takes an eighth of the examples, but at least 6, the same ones each time. By night
(``--hypothesis-profile=deep``) it takes five times as many, random ones, and remembers those that failed.
"""

from collections.abc import Iterable
from typing import Any

import hypothesis.core
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.vendor.pretty import RepresentationPrinter

QUICK, DEEP, FIRST = "quick", "deep", "first"
BY_DAY = 8
"""The ordinary run takes one of so many examples."""

FEWEST = 6
USUAL = 100
"""Examples of a property that does not say how many are enough."""

LOOSE = (HealthCheck.too_slow, HealthCheck.data_too_large)


def register() -> None:
    """Register the profiles. That of planted faults stops at the first example that fails, as no other is asked for."""
    # Once schemathesis is there, nothing is printed of any example that fails.
    hypothesis.core.RepresentationPrinter = RepresentationPrinter  # type: ignore[attr-defined]
    settings.register_profile(
        QUICK,
        max_examples=USUAL // BY_DAY,
        derandomize=True,
        database=None,
        deadline=None,
        print_blob=False,
        suppress_health_check=LOOSE,
    )
    settings.register_profile(FIRST, settings.get_profile(QUICK), phases=(Phase.explicit, Phase.generate))
    settings.register_profile(DEEP, max_examples=5 * USUAL, deadline=None, suppress_health_check=LOOSE)


def deep() -> bool:
    """Is everything tried, and often?"""
    return settings.get_current_profile_name() == DEEP


def often(examples: int, *, fewest: int = FEWEST, **more: Any) -> settings:
    """Return the settings of a property that ``examples`` examples are enough for; by day it takes at least
    ``fewest``."""
    return settings(max_examples=5 * examples if deep() else max(fewest, examples // BY_DAY), **more)


def some(values: Iterable[object], one_in: int) -> list[object]:
    """Return the parameters of a test of many values of a kind, or tuples of values: all but the first of ``one_in``
    each are slow."""
    each = [value if isinstance(value, tuple) else (value,) for value in values]
    return [pytest.param(*value, marks=[pytest.mark.slow] if at % one_in else []) for at, value in enumerate(each)]


def pairs(firsts: Iterable[object], seconds: Iterable[object], one_in: int) -> list[object]:
    """Return the parameters of a test of each with each: all but one of ``one_in`` are slow, and neighbours have others
    by day."""
    there = list(seconds)
    return [
        pytest.param(first, second, marks=[pytest.mark.slow] if (at + number) % one_in else [])
        for at, first in enumerate(firsts)
        for number, second in enumerate(there)
    ]


def seeds(count: int, *before: object, first: int = 0) -> list[object]:
    """Return the parameters of a property that is tried on ``count`` runs of its own, from the seed ``first`` on: what
    comes before, and the seed. All but the first eighth, or the first 6, are slow."""
    usual = max(FEWEST, count // BY_DAY)
    return [
        pytest.param(*before, first + number, marks=[pytest.mark.slow] if number >= usual else [])
        for number in range(count)
    ]
