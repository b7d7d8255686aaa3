"""Mistakes in the form of a file, in our own words: where, and what would be right."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from difflib import get_close_matches
from functools import reduce
from typing import Any, TypeVar, get_args, get_origin

from pydantic import BaseModel, ValidationError

from app.core.model.values import Json, Phrase
from app.forms.json_shape import items, mapping
from app.forms.yaml_source import DIGITS, Path, Source, SourceError, read

Made = TypeVar("Made", bound=BaseModel)

TURNS = {"extra_forbidden": 0, "missing": 2}
"""Which mistakes are named first, and which last."""

Problem = Any
"""A pydantic error: a mapping with type, loc, input and ctx."""


def formed(text: str, name: str, form: type[Made], *, limit: int, empty: Phrase, wrong: Phrase) -> tuple[Source, Made]:
    """Return the values of ``text`` (at most ``limit`` bytes), and the same as a ``form``. Raises SourceError, which
    names file, line and field; ``empty`` is the error for a file with nothing but comments, ``wrong`` for one that is
    no mapping."""
    if all(not line.strip() or line.lstrip().startswith("#") for line in text.splitlines()):
        raise SourceError(name, 1, "", empty)
    source = read(text, name, limit=limit)
    if not isinstance(source.values, dict):
        raise SourceError(name, source.line(()), "", wrong)
    return source, filled(source, form)


def filled(source: Source, form: type[Made], context: object = None) -> Made:
    """Return the values of a file as a ``form``. Raises SourceError, which names file, line and field."""
    try:
        return form.model_validate(source.values, context=context)
    except ValidationError as error:
        raise _explained(source, error, form) from None


def _explained(source: Source, error: ValidationError, whole: type[BaseModel]) -> SourceError:
    """Return the first mistake in a file of the form ``whole``, with its line.

    A field that is unknown comes first: it is often one that is missing, misspelt. What is missing comes last: whoever
    writes a file has perhaps not come so far. Where several forms are possible, use the mistake of the one that fits
    best.
    """
    problems = sorted(error.errors(include_url=False), key=lambda p: TURNS.get(p["type"], 1))
    first = problems[0]
    alike = [
        p for p in problems if p["loc"][: len(_field(source, first))] == first["loc"][: len(_field(source, first))]
    ]
    path = max((_field(source, p) for p in alike), key=len)
    here = [p for p in alike if _field(source, p) == path]
    if here[0]["type"] == "extra_forbidden":
        form = _forms_at(source, path[:-1], whole)[0]
        known = tuple(inner.alias or name for name, inner in form.model_fields.items())
        if near := meant(str(path[-1]), known):
            return source.error(
                path, "unknown field; did you mean {near}? Known here: {known}", near=either(near), known=known
            )
        return source.error(path, "unknown field; known here: {known}", known=known)
    if here[0]["type"] == "missing":
        return source.error(path, "missing; it must be given")
    if here[0]["type"] == "union_tag_not_found":
        known = tuple(kind for form in _forms_at(source, path[:-1], whole) for kind in _kinds(form))
        return source.error(path, "missing; one of {known}", known=known)
    got = path[-1] if "[key]" in here[0]["loc"] else _value_at(source.values, path)
    wanted = dict.fromkeys(want(p) for p in here)
    return source.error(path, "must be {wanted}, not {got}", wanted=either(wanted), got=quoted_value(got))


def meant(typed: str, known: Collection[str]) -> list[str]:
    """Return the one or two known names that ``typed`` may stand for: those that begin with it, else those that are
    alike, of these those with the same letters first. A suggestion that is not near misleads, so its first letter must
    be among the first two that were typed."""
    if len(typed) > 2 and (begun := [name for name in known if name.startswith(typed)]):
        return begun[:2]
    near = get_close_matches(typed, [name for name in known if name[:1] in typed[:2]], n=2, cutoff=0.75)
    return sorted(near, key=lambda name: sorted(name) != sorted(typed))


def no_scenario(name: str, known: tuple[str, ...]) -> Phrase:
    """Return that no scenario has this name, and which may be meant."""
    if near := meant(name, known):
        return Phrase("no scenario is called {name!r}; did you mean {near}?", name=name[:40], near=either(near))
    return Phrase("no scenario is called {name!r}", name=name[:40])


def no_lesson(name: str, known: tuple[str, ...]) -> Phrase:
    """Return that no lesson has this name, and which may be meant."""
    if near := meant(name, known):
        return Phrase("no lesson is called {name!r}; did you mean {near}?", name=name, near=either(near))
    return Phrase("no lesson is called {name!r}; there are {known}", name=name, known=known)


def no_term(name: str, known: tuple[str, ...]) -> Phrase:
    """Return that no term of the glossary has this name, and which may be meant."""
    if near := meant(name, known):
        return Phrase("no term is called {name!r}; did you mean {near}?", name=name, near=either(near))
    return Phrase("no term is called {name!r}", name=name)


def either(possible: Iterable[Phrase | str]) -> Phrase | str:
    """Return the alternatives as words: ``a or b or c``."""
    return reduce(lambda some, other: Phrase("{some} or {other}", some=some, other=other), possible)


def _field(source: Source, problem: Problem) -> Path:
    """Return the place in the file to which a problem refers. Pydantic puts names of union members among the
    fields."""
    path: list[str | int] = []
    here: Json = source.values
    for key in problem["loc"]:
        if key in mapping(here) or (items(here) and isinstance(key, int)):
            path.append(key)
            here = here[key]
    if problem["type"] == "missing":
        path.append(problem["loc"][-1])
    if problem["type"] in ("union_tag_invalid", "union_tag_not_found"):
        path.append("kind")
    return tuple(path)


def _value_at(values: Json, path: Path) -> Json:
    for key in path:
        if isinstance(values, dict) and key not in values:
            return None
        values = values[key]
    return values


def want(problem: Problem) -> Phrase:
    """Return what would be right, as words that follow "must be"."""
    kind, limits = problem["type"], problem.get("ctx", {})
    if limits.get("class_name") == "Words":
        return Phrase("a text in each language, such as {example}", example="{en: Word count, zh: 单词计数}")
    if kind == "int_type" and re.fullmatch(rf"[-+]?\d{{{DIGITS + 1},}}", str(problem["input"])):
        return Phrase("a whole number of at most {most} digits", most=DIGITS)
    if kind in WANTED:
        return WANTED[kind]
    if kind == "string_pattern_mismatch":
        return PATTERNS.get(limits["pattern"]) or Phrase("of the form {pattern}", pattern=limits["pattern"])
    if kind in ("literal_error", "union_tag_invalid"):
        expected = str(limits.get("expected") or limits["expected_tags"])
        return Phrase("one of {known}", known=tuple(expected.replace("'", "").replace(" or ", ", ").split(", ")))
    if kind in BOUNDS:
        return BOUNDS[kind](limits)
    return Phrase("a value of another kind")


WANTED = {
    "int_type": Phrase("a whole number"),
    "int_parsing": Phrase("a whole number"),
    "int_from_float": Phrase("a whole number"),
    "int_parsing_size": Phrase("a whole number"),
    "bool_type": Phrase("true or false"),
    "bool_parsing": Phrase("true or false"),
    "string_type": Phrase("text (in quotes where it looks like a number)"),
    "list_type": Phrase("a list"),
    "tuple_type": Phrase("a list"),
    "dict_type": Phrase("a mapping"),
    "model_type": Phrase("a mapping"),
    "model_attributes_type": Phrase("a mapping"),
}

PATTERNS = {
    r"^[A-Za-z0-9_-]{1,12}$": Phrase("a name of 1 to 12 letters (A to Z), digits, - and _"),
    r"^[A-Za-z0-9_-]{1,12}->[A-Za-z0-9_-]{1,12}$": Phrase("a channel, SOURCE->TARGET"),
    r"^[0-9]+$": Phrase("digits"),
    r"^[a-z0-9-]{1,30}$": Phrase("a tag of 1 to 30 small letters, digits and -"),
    r"^[A-E][1-9][0-9]?$": Phrase("a letter from A to E and a number, such as {example}", example="A7"),
    r"^/[a-z]": Phrase("an address of these pages, such as {example}", example="/run/queue?step=9"),
}

BOUNDS: dict[str, Callable[[dict[str, object]], Phrase]] = {
    "greater_than_equal": lambda limits: Phrase("at least {limit:,}", limit=limits["ge"]),
    "less_than_equal": lambda limits: Phrase("at most {limit:,}", limit=limits["le"]),
    "too_long": lambda limits: Phrase("at most {limit:,} long", limit=limits["max_length"]),
    "too_short": lambda limits: Phrase("at least {limit:,} long", limit=limits["min_length"]),
    "string_too_long": lambda limits: Phrase("at most {limit:,} characters long", limit=limits["max_length"]),
    "string_too_short": lambda limits: Phrase("at least {limit:,} character long", limit=limits["min_length"]),
}


def quoted_value(value: Json) -> Phrase | str:
    """Return a value inside a sentence; long ones by their size."""
    if value is None:
        return Phrase("empty")
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return repr(value) if len(value) <= 60 else Phrase("{count:,} characters", count=len(value))
        case list():
            return Phrase("a list of {count:,}", count=len(value))
        case dict():
            return Phrase("a mapping of {count:,}", count=len(value))
    return str(value)


def _forms_at(source: Source, path: Path, whole: type[BaseModel]) -> tuple[type[BaseModel], ...]:
    """Return the forms that the mapping at ``path`` may have, in a file of the form ``whole``: several if its ``kind``
    does not decide."""
    forms: tuple[type[BaseModel], ...] = (whole,)
    chosen = False  # is the next key a name that the author chose? It may be that of a field
    for end, key in enumerate(path, 1):
        known = None if chosen else forms[0].model_fields.get(str(key))
        chosen = False
        if isinstance(key, int) or known is None:
            continue  # an entry of a list, or a name that the author chose: the form inside stays the same
        inner = tuple(_forms_in(known.annotation))
        chosen = bool(inner) and _by_name(known.annotation)
        here = _value_at(source.values, path[:end])
        kind = mapping(here).get("kind")
        forms = tuple(form for form in inner if kind in _kinds(form)) or inner or forms
    return forms


def _kinds(form: type[BaseModel]) -> tuple[str, ...]:
    """Return what the field ``kind`` of a form may be; nothing if it has none."""
    return get_args(form.model_fields["kind"].annotation) if "kind" in form.model_fields else ()


def _by_name(annotation: object) -> bool:
    """Is the annotation that of a mapping whose keys the author chooses, such as ``dict[Name, OperatorForm]``?"""
    return get_origin(annotation) is dict or any(_by_name(inner) for inner in get_args(annotation))


def _forms_in(annotation: object) -> Iterator[type[BaseModel]]:
    """Yield the forms inside an annotation such as ``list[EntryForm] | None``."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in get_args(annotation):
        yield from _forms_in(inner)
