"""A scenario as a form: rows of processes, channels and script lines, read from plain values and put back into them.

A form shows less than a scenario may contain. So nothing is built from the form alone: each row remembers the value it
was read from, only fields that a visitor changed are put back, and everything else stays as it was.
"""

import json
import re
from typing import Any, TypeAlias

from app.core.model.topology import named
from app.core.model.value import Frozen
from app.core.model.values import Json
from app.forms.json_shape import mapping
from app.forms.yaml_source import SourceError, read

Values: TypeAlias = dict[str, Any]
"""A mapping of YAML: of a scenario, or of a part of one."""

_PART = re.compile(r"(?:\[[^]]*\]?|\{[^}]*\}?|[^,\[{])+")
"""What stands between commas, with those in brackets."""
ROWS = 60
"""The most rows of a list in the form; longer lists are edited as text."""

KINDS = ("start", "send", "deliver", "change", "wake")
OF = {
    "token": ("start", "send", "deliver", "wake"),
    "bank": ("start", "send", "deliver", "wake"),
    "dataflow": ("start", "read", "deliver", "wake", "crash"),
}
"""What a line of the script can be under these programs, instead of any of ``KINDS``."""
ON_PROCESS = ("start", "change", "wake", "read", "crash")
PLACES = {"send": "on", "change": "process"}
"""The field in which these lines name their channel or process; the others name nothing else."""
SHAPES = ("chain", "ring", "star", "complete")
FIRST = {
    "token": "holders",
    "bank": "accounts",
    "variables": "values",
    "machine": "first",
    "scripted": "states",
    "dataflow": "operators",
}
"""The field in which each program says how its processes begin, or what they do."""

NEW: Values = {
    "token": 0,
    "bank": 0,
    "variables": {"X": 0},
    "machine": "idle",
    "scripted": None,
    "dataflow": {"source": [1, 2, 3]},
}
MESSAGE = {"token": None, "bank": 1, "variables": "M", "machine": "m", "scripted": "m"}


class Row(Frozen):
    """A line of the script. ``other`` says that it is none of the program's kinds and stays as it is written."""

    kind: str
    where: str
    what: str
    other: bool = False


class Outline(Frozen):
    """The content of the form. ``shape`` is empty if processes and channels are listed."""

    program: str
    shape: str
    size: int
    processes: tuple[tuple[str, str], ...]
    channels: tuple[tuple[str, str], ...]
    script: tuple[Row, ...]

    @property
    def names(self) -> list[str]:
        """The processes' names."""
        return [name for name, _ in self.processes]

    @property
    def kinds(self) -> tuple[str, ...]:
        """What the lines of the script can be."""
        return _kinds_of(self.program)

    @property
    def links(self) -> list[str]:
        """The channels' names."""
        return [f"{a}->{b}" for a, b in self.channels]


def outline(values: Json) -> Outline | None:
    """Return the form of a scenario, or None if it has none (yet): no lists, or longer ones than a form should have."""
    try:
        topology, program = values["topology"], values["program"]
        kind = program["kind"]
        first = program.get(FIRST[kind]) or {}
        script = values.get("script") or []
        if not isinstance(first, dict) or not isinstance(script, list):
            return None
        shape = next((s for s in SHAPES if s in topology), "")
        names, links = _shaped(shape, topology[shape]) if shape else _listed(topology)
        rows = tuple(_row(entry, kind) for entry in script)
        processes = tuple((name, inline(first[name]) if name in first else "") for name in names)
    except (KeyError, TypeError, ValueError, AttributeError):
        return None
    if max(len(names), len(rows), 0 if shape else len(links)) > ROWS:
        return None
    return Outline(kind, shape, len(names), processes, tuple(links), rows)


def _kinds_of(program: str) -> tuple[str, ...]:
    """Return what a line of the script can be under a program."""
    return OF.get(program, KINDS)


def _listed(topology: Any) -> tuple[list[str], list[tuple[str, str]]]:
    """Return listed processes and channels. Raises ValueError if they are not lists of names."""
    names, channels = topology["processes"], topology.get("channels") or []
    if not all(isinstance(name, str) for name in [*names, *channels]):
        raise ValueError("not names")
    return list(names), [_ends(channel) for channel in channels]


def _shaped(shape: str, size: object) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the names and channels of a named shape. Raises ValueError for a size that no form should draw."""
    if not isinstance(size, int) or not 0 < size <= ROWS:
        raise ValueError("not a size")
    names = [f"P{i + 1}" for i in range(size)]
    return names, [_ends(link) for link in _links_of(shape, names)]


def _links_of(shape: str, names: list[str]) -> list[str]:
    """Return the channels of a shape, as the topology makes them."""
    return [f"{a}->{b}" for a, b in named(shape, names)]


def _ends(channel: str) -> tuple[str, str]:
    """Return where a channel begins and ends. Raises ValueError."""
    a, b = channel.split("->")
    return a, b


def _row(entry: Any, program: str) -> Row:
    """Return a line of the script as a row."""
    kinds = [kind for kind in _kinds_of(program) if mapping(entry).get(kind) is not None]
    if len(kinds) != 1:
        return Row("", "", inline(entry), other=True)
    kind = kinds[0]
    place, what = mapping(entry[kind]).get(PLACES[kind]) if kind in PLACES else entry[kind], None
    where = place if isinstance(place, str) else ""
    if kind == "send" and where:
        what = entry[kind].get("message")
    elif kind == "change" and where:
        what = entry[kind].get(changed_field(program))
    return Row(kind, where, "" if what is None else inline(what)) if where else Row("", "", inline(entry), other=True)


def changed_field(program: str) -> str:
    """Return what a change of a program sets: new values of variables, or a new state."""
    return "set" if program == "variables" else "state"


# --- values in one line ------------------------------------------------------------------------------------------


def inline(value: Json) -> str:
    """Return a value on one line, as people type it: ``3``, ``idle``, ``X1=1, Y1=2``, else JSON."""
    if isinstance(value, dict) and value:
        text = ", ".join(f"{name}={_inner(inner)}" for name, inner in value.items())
        return text if typed(text) == value else json.dumps(value, ensure_ascii=False)
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if typed(text) == value and type(typed(text)) is type(value) else json.dumps(value, ensure_ascii=False)


def _inner(value: Json) -> str:
    """Return a value as it stands behind its name: a list as JSON."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else inline(value)


def typed(text: str) -> Json:
    """Return the meaning of a line. Text that cannot be read as a value stays text."""
    text = text.strip()
    pairs = [part.partition("=") for part in _PART.findall(text)]
    if pairs and all(sign and name.strip() and not set(name) & set("{}[]\"'") for name, sign, _ in pairs):
        return {name.strip(): _alone(value) for name, _, value in pairs}
    return _alone(text)


def _alone(text: str) -> Json:
    """Return one value: a number, true, false, JSON; else text."""
    try:
        return read(text.strip(), "field", limit=4_096).values
    except SourceError:
        return text.strip()
