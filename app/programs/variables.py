"""Named variables: each process has some (X1, Y1, Z1), changes them, and sends messages with names.

A message may carry new values for variables of its receiver. Without a script, a process counts its first variable up,
or sends the next message of its own: P1.1, P1.2, …

Source: the P1{X1,Y1,Z1}, P2{X2,Y2,Z2} example of popular accounts of the 1985 paper.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from app.core.model.value import Value
from app.core.model.values import Json, Move, Process, Refused, Sets

NAME = "variables"
Pairs: TypeAlias = tuple[tuple[str, Any], ...]


class Values(Value):
    """The variables in the order given, and how many messages the process has named so far."""

    pairs: Pairs
    named: int = 0


class Letter(Value):
    """A message: its name, and the variables that it sets where it arrives."""

    name: str
    sets: Pairs = ()


@dataclass(frozen=True)
class Variables:
    """``values`` are the first variables of each process."""

    values: Mapping[str, Pairs]

    NAME = NAME
    EAGER = False
    REFUSES = True

    def start(self, process: Process) -> Values:
        """Return the first values; none for a process that is not named."""
        return Values(self.values.get(process.name, ()))

    def moves(self, process: Process, state: Values) -> tuple[Move, ...]:
        """Return the moves that send the next message along any output, or count the first variable up if it is a
        number."""
        letter = Letter(f"{process.name}.{state.named + 1}" if process.outputs else "")
        sends = tuple(Move(process.name, channel, letter) for channel in process.outputs)
        first = state.pairs[0] if state.pairs else ("", None)
        if not isinstance(first[1], int):
            return sends
        return (*sends, Move(process.name, None, None, Sets(((first[0], first[1] + 1),))))

    def act(self, process: Process, state: Values, move: Move) -> Values:
        """Return the values after a move: a message leaves them alone, a change sets some. Raises Refused for an
        unknown variable."""
        changed = self.set(process, state, move.detail.pairs) if isinstance(move.detail, Sets) else state
        if move.channel is None:
            return changed
        own = move.payload.name == f"{process.name}.{state.named + 1}"
        return Values(changed.pairs, state.named + own)

    def refuses(self, process: Process, state: Values, channel: str, payload: Letter) -> bool:
        """Does the message set a variable that the process does not have?"""
        known = dict(state.pairs)
        return any(name not in known for name, _ in payload.sets)

    def receive(
        self, process: Process, state: Values, channel: str, payload: Letter, detail: str | None = None
    ) -> Values:
        """Return the values with those that the message sets."""
        return self.set(process, state, payload.sets)

    def set(self, process: Process, state: Values, sets: Pairs) -> Values:
        """Return the values with some of them set anew. Raises Refused for one that the process does not have."""
        if not sets:
            return state
        known = dict(state.pairs)
        for name, value in sets:
            if name not in known:
                raise Refused(
                    "{process} has no variable {name}; it has {known}",
                    process=process.name,
                    name=name,
                    known=tuple(known),
                )
            known[name] = value
        return Values(tuple(known.items()), state.named)

    def hand_over(self, process: Process, state: Values) -> Move | None:
        """Return None: no other process needs anything."""
        return None

    def view(self, state: Values) -> Json:
        """Return the variables by name."""
        return dict(state.pairs)

    def show(self, payload: Letter) -> Json:
        """Return the message's name."""
        return payload.name

    def amounts(self, state: Values) -> None:
        """Return None: variables are not conserved."""
        return

    def worth(self, payload: Letter) -> dict[str, int]:
        """Return no amounts: nothing is conserved."""
        return {}

    def stable(self, states: Mapping[str, object], channels: Mapping[str, tuple[object, ...]]) -> None:
        """Return None: there is no stable property."""
        return
