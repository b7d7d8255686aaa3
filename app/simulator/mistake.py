"""Mistakes in the form of a scenario, told in our own words: where, and what would be right."""

from collections.abc import Iterator
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from app.core.model import Json
from app.simulator.format import (
    BankForm,
    MachineForm,
    ScenarioForm,
    ScriptedForm,
    TokenForm,
    VariablesForm,
)
from app.simulator.source import Path, Source, SourceError

PROGRAMS: dict[str, type[BaseModel]] = {
    "token": TokenForm,
    "bank": BankForm,
    "variables": VariablesForm,
    "machine": MachineForm,
    "scripted": ScriptedForm,
}

Problem = Any
"""One error of pydantic: a mapping with type, loc, input and ctx."""


def explained(source: Source, error: ValidationError) -> SourceError:
    """The first mistake, with its line.

    A field that is unknown comes before one that is missing: it is often the same one, misspelt. Where several forms
    were possible, what the one that fitted best says.
    """
    problems = sorted(error.errors(include_url=False), key=lambda p: p["type"] != "extra_forbidden")
    first = problems[0]
    alike = [p for p in problems if p["loc"][: len(field(source, first))] == first["loc"][: len(field(source, first))]]
    path = max((field(source, p) for p in alike), key=len)
    here = [p for p in alike if field(source, p) == path]
    if here[0]["type"] == "extra_forbidden":
        return source.error(path, f"unknown field; known here: {', '.join(fields_at(source, path[:-1]))}")
    if here[0]["type"] == "missing":
        return source.error(path, "missing; it must be given")
    if here[0]["type"] == "union_tag_not_found":
        return source.error(path, f"missing; one of {', '.join(PROGRAMS)}")
    got = path[-1] if "[key]" in here[0]["loc"] else value_at(source.values, path)
    wanted = list(dict.fromkeys(want(p, path) for p in here))
    return source.error(path, f"must be {' or '.join(wanted)}, not {shown(got)}")


def field(source: Source, problem: Problem) -> Path:
    """The place in the file that a problem speaks of. (Pydantic puts names of union members among the fields.)"""
    path: list[str | int] = []
    here: Json = source.values
    for key in problem["loc"]:
        inside = key in here if isinstance(here, dict) else isinstance(here, list) and isinstance(key, int)
        if inside:
            path.append(key)
            here = here[key]
    if problem["type"] == "missing":
        path.append(problem["loc"][-1])
    if problem["type"] in ("union_tag_invalid", "union_tag_not_found"):
        path.append("kind")
    return tuple(path)


def value_at(values: Json, path: Path) -> Json:
    """What stands at ``path``."""
    for key in path:
        if isinstance(values, dict) and key not in values:
            return None
        values = values[key]
    return values


def want(problem: Problem, path: Path) -> str:
    """What would be right, as words that follow "must be"."""
    kind, limits = problem["type"], problem.get("ctx", {})
    if kind in WANTED:
        return WANTED[kind]
    if kind == "string_pattern_mismatch":
        return PATTERNS.get(limits["pattern"], f"of the form {limits['pattern']}")
    if kind == "literal_error":
        return "one of " + str(limits["expected"]).replace("'", "").replace(" or ", ", ")
    if kind == "union_tag_invalid":
        return f"one of {', '.join(PROGRAMS)}"
    if kind in BOUNDS:
        words, limit = BOUNDS[kind]
        return words.format(f"{limits[limit]:,}")
    return str(problem["msg"])


WANTED = {
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing_size": "a whole number",
    "bool_type": "true or false",
    "string_type": "text (in quotes where it looks like a number)",
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
}

NAME = "a name of 1 to 12 letters, digits, - and _"
PATTERNS = {
    r"^[A-Za-z0-9_-]{1,12}$": NAME,
    r"^[A-Za-z0-9_-]{1,12}->[A-Za-z0-9_-]{1,12}$": "a channel, SOURCE->TARGET",
    r"^[0-9]+$": "digits",
    r"^[a-z0-9-]{1,30}$": "a tag of 1 to 30 small letters, digits and -",
}

BOUNDS = {
    "greater_than_equal": ("at least {}", "ge"),
    "less_than_equal": ("at most {}", "le"),
    "too_long": ("at most {} long", "max_length"),
    "too_short": ("at least {} long", "min_length"),
    "string_too_long": ("at most {} characters long", "max_length"),
    "string_too_short": ("at least {} character long", "min_length"),
}


def shown(value: Json) -> str:
    """A value inside a sentence; long ones by their size."""
    if value is None:
        return "empty"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return repr(value) if len(value) <= 60 else f"{len(value):,} characters"
    if isinstance(value, list):
        return f"a list of {len(value):,}"
    if isinstance(value, dict):
        return f"a mapping of {len(value):,}"
    return str(value)


def fields_at(source: Source, path: Path) -> list[str]:
    """The names of the fields that a mapping at ``path`` may have."""
    form: type[BaseModel] = ScenarioForm
    for key in path:
        known = form.model_fields.get(str(key))
        if isinstance(key, int) or known is None:
            continue  # an item of a list, or a name that the author chose: the form inside stays the same
        inner = list(forms_in(known.annotation))
        if key == "program" and form is ScenarioForm:
            form = PROGRAMS.get(str(value_at(source.values, ("program", "kind"))), TokenForm)
        elif inner:
            form = inner[0]
    return [known.alias or name for name, known in form.model_fields.items()]


def forms_in(annotation: Any) -> Iterator[type[BaseModel]]:
    """The forms inside an annotation such as ``list[EntryForm] | None``."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in get_args(annotation):
        yield from forms_in(inner)
