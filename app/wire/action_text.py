"""Actions as text: as links, frames and scripts write them."""

import json
from collections.abc import Callable

from msgspec.structs import astuple

from app.compact_json import compact
from app.core.model.values import Action, Deed, Into, Json, Move, OnMessage, Sets


def text(action: Action, show: Callable[[object], object]) -> str:
    """Return the action as text. No two enabled actions have the same text."""
    if isinstance(action, Move):
        return _moving(action, show)
    if isinstance(action, OnMessage):
        return f"{action.key} {action.channel}" + (f" {action.position}" if action.position else "")
    place, *more = astuple(action)
    return " ".join(map(str, (action.key, place, *filter(None, more))))


def _moving(action: Move, show: Callable[[object], object]) -> str:
    if action.channel is None and action.detail == Deed.READ:
        return f"read {action.process}"
    if action.channel is None and action.detail == Deed.OUT:
        return f"output {action.process} {_shortly(show(action.payload))}"
    if action.channel is None:
        return f"change {action.process} {detail(action)}"
    payload = _shortly(show(action.payload))
    match action.detail:
        case Into(state):
            if " " in payload or payload.startswith('"'):
                payload = json.dumps(payload, ensure_ascii=False)  # its end must be visible
            return f"send {action.channel} {payload} {state}"
    return f"send {action.channel} {payload}"


def detail(move: Move) -> str:
    """Return what a move without a message does, in a few characters."""
    match move.detail:
        case Deed() as deed:
            return deed.value
        case Into(state):
            return _shortly(state)
        case Sets(pairs):
            return _shortly(pairs)
    return _shortly(None)


def _shortly(value: Json) -> str:
    match value:
        case str() | int():
            return str(value)
        case tuple():
            return ",".join("=".join(map(str, pair)) for pair in value)
    return compact(value)
