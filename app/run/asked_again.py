"""What is asked several times about the same run: a page draws it more than once."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import ref

from app.run.run import Run

T = TypeVar("T")


def asked_again(answer: Callable[[Run], T]) -> Callable[[Run], T]:
    """Return the function with its last answer kept: asked about the same run again, it gives the same value."""
    last: tuple[ref[Run], T] | None = None

    @wraps(answer)
    def answered(run: Run) -> T:
        nonlocal last
        known = last
        if known is None or known[0]() is not run:
            known = last = ref(run), answer(run)
        return known[1]

    return answered
