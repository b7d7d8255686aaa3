"""Actions as text: as links, frames and scripts write them."""

import json
from collections.abc import Callable
from typing import Any

from app.compact_json import compact
from app.core.model.values import (
    Abandon,
    Action,
    Collect,
    Crash,
    Cut,
    Deed,
    Deliver,
    Drop,
    Duplicate,
    Forget,
    Into,
    Join,
    Json,
    Leave,
    Mend,
    Move,
    Overtake,
    Restart,
    Restore,
    Start,
    Wake,
)


def text(action: Action, show: Callable[[Any], Any]) -> str:
    """Return the action as text. No two enabled actions have the same text."""
    if isinstance(action, Start):
        return f"start {action.process}"
    if isinstance(action, Collect):
        return f"collect {action.channel}"
    if isinstance(action, Wake):
        return f"wake {action.process} {action.what}"
    if isinstance(action, Deliver | Drop | Duplicate | Overtake):
        position = f" {action.position}" if action.position else ""
        return f"{type(action).__name__.lower()} {action.channel}{position}"
    if isinstance(action, Cut | Mend):
        return f"{type(action).__name__.lower()} {action.channel}"
    if isinstance(action, Crash | Join | Leave | Restart):
        return f"{type(action).__name__.lower()} {action.process}"
    if isinstance(action, Abandon | Restore):
        return f"{type(action).__name__.lower()} {action.snapshot}"
    if isinstance(action, Forget):
        return f"forget {action.process} {action.what}"
    if action.channel is None and action.detail == Deed.READ:
        return f"read {action.process}"
    if action.channel is None and action.detail == Deed.OUT:
        return f"output {action.process} {_shortly(show(action.payload))}"
    if action.channel is None:
        return f"change {action.process} {detail(action)}"
    payload = _shortly(show(action.payload))
    if not isinstance(action.detail, Into):
        return f"send {action.channel} {payload}"
    if " " in payload or payload.startswith('"'):
        payload = json.dumps(payload, ensure_ascii=False)  # its end must be visible
    return f"send {action.channel} {payload} {action.detail.state}"


def detail(move: Move) -> str:
    """Return what a move without a message does, in a few characters."""
    if isinstance(move.detail, Deed):
        return move.detail.value
    return _shortly(move.detail.state if isinstance(move.detail, Into) else move.detail and move.detail.pairs)


def _shortly(value: Json) -> str:
    """Return a value in a few characters."""
    if isinstance(value, str | int):
        return str(value)
    if isinstance(value, tuple):
        return ",".join("=".join(map(str, pair)) for pair in value)
    return compact(value)
