"""A scenario as a form: rows of processes, channels and script lines, read from plain values and put back into them.

A form shows less than a scenario may contain. So nothing is built from the form alone: each row remembers the value it
was read from, only fields that a visitor changed are put back, and everything else stays as it was.
"""

import copy
import json
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeAlias

from app.core.model.topology import named
from app.core.model.value import Frozen
from app.core.model.values import Json
from app.forms.json_shape import items, mapping
from app.forms.whole_number import whole_number
from app.forms.yaml_source import SourceError, read
from app.web.play.editor.next_line import continued

Values: TypeAlias = dict[str, Any]
"""A mapping of YAML: of a scenario, or of a part of one."""

_PART = re.compile(r"(?:\[[^]]*\]?|\{[^}]*\}?|[^,\[{])+")
"""What stands between commas, with those in brackets."""
ROWS = 60
"""The most rows of a list in the form; longer lists are edited as text."""

KINDS = ("start", "send", "deliver", "change", "wake")
OF_DATAFLOW = ("start", "read", "deliver", "wake", "crash")
ON_PROCESS = ("start", "change", "wake", "read", "crash")
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
    return OF_DATAFLOW if program == "dataflow" else KINDS


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
    where, what = _named_in(entry), None
    if kind == "send" and where:
        what = entry[kind].get("message")
    elif kind == "change" and where:
        what = entry[kind].get(_changed_field(program))
    return Row(kind, where, "" if what is None else inline(what)) if where else Row("", "", inline(entry), other=True)


def _changed_field(program: str) -> str:
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


# --- what a visitor changed --------------------------------------------------------------------------------------


def applied(values: dict[str, Json], fields: Mapping[str, str]) -> dict[str, Json]:
    """Return the values with the changes of the form's ``fields``, and the action of the button ``do``. The form must
    belong to the values."""
    was = outline(values)
    if was is None:
        return values
    made = copy.deepcopy(values)
    _shape_changed(made, was, fields)
    _firsts_changed(made, was, fields)
    _script_changed(made, was, fields)
    _channels_changed(made, was, fields)
    _names_changed(made, was, fields)
    _do(made, fields.get("do", ""))
    return made


def _shape_changed(values: Values, was: Outline, fields: Mapping[str, str]) -> None:
    """Apply another shape, another number of processes, or the listing of the shape's channels one by one."""
    shape, size = fields.get("shape", was.shape), fields.get("size", "")
    asked = whole_number(size) or 0
    number = asked if 0 < asked <= ROWS else was.size
    if not was.shape and not shape:
        return
    if shape not in ("", *SHAPES) or (shape == was.shape and number == was.size):
        return
    if shape:
        values["topology"] = {shape: number}
    else:
        values["topology"] = {"processes": was.names, "channels": was.links}


def _firsts_changed(values: Values, was: Outline, fields: Mapping[str, str]) -> None:
    """Apply changes to the processes' first states."""
    for i, (name, first) in enumerate(was.processes):
        now = fields.get(f"process.{i}.first", first).strip()
        if now == first:
            continue
        firsts = _firsts_of(values)
        if now:
            firsts[name] = typed(now)
        else:
            firsts.pop(name, None)


def _firsts_of(values: Values) -> Values:
    """Return the processes' first states, to be changed."""
    program = values["program"]
    field = FIRST[program["kind"]]
    program[field] = program.get(field) or {}
    found: Values = program[field]
    return found


def _script_changed(values: Values, was: Outline, fields: Mapping[str, str]) -> None:
    """Apply changes to the script: what happens, where, and what is sent."""
    for i, line in enumerate(was.script):
        if line.other:
            continue
        kind, where, what = (
            fields.get(f"script.{i}.{field}", now)
            for field, now in (("kind", line.kind), ("where", line.where), ("what", line.what))
        )
        if kind != line.kind and kind in was.kinds:
            values["script"][i] = _turned(values["script"][i], line.kind, _entry(kind, was, where))
        elif where != line.where:
            _put_place(values["script"][i], kind, where)
        if what.strip() != line.what and kind == line.kind:
            _put_what(values["script"][i], kind, was.program, what.strip())


def _turned(old: Values, kind: str, new: Values) -> Values:
    """Return a line of the script changed to another kind; fields unrelated to the kind (a caption, a time) stay."""
    return new | {field: value for field, value in old.items() if field not in (kind, "position", "state", "what")}


