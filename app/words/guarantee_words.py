"""What a run shows and what its algorithm promises, in words, for every page and the command."""

from collections.abc import Sequence

from app.core.model.values import Json
from app.words.catalogues import readable, word

MOST = 4
"""The most values listed."""


def result(name: str | None, language: str) -> str:
    """Return what a run shows of state or output; None means undecided."""
    return word(f"result.{name or 'open'}", language)


def promised(name: str | None, language: str) -> str:
    """Return what is promised of state or output; None means nothing."""
    return word("ledger.promised", language, promise=word(f"guarantee.{name or 'none'}", language))


def verdict(name: str | None, promise: str | None, language: str) -> str:
    """Return both in one sentence."""
    words = word(f"guarantee.{promise or 'none'}", language)
    return word("ledger.said", language, result=result(name, language), promise=words)


def either(values: Sequence[Json], language: str) -> str:
    """Return one of these values; numbers in ascending order."""
    numbers = [value for value in values if isinstance(value, int | float)]
    values = sorted(numbers) if len(numbers) == len(values) else values
    more = ["…"] if len(values) > MOST else []
    return word("ledger.or", language).join([*(readable(value, language) for value in values[:MOST]), *more])
