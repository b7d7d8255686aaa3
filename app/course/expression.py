"""Expressions: what a lesson's file writes where an answer is to be taken out of a run.

They are those of Jinja (``snapshot(1).total + 2``, ``'a' if x else 'b'``, filters such as ``|length``), in its sandbox:
they can ask a run (see ``app.course.run_facts``) and do nothing. What is unknown in them is an error, never nothing;
and errors are told in the words of a lesson's author, not in those of the language in which this is programmed.
"""

import re
from collections.abc import Callable, ItemsView, Iterator, KeysView, Mapping, Sequence, ValuesView
from functools import lru_cache
from inspect import Signature, signature
from typing import Any, TypeAlias

from jinja2 import StrictUndefined, TemplateAssertionError, TemplateError, TemplateSyntaxError
from jinja2.exceptions import SecurityError
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import missing

from app.core.model.values import BluecutError, Phrase
from app.forms.explain import either, meant, quoted_value

Expression: TypeAlias = Callable[..., Any]
"""Called with names and their values, it gives the value of the expression."""

LONGEST = 500
"""How many characters an expression may have."""

LISTED = 24
"""So many known names are told."""

NOUNS = {
    "Snapshot": Phrase("a snapshot"),
    "Facts": Phrase("a run"),
    "Sent": Phrase("a message"),
    "Cost": Phrase("the cost of a run"),
}
"""What authors call the values that are of classes of ours, see ``app.course.run_facts``."""


class Unanswerable(BluecutError):
    """An expression that cannot be read, or of which the run knows no value."""


class Miscalled(Unanswerable):
    """Something is asked in another way than it can be."""


class Absent(Exception):
    """Something was looked at that is not there: what, and where it was looked for."""

    def __init__(self, nothing: "Nothing") -> None:
        super().__init__()
        self.nothing = nothing


class Nothing(StrictUndefined):
    """What is not there. It says so as soon as it is looked at: it has no ``name`` that is known, or its ``thing`` has
    none of this name. ``closed``: there is one, which is not for lessons."""

    __slots__ = ("closed", "name", "thing")

    def __init__(self, hint: str | None = None, obj: Any = missing, name: Any = None, exc: Any = None) -> None:
        super().__init__(hint, obj, name, lambda _: Absent(self))  # type: ignore[arg-type]
        self.name, self.thing, self.closed = name, obj, exc is SecurityError

    def __repr__(self) -> str:
        return str(self)


