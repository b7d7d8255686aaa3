"""One test for many things of a kind, where collecting and reporting one for each takes longer than they do."""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import pytest

Test = Callable[..., None]


def each(argument: str, values: Iterable[Any] | Callable[[], Iterable[Any]]) -> Callable[[Test], Test]:
    """Try a test with each of the values, and only then tell which failed: the test raises an ExceptionGroup with one
    exception for each of them, and a note of the value. It is skipped if all values are, and fails without any. Values
    that take long to find are given by a function: they are looked for when the test runs, and not by every worker that
    collects it."""

    def made(test: Test) -> Test:
        @wraps(test)
        def tried(**fixtures: Any) -> None:
            wrong: list[BaseException] = []
            done, skipped = 0, None
            for value in values() if callable(values) else values:
                try:
                    test(**{argument: value}, **fixtures)
                    done += 1
                except pytest.skip.Exception as reason:
                    skipped = reason
                except (Exception, pytest.fail.Exception) as error:
                    error.add_note(f"{argument} = {value!r}")
                    wrong.append(error)
            if wrong:
                raise BaseExceptionGroup(f"{len(wrong)} failed", wrong)
            if skipped and not done:
                raise skipped
            assert done, "there was nothing to try"

        told = inspect.signature(test)
        kept = [one for name, one in told.parameters.items() if name != argument]
        tried.__signature__ = told.replace(parameters=kept)  # type: ignore[attr-defined]
        return tried

    return made
