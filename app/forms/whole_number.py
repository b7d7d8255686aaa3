"""Whole numbers in an address, a form or a header."""

from collections.abc import Sequence


def whole_number(text: str, digits: int = 6) -> int | None:
    """Return the number that up to ``digits`` ASCII digits write; None for any other text.

    Python alone reads other digits, too, and neither signs nor thousands of digits are wanted.
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None


def whole_numbers(texts: Sequence[str], digits: int = 6) -> tuple[int, ...] | None:
    """Return the numbers that all of these texts write; None if one of them writes none."""
    found = tuple(number for text in texts if (number := whole_number(text, digits)) is not None)
    return found if len(found) == len(texts) else None
