"""Traces of other systems: what you log of your own system, to have its snapshots verified.

A file of JSON lines, or a Parquet file with the same columns; one line per event. Lines of one process are in the order
in which they happened there; the order between different processes does not matter, so you can concatenate the logs of
processes, and need no clocks. A line has a ``process``, an ``event`` and the event's fields:

=========  ==================================================================================================
send       ``to`` (the receiver), ``message``
receive    ``message``; optionally ``from`` (the sender), which is then checked
internal   nothing
record     ``snapshot``: the process has just recorded its state, with ``amount`` of what is conserved in it
channel    ``snapshot``, ``from``, ``message``: the process has recorded this message in the channel; one line per
           message, in the order of the channel; a line without ``message`` for a channel recorded as empty
marker     ``snapshot``, ``to``: the process has sent a marker
lost       ``message``: it will never arrive; any process may report it
start      ``amount``: how much of what is conserved the process has at first
=========  ==================================================================================================

The fields:

message    text or whole number, unique for each message of a run
snapshot   text or whole number
amount     whole number; on a ``send``, how much of what is conserved the message carries (0 by default); the absolute
           values of a run add up to at most 2^53
quantity   text, if several things are conserved; then there is one line of ``start`` and ``record`` for each, and no
           event between the ``record`` lines of one snapshot: a process records each snapshot once
channel    text, on send, receive, channel and marker, if several channels lead from a process to another
run        text or whole number, if the file has several runs

A message is received after it was sent; lines that contradict this are a mistake. A snapshot that not every process has
recorded is not judged.

What is judged: I1 of every snapshot; I2 if it has a ``channel`` line; I3 if I2 is judged and there is a ``start`` line
with an amount; I5 if the snapshot has a ``marker`` line.

Example
-------
A message that is sent after its sender records, and received before its receiver records::

    {"process": "a", "event": "record", "snapshot": 1}
    {"process": "a", "event": "send", "to": "b", "message": "m1"}
    {"process": "b", "event": "receive", "message": "m1"}
    {"process": "b", "event": "record", "snapshot": 1}
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from app.core.model.value import Frozen
from app.core.model.values import BluecutError, Json, Phrase
from app.forms.explain import either, meant
from app.forms.json_shape import whole
from app.forms.utf8 import utf8
from app.forms.yaml_source import SourceError
from app.pipeline.external.acyclic import Name
from app.pipeline.external.to_rows import MOST, Account, Line, hopeful
from app.pipeline.rows.from_run import Rows

EVENTS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "send": (("to", "message"), ("channel", "amount", "quantity")),
    "receive": (("message",), ("from", "channel")),
    "internal": ((), ()),
    "record": (("snapshot",), ("amount", "quantity")),
    "channel": (("snapshot", "from"), ("message", "channel")),
    "marker": (("snapshot", "to"), ("channel",)),
    "lost": (("message",), ()),
    "start": ((), ("amount", "quantity")),
}
"""By event, its required and its optional fields."""

OURS = "bluecut-trace-"
"""The prefix of Bluecut's own trace format (``app.formats.trace_json``)."""

ALWAYS = ("process", "event")
FIELDS = ("run", *ALWAYS, "to", "from", "channel", "message", "snapshot", "amount", "quantity")


class Foreign(Frozen):
    """A trace of another system: by run, its rows, and the account of its lines from which they are made.

    ``alone``: does the trace have only clocks that also count the snapshot algorithm's messages?
    """

    rows: tuple[Rows, ...]
    accounts: tuple[Account, ...]
    alone: bool = False


class _At(Frozen):
    """A line of a file."""

    file: str
    number: int

    def error(self, template: str, field: str = "", /, **fields: object) -> SourceError:
        """Return the error that points at the line, with the Phrase of ``template`` and ``fields``."""
        return SourceError(self.file, self.number, field, Phrase(template, **fields))


def schema() -> Json:
    """Return the JSON Schema of a line."""
    name = {"type": ["string", "integer"]}
    text = {"type": "string"}
    types: dict[str, Json] = dict.fromkeys(FIELDS, name) | {"event": {"enum": list(EVENTS)}}
    types |= {"amount": {"type": "integer"}, "quantity": text}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Bluecut foreign trace: one line",
        "description": __doc__,
        "type": "object",
        "properties": types,
        "required": list(ALWAYS),
        "additionalProperties": False,
        "oneOf": [
            {"properties": {"event": {"const": event}}, "required": list(needed)}
            for event, (needed, _) in EVENTS.items()
        ],
    }


