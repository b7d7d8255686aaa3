"""A scenario as the text that people edit: YAML written from plain values, always the same way.

``written`` writes a whole text. ``amended`` changes a text as little as possible: the parts whose values stay the same
keep their lines and comments.
"""

import re
from decimal import Decimal
from textwrap import indent

import yaml

from app.core.model.values import BluecutError, Json
from app.forms.json_shape import items, mapping
from app.forms.yaml_source import DEPTH, Source, SourceError, read
from app.scenario.format import FILE_BYTES, ScenarioForm

WIDTH = 100
"""The columns of a line. A list or mapping that fits into one line is written in one."""

FIELDS = tuple(ScenarioForm.model_fields)


class Unwritable(BluecutError):
    """A value that the scenario's YAML cannot express; the text says which."""


HIDDEN = re.compile(r"[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
"""Characters that are invisible, or that reverse the order of others: an editor must show them."""


class Writer(yaml.CSafeDumper):
    """PyYAML's writer without aliases, and with short collections in one line.

    It quotes only text that the reader would take for something else.
    """

    yaml_implicit_resolvers = {}  # noqa: RUF012  the library keeps it on the class

    def ignore_aliases(self, data: object) -> bool:
        """Return True: visitors' YAML has no aliases, so none is written."""
        return True


def _mapping(writer: Writer, values: dict[str, Json]) -> yaml.Node:
    """Write a mapping of several fields in one line if it is short and holds no mapping of its own."""
    inner = any(isinstance(v, dict | list) and v for v in values.values())
    flow = len(values) != 1 and not inner and len(str(values)) < WIDTH - 20
    return writer.represent_mapping("tag:yaml.org,2002:map", values, flow_style=flow)


def _sequence(writer: Writer, values: list[Json]) -> yaml.Node:
    """Write a list in one line if it is short and holds only single values."""
    inner = any(isinstance(v, dict | list) for v in values)
    return writer.represent_sequence("tag:yaml.org,2002:seq", values, flow_style=not inner)


def _words(writer: Writer, text: str) -> yaml.Node:
    """Write text of several lines with its lines; hidden characters become escapes, which need quotes."""
    style = None
    if HIDDEN.search(text):
        style = '"'
    elif "\n" in text and not re.search(r"[^\S\n]\n|^\s|[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]", text):
        style = "|"
    return writer.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def _fraction(writer: Writer, number: float) -> yaml.Node:
    """Write a number with a point and without an exponent, which the reader does not know."""
    text = format(Decimal(repr(number)), "f")
    return writer.represent_scalar("tag:yaml.org,2002:float", text if "." in text else text + ".0")


Writer.add_representer(float, _fraction)
Writer.add_representer(dict, _mapping)
Writer.add_representer(list, _sequence)
Writer.add_representer(str, _words)
for kind, form, first in (
    ("bool", r"true|false", "tf"),
    ("null", r"null|~|", ["n", "~", ""]),
    ("int", r"[-+]?\d+", "-+0123456789"),
    ("float", r"[-+]?\d+\.\d+", "-+0123456789"),
):
    Writer.add_implicit_resolver(f"tag:yaml.org,2002:{kind}", re.compile(rf"^(?:{form})$"), list(first))


def ordered(values: dict[str, Json]) -> dict[str, Json]:
    """Return the fields of a scenario in the order of the format, unknown ones last."""
    known = {field: values[field] for field in FIELDS if field in values}
    return known | values


def written(values: dict[str, Json], *, limit: int | None = FILE_BYTES) -> str:
    """Return the whole text, of at most ``limit`` bytes if there is a limit. Raises Unwritable where reading it back
    would not give the same values."""
    _refuse_depth(values)
    text = _section(ordered(values)) or "{}\n"
    try:
        source = read(text, "scenario", limit=limit)
    except SourceError as error:
        raise Unwritable("the scenario cannot be written as YAML: {why}", why=error.says) from None
    if not same(source.values, values):
        raise Unwritable(
            "{field}: this value cannot be written in a scenario; a number has at most 17 digits and no exponent",
            field=_difference(source.values, values),
        )
    return text


def _section(values: dict[str, Json]) -> str:
    """Return some top-level fields as YAML. Raises Unwritable for text that is not Unicode."""
    try:
        text = "".join(_field(key, value) for key, value in values.items())
        text.encode()
    except (yaml.YAMLError, UnicodeEncodeError, ValueError):
        raise Unwritable("the scenario holds characters that are not Unicode text") from None
    return HIDDEN.sub(lambda m: f"\\u{ord(m[0]):04X}", text)


def _field(key: str, value: Json) -> str:
    """Return one top-level field as YAML; the lines of a list are indented by two columns."""
    text: str = yaml.dump(
        {key: value}, Dumper=Writer, sort_keys=False, allow_unicode=True, width=WIDTH, default_flow_style=False
    )
    if isinstance(value, list) and f"{key}:\n- " in text:
        first, _, rest = text.partition("\n")
        return first + "\n" + indent(rest, "  ")
    return text


def same(a: Json, b: Json) -> bool:
    """Are two values equal, with 1, 1.0 and true distinguished?"""
    match a, b:
        case dict(), dict():
            return a.keys() == b.keys() and all(same(v, b[k]) for k, v in a.items())
        case list(), list():
            return len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and bool(a == b)


def _difference(a: Json, b: Json, place: str = "") -> str:
    """Return the name of the first place where two values are not the same."""
    match a, b:
        case dict(), dict() if a.keys() == b.keys():
            for key, value in a.items():
                if not same(value, b[key]):
                    return _difference(value, b[key], f"{place}.{key}" if place else str(key))
        case list(), list() if len(a) == len(b):
            for i, pair in enumerate(zip(a, b, strict=True)):
                if not same(*pair):
                    return _difference(*pair, f"{place}[{i}]")
    return place or "scenario"


def _refuse_depth(values: Json, depth: int = 1) -> None:
    """Refuse values nested deeper than a scenario's text may be. Raises Unwritable."""
    if depth > DEPTH:
        raise Unwritable("nested more than {most} deep", most=DEPTH)
    for inner in (*mapping(values).values(), *items(values)):
        _refuse_depth(inner, depth + 1)


def amended(source: Source, text: str, values: dict[str, Json]) -> str:
    """Return ``text``, which reads as ``source``, changed so that it reads as ``values``.

    Only the top-level fields that differ are written anew. Where that gives a wrong result (a text in one line, a
    comment that would change places), the whole text is written.
    """
    before = mapping(source.values)
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    starts = sorted((source.lines[(key,)] - 1, key) for key in before)
    parts: list[str] = lines[: starts[0][0]] if starts else list(lines)
    for i, (start, key) in enumerate(starts):
        end = starts[i + 1][0] if i + 1 < len(starts) else len(lines)
        if key not in values:
            continue
        if same(before[key], values[key]):
            parts += lines[start:end]
        else:
            parts += [_section({key: values[key]}), *_trailing(lines[start:end])]
    parts += [_section({key: value}) for key, value in ordered(values).items() if key not in before]
    made = "".join(parts)
    try:
        if same(read(made, source.name, limit=FILE_BYTES).values, values):
            return made
    except SourceError:
        pass
    return written(values)


def _trailing(lines: list[str]) -> list[str]:
    """Return the blank lines and comments that end a part: they belong to what follows."""
    end = len(lines)
    while end > 1 and (not lines[end - 1].strip() or lines[end - 1].startswith("#")):
        end -= 1
    return lines[end:]
