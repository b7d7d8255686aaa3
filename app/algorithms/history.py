"""What a process has sent or received on each channel, kept so that one message more costs the same at any time.

Every world of a run is kept, so a history may not be copied when it grows: it is a chain of cells, the latest first,
and a recorded history is the cell that was the latest then.
"""

from dataclasses import dataclass, field
from typing import TypeAlias

from immutables import Map

from app.core.model import Message


@dataclass(frozen=True, slots=True)
class Cell:
    """A message, what came before it, and how many messages there are with it."""

    message: Message
    before: "Cell | None" = field(repr=False)
    count: int


Histories: TypeAlias = "Map[str, Cell]"
"""The latest cell of each channel that has carried anything."""

EMPTY: Histories = Map()
"""Nothing sent, nothing received."""


def longer(histories: Histories, channel: str, message: Message) -> Histories:
    """The histories with one message more on ``channel``."""
    before = histories.get(channel)
    return histories.set(channel, Cell(message, before, before.count + 1 if before else 1))


def counts(histories: Histories, channels: tuple[str, ...]) -> tuple[int, ...]:
    """How many messages each of ``channels`` has carried."""
    return tuple(cell.count if (cell := histories.get(channel)) else 0 for channel in channels)


def messages(histories: Histories, channel: str) -> tuple[Message, ...]:
    """The messages of a channel, oldest first."""
    found: list[Message] = []
    cell = histories.get(channel)
    while cell is not None:
        found.append(cell.message)
        cell = cell.before
    return tuple(reversed(found))