def foreign(file: Path, *, ordered: bool = True) -> Foreign:
    """Read a trace. ``ordered``: do its channels keep the order of their messages?

    Raises SourceError, which names file, line and field and says what would be right; BluecutError if the file cannot
    be read.
    """
    runs: dict[Name, Account] = {}
    for number, values in _lines(file):
        line = _checked(_At(file.name, number), values)
        runs.setdefault(line.get("run", ""), Account(file.name)).take(number, line)
    if not runs:
        raise SourceError(file.name, None, "", Phrase("empty; a trace has one line per event"))
    for log in runs.values():
        log.check()
    if not any(log.first for log in runs.values()):
        says = Phrase(
            "there is nothing to judge: no line records a snapshot; where a process records its state, log {example}",
            example='{"process": "a", "event": "record", "snapshot": 1}',
        )
        raise SourceError(file.name, None, "", says)
    hopeful(tuple(runs.values()))
    found = []
    for number, (name, log) in enumerate(runs.items()):
        url = file.name if name == "" and len(runs) == 1 else f"{file.name} run={name}"
        found.append(log.rows(number, url, ordered=ordered))
    return Foreign(tuple(found), tuple(runs.values()))


def _lines(file: Path) -> Iterator[tuple[int, Any]]:
    """Yield the lines of a file with their numbers, from 1; a Parquet row is a line of its non-null columns."""
    if file.suffix == ".parquet":
        yield from _parquet(file)
        return
    try:
        with file.open(encoding="utf-8-sig", errors="surrogateescape") as opened:
            for number, text in enumerate(opened, 1):
                if utf8(text, file.name, number).strip():
                    yield number, _parsed(_At(file.name, number), text)
    except OSError as error:
        raise BluecutError("{file}: cannot be read: {reason}", file=file, reason=str(error.strerror)) from None


def _parquet(file: Path) -> Iterator[tuple[int, Any]]:
    number = 0
    try:
        with pq.ParquetFile(file) as opened:
            for batch in opened.iter_batches():
                for row in batch.to_pylist():
                    number += 1
                    yield number, {name: value for name, value in row.items() if value is not None}
    except (OSError, ValueError, pa.ArrowException) as error:  # a text may be invalid, a date out of range
        reason = " ".join(str(error).split())[:200]
        raise BluecutError("{file}: cannot be read: {reason}", file=file, reason=reason) from None


def _parsed(at: _At, text: str) -> Json:
    """Parse a line of JSON. Raises SourceError."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        wrong = at.error("not JSON: {reason}", reason=error.msg)
    except RecursionError:
        wrong = at.error("lists and objects are nested too deeply")
    except ValueError:  # Python reads no integer with thousands of digits
        wrong = at.error("a number has too many digits")
    raise wrong


def _checked(at: _At, values: Json) -> Line:
    """Return a line if its fields are those of its event. Raises SourceError."""
    if not isinstance(values, dict):
        raise at.error("a line is a JSON object with process, event and so on")
    for key, value in values.items():
        if not encoded(key):
            raise at.error("the name of a field holds half a character")
        if isinstance(value, str) and not encoded(value):
            raise at.error("the text holds half a character", key[:40])
    if str(values.get("format")).startswith(OURS):
        raise at.error(
            "this is a run as bluecut export --to json writes it, not a trace with one line per event; bluecut run"
            " shows its verdicts, and bluecut verify reads the same run from bluecut export {scenario} --to shiviz -o"
            " {file}",
            scenario=_scenario(values),
            file=f"{Path(at.file).stem}.log",
        )
    for key in ALWAYS:
        if values.get(key) is None:
            raise at.error("missing; every line has process and event", key)
    event = _event(at, values["event"])
    needed, possible = EVENTS[event]
    for key in needed:
        if values.get(key) is None:
            raise at.error("missing; an event {event} has {known}", key, event=event, known=needed)
    known = ("run", *ALWAYS, *needed, *possible)
    for key, value in values.items():
        if key not in known:
            raise at.error("does not belong to an event {event}; known: {known}", key[:40], event=event, known=known)
        if value is not None:
            _typed(at, key, value)
    return {key: value for key, value in values.items() if value is not None}


def _event(at: _At, event: Json) -> str:
    if not isinstance(event, str):
        raise at.error("a text is needed, one of {known}", "event", known=tuple(EVENTS))
    if event in EVENTS:
        return event
    if near := meant(event, tuple(EVENTS)):
        raise at.error("unknown event {name!r}; did you mean {near}?", "event", name=event[:40], near=either(near))
    raise at.error("unknown event {name!r}; one of {known}", "event", name=event[:40], known=tuple(EVENTS))


def _scenario(values: Line) -> str:
    """Return the scenario's name in a run of Bluecut's own, if the run gives it as one word."""
    match values.get("key"):
        case {"scenario": str(name)} if re.fullmatch(r"[\w-]{1,80}", name):
            return name
    return "SCENARIO"


def encoded(text: str) -> bool:
    """Can a text be encoded? JSON can contain half of a surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _typed(at: _At, key: str, value: object) -> None:
    """Raise SourceError if a value does not have its field's type."""
    if key == "amount":
        if not whole(value):
            raise at.error("a whole number is needed", key)
        if abs(value) > MOST:
            raise at.error("too large; at most {most}", key, most=MOST)
    elif not isinstance(value, str) and not (whole(value) and key != "quantity"):
        raise at.error("a text or a whole number is needed", key)
    elif whole(value) and abs(value) >= 1 << 62:
        raise at.error("too large; at most {most}", key, most=(1 << 62) - 1)
