"""Schedules: who goes next. The only place with randomness, and that comes from a seed.

A schedule is told of every step, also of those that a person chose, and names the next action or None when nothing
is left to do. Recorded parts never influence which ordinary action comes next: a run with collecting switched off
is the same run without them.

Draws are ``int(rng.random() * n)``: the one that Python keeps stable across versions.
"""

import heapq
from bisect import bisect_left, insort
from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from app.core.kernel import System, obstacle
from app.core.model import APP, PART, Action, Collect, Deliver, Move, Start, Wake, World
from app.core.notes import Changed, Note, Received, Sent


def draw(rng: Random, n: int) -> int:
    """A whole number in 0..n-1."""
    return int(rng.random() * n)


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a script.

    ``at`` is a virtual time (timed schedules only), ``line`` where it stands in the file.
    """

    action: Action
    at: int = 0
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Initiator:
    """``process`` starts a snapshot at ``at``: a number of steps under a seeded schedule, else a virtual time."""

    process: str
    at: int


class Schedule(Protocol):
    """Names the next action."""

    entry: int | None
    """The script's line that ``next`` returned last, None where it was not from the script."""

    def next(self, world: World) -> Action | None:
        """The next action, or None when nothing is left."""

    def saw(self, world: World, notes: Iterable[Note]) -> None:
        """One step was made, by this schedule or by a person."""


def possible(system: System, world: World, action: Action) -> bool:
    """Could ``action`` happen now? (Moves and starts are left to the kernel to refuse.)"""
    if isinstance(action, Deliver):
        queue = world.queues.get(action.channel, ())
        return action.position < len(queue) and obstacle(system, world, action.channel, action.position) is None
    if isinstance(action, Wake):
        return any(process == action.process for process, _ in world.wakes)
    if isinstance(action, Collect):
        return action.channel in world.lanes
    return True


def due(world: World, action: Wake) -> Action:
    """The step that a script's line wakes: the oldest that its process has put off."""
    return Wake(*next((waiting for waiting in world.wakes if waiting[0] == action.process), (action.process, "a step")))


def oldest(system: System, world: World) -> Action | None:
    """The arrival of the oldest message that can be delivered, then steps put off, then recorded parts."""
    heads = sorted(
        (message.id, channel, position)
        for channel, queue in world.queues.items()
        for position, message in enumerate(queue[:1] if system.fifo else queue)
    )
    for _, channel, position in heads:
        if obstacle(system, world, channel, position) is None:
            return Deliver(channel, position)
    if world.wakes:
        return Wake(*world.wakes[0])
    return oldest_part(world)


def oldest_part(world: World) -> Action | None:
    """The arrival of the part that was sent first."""
    return Collect(min((lane[0].id, channel) for channel, lane in world.lanes.items())[1]) if world.lanes else None


class Script:
    """Does what the script says, line by line, then lets everything under way arrive.

    With ``strict`` a line that cannot happen ends the run with an error; otherwise it is passed over, so that a
    run goes on after a person has interfered.
    """

    def __init__(self, system: System, entries: tuple[Entry, ...], *, strict: bool) -> None:
        self.system = system
        self.entries = entries
        self.strict = strict
        self.at = 0
        self.entry: int | None = None

    def next(self, world: World) -> Action | None:
        """The next line that can happen."""
        while self.at < len(self.entries):
            self.entry, action = self.at, self.entries[self.at].action
            self.at += 1
            if self.strict or possible(self.system, world, action):
                return due(world, action) if isinstance(action, Wake) else action
        self.entry = None
        return oldest(self.system, world)

    def saw(self, world: World, notes: Iterable[Note]) -> None:
        """Nothing to remember."""


