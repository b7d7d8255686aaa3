"""Scripted: a send or a receive sets the state that the script gives. For worked examples from books.

The state is any JSON value, kept as its canonical text so that it can be compared and hashed.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from app.core.model.value import Value
from app.core.model.values import Into, Json, Move, Process

NAME = "scripted"


class Telegram(Value):
    """A message and its text."""

    says: str


@dataclass(frozen=True)
class Scripted:
    """``first`` are the first states."""

    first: Mapping[str, str]

    NAME = NAME
    EAGER = False
    REFUSES = False

    def start(self, process: Process) -> str:
        """Return the first state; null for a process that is not named."""
        return self.first.get(process.name, "null")

    def moves(self, process: Process, state: str) -> tuple[Move, ...]:
        """Return no moves: everything that happens is in the script."""
        return ()

    def act(self, process: Process, state: str, move: Move) -> str:
        """Return the state that the script gives, or the same."""
        return move.detail.state if isinstance(move.detail, Into) else state

    def refuses(self, process: Process, state: str, channel: str, payload: Telegram) -> bool:
        """Return False: everything can be received."""
        return False

    def receive(self, process: Process, state: str, channel: str, payload: Telegram, detail: str | None = None) -> str:
        """Return the state that the script gives, or the same."""
        return state if detail is None else detail

    def hand_over(self, process: Process, state: str) -> Move | None:
        """Return None: no other process needs anything."""
        return None

    def view(self, state: str) -> Json:
        """Return the state as the script gave it."""
        return json.loads(state)

    def show(self, payload: Telegram) -> Json:
        """Return the text of the message."""
        return json.loads(payload.says)

    def amounts(self, state: str) -> None:
        """Return None: nothing is known to be conserved."""
        return

    def worth(self, payload: Telegram) -> dict[str, int]:
        """Return no amounts: nothing is conserved."""
        return {}

    def stable(self, states: Mapping[str, object], channels: Mapping[str, tuple[object, ...]]) -> None:
        """Return None: there is no stable property."""
        return
