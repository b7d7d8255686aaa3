"""The messages that a process has sent or received on each channel, stored so that adding one always costs the same.

Every world of a run is kept, so a history may not be copied when it grows: it is a chain of cells, the latest first,
and a recorded history is the cell that was the latest at that time.
"""

from dataclasses import dataclass, field
from typing import TypeAlias

from immutables import Map

from app.core.model.values import Message


@dataclass(frozen=True, slots=True)
class Cell:
    """A message, the cell before it, and how many messages the chain has up to here."""

    message: Message
    before: "Cell | None" = field(repr=False)
    count: int


Histories: TypeAlias = "Map[str, Cell]"
"""The latest cell of each channel that has carried anything."""

EMPTY: Histories = Map()
"""The histories of a process that has neither sent nor received anything."""


def longer(histories: Histories, channel: str, message: Message) -> Histories:
    """Return the histories with one more message on ``channel``."""
    before = histories.get(channel)
    return histories.set(channel, Cell(message, before, before.count + 1 if before else 1))


def counts(histories: Histories, channels: tuple[str, ...]) -> tuple[int, ...]:
    """Return how many messages each of ``channels`` has carried."""
    return tuple(cell.count if (cell := histories.get(channel)) else 0 for channel in channels)


def messages(histories: Histories, channel: str) -> tuple[Message, ...]:
    """Return the messages of a channel, oldest first."""
    found: list[Message] = []
    cell = histories.get(channel)
    while cell is not None:
        found.append(cell.message)
        cell = cell.before
    return tuple(reversed(found))
