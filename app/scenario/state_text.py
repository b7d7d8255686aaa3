"""The encoding of a dataflow process's state, so that its size can be measured and it can be read back.

The text is JSON without white space, in UTF-8. A sequence is a list; an item, a transaction, a batch or the logs of a
coordinator is a mapping of its name to the list of its fields; the end of a stream is ``{"End":[]}``.

A state has two halves. *Keys* are what it keeps by key: each key of a table, and each item that a join keeps, under its
side and place. The *rest* is everything else that differs from an empty state: the offset of a source, a total of all
items, open and prepared transactions. Its fields stand under their names.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from app.compact_json import compact
from app.core.model.commit_log import Logs
from app.core.model.values import END, End, Json, Message
from app.programs.dataflow import Batch, Expired, Record, State, Transaction

Key: TypeAlias = str | tuple[int, int]
"""A key of a table, or the side and the place of an item that a join keeps."""

Keyed: TypeAlias = Mapping[Key, Any]
"""What a state keeps by key, in its order."""

Rest: TypeAlias = Mapping[str, Any]
"""The other fields of a state that are not as at the beginning."""

KINDS = {kind.__name__: kind for kind in (Record, Transaction, Batch, Expired, Logs)}
NOTHING = State()
KEYED = ("table", "sides")


def keyed(state: State) -> Keyed:
    """Return what a state keeps by key."""
    found: dict[Key, Any] = dict(state.table)
    for side, records in enumerate(state.sides):
        found |= {(side, place): record for place, record in enumerate(records)}
    return found


def rest(state: State) -> Rest:
    """Return the fields of the other half."""
    told = {name: getattr(state, name) for name in State.__struct_fields__ if name not in KEYED}
    return {name: value for name, value in told.items() if value != getattr(NOTHING, name)}


def state(keys: Keyed, others: Rest) -> State:
    """Return the state made of its halves."""
    table = tuple((key, value) for key, value in keys.items() if isinstance(key, str))
    left, right = (tuple(v for key, v in keys.items() if not isinstance(key, str) and key[0] == i) for i in (0, 1))
    return State(table=table, sides=(left, right), **others)


def written(keys: Keyed, others: Rest) -> bytes:
    """Return both halves as a text."""
    return _text(
        {
            "keys": [[_coded(key), _coded(value)] for key, value in keys.items()],
            "rest": {name: _coded(value) for name, value in others.items()},
        }
    )


def read(data: bytes) -> tuple[Keyed, Rest]:
    """Return the halves that a text encodes."""
    told = json.loads(data)
    keys = {_decoded(key): _decoded(value) for key, value in told["keys"]}
    return keys, {name: _decoded(value) for name, value in told["rest"].items()}


def written_flight(messages: Iterable[Message]) -> bytes:
    """Return messages in flight as a text: of each its payload and its tag. The ids are the observer's."""
    return _text([[_coded(message.payload), _coded(message.tag)] for message in messages])


def read_flight(data: bytes) -> tuple[tuple[Any, Any], ...]:
    """Return the messages, as (payload, tag), that a text encodes."""
    return tuple((_decoded(payload), _decoded(tag)) for payload, tag in json.loads(data))


def _text(value: Json) -> bytes:
    """Return JSON without white space."""
    return compact(value).encode()


def _coded(value: Any) -> Json:
    match value:
        case tuple():
            return [_coded(item) for item in value]
        case End():
            return {"End": []}
    if type(value) in KINDS.values():
        return {type(value).__name__: [_coded(getattr(value, name)) for name in value.__struct_fields__]}
    return value


def _decoded(value: Json) -> Any:
    match value:
        case list():
            return tuple(_decoded(item) for item in value)
        case dict():
            ((name, items),) = value.items()
            return END if name == "End" else KINDS[name](*map(_decoded, items))
    return value
