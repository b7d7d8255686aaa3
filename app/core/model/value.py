"""Values: what never changes once it is made."""

from typing import dataclass_transform

from msgspec import Struct


@dataclass_transform(frozen_default=True)
class Value(Struct, frozen=True, gc=False):
    """A class whose instances are compared and hashed by their fields, and cannot be assigned to.

    A step makes ten values, so they are made in C. They never refer to themselves, so no garbage collection looks for
    cycles among them.
    """


class Frozen(Value, gc=True):
    """A value that may hold what leads back to it, such as a run: the garbage collector looks into it."""
