"""Causal delivery: a message waits for every other that was sent to the same process before it, as far as its sender
could know.

The network does this, not the processes. Each process carries along how many messages it knows to have been sent on
each channel; a message takes that knowledge with it, and the process that handles it knows it too. All messages of one
step are one event: each is sent with the knowledge of all of them, so that a token to all processes is one broadcast
and not several letters.

Source: M. Raynal, A. Schiper, S. Toueg, "The causal ordering abstraction and a simple way to implement it", IPL 39(6),
1991 (there with a matrix; here a map, because most channels never matter).
"""

from typing import TypeAlias

from immutables import Map
from msgspec.structs import replace

from app.core.model.system import System
from app.core.model.values import Message, Past, World

Known: TypeAlias = "Map[str, int]"
"""How many messages are known to have been sent, by channel."""

NOTHING: Known = Map()
"""The knowledge of a process that has neither sent nor handled anything."""


def early(system: System, world: World, channel: str, message: Message) -> bool:
    """Must ``message`` wait for another one that is still in flight to the same process?"""
    number, known = message.past.number, message.past.known
    for other in system.topology.processes[system.topology.channels[channel].target].inputs:
        queue = world.queues.get(other)
        if queue and system.order(other) == "causal":
            before = number - 1 if other == channel else known.get(other, 0)
            if queue[0].past.number <= before:
                return True
    return False


def learned(mine: Known, theirs: Known) -> Known:
    """Return what is known after a message from another process was handled."""
    return mine.update({channel: count for channel, count in theirs.items() if mine.get(channel, 0) < count})


def counted(known: Known, channel: str, message: Message) -> tuple[Known, Message]:
    """Return what is known after ``message`` was sent on ``channel``, and the message with its number there."""
    number = known.get(channel, 0) + 1
    return known.set(channel, number), replace(message, past=Past(number, known))


def informed(message: Message, known: Known) -> Message:
    """Return the message with all that its sender knew at the end of the step."""
    return replace(message, past=Past(message.past.number, known))