class Seeded:
    """Picks at random: a channel with a message to deliver, a step put off, or a process whose program may move.

    Programs make ``moves`` moves in all; then what is under way arrives. Each pick is uniform over channels and
    processes, so that busy programs do not drown deliveries.
    """

    entry: int | None = None

    def __init__(self, system: System, seed: int, moves: int, initiators: tuple[Initiator, ...]) -> None:
        self.system = system
        self.rng = Random(seed)
        self.parts = Random(f"{seed} parts")
        self.left = moves
        self.starts = sorted(initiators, key=lambda i: i.at)
        self.steps = 0
        self.channels = tuple(system.topology.channels)
        self.busy: list[int] = []
        self.movers: dict[str, tuple[Move, ...]] = {}
        world = system.begin()
        for name in system.topology.names:
            self._movers(name, world.states[name])

    def next(self, world: World) -> Action | None:
        """A recorded part now and then; otherwise the next ordinary action."""
        if world.lanes and draw(self.parts, 2):
            return oldest_part(world)
        return self._ordinary(world) or oldest_part(world)

    def _ordinary(self, world: World) -> Action | None:
        if self.starts and self.starts[0].at <= self.steps:
            return Start(self.starts.pop(0).process)
        items: list[Any] = [c for i in self.busy if deliverable(self.system, world, c := self.channels[i])]
        items += world.wakes
        items += self.movers.values() if self.left > 0 else ()
        if not items:
            return Start(self.starts.pop(0).process) if self.starts else None
        item = items[draw(self.rng, len(items))]
        if isinstance(item, str):
            positions = deliverable(self.system, world, item)
            return Deliver(item, positions[draw(self.rng, len(positions)) if len(positions) > 1 else 0])
        if isinstance(item[0], Move):
            return item[draw(self.rng, len(item))]  # type: ignore[no-any-return]
        return Wake(*item)

    def saw(self, world: World, notes: Iterable[Note]) -> None:
        """Keep the list of channels with messages, and of processes that may move."""
        ordinary = sent = received = False
        for note in notes:
            if isinstance(note, Sent) and note.message.kind != PART:
                self._busy(note.channel, world)
                ordinary, sent = True, sent or note.message.kind == APP
            elif isinstance(note, Received) and note.message.kind != PART:
                self._busy(note.channel, world)
                ordinary = received = True
            elif isinstance(note, Changed):
                self._movers(note.process, note.state)
                ordinary = True
                self.left -= not received
        self.steps += ordinary

    def _busy(self, channel: str, world: World) -> None:
        place = self.system.topology.channel_order[channel]
        at = bisect_left(self.busy, place)
        known = at < len(self.busy) and self.busy[at] == place
        if known and channel not in world.queues:
            del self.busy[at]
        elif not known and channel in world.queues:
            insort(self.busy, place)

    def _movers(self, name: str, state: Any) -> None:
        moves = self.system.program.moves(self.system.topology.processes[name], state)
        self.movers[name] = moves
        if not moves:
            del self.movers[name]


def deliverable(system: System, world: World, channel: str) -> tuple[int, ...]:
    """The positions in the queue of ``channel`` whose messages can be delivered."""
    positions = range(1 if system.fifo else len(world.queues[channel]))
    return tuple(at for at in positions if obstacle(system, world, channel, at) is None)


@dataclass(frozen=True, slots=True)
class Delay:
    """How long a message travels, in ticks of virtual time: uniform in ``low``..``high``, or, where ``digits`` is
    given, the digits of that text in the order in which messages are sent."""

    low: int = 0
    high: int = 4
    digits: str | None = None


