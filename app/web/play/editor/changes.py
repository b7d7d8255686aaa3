"""What a visitor changed in the form, put back into the values of a scenario."""

import copy
from collections.abc import Mapping
from functools import partial

from app.forms.whole_number import whole_number
from app.web.play.editor.form import (
    FIRST,
    MESSAGE,
    NEW,
    ON_PROCESS,
    ROWS,
    SHAPES,
    Outline,
    Values,
    changed_field,
    outline,
    typed,
)
from app.web.play.editor.naming import forget, rename


def edited(values: Values, fields: Mapping[str, str]) -> Values:
    """Return the values with what the form's ``fields`` say about rows. The form must belong to the values."""
    was = outline(values)
    if was is None:
        return values
    made = copy.deepcopy(values)
    _firsts_changed(made, was, fields)
    _script_changed(made, was, fields)
    _channels_changed(made, was, fields)
    _names_changed(made, was, fields)
    return made


def reshaped(values: Values, fields: Mapping[str, str]) -> Values:
    """Return the values with another shape, another number of processes, or the channels of the shape listed one by
    one; the same values if the fields say nothing else."""
    was = outline(values)
    if was is None:
        return values
    shape, size = fields.get("shape", was.shape), fields.get("size", "")
    asked = whole_number(size) or 0
    number = asked if 0 < asked <= ROWS else was.size
    if (shape not in ("", *SHAPES)) or (shape == was.shape and number == was.size) or not (shape or was.shape):
        return values
    if not shape:
        return values | {"topology": {"processes": was.names, "channels": was.links}}
    made = copy.deepcopy(values) | {"topology": {shape: number}}
    now = outline(made) or was
    forget(made, {*was.names, *was.links} - {*now.names, *now.links})
    return made


def _firsts_changed(values: Values, was: Outline, fields: Mapping[str, str]) -> None:
    """Apply changes to the processes' first states."""
    for i, (name, first) in enumerate(was.processes):
        now = fields.get(f"process.{i}.first", first).strip()
        if now == first:
            continue
        firsts = firsts_of(values)
        if now:
            firsts[name] = typed(now)
        else:
            firsts.pop(name, None)


def firsts_of(values: Values) -> Values:
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
            values["script"][i] = _turned(values["script"][i], line.kind, entry(kind, was, where))
        elif where != line.where:
            _put_place(values["script"][i], kind, where)
        if what.strip() != line.what and kind == line.kind:
            _put_what(values["script"][i], kind, was.program, what.strip())


def _turned(old: Values, kind: str, new: Values) -> Values:
    """Return a line of the script changed to another kind; fields unrelated to the kind (a caption, a time) stay."""
    return new | {field: value for field, value in old.items() if field not in (kind, "position", "state", "what")}


def entry(kind: str, was: Outline, where: str) -> Values:
    """Return a new line of the script, at ``where`` or near it: a channel for a process, a process for a channel."""
    names, links = was.names or ["P1"], was.links
    if kind in ON_PROCESS:
        process = where if where in names else where.partition("->")[0]
        process = process if process in names else names[0]
        if kind != "change":
            return {kind: process}
        return {kind: {"process": process, changed_field(was.program): NEW[was.program]}}
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
        _put(line["change"], changed_field(program), what)


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
    rename(values, lambda name: follows.get(name, name))
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
        rename(values, partial(_renamed, name, now))


def _renamed(old: str, new: str, name: str) -> str:
    """Return the name of a process, or of a channel with its ends, with ``new`` for ``old``."""
    return "->".join(new if end == old else end for end in name.split("->"))
