"""``/editor/fields``: every field of a scenario file, with its values and its meaning, from the format itself.

What ``fields.html`` gets: ``parts``, see Part, each after the one that mentions it first.
"""

import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final, TypeAlias

from fastapi import APIRouter
from pydantic import TypeAdapter
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from app.core.model.value import Frozen
from app.core.model.values import Json
from app.forms.fields import ChannelName, Name
from app.scenario.format import ScenarioForm, part_of, schema
from app.web.base.language import language
from app.web.base.templates import page
from app.words.catalogues import JOIN, word

router = APIRouter()

Schema: TypeAlias = dict[str, Any]
"""A JSON Schema, or a part of it."""

HOLE: Final = "…"
FIRST: Final = part_of(ScenarioForm.__name__)


class Values(Frozen):
    """One kind of value that a field takes, in words; perhaps with a part that says the rest."""

    says: str
    part: str = ""


class Field(Frozen):
    """A field. ``default`` is JSON; None where there is none; ``must`` it be given?"""

    name: str
    means: str
    values: tuple[Values, ...]
    default: str | None
    must: bool


class Part(Frozen):
    """A part of the file, and its fields in the order of the format."""

    name: str
    about: str
    fields: tuple[Field, ...]


@router.get("/editor/fields", response_class=HTMLResponse, include_in_schema=False)
def fields(request: Request) -> Response:
    """Return the page."""
    spoken = language(request)
    return page(request, "fields.html", parts=_parts_in(spoken))


@cache
def _parts_in(spoken: str) -> tuple[Part, ...]:
    return tuple(_parts(schema(spoken), spoken))


def _parts(whole: Schema, spoken: str) -> Iterator[Part]:
    """Yield the parts of the format: the whole file, and below a part those that it mentions."""
    forms = {part_of(name): form for name, form in whole["$defs"].items()} | {FIRST: whole}
    waiting, seen = [FIRST], set[str]()
    while waiting:
        name = waiting.pop(0)
        if name in seen:
            continue
        seen.add(name)
        form = forms[name]
        rows = tuple(_field(field, told, form, spoken) for field, told in form["properties"].items())
        yield Part(name, form["description"], rows)
        waiting = [values.part for row in rows for values in row.values if values.part] + waiting


def _field(name: str, told: Schema, form: Schema, spoken: str) -> Field:
    default = told.get("default")
    return Field(
        name,
        told["description"],
        tuple(dict.fromkeys(_values(told, spoken))),
        None if default in (None, [], {}) or isinstance(default, dict) else _code(default),
        name in form.get("required", ()),
    )


def _values(told: Schema, spoken: str) -> Iterator[Values]:
    """Yield what a schema allows, in words. Nothing is allowed wherever a field may be left out: that is not said."""
    either = told.get("anyOf") or told.get("oneOf") or []
    for each in either:
        yield from _values(each, spoken)
    if "$ref" in told:
        yield Values("", part_of(told["$ref"].removeprefix("#/$defs/")))
    elif "enum" in told or "const" in told:
        yield Values(JOIN[spoken].join(map(_code, told.get("enum", [told.get("const")]))))
    elif kind := told.get("type"):
        yield from _KINDS[kind](told, spoken)
    elif not either:
        yield Values(word("fields.value.any", spoken))


def _code(value: Json) -> str:
    """Return a value as a file has it: words without quotes."""
    return value if isinstance(value, str) else json.dumps(value)


def _number(told: Schema, spoken: str) -> Iterator[Values]:
    bounds = {name: f"{told[key]:,}" for name, key in (("least", "minimum"), ("most", "maximum")) if key in told}
    way = ".range" if "most" in bounds else ".least" if bounds else ""
    yield Values(word(f"fields.value.number{way}", spoken, **bounds))


def _text(told: Schema, spoken: str) -> Iterator[Values]:
    if (named := _NAMED.get(told.get("pattern", ""))) is not None:
        yield Values(word(f"fields.value.{named}", spoken))
    elif "maxLength" in told:
        yield Values(word("fields.value.text.most", spoken, most=f"{told['maxLength']:,}"))
    else:
        yield Values(word("fields.value.text", spoken))


def _list(told: Schema, spoken: str) -> Iterator[Values]:
    for each in _values(told["items"], spoken):
        yield Values(_around(word("fields.value.list", spoken, what=HOLE), each), each.part)


def _mapping(told: Schema, spoken: str) -> Iterator[Values]:
    (pattern, inner), *_ = told.get("patternProperties", {"": told.get("additionalProperties", {})}).items()
    only = told.get("propertyNames", {}).get("enum", ())
    by = JOIN[spoken].join(only) or word(f"fields.value.key.{_NAMED.get(pattern, 'other')}", spoken)
    for each in _values(inner, spoken):
        yield Values(_around(word("fields.value.map", spoken, by=by, what=HOLE), each), each.part)


def _around(outer: str, inner: Values) -> str:
    """Return a text around another one, letter by letter: a channel keeps the arrow that a file needs."""
    return outer.replace(HOLE, inner.says)


def _pattern(kind: Any) -> str:
    """Return the regular expression of a kind of name."""
    return str(TypeAdapter(kind).json_schema()["pattern"])


_NAMED: Final = {_pattern(Name): "name", _pattern(ChannelName): "channel"}
_KINDS: Final[dict[str, Callable[[Schema, str], Iterator[Values]]]] = {
    "integer": _number,
    "string": _text,
    "array": _list,
    "object": _mapping,
    "boolean": lambda told, spoken: iter([Values(word("fields.value.true", spoken))]),
    "null": lambda told, spoken: iter(()),
}