class Sandbox(ImmutableSandboxedEnvironment):
    """Where expressions are worked out."""

    def call(self, context: Context, asked: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Call what is asked. Raises Miscalled where it takes other values than it is given."""
        if not isinstance(asked, Nothing) and (wanted := _taken(asked)) is not None:
            try:
                wanted.bind(*args, **kwargs)
            except TypeError:
                raise Miscalled("write it as {call}", call=_call(asked, wanted)) from None
        return super().call(context, asked, *args, **kwargs)


ENVIRONMENT = Sandbox(undefined=Nothing)


def _taken(asked: Any) -> Signature | None:
    """Return the signature of a function; None if it has none to show."""
    try:
        return signature(asked)
    except (TypeError, ValueError):
        return None


def _call(asked: Any, wanted: Signature | None) -> str:
    """Return how a function is called: ``live(name, step)``."""
    return f"{getattr(asked, '__name__', '')}({', '.join(wanted.parameters if wanted else ())})"


@lru_cache(maxsize=4_096)
def expression(text: str) -> Expression:
    """Compile ``text`` as an expression. Raises Unanswerable if it is not one."""
    try:
        return ENVIRONMENT.compile_expression(text, undefined_to_none=False)
    except TemplateAssertionError as error:
        raise Unanswerable("{text!r} is not an expression: {reason}", text=text, reason=_unknown(error)) from None
    except TemplateSyntaxError as error:
        reason = str(error.message).replace("end of template", "end")
        raise Unanswerable("{text!r} is not an expression: {reason}", text=text, reason=reason) from None


def _unknown(error: TemplateAssertionError) -> Phrase | str:
    """Explain an unknown filter or test, and suggest a known one."""
    found = re.match(r"No (filter|test) named '(.*?)'", str(error.message))
    if found is None:
        return str(error.message)
    known = tuple(ENVIRONMENT.filters if found[1] == "filter" else ENVIRONMENT.tests)
    return _unnamed(found[2], known)


def valued(text: str, names: Mapping[str, object]) -> Any:
    """Evaluate the expression ``text`` with the known ``names``. Raises Unanswerable if it has no value."""
    try:
        found = expression(text)(**names)
        if isinstance(found, Iterator | KeysView | ValuesView | ItemsView | range):
            found = list(found)
        str(found)  # what is not there says so only when it is looked at
    except Absent as error:
        reason: Phrase | str = _absent(error.nothing, tuple(names))
    except Miscalled as error:
        reason = error.phrase
    except BluecutError:
        raise
    except ZeroDivisionError:
        reason = Phrase("it divides by 0")
    except TypeError:
        reason = Phrase("its parts have types that do not go together")
    except (TemplateError, LookupError, ValueError, AttributeError, ArithmeticError) as error:
        reason = _bare(f"{error}") or type(error).__name__
    else:
        if not callable(found):
            return found
        reason = Phrase("write it as {call}", call=_call(found, _taken(found)))
    raise Unanswerable("{text!r} has no value in this run: {reason}", text=text, reason=reason) from None


def _bare(reason: str) -> str:
    """Return a reason without module names and object addresses."""
    return re.sub(r" at 0x[0-9a-f]+", "", re.sub(r"\b(?:\w+\.)+(?=[A-Z])", "", reason))


def _absent(nothing: Nothing, names: tuple[str, ...]) -> Phrase:
    """Explain why there is nothing here. ``names`` are the names that every expression knows."""
    name, thing = nothing.name, nothing.thing
    if nothing.closed:
        return Phrase("{name} cannot be asked", name=str(name))
    if name is None:
        return Phrase("the list it looks into is empty")
    if thing is missing:
        return _unnamed(str(name), names)
    if isinstance(thing, list | tuple) and isinstance(name, int):
        return Phrase("a list of {count} has no item {number}, counted from 0", count=len(thing), number=name)
    known, noun = _members(thing), described(thing)
    if near := meant(str(name), known):
        return Phrase(
            "{thing} has no {name}; did you mean {near}? It has {known}",
            thing=noun,
            name=str(name),
            near=either(near),
            known=few(known),
        )
    if known:
        return Phrase("{thing} has no {name}; it has {known}", thing=noun, name=str(name), known=few(known))
    return Phrase("{thing} has no {name}", thing=noun, name=str(name))


def _unnamed(name: str, known: tuple[str, ...]) -> Phrase:
    """Say that nothing has this name, and suggest a known one."""
    if near := meant(name, known):
        return Phrase("nothing is called {name!r}; did you mean {near}?", name=name, near=either(near))
    return Phrase("nothing is called {name!r}; known here: {known}", name=name, known=tuple(sorted(known)))


def _members(thing: Any) -> tuple[str, ...]:
    """Return the names that can be asked of one of our values, or the keys of a mapping."""
    if isinstance(thing, Mapping):
        return tuple(str(key) for key in thing)
    if type(thing).__name__ not in NOUNS:
        return ()
    return tuple(name for name in dir(thing) if not name.startswith("_"))


def few(known: Sequence[str]) -> tuple[str, ...]:
    """Return the first LISTED names."""
    return (*known[:LISTED], *(["…"] if len(known) > LISTED else []))


def described(value: Any) -> Phrase | str:
    """Return a value as it appears in a sentence."""
    if noun := NOUNS.get(type(value).__name__):
        return noun
    if value is None or isinstance(value, bool | int | float | str | list | dict):
        return quoted_value(value)
    return quoted_value(list(value)) if isinstance(value, tuple) else Phrase("a value of another kind")
