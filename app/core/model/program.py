"""The interface of every program: what processes do apart from snapshots.

A program never sees a marker, a snapshot or another process. Its states are hashable values; ``view`` and ``show`` turn
them into JSON and text for people.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Protocol, TypeAlias, TypeVar, runtime_checkable

from app.core.model.values import Json, Message, Move, Process

Amounts = Mapping[str, int]
"""The amount of each conserved quantity, by its name."""


S = TypeVar("S")
"""The state of a process."""
P = TypeVar("P", contravariant=True)
"""The payload of a message."""


class Program(Protocol[S, P]):
    """The functions of a program."""

    NAME: str
    EAGER: bool
    """Does a process act at once on what it receives? Then the program has the further functions of ``Eager``."""
    REFUSES: bool
    """Is a process ever unable to receive a message?"""

    def start(self, process: Process) -> S:
        """Return the first state of a process."""

    def moves(self, process: Process, state: S) -> tuple[Move, ...]:
        """Return what the process may do now by itself, in a fixed order."""

    def act(self, process: Process, state: S, move: Move) -> S:
        """Return the state after ``move``. Raises Refused where the move is impossible."""

    def refuses(self, process: Process, state: S, channel: str, payload: P) -> bool:
        """Is the process, in this state, unable to receive ``payload``?"""

    def receive(self, process: Process, state: S, channel: str, payload: P, detail: str | None = None) -> S:
        """Return the state after ``payload`` arrived on ``channel``; ``detail`` is what a script says of this
        arrival."""

    def hand_over(self, process: Process, state: S) -> Move | None:
        """Return the next thing that a leaver must give to its first output; None where nothing is left."""

    def view(self, state: S) -> Json:
        """Return the state as people and files see it."""

    def show(self, payload: P) -> Json:
        """Return the payload as people and files see it."""

    def amounts(self, state: S) -> Amounts | None:
        """Return how much a process holds of each conserved quantity; None where nothing is conserved."""

    def worth(self, payload: P) -> Amounts:
        """Return how much a message carries of each conserved quantity."""

    def stable(self, states: Mapping[str, S], channels: Mapping[str, tuple[P, ...]]) -> bool | None:
        """Does the program's stable property hold in this global state? None where it has none.

        Source: Chandy and Lamport 1985, section 5.
        """


@runtime_checkable
class Awaiting(Program[S, P], Protocol[S, P]):
    """The functions of a program whose processes may have to wait for particular messages."""

    def awaits(self, process: Process, state: S) -> tuple[tuple[str, object], ...]:
        """Return what a process in this state can receive, as (channel, payload), in a fixed order."""


class Eager(Program[S, P], Protocol[S, P]):
    """The functions of a program whose processes act at once: what follows from a message happens in the same step."""

    def urge(self, process: Process, state: S) -> Move | None:
        """Return what the process does next before it can take anything more; None where it is idle. A move without a
        channel whose ``detail`` is OUT lets its payload leave the system; where it is EXPIRE, the payload never
        will."""

    def seal(self, process: Process, state: S, life: int) -> S:
        """Return the state as it is to be recorded: what was going to leave the system is prepared. ``life`` counts how
        often the system has been restored: what is prepared in another life is something else."""

    def commit(self, process: Process, state: S, recorded: S) -> S:
        """Return the state after a snapshot has become complete in which the process had ``recorded``."""

    def held(self, state: S) -> int:
        """Return how many items a state holds."""

    def publish(self, process: Process, outside: Any, payload: P) -> Any:
        """Return what has left the system once ``payload`` has; ``outside`` is what had left before, None at first."""

    def overwrites(self, process: Process) -> bool:
        """Does what leaves the system at the process replace what left under the same name before?"""

    def visible(self, outside: Any) -> tuple[Any, ...]:
        """Return what of that is visible, in the order in which it became visible."""


AnyProgram: TypeAlias = Program[Any, Any]
"""A program of whose states and payloads nothing is known."""


def conserved(program: AnyProgram, states: Iterable[Any], messages: Iterable[Message] = ()) -> Counter[str]:
    """Return how much there is of each conserved quantity in these states and messages."""
    found: Counter[str] = Counter()
    for state in states:
        found.update(program.amounts(state) or {})
    for message in messages:
        found.update(program.worth(message.payload))
    return found
