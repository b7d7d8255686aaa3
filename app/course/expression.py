"""Expressions: what a lesson's file writes where an answer is to be taken out of a run.

They are those of Jinja (``snapshot(1).total + 2``, ``'a' if x else 'b'``, filters such as ``|length``), in its sandbox:
they can ask a run (see ``app.course.facts``) and do nothing. What is unknown in them is an error, never nothing.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeAlias

from jinja2 import StrictUndefined, TemplateError, TemplateSyntaxError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from app.core.model import BluecutError

Expression: TypeAlias = Callable[..., Any]
"""Called with names and their values, it gives the value of the expression."""

ENVIRONMENT = ImmutableSandboxedEnvironment(undefined=StrictUndefined)
LONGEST = 500
"""How many characters an expression may have."""


class Unanswerable(BluecutError):
    """An expression that cannot be read, or of which the run knows no value."""


@lru_cache(maxsize=4_096)
def expression(text: str) -> Expression:
    """The expression that ``text`` writes. Raises Unanswerable where it is none."""
    try:
        return ENVIRONMENT.compile_expression(text, undefined_to_none=False)
    except TemplateSyntaxError as error:
        raise Unanswerable("{text!r} is not an expression: {reason}", text=text, reason=str(error.message)) from None


def valued(text: str, names: dict[str, Any]) -> Any:
    """The value of the expression ``text`` where ``names`` are known. Raises Unanswerable where it has none."""
    try:
        found = expression(text)(**names)
        str(found)  # what is unknown says so only when it is looked at
    except BluecutError:
        raise
    except (TemplateError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        reason = f"{error}" or type(error).__name__
        raise Unanswerable("{text!r} has no value in this run: {reason}", text=text, reason=reason) from None
    return found
