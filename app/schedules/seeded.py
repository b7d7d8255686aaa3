"""The schedule that makes random draws."""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from itertools import islice
from random import Random

from app.core.kernel.enabled import hindrance, moves, obstacle
from app.core.model.notes import (
    Changed,
    Crashed,
    Deferred,
    Down,
    Joined,
    Leaving,
    Left,
    Note,
    Received,
    Restored,
    Returned,
    Sent,
)
from app.core.model.system import System
from app.core.model.values import LANES, Action, Deliver, Fault, Move, Start, Todo, Wake, World
from app.schedules.in_flight import Flight
from app.schedules.protocol import Initiator, concerned, draw
from app.schedules.unreliable import RELIABLE, Unreliable

_FOR_ALL = (Joined, Leaving, Left, Crashed, Down, Restored, Returned)
"""What changes more than one process."""

FIRST = (0,)
"""The only position from which a channel delivers that keeps the order."""


class Seeded:
    """Picks at random: a channel with a message to deliver, a deferred step, or a process whose program may move.

    Programs make ``budget`` moves in all; then what is in flight arrives. Each pick is uniform over channels and
    processes, so that busy programs do not crowd out deliveries.
    """

    entry: int | None = None

    def __init__(
        self,
        system: System,
        seed: int,
        budget: int,
        initiators: tuple[Initiator, ...],
        unreliable: Unreliable = RELIABLE,
    ) -> None:
        self.system = system
        self.rng = Random(seed)
        self.parts = Random(f"{seed} parts")
        self.flight = Flight(system)
        self.unreliable = unreliable
        self.left = 1 if system.eager else budget
        self.starts = sorted(initiators, key=lambda i: i.at)
        self.steps = 0
        self.deferred: set[tuple[str, Todo]] = set()
        self.timers: set[tuple[str, Todo]] = set()
        self.channels = tuple(system.topology.channels)
        self.heads = [Deliver(channel) for channel in self.channels]
        self.ready: list[int] = []
        self.movers: dict[str, tuple[Move, ...]] = {}
        self.allowed: dict[str, tuple[Move, ...]] = {}
        world = system.begin()
        for name in system.topology.names:
            self._movers(name, world)

    def next(self, world: World) -> Action | None:
        """Return a recorded part now and then; otherwise the next ordinary action."""
        if world.lanes and draw(self.parts, 2) and (part := self.flight.part(world)):
            return part
        return self._ordinary(world) or self.flight.part(world)

    def _ordinary(self, world: World) -> Action | None:
        if self.starts and self.starts[0].at <= self.steps:
            return Start(self.starts.pop(0).process)
        waking = self._wakes(world)
        free = self._free(world) if self.left > 0 else ()
        count = len(self.ready) + len(waking) + len(free)
        if not count:
            if self.starts:
                return Start(self.starts.pop(0).process)
            return self.flight.back(world)
        drawn = draw(self.rng, count) - len(self.ready)
        if drawn < 0:
            which = self.ready[drawn]
            channel = self.channels[which]
            positions = deliverable(self.system, world, channel)
            at = positions[draw(self.rng, len(positions)) if len(positions) > 1 else 0]
            return self.unreliable.instead(self.rng, Deliver(channel, at) if at else self.heads[which])
        if drawn < len(waking):
            return Wake(*waking[drawn])
        offered = next(islice(free, drawn - len(waking), None))
        return offered[draw(self.rng, len(offered))]

    def _wakes(self, world: World) -> Sequence[tuple[str, Todo]]:
        """Return the deferred steps. One that was deferred again is a timer: it expires when nothing is in flight."""
        still = not self.ready and self.flight.part(world) is None
        waiting: Sequence[tuple[str, Todo]] = world.wakes
        if self.timers and not still:
            waiting = [one for one in waiting if one not in self.timers]
        if not world.down:
            return waiting
        return [due for due in waiting if not self.system.timer(due[1])]  # they would expire forever, unanswered

    def _free(self, world: World) -> Collection[tuple[Move, ...]]:
        """Return the moves of each process that has any, without those that the algorithm forbids now."""
        if not self.system.algorithm.PAUSES:
            return self.movers.values()
        for name, offered in self.movers.items():
            if name not in self.allowed:
                self.allowed[name] = tuple(m for m in offered if not hindrance(self.system, world, m))
        return [some for name in self.movers if (some := self.allowed[name])]

    def saw(self, action: Action, world: World, notes: tuple[Note, ...]) -> None:
        """Keep the list of channels with messages to deliver, and of processes that may move.

        A step changes one process: only its inputs, and the channels on which it sent, can become ready with it; where
        processes take whatever comes, only a fault changes more than the notes say. Where members join or leave, their
        neighbours change too.
        """
        self.flight.saw(notes)
        ordinary = received = False
        touched: dict[str, None] = {}
        if not self.system.open or isinstance(action, Fault):
            touched.update(dict.fromkeys(self.system.topology.processes[concerned(self.system, action)].inputs))
        for note in notes:
            if type(note) is Changed:
                self._movers(note.process, world)
                ordinary = True
                self.left -= not received and self.system.eager is None
            elif type(note) is Sent or type(note) is Received:
                if note.message.kind not in LANES:
                    touched[note.channel] = None
                    ordinary = True
                    received = received or type(note) is Received
            elif type(note) is Deferred:
                waiting = (note.process, note.what)
                (self.timers if waiting in self.deferred else self.deferred).add(waiting)
            elif type(note) in _FOR_ALL:
                touched.update(dict.fromkeys(self.channels))
                for name in self.system.topology.names:
                    self._movers(name, world)
        for channel in touched:
            self._ready(channel, world)
        self.steps += ordinary
        self._forget(action, notes)

    def _forget(self, action: Action, notes: Iterable[Note]) -> None:
        """Forget which moves the algorithm allows where that may have changed: it depends on what the process
        remembers, and on whether there is room in its channels."""
        if not self.allowed:
            return
        if isinstance(action, Fault) or any(isinstance(note, _FOR_ALL) for note in notes):
            self.allowed.clear()
            return
        self.allowed.pop(concerned(self.system, action), None)
        for note in notes:
            if isinstance(note, Sent | Received):
                self.allowed.pop(self.system.topology.channels[note.channel].source, None)

    def _ready(self, channel: str, world: World) -> None:
        place = self.system.topology.channel_order[channel]
        at = bisect_left(self.ready, place)
        known = at < len(self.ready) and self.ready[at] == place
        can = channel in world.queues and bool(deliverable(self.system, world, channel))
        if known and not can:
            del self.ready[at]
        elif can and not known:
            self.ready.insert(at, place)

    def _movers(self, name: str, world: World) -> None:
        offered = moves(self.system, world, name)
        self.allowed.pop(name, None)
        self.movers[name] = offered
        if not offered:
            del self.movers[name]


def deliverable(system: System, world: World, channel: str) -> tuple[int, ...]:
    """Return the positions in the queue of ``channel`` whose messages can be delivered."""
    if system.fifo:
        return FIRST if obstacle(system, world, channel) is None else ()
    positions = range(1 if system.order(channel) == "fifo" else len(world.queues[channel]))
    return tuple(at for at in positions if obstacle(system, world, channel, at) is None)
