"""The stable property of a program, and whether it holds in a global state.

Source: Chandy and Lamport 1985, section 5 (stability detection: termination, deadlock, the loss of tokens).
"""

from collections.abc import Callable, Container, Mapping, Sequence
from functools import partial

from app.core.model.system import System
from app.core.model.values import Message
from app.core.oracle.deadlock import deadlocked
from app.programs.machine import Machine
from app.programs.token import Token

TERMINATION, DEADLOCK, LOST = "termination", "deadlock", "lost"

Holds = Callable[[Mapping[str, object], Mapping[str, Sequence[Message]]], bool]
"""A question about processes' states and the messages in the channels."""


def stable_property(system: System, tags: Container[str] = ()) -> str | None:
    """Return the stable property of a program, or None. Processes with passive states can terminate: waiting for work
    is no deadlock, unless the author's ``tags`` say that it is."""
    program = system.program
    match program:
        case Token():
            return LOST
        case Machine() if program.passive and DEADLOCK not in tags:
            return TERMINATION
        case Machine() if any(edge.receive is not None for mine in program.edges.values() for edge in mine):
            return DEADLOCK
    return None


def holds(system: System, name: str) -> Holds:
    """Return the property as a question about a global state."""
    if name == DEADLOCK:
        return partial(deadlocked, system)

    def of_the_program(states: Mapping[str, object], channels: Mapping[str, Sequence[Message]]) -> bool:
        return bool(system.program.stable(states, {c: tuple(messages) for c, messages in channels.items()}))

    return of_the_program