def _entry(kind: str, was: Outline, where: str) -> Values:
    """Return a new line of the script, at ``where`` or near it: a channel for a process, a process for a channel."""
    names, links = was.names or ["P1"], was.links
    if kind in ON_PROCESS:
        process = where if where in names else where.partition("->")[0]
        process = process if process in names else names[0]
        if kind != "change":
            return {kind: process}
        return {kind: {"process": process, _changed_field(was.program): NEW[was.program]}}
    near = [link for link in links if link == where or link.startswith(f"{where}->")]
    channel = next(iter(near or links), "P1->P2")
    if kind == "deliver":
        return {kind: channel}
    message = MESSAGE[was.program]
    return {kind: {"on": channel} | ({} if message is None else {"message": message})}


def _put_place(line: Values, kind: str, where: str) -> None:
    """Set the process or channel of a line of the script."""
    if kind == "send":
        line["send"]["on"] = where
    elif kind == "change":
        line["change"]["process"] = where
    else:
        line[kind] = where


def _put_what(line: Values, kind: str, program: str, what: str) -> None:
    """Set what a line of the script sends or sets."""
    if kind == "send":
        _put(line["send"], "message", what)
    elif kind == "change":
        _put(line["change"], _changed_field(program), what)


def _put(given: Values, field: str, text: str) -> None:
    """Set a value that a visitor typed; an empty text removes the field."""
    if text:
        given[field] = typed(text)
    else:
        given.pop(field, None)


def _channels_changed(values: Values, was: Outline, fields: Mapping[str, str]) -> None:
    """Apply new ends of channels; their messages in the script follow them."""
    if was.shape or "channels" not in values["topology"]:
        return
    now = [
        f"{fields.get(f'channel.{i}.from', a)}->{fields.get(f'channel.{i}.to', b)}"
        for i, (a, b) in enumerate(was.channels)
    ]
    moved = {old: new for old, new in zip(was.links, now, strict=True) if old != new}
    follows = {old: new for old, new in moved.items() if new not in was.links or new in moved}
    _rename(values, lambda name: follows.get(name, name))
    if moved:
        values["topology"]["channels"] = now


def _names_changed(values: Values, was: Outline, fields: Mapping[str, str]) -> None:
    """Rename processes everywhere. Keep the old name if the new one is taken."""
    if was.shape or "processes" not in values["topology"]:
        return
    for i, (name, _) in enumerate(was.processes):
        now = fields.get(f"process.{i}.name", name).strip()
        names = values["topology"]["processes"]
        if now == name or now in names or "->" in now or not now:
            continue
        _rename(values, partial(_renamed, name, now))


def _renamed(old: str, new: str, name: str) -> str:
    """Return the name of a process, or of a channel with its ends, with ``new`` for ``old``."""
    return "->".join(new if end == old else end for end in name.split("->"))


NAMES = frozenset(
    (
        *("processes", "start", "wake", "read", "crash", "restart", "forget", "join", "leave", "newcomers", "process"),
        *("service", "initiators", "starts", *FIRST.values(), "edges", "unreachable", "absent", "unusable", "returned"),
        *("outside", "possible", "taken", "counted", "places", "useless", "kept"),
        *("channels", "on", "deliver", "collect", "drop", "duplicate", "overtake", "partition", "heal", "mend"),
        *("open", "delays", "disciplines", "loss", "duplication", "capacity"),
    )
)
"""Fields that name processes or channels."""
OPAQUE = ("message", "state", "set", "then", "say", "title", "story", "ending", "surprise", "from", "to", "receive")
"""Fields whose text is never a name."""


def _rename(here: Any, called: Callable[[str], str]) -> None:
    """Replace the name of every process and channel in the values. Changes ``here``."""
    for inner in items(here):
        _rename(inner, called)
    for field, value in list(mapping(here).items()):
        if field in OPAQUE:
            continue
        match value:
            case str() if field in NAMES:
                here[field] = called(value)
            case list() if field in NAMES:
                here[field] = [called(inner) if isinstance(inner, str) else inner for inner in value]
            case dict() if field == "newcomers":
                here[field] = {called(key): called(str(parent)) for key, parent in value.items()}
            case dict() if field in NAMES and field not in ("start", "process"):
                here[field] = {called(key): inner for key, inner in value.items()}
        if field not in FIRST.values():
            _rename(here[field], called)


# --- buttons -----------------------------------------------------------------------------------------------------


