"""The single token: a process that holds it may pass it on. Nothing else ever happens.

Source: Chandy and Lamport 1985, example 2.1 (single-token conservation system).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from app.core.model.program import Amounts
from app.core.model.values import Json, Move, Process, Refused

NAME = "token"
TOKEN = "T"


@dataclass(frozen=True)
class Token:
    """``holders`` says how many tokens each process has at first; a process that is not named has none."""

    holders: Mapping[str, int]

    NAME = NAME
    EAGER = False
    REFUSES = False

    def start(self, process: Process) -> int:
        """Return the number of tokens held at first."""
        return self.holders.get(process.name, 0)

    def moves(self, process: Process, state: int) -> tuple[Move, ...]:
        """Return the moves that pass a token on, along any output."""
        return tuple(Move(process.name, channel, TOKEN) for channel in process.outputs) if state else ()

    def act(self, process: Process, state: int, move: Move) -> int:
        """Return one token fewer. Raises Refused for a process without one."""
        if move.channel is None or move.payload != TOKEN:
            raise Refused("the only thing that {process} can do is to send {token}", process=process.name, token=TOKEN)
        if not state:
            raise Refused("{process} holds no token and cannot send one", process=process.name)
        return state - 1

    def refuses(self, process: Process, state: int, channel: str, payload: object) -> bool:
        """Return False: a token can always be received."""
        return False

    def receive(self, process: Process, state: int, channel: str, payload: object, detail: str | None = None) -> int:
        """Return one token more."""
        return state + 1

    def hand_over(self, process: Process, state: int) -> Move | None:
        """Return the move that sends a token to the first output."""
        return Move(process.name, process.outputs[0], TOKEN) if state else None

    def view(self, state: int) -> Json:
        """Return the number of tokens."""
        return state

    def show(self, payload: object) -> Json:
        """Return the letter T."""
        return payload

    def amounts(self, state: int) -> Amounts:
        """Return the number of tokens held."""
        return {"token": state}

    def worth(self, payload: object) -> Amounts:
        """Return one token."""
        return {"token": 1}

    def stable(self, states: Mapping[str, int], channels: Mapping[str, tuple[object, ...]]) -> bool:
        """Is the token lost? Once no process has it and no channel carries it, it never comes back."""
        return not any(states.values()) and not any(channels.values())
