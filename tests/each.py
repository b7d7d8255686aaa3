"""One test for many things of a kind, where collecting and reporting one for each takes longer than they do."""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

Test = Callable[..., None]


def each(argument: str, values: Iterable[Any] | Callable[[], Iterable[Any]]) -> Callable[[Test], Test]:
    """Try a test with each of the values, and only then tell which failed: the test raises an ExceptionGroup with one
    exception for each of them, and a note of the value. Values that take long to find are given by a function: they are
    looked for when the test runs, and not by every worker that collects it."""

    def made(test: Test) -> Test:
        @wraps(test)
        def tried(**fixtures: Any) -> None:
            wrong = []
            for value in values() if callable(values) else values:
                try:
                    test(**{argument: value}, **fixtures)
                except Exception as error:
                    error.add_note(f"{argument} = {value!r}")
                    wrong.append(error)
            if wrong:
                raise ExceptionGroup(f"{len(wrong)} failed", wrong)

        told = inspect.signature(test)
        kept = [one for name, one in told.parameters.items() if name != argument]
        tried.__signature__ = told.replace(parameters=kept)  # type: ignore[attr-defined]
        return tried

    return made