def _do(values: Values, button: str) -> None:
    """Perform a button's action: ``LIST.add``, or ``LIST.remove|up|down.NUMBER``. Unknown buttons do nothing."""
    now = outline(values)
    part, _, rest = button.partition(".")
    verb, _, number = rest.partition(".")
    if now is None or part not in ("process", "channel", "script"):
        return
    if now.shape and part != "script":
        return
    if verb == "add":
        ADD[part](values, now)
        return
    items = {
        "process": values["topology"]["processes"] if part == "process" else None,
        "channel": values["topology"].get("channels") if part == "channel" else None,
        "script": values.get("script"),
    }[part]
    index = whole_number(number)
    if not items or index is None or index >= len(items):
        return
    if verb == "remove" and part == "process":
        _forget(values, str(items[index]))
    elif verb == "remove" and part == "channel":
        _cut(values, [str(items[index])])
    elif verb == "remove":
        del items[index]
    elif verb in ("up", "down"):
        other = index + (-1 if verb == "up" else 1)
        if 0 <= other < len(items):
            items[index], items[other] = items[other], items[index]


def _add_process(values: Values, now: Outline) -> None:
    """Add a process with an unused name and channels to and from it: without them it would never take part. In a
    dataflow it is a source between the coordinator and the last process."""
    if len(now.processes) >= ROWS:
        return
    name = next(f"P{i}" for i in range(1, ROWS + 2) if f"P{i}" not in now.names)
    topology = values["topology"]
    topology["processes"].append(name)
    firsts = _firsts_of(values)
    if now.names:
        last = now.names[-1]
        before = [one for one in now.names if mapping(firsts.get(one)).get("coordinator")]
        into = before[:1] if now.program == "dataflow" else [last]
        links = [*(f"{one}->{name}" for one in into), f"{name}->{last}"]
        topology["channels"] = [*(topology.get("channels") or []), *links]
    if now.program != "bank" or all(isinstance(first, int) for first in firsts.values()):
        firsts.setdefault(name, copy.deepcopy(NEW[now.program]))


def _add_channel(values: Values, now: Outline) -> None:
    """Add the first channel that does not exist yet."""
    if len(now.channels) >= ROWS:
        return
    free = (f"{a}->{b}" for a in now.names for b in now.names if a != b and f"{a}->{b}" not in now.links)
    channel = next(free, None)
    if channel:
        values["topology"]["channels"] = [*(values["topology"].get("channels") or []), channel]


def _add_line(values: Values, now: Outline) -> None:
    """Add a line that can happen at the end of the script; the first one starts a snapshot."""
    if len(now.script) < ROWS:
        line = (continued(values) if now.script else None) or _entry("start", now, "")
        values["script"] = [*(values.get("script") or []), line]


ADD: dict[str, Callable[[Values, Outline], None]] = {
    "process": _add_process,
    "channel": _add_channel,
    "script": _add_line,
}


def _forget(values: Values, name: str) -> None:
    """Remove a process with its first state, its channels and the script's lines about them."""
    topology, program = values["topology"], values["program"]
    topology["processes"].remove(name)
    service = mapping(values.get("schedule")).get("service")
    for known in (program.get(FIRST[program["kind"]]), program.get("edges"), service, values.get("newcomers")):
        mapping(known).pop(name, None)
    _drop(values, "script", lambda line: _named_in(line) == name)
    _drop(values, "initiators", lambda start: mapping(start).get("process") == name)
    _cut(values, [channel for channel in topology.get("channels") or [] if name in channel.split("->")])


def _cut(values: Values, channels: list[str]) -> None:
    """Remove channels with the script's lines about them."""
    _drop(values["topology"], "channels", lambda channel: channel in channels)
    _drop(values, "script", lambda line: _named_in(line) in channels)
    by_channel = (values.get(field) for field in ("disciplines", "loss", "duplication", "capacity"))
    for known in (mapping(values.get("schedule")).get("delays"), *by_channel):
        for channel in channels:
            mapping(known).pop(channel, None)


def _drop(values: Values, field: str, goes: Callable[[object], bool]) -> None:
    """Remove the items that ``goes`` selects from a list, if there is one."""
    if isinstance(values.get(field), list):
        values[field] = [item for item in values[field] if not goes(item)]


def _named_in(line: object) -> str:
    """Return the process or channel of a line of the script."""
    line = mapping(line)
    places = [place for field, place in line.items() if field in NAMES]
    places += [mapping(line.get(kind)).get(at) for kind, at in (("send", "on"), ("change", "process"))]
    return next((place for place in places if isinstance(place, str)), "")
