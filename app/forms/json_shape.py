"""Values of JSON and YAML of which nothing is known yet, as values of one shape."""

from typing import TypeGuard

from app.core.model.values import Json


def mapping(value: Json) -> dict[str, Json]:
    """Return a mapping; an empty one if the value is none."""
    return value if isinstance(value, dict) else {}


def items(value: Json) -> list[Json]:
    """Return a list; an empty one if the value is none."""
    return value if isinstance(value, list) else []


def whole(value: object) -> TypeGuard[int]:
    """Is the value a whole number? True and false are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def number(value: object) -> TypeGuard[int | float]:
    """Is the value a number?"""
    return isinstance(value, int | float)