class Timed:
    """Virtual time: every message travels a number of ticks, drawn when it is sent.

    A message sent at time t with delay d is due at t + 1 + d; a FIFO channel delivers its head or nothing. At each
    tick what is due arrives, by channel (with ``one_per_sender``, at most one message of each sender, from its first
    channel that has one due); then come the script's lines for that time, starts, and moves of the programs, each
    process moving again after a gap drawn from ``gap`` until ``moves`` moves are made in all.
    """

    def __init__(
        self,
        system: System,
        seed: int,
        *,
        delay: Delay,
        per_channel: dict[str, Delay] | None = None,
        one_per_sender: bool = False,
        entries: tuple[Entry, ...] = (),
        initiators: tuple[Initiator, ...] = (),
        moves: int = 0,
        gap: Delay | None = None,
        strict: bool = True,
    ) -> None:
        self.system = system
        self.rng = Random(seed)
        self.parts = Random(f"{seed} parts")
        self.delay = delay
        self.per_channel = per_channel or {}
        self.one_per_sender = one_per_sender
        self.strict = strict
        self.now = 0
        self.drawn = 0
        self.due: dict[int, int] = {}
        self.part_due: list[tuple[int, int, str]] = []
        topology = system.topology
        self.ports: tuple[tuple[str, ...], ...] = (
            tuple(p.outputs for p in topology.processes.values())
            if one_per_sender
            else tuple((c,) for c in topology.channels)
        )
        self.port = {channel: place for place, port in enumerate(self.ports) for channel in port}
        self.heap: list[int] = []
        self.awaited: dict[int, int] = {}
        self.parked: list[int] = []
        self.idle: set[str] = set()
        self.entry: int | None = None
        lines: list[tuple[int, int, Action, int | None]] = [(e.at, i, e.action, i) for i, e in enumerate(entries)]
        lines += [(s.at, len(entries) + i, Start(s.process), None) for i, s in enumerate(initiators)]
        self.lines = sorted(lines, key=lambda line: line[:2], reverse=True)
        self.left = moves
        self.gap = gap or Delay(1, 6)
        self.turns: list[tuple[int, int, str]] = []
        if moves:
            names = system.topology.names
            self.turns = [(self._gap(), i, name) for i, name in enumerate(names)]
            heapq.heapify(self.turns)

    def next(self, world: World) -> Action | None:
        """The next action at the present time, or the first of a later time."""
        self.entry = None
        while True:
            if action := self._arrival(world) or self._part(world) or self._line(world) or self._turn(world):
                return action
            soonest = [self.heap[0] // len(self.ports)] if self.heap else []
            soonest += [self.part_due[0][0]] if self.part_due else []
            soonest += [self.lines[-1][0]] if self.lines else []
            soonest += [self.turns[0][0]] if self.turns and self.left > 0 else []
            if not soonest:
                return Wake(*world.wakes[0]) if world.wakes else None
            self.now = max(self.now, min(soonest))

    def _arrival(self, world: World) -> Action | None:
        while self.heap and self.heap[0] < (self.now + 1) * len(self.ports):
            time, port = divmod(heapq.heappop(self.heap), len(self.ports))
            if self.awaited.get(port) != time:
                continue
            del self.awaited[port]
            blocked = False
            for channel in self.ports[port]:
                for at in self._ready(world, channel):
                    if obstacle(self.system, world, channel, at) is None:
                        return Deliver(channel, at)
                    blocked = True
            if blocked:
                self.parked.append(port)
            else:
                self._look(world, port)
        return None

    def _ready(self, world: World, channel: str) -> Iterable[int]:
        """The positions of the messages of ``channel`` that are due, in the order of their times."""
        queue = world.queues.get(channel)
        if not queue:
            return ()
        if self.system.fifo:
            return (0,) if self.due[queue[0].id] <= self.now else ()
        times = sorted((self.due[m.id], m.id, i) for i, m in enumerate(queue))
        return [position for time, _, position in times if time <= self.now]

    def _part(self, world: World) -> Action | None:
        while self.part_due and self.part_due[0][0] <= self.now:
            channel = heapq.heappop(self.part_due)[2]
            if channel in world.lanes:
                return Collect(channel)
        return None

    def _line(self, world: World) -> Action | None:
        while self.lines and self.lines[-1][0] <= self.now:
            _, _, action, self.entry = self.lines.pop()
            if self.strict or possible(self.system, world, action):
                return due(world, action) if isinstance(action, Wake) else action
        self.entry = None
        return None

    def _turn(self, world: World) -> Action | None:
        while self.turns and self.turns[0][0] <= self.now and self.left > 0:
            _, place, name = heapq.heappop(self.turns)
            heapq.heappush(self.turns, (self.now + self._gap(), place, name))
            moves = self.system.program.moves(self.system.topology.processes[name], world.states[name])
            if moves:
                self.left -= 1
                return moves[draw(self.rng, len(moves))]
            self.idle.add(name)
            if len(self.idle) == len(self.turns) and not self.heap and not self.lines:
                self.left = 0  # nobody can move, and nothing will come that changes that
        return None

    def saw(self, world: World, notes: Iterable[Note]) -> None:
        """Draw the delays of what was sent; look again at channels whose head has changed."""
        ordinary = False
        for note in notes:
            if isinstance(note, Sent):
                if note.message.kind == PART:
                    time = self.now + 1 + draw(self.parts, 3)
                    heapq.heappush(self.part_due, (time, note.message.id, note.channel))
                else:
                    ordinary = True
                    self.due[note.message.id] = time = self.now + 1 + self._delay(note.channel)
                    self._await(self.port[note.channel], time)
            elif isinstance(note, Received):
                if note.message.kind != PART:
                    ordinary = True
                    del self.due[note.message.id]
                    self._look(world, self.port[note.channel])
            elif isinstance(note, Changed):
                ordinary = True
        if ordinary:
            self.idle.clear()
            for port in self.parked:
                self._await(port, self.now + 1)
            self.parked.clear()

    def _look(self, world: World, port: int) -> None:
        """Await the message of ``port`` that is due first."""
        soonest: int | None = None
        for channel in self.ports[port]:
            if queue := world.queues.get(channel):
                time = self.due[queue[0].id] if self.system.fifo else min(self.due[m.id] for m in queue)
                soonest = time if soonest is None or time < soonest else soonest
        if soonest is not None:
            self._await(port, max(soonest, self.now + self.one_per_sender))

    def _await(self, port: int, time: int) -> None:
        """Look at ``port`` at ``time``, or earlier. In the heap, time and port are one number: it sorts faster."""
        known = self.awaited.get(port)
        if known is None or time < known:
            self.awaited[port] = time
            heapq.heappush(self.heap, time * len(self.ports) + port)

    def _delay(self, channel: str) -> int:
        return self._ticks(self.per_channel.get(channel, self.delay))

    def _gap(self) -> int:
        return max(1, self._ticks(self.gap))

    def _ticks(self, spec: Delay) -> int:
        if spec.digits is not None:
            self.drawn += 1
            return int(spec.digits[(self.drawn - 1) % len(spec.digits)])
        return spec.low + draw(self.rng, spec.high - spec.low + 1) if spec.high > spec.low else spec.low


class Manual:
    """Does nothing by itself: every step is a person's choice."""

    entry: int | None = None

    def next(self, world: World) -> Action | None:
        """Nothing."""
        return None

    def saw(self, world: World, notes: Iterable[Note]) -> None:
        """Nothing to remember."""
