"""The parts of the world that change in a step, gathered until they form a world again."""

from msgspec.structs import replace

from app.core.kernel import causal_delivery
from app.core.model.conditions import Conditions, usual
from app.core.model.notes import Aborted, Changed, Deferred, Hurried, Note, Sent
from app.core.model.system import System
from app.core.model.values import APP, MARKER, NO_PAST, Defer, Message, Past, Process, Todo, World


class Draft:
    """A world in the making: processes get new states, messages enter and leave queues, and all of it is noted."""

    __slots__ = (
        "algorithm", "before", "down", "durable", "gone", "known", "lanes", "leaving", "memories", "notes",
        "partitioned", "posted", "queues", "sent", "snapshots", "states", "swallowed", "system", "unborn", "wakes",
    )  # fmt: skip

    def __init__(self, system: System, world: World) -> None:
        self.system = system
        self.algorithm = system.algorithm
        self.before = world
        self.states, self.memories, self.queues, self.lanes = world.states, world.memories, world.queues, world.lanes
        self.wakes, self.snapshots, self.sent = world.wakes, world.snapshots, world.sent
        self.durable, conditions = world.durable, world.conditions
        self.unborn, self.leaving, self.gone = conditions.unborn, conditions.leaving, conditions.gone
        self.partitioned, self.known, self.down = conditions.partitioned, conditions.known, conditions.down
        self.notes: list[Note] = []
        self.posted: list[tuple[str, Message]] = []
        self.swallowed = False

    def world(self) -> World:
        """Return the world as it is by now."""
        conditions = Conditions(self.unborn, self.leaving, self.gone, self.partitioned, self.known, self.down)
        return World(
            self.states, self.memories, self.queues, self.lanes, self.wakes, self.snapshots, self.sent,
            self.durable, usual(conditions),
        )  # fmt: skip

    def process(self, name: str) -> Process:
        """Return the process as it sees itself, with all that this step has changed so far."""
        if not self.unborn and not self.gone:
            return self.system.topology.processes[name]
        return self.system.process(self.world(), name)

    def become(self, name: str, state: object) -> None:
        """Give the program of a process a new state."""
        self.states = self.states.set(name, state)
        self.notes.append(Changed(name, state))

    def take(self, channel: str, position: int) -> None:
        """Take a message out of its queue."""
        queue = self.queues[channel]
        rest = queue[1:] if position == 0 else queue[:position] + queue[position + 1 :]
        self.queues = self.queues.set(channel, rest) if rest else self.queues.delete(channel)

    def strike(self, due: tuple[str, Todo]) -> None:
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
            known, message = causal_delivery.counted(self.known.get(name, causal_delivery.NOTHING), channel, message)
            self.known = self.known.set(name, known)
            self.posted.append((channel, message))
        self.queues = self.queues.set(channel, (*self.queues.get(channel, ()), message))
        self.notes.append(Sent(name, channel, message))

    def into_lane(self, name: str, channel: str, kind: str, payload: object, snapshot: int | None) -> None:
        """Put a recorded part, or a word, at the end of a control lane."""
        past = Past(0, self.known.get(name, causal_delivery.NOTHING)) if self.system.causal else NO_PAST
        message = Message(self.sent, kind, payload, snapshot, past=past)
        self.sent += 1
        self.lanes = self.lanes.set(channel, (*self.lanes.get(channel, ()), message))
        self.notes.append(Sent(name, channel, message))

    def learn(self, name: str, message: Message) -> None:
        """Let the process that handles a message know what its sender knew."""
        known = causal_delivery.learned(self.known.get(name, causal_delivery.NOTHING), message.past.known)
        self.known = self.known.set(name, known)

    def inform(self) -> None:
        """Let all messages of this step know of each other: they were sent in one event."""
        for channel, message in self.posted:
            queue = self.queues.get(channel, ())
            known = self.known[self.system.topology.channels[channel].source]
            self.queues = self.queues.set(
                channel, tuple(causal_delivery.informed(m, known) if m.id == message.id else m for m in queue)
            )

    def put_off(self, name: str, defer: Defer) -> None:
        """Make the deferred step an action of its own, of this process or of every member."""
        names = self.system.topology.names if defer.everywhere else (name,)
        if defer.everywhere:
            number = defer.what.number
            progress = self.snapshots[number]
            self.snapshots = self.snapshots.set(number, replace(progress, turns=(*progress.turns, defer.what)))
        for one in names:
            if (one, defer.what) in self.wakes:
                continue  # taken once, however many processes ask for it
            if one == name or not (one in self.unborn or one in self.gone or one in self.down):
                self.wakes = (*self.wakes, (one, defer.what))
                self.notes.append(Deferred(one, defer.what))

    def patient(self, what: Todo) -> bool:
        """Does a request wait until the process that it goes to is back?"""
        return what.word in self.algorithm.RECOVERY.patient

    def wait_for(self, name: str, asked: tuple[Todo, ...]) -> None:
        """Keep the requests to a process until it is back."""
        if asked:
            waiting = self.durable.asked.get(name, ())
            self.durable = replace(self.durable, asked=self.durable.asked.set(name, (*waiting, *asked)))

    def empty(self, name: str) -> tuple[Todo, ...]:
        """Remove all deferred steps of a process, and return those that can wait."""
        mine = tuple(what for one, what in self.wakes if one == name and self.patient(what))
        self.wakes = tuple(due for due in self.wakes if due[0] != name)
        return mine

    def give_up(self, number: int, name: str | None = None) -> None:
        """Mark a snapshot as never to be used: ``name``, or the process that started it, says so."""
        progress = self.snapshots[number]
        self.snapshots = self.snapshots.set(number, replace(progress, aborted=True))
        self.notes.append(Aborted(number, name or progress.initiators[0]))

    def towards(self, here: str, aim: str) -> str | None:
        """Return the first channel of a shortest path between members, or None."""
        return self.system.topology.next_channel(here, aim, (*self.unborn, *self.gone))
