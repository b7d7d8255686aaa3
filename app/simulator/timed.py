"""The schedule of virtual time: messages travel for a while."""

import heapq
from collections.abc import Iterable
from dataclasses import dataclass
from random import Random

from app.core.enabled import hindrance, moves, obstacle
from app.core.model import LANES, Action, Collect, Deliver, Start, Wake, World
from app.core.notes import (
    Changed,
    Crashed,
    Doubled,
    Joined,
    Leaving,
    Left,
    Lost,
    Mended,
    Note,
    Parted,
    Received,
    Sent,
    Told,
)
from app.core.system import System
from app.simulator.schedule import Entry, Initiator, draw, due, possible
from app.simulator.unreliable import RELIABLE, Unreliable

STIRRING = (Told, Parted, Mended, Joined, Leaving, Left, Crashed)
"""After these, what had to wait is looked at again."""


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
    process moving again after a gap drawn from ``gap`` until ``budget`` moves are made in all.
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
        budget: int = 0,
        gap: Delay | None = None,
        strict: bool = True,
        unreliable: Unreliable = RELIABLE,
    ) -> None:
        self.system = system
        self.rng = Random(seed)
        self.parts = Random(f"{seed} parts")
        self.delay = delay
        self.per_channel = per_channel or {}
        self.one_per_sender = one_per_sender
        self.strict = strict
        self.unreliable = unreliable
        self.now = 0
        self.drawn = 0
        self.due: dict[int, int] = {}
        self.part_due: list[tuple[int, int, str]] = []
        self.held_back: list[tuple[int, int, str]] = []
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
        self.left = budget
        self.gap = gap or Delay(1, 6)
        self.turns: list[tuple[int, int, str]] = []
        if budget:
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
                        return self.unreliable.instead(self.rng, Deliver(channel, at))
                    blocked = True
            if blocked:
                self.parked.append(port)
                self._later(world, port)
            else:
                self._look(world, port)
        return None

    def _ready(self, world: World, channel: str) -> Iterable[int]:
        """The positions of the messages of ``channel`` that are due, in the order of their times."""
        queue = world.queues.get(channel)
        if not queue:
            return ()
        if self.system.order(channel) == "fifo":
            return (0,) if self.due[queue[0].id] <= self.now else ()
        times = sorted((self.due[m.id], m.id, i) for i, m in enumerate(queue))
        return [position for time, _, position in times if time <= self.now]

    def _part(self, world: World) -> Action | None:
        """What is due in a lane; on a channel that is cut it waits until that is mended."""
        while self.part_due and self.part_due[0][0] <= self.now:
            one = heapq.heappop(self.part_due)
            if one[2] in world.cut:
                self.held_back.append(one)
            elif one[2] in world.lanes:
                return Collect(one[2])
        return None

    def _mended(self) -> None:
        """What is due in the lanes of channels that were cut is looked at again."""
        for one in self.held_back:
            heapq.heappush(self.part_due, one)
        self.held_back.clear()

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
            offered = moves(self.system, world, name)
            if self.system.algorithm.PAUSES:
                offered = tuple(move for move in offered if not hindrance(self.system, world, move))
            if offered:
                self.left -= 1
                return offered[draw(self.rng, len(offered))]
            self.idle.add(name)
            if len(self.idle) == len(self.turns) and not self.heap:
                self._rest()
        return None

    def _rest(self) -> None:
        """Nobody can move, and nothing is on its way that changes that: wait for the script, or for ever."""
        if self.lines:
            self.turns = [(max(time, self.lines[-1][0]), place, name) for time, place, name in self.turns]
            heapq.heapify(self.turns)
        else:
            self.left = 0

    def saw(self, action: Action, world: World, notes: Iterable[Note]) -> None:
        """Draw the delays of what was sent; look again at channels whose head has changed."""
        ordinary = False
        for note in notes:
            if isinstance(note, Changed):  # the most frequent first
                ordinary = True
            elif isinstance(note, Sent):
                if note.message.kind in LANES:
                    time = self.now + 1 + draw(self.parts, 3)
                    heapq.heappush(self.part_due, (time, note.message.id, note.channel))
                else:
                    ordinary = True
                    self.due[note.message.id] = time = self.now + 1 + self._delay(note.channel)
                    self._await(self.port[note.channel], time)
            elif isinstance(note, Received):
                if note.message.kind not in LANES:
                    ordinary = True
                    del self.due[note.message.id]
                    self._look(world, self.port[note.channel])
            elif isinstance(note, Lost):
                ordinary = True
                del self.due[note.message.id]
                self._look(world, self.port[note.channel])
            elif isinstance(note, Doubled):
                ordinary = True
                self.due[note.copy.id] = time = self.now + 1 + self._delay(note.channel)
                self._await(self.port[note.channel], time)
            elif isinstance(note, STIRRING):
                ordinary = True
                if isinstance(note, Mended):
                    self._mended()
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
                kept = self.system.order(channel) == "fifo"
                time = self.due[queue[0].id] if kept else min(self.due[m.id] for m in queue)
                soonest = time if soonest is None or time < soonest else soonest
        if soonest is not None:
            self._await(port, max(soonest, self.now + self.one_per_sender))

    def _later(self, world: World, port: int) -> None:
        """What is due cannot arrive yet; where the channel alone does not keep the order, what is due later may."""
        for channel in self.ports[port]:
            if self.system.order(channel) != "fifo":
                times = [time for m in world.queues.get(channel, ()) if (time := self.due[m.id]) > self.now]
                if times:
                    self._await(port, min(times))

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
