"""Values: what never changes once it is made."""

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(cls: type[T]) -> type[T]:
    """Make a dataclass of a class whose instances are compared and hashed by their fields.

    They are frozen for the type checker, which refuses every assignment. At run time they are not: a frozen dataclass
    sets each of its fields through ``object.__setattr__``, and a step makes ten such values.
    """
    return dataclass(slots=True, unsafe_hash=True)(cls)
