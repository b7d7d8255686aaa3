"""The parts of the world that change in a step, gathered until they form a world again."""

from dataclasses import replace
from typing import Any

from app.core import order
from app.core.model import APP, MARKER, Message, Process, World
from app.core.notes import Changed, Hurried, Note, Sent
from app.core.system import System


class Draft:
    """A world in the making: processes get new states, messages enter and leave queues, and all of it is noted."""

    __slots__ = (
        "algorithm", "before", "cut", "down", "durable", "gone", "known", "lanes", "leaving", "memories", "notes",
        "posted", "queues", "sent", "snapshots", "states", "swallowed", "system", "unborn", "wakes",
    )  # fmt: skip

    def __init__(self, system: System, world: World) -> None:
        self.system = system
        self.algorithm = system.algorithm
        self.before = world
        self.states = world.states
        self.memories = world.memories
        self.queues = world.queues
        self.lanes = world.lanes
        self.wakes = world.wakes
        self.snapshots = world.snapshots
        self.sent = world.sent
        self.unborn = world.unborn
        self.leaving = world.leaving
        self.gone = world.gone
        self.cut = world.cut
        self.known = world.known
        self.down = world.down
        self.durable = world.durable
        self.notes: list[Note] = []
        self.posted: list[tuple[str, Message]] = []
        self.swallowed = False

    def world(self) -> World:
        """Return the world as it is by now."""
        return World(
            self.states, self.memories, self.queues, self.lanes, self.wakes, self.snapshots, self.sent,
            self.unborn, self.leaving, self.gone, self.cut, self.known, self.down, self.durable,
        )  # fmt: skip

    def process(self, name: str) -> Process:
        """Return the process as it sees itself, with all that this step has changed so far."""
        if not self.unborn and not self.gone:
            return self.system.topology.processes[name]
        return self.system.process(self.world(), name)

    def become(self, name: str, state: Any) -> None:
        """Give the program of a process a new state."""
        self.states = self.states.set(name, state)
        self.notes.append(Changed(name, state))

    def take(self, channel: str, position: int) -> None:
        """Take a message out of its queue."""
        queue = self.queues[channel]
        rest = queue[1:] if position == 0 else queue[:position] + queue[position + 1 :]
        self.queues = self.queues.set(channel, rest) if rest else self.queues.delete(channel)

    def strike(self, due: tuple[str, str]) -> None:
        """Remove a deferred step."""
        at = self.wakes.index(due)
        self.wakes = self.wakes[:at] + self.wakes[at + 1 :]

    def hurry(self, channel: str, position: int) -> None:
        """Let a control message overtake the program's: it goes behind those that overtook before, and a marker takes
        along the messages that it overtook."""
        queue = self.queues[channel]
        message, others = queue[position], queue[:position] + queue[position + 1 :]
        head = next((i for i, m in enumerate(others) if m.kind == APP), len(others))
        if message.kind == MARKER:
            message = replace(message, payload=tuple(m for m in queue[head:position] if m.kind == APP))
        self.queues = self.queues.set(channel, (*others[:head], message, *others[head:]))
        if head != position:
            self.notes.append(Hurried(channel, message, head))

    def enqueue(self, name: str, channel: str, message: Message) -> None:
        """Put a message at the end of a queue."""
        if self.system.causal:
            known, message = order.counted(self.known.get(name, order.NOTHING), channel, message)
            self.known = self.known.set(name, known)
            self.posted.append((channel, message))
        self.queues = self.queues.set(channel, (*self.queues.get(channel, ()), message))
        self.notes.append(Sent(name, channel, message))

    def into_lane(self, name: str, channel: str, kind: str, payload: Any, snapshot: int | None) -> None:
        """Put a recorded part, or a word, at the end of a control lane."""
        past = (0, self.known.get(name, order.NOTHING)) if self.system.causal else None
        message = Message(self.sent, kind, payload, snapshot, past=past)
        self.sent += 1
        self.lanes = self.lanes.set(channel, (*self.lanes.get(channel, ()), message))
        self.notes.append(Sent(name, channel, message))

    def learn(self, name: str, message: Message) -> None:
        """Let the process that handles a message know what its sender knew."""
        known = order.learned(self.known.get(name, order.NOTHING), message.past[1])
        self.known = self.known.set(name, known)

    def inform(self) -> None:
        """Let all messages of this step know of each other: they were sent in one event."""
        for channel, message in self.posted:
            queue = self.queues.get(channel, ())
            known = self.known[self.system.topology.channels[channel].source]
            self.queues = self.queues.set(
                channel, tuple(order.informed(m, known) if m.id == message.id else m for m in queue)
            )
