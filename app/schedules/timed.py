"""The schedule of virtual time: messages take time to travel."""

import bisect
from collections.abc import Callable, Iterable, Mapping
from heapq import heapify, heappop, heappush
from random import Random
from typing import Any, Final

from app.core.kernel.enabled import hindrance, moves, obstacle
from app.core.model.conditions import USUAL
from app.core.model.notes import (
    Changed,
    Doubled,
    Down,
    Healed,
    Hurried,
    Left,
    Lost,
    Note,
    Received,
    Restored,
    Returned,
    Sent,
    Told,
)
from app.core.model.system import System
from app.core.model.topology import Topology
from app.core.model.values import APP, LANES, Action, Collect, Deed, Deliver, Message, Move, Start, Wake, World
from app.schedules.deferred import Deferred
from app.schedules.delay import Delay, Phase, gap_at
from app.schedules.in_flight import Flight
from app.schedules.lanes import Lanes
from app.schedules.protocol import Entry, Initiator, draw, due, possible
from app.schedules.recurring import Every, Failures, Recurring
from app.schedules.unreliable import RELIABLE, Unreliable

_NEVER: Final = 1 << 60
"""Later than anything."""

FEW: Final = 8
"""So many empty channels are looked at rather than left out."""

# Compiled code looks up what it imports, whenever it is used; what is Final here it has at hand.
_USUAL: Final = USUAL
_LANES: Final = LANES
_MOVE: Final = Move
_CHANGED: Final = Changed
_RECEIVED: Final = Received
_SENT: Final = Sent
_pop: Final = heappop
_push: Final = heappush


class Timed:
    """Virtual time: every message travels a number of ticks, drawn when it is sent.

    A message sent at time t with delay d is due at t + 1 + d; a FIFO channel delivers its head or nothing. At each tick
    what is due arrives, by channel (with ``one_per_sender``, at most one message of each sender, from its first channel
    that has one due); then come the script's lines for that time, starts, and moves of the programs, each process
    moving again after a gap drawn from ``gap`` until ``budget`` moves are made in all.

    What cannot be delivered for a reason other than its time is parked, and looked at again in the tick after the next
    step: any step of any process may have removed the reason. A step may also let a program move that could not before.
    Only the arrival of recorded parts, which the programs never notice, changes nothing.

    ``service`` makes processes slow: for so many ticks after a message of the program they take nothing more from their
    channels; what is due meanwhile waits, and the one that has been due for the longest time is next. What is told
    beside the channels, deferred steps, starts and moves do not wait for that; what a deferred step takes in needs no
    time of its own.

    ``put_off`` is how long a process takes for a deferred step, such as an upload; where it is None, until nothing else
    is left to do. Timers expire last of all. ``takes`` gives the time of steps that begin with one word, such as a
    timeout, and overrides ``put_off``. While a step that begins with a word of ``stops`` runs, its process takes
    nothing from its channels and reads nothing.

    ``phases`` are busy and quiet times; they override ``gap``. ``every`` and ``failures`` are starts and crashes that
    recur (see ``app.schedules.recurring``).

    An eager program has no budget: its sources are read one item per gap, to their ends, and a process that had to wait
    because a channel was full continues as soon as there is room. What is parked is looked at again in the same tick,
    so that a barrier comes before the next item. After a rollback what was recorded in the channels sets out anew. A
    process that is down when nothing else is left to do comes back then, if the script has not brought it back.
    """

    __slots__ = (
        "awaited", "away", "back", "deferred", "delay", "drawn", "due", "eager", "entry", "free", "gap", "heads",
        "heap", "hindered", "idle", "lanes", "left", "lines", "now", "one_per_sender", "parked", "patience",
        "per_channel", "phases", "port", "ports", "recurring", "resting", "rng", "room", "service", "stops", "strict",
        "swift", "system", "turns", "unreliable", "until", "width",
    )  # fmt: skip

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
        service: Mapping[str, int] | None = None,
        put_off: Delay | None = None,
        takes: Mapping[str, Delay] | None = None,
        stops: tuple[str, ...] = (),
        phases: tuple[Phase, ...] = (),
        every: tuple[Every, ...] = (),
        failures: Failures | None = None,
        strict: bool = True,
        unreliable: Unreliable = RELIABLE,
    ) -> None:
        self.system = system
        self.rng = Random(seed)
        self.delay = delay
        self.per_channel = per_channel or {}
        self.one_per_sender = one_per_sender
        self.strict = strict
        self.unreliable = unreliable
        self.now = 0
        self.drawn = 0
        self.due: dict[int, int] = {}
        self.lanes = Lanes(system, seed)
        self._open_ports()
        self.heap: list[int] = []
        self.awaited = [_NEVER] * self.width
        self.parked: list[int] = []
        self.service = service or {}
        self.swift = system.open and system.fifo and not service and not stops and unreliable == RELIABLE
        self.free: dict[str, int] = {}
        self.deferred = Deferred(system, seed, put_off, takes or {})
        self.stops = stops
        self.phases = phases
        self.idle: set[str] = set()
        self.entry: int | None = None
        self.lines = _lines(entries, initiators)
        self.eager = system.eager is not None
        self.hindered = system.algorithm.PAUSES or self.eager
        self.patience = 0 if system.eager and not one_per_sender else 1
        self.room = False
        self.back = Flight(system).back
        self.recurring = Recurring(system, seed, every, failures, self.back)
        self.left = 1 if system.eager else budget
        self.resting = False
        self.gap = gap or Delay(1, 6)
        self.turns = self._first_turns() if self.left else []

    def _open_ports(self) -> None:
        self.ports = _ports(self.system.topology, one_per_sender=self.one_per_sender)
        """The channels that share a way out, in the scenario's order. Where they are many, those that hold no messages
        are ``away``."""
        self.port = {channel: place for place, port in enumerate(self.ports) for channel in port}
        self.away: set[str] = set()
        self.heads = {channel: Deliver(channel, 0) for channel in self.port}
        self.width = self.until = len(self.ports)

    def _first_turns(self) -> list[tuple[int, int, str]]:
        """Return the time of each process's first turn, its rank and its name, as a heap."""
        turns = [(self._gap(), i, name) for i, name in enumerate(self.system.topology.names)]
        heapify(turns)
        return turns

    def next(self, world: World) -> Action | None:
        """Return the next action at the present time, or the first of a later time."""
        self.entry = None
        while True:
            if self.room and (action := self._pending(world)):
                return action
            if self.heap and self.heap[0] < self.until and (action := self._arrival(world)):
                return action
            if self.lanes.due and (action := self.lanes.next(world, self.now)):
                return action
            if self.deferred.due and (action := self.deferred.next(world, self.now)):
                return action
            if self.lines and self.lines[-1][0] <= self.now and (action := self._line(world)):
                return action
            if self.recurring.due and (action := self.recurring.next(world, self.now)):
                return action
            if self.turns and self.turns[0][0] <= self.now and (action := self._turn(world)):
                return action
            soonest = self._soonest()
            if soonest == _NEVER:
                return self._last(world)
            self.now = max(self.now, soonest)
            self.until = (self.now + 1) * self.width

    def _soonest(self) -> int:
        """Return when the next thing is due."""
        soonest = self.heap[0] // self.width if self.heap else _NEVER
        if self.lanes.due:
            soonest = min(soonest, self.lanes.due[0][0])
        if self.deferred.due:
            soonest = min(soonest, *self.deferred.due.values())
        if self.lines:
            soonest = min(soonest, self.lines[-1][0])
        if self.turns and self.left > 0 and not self.resting:
            soonest = min(soonest, self.turns[0][0])
        recurs = self.recurring.soonest(others=soonest < _NEVER) if self.recurring.due else None
        return soonest if recurs is None else min(soonest, recurs)

    def _last(self, world: World) -> Action | None:
        """Return what is deferred until nothing else is left to do: steps, then processes that are down, then
        timers."""
        steps = [wake for wake in world.wakes if not self.system.timer(wake[1])]
        if not steps and (back := self.back(world)):
            return back
        return next((Wake(*wake) for wake in (steps or world.wakes)), None)

    def _pending(self, world: World) -> Action | None:
        """Return what an eager process could not continue with before, because a channel was full."""
        if self.system.capacity:
            for name in self.system.topology.names:
                for move in moves(self.system, world, name):
                    if move.detail != Deed.READ and hindrance(self.system, world, move) is None:
                        return move
        self.room = False
        return None

    def _arrival(self, world: World) -> Action | None:
        swift = self.swift and world.conditions is _USUAL
        while self.heap and self.heap[0] < self.until:
            place = _pop(self.heap)
            time, port = place // self.width, place % self.width
            if self.awaited[port] != time:
                continue
            self.awaited[port] = _NEVER
            if swift:
                if action := self._first(world, port):
                    return action
                continue
            blocked = busy = False
            for channel in self.ports[port]:
                if self.free and self._busy(channel):
                    if channel in world.queues:
                        busy = True
                        self._await(port, self.free[self._target(channel)])
                    continue
                for at in self._ready(world, channel):
                    if obstacle(self.system, world, channel, at) is None:
                        deliver = Deliver(channel, at)
                        if self.service:
                            deliver = self._longest(world, deliver)
                        return self.unreliable.instead(self.rng, deliver)
                    blocked = True
            if blocked:
                self.parked.append(port)
            if blocked or busy:
                self._later(world, port)
            else:
                self._look(world, port)
        return None

    def _first(self, world: World, port: int) -> Deliver | None:
        """Return the arrival of the first message of ``port`` that is due, where every head can arrive."""
        queues, due, now = world.queues, self.due, self.now
        for channel in self.ports[port]:
            if channel in queues and due[queues[channel][0].id] <= now:
                return self.heads[channel]
        self._look(world, port)
        return None

    def _target(self, channel: str) -> str:
        return self.system.topology.channels[channel].target

    def _busy(self, channel: str) -> bool:
        """Is the process at the end of ``channel`` still at its last message?"""
        return self.free.get(self._target(channel), 0) > self.now

    def _longest(self, world: World, deliver: Deliver) -> Deliver:
        """Return, of all that could arrive now at the same slow process, what has been due for the longest time."""
        target = self._target(deliver.channel)
        if target not in self.service:
            return deliver
        own = self.port[deliver.channel]
        found: list[tuple[int, int, Deliver]] = []
        for channel in self.system.topology.processes[target].inputs:
            port = self.port[channel]
            if port != own and self.awaited[port] > self.now:
                continue
            for at in self._ready(world, channel):
                if obstacle(self.system, world, channel, at) is None:
                    message = world.queues[channel][at]
                    found.append((self.due[message.id], message.id, Deliver(channel, at)))
                    break
        _, _, chosen = min(found, key=lambda one: one[:2])
        if (port := self.port[chosen.channel]) != own:
            self.awaited[port] = _NEVER  # that one is looked at now
            self._await(own, self.now)
        return chosen

    def _ready(self, world: World, channel: str) -> Iterable[int]:
        """Return the positions of the messages of ``channel`` that are due, in the order of their times."""
        queue = world.queues.get(channel)
        if not queue:
            return ()
        if self.system.fifo or self.system.order(channel) == "fifo":
            return (0,) if self.due[queue[0].id] <= self.now else ()
        times = sorted((self.due[m.id], m.id, i) for i, m in enumerate(queue))
        return [position for time, _, position in times if time <= self.now]

    def _line(self, world: World) -> Action | None:
        while self.lines and self.lines[-1][0] <= self.now:
            _, _, action, self.entry = self.lines.pop()
            if type(action) is _MOVE:  # as most are: it can be tried, and means the same, at any time
                return action
            if self.strict or possible(self.system, world, action):
                return due(world, action)
        self.entry = None
        return None

    def _turn(self, world: World) -> Action | None:
        while self.turns and self.turns[0][0] <= self.now and self.left > 0 and not self.resting:
            _, place, name = heappop(self.turns)
            if self.stops and self.free.get(name, 0) > self.now:
                heappush(self.turns, (self.free[name], place, name))
                continue
            heappush(self.turns, (self.now + self._gap(), place, name))
            offered = moves(self.system, world, name)
            if self.hindered:
                offered = tuple(move for move in offered if not hindrance(self.system, world, move))
            if offered:
                self.left -= self.system.eager is None
                return offered[draw(self.rng, len(offered))]
            self.idle.add(name)
            if len(self.idle) == len(self.turns) and not self.heap and not self.deferred.due:
                self._rest()
        return None

    def _rest(self) -> None:
        """Let all programs rest: none can move, and no message in flight changes that. Wait for the script, or for
        something else that releases those held up, or forever. An eager program continues with whatever happens
        next."""
        if self.lines and self.system.eager is None:
            self.turns = [(max(time, self.lines[-1][0]), place, name) for time, place, name in self.turns]
            heapify(self.turns)
        else:
            self.resting = True

    def saw(self, action: Action, world: World, notes: tuple[Note, ...]) -> None:
        """Draw the delays of what was sent; look again at what had to wait."""
        for note in notes:
            if type(note) is _CHANGED:
                continue
            if type(note) is _SENT:
                if note.message.kind in _LANES:
                    self.lanes.send(note.message, note.channel, self.now)
                else:
                    self._sets_out(note.message, note.channel)
            elif type(note) is _RECEIVED:
                self._received(note, action, world)
            elif watch := _WATCHED.get(type(note)):
                watch(self, note, action, world)
        if self.deferred.given:
            for process, what in self.deferred.saw(action, world, self.now, self._ticks):
                if what.word in self.stops:
                    self.free[process] = max(self.deferred.due[process, what], self.free.get(process, 0))
        if (self.parked or self.idle or self.hindered) and _stirring(action, notes):
            self._stir()

    def _stir(self) -> None:
        """Let those continue that had to wait, where they can."""
        self.room = self.eager
        self.idle.clear()
        if self.hindered:
            self.resting = False
        for port in self.parked:
            self._await(port, self.now + self.patience)
        self.parked.clear()

    def _sets_out(self, message: Message, channel: str) -> None:
        self.due[message.id] = time = self.now + 1 + self._ticks(self.per_channel.get(channel, self.delay))
        port = self.port[channel]
        if channel in self.away:
            self.away.remove(channel)
            bisect.insort(self.ports[port], channel, key=self.system.topology.channel_order.__getitem__)
        self._await(port, time)

    def _received(self, note: Received, action: Action, world: World) -> None:
        message = note.message
        if message.kind in _LANES:
            return
        del self.due[message.id]
        if self.service and note.process in self.service and message.kind == APP and not isinstance(action, Wake):
            self.free[note.process] = self.now + self.service[note.process]
        self._look(world, self.port[note.channel])

    def _lost(self, note: Lost, action: Action, world: World) -> None:
        del self.due[note.message.id]
        self._look(world, self.port[note.channel])

    def _again(self, note: Restored) -> None:
        """Keep only the messages that were recorded in flight; they have just set out."""
        for kept in (self.due, self.heap, self.parked, self.lanes, self.free, self.deferred.due):
            kept.clear()
        self.awaited = [_NEVER] * self.width
        self.recurring.again(self.now)
        for channel, messages in note.queues:
            for message in messages:
                self._sets_out(message, channel)

    def _retracted(self, note: Returned, world: World) -> None:
        """Remove from flight what a process had sent since the saved state to which it has returned."""
        self.free.pop(note.process, None)
        self.lanes.open()
        for _, message in note.retracted:
            del self.due[message.id]
        for channel in dict.fromkeys(channel for channel, _ in note.retracted):
            self._look(world, self.port[channel])

    def _look(self, world: World, port: int) -> None:
        """Await the message of ``port`` that is due first; one sent anew in this step has not set out yet."""
        queues, due, now, fifo = world.queues, self.due, self.now + self.one_per_sender, self.system.fifo
        soonest, empty = _NEVER, 0
        for channel in self.ports[port]:
            if channel not in queues:
                empty += 1
                continue
            queue = queues[channel]
            head = fifo or self.system.order(channel) == "fifo"
            time = due.get(queue[0].id, _NEVER) if head else min(due.get(m.id, _NEVER) for m in queue)
            if time < soonest:
                soonest = time
                if time <= now:
                    break
        if soonest < _NEVER:
            self._await(port, soonest if soonest > now else now)
        if empty > FEW:
            self._unload(world, port)

    def _unload(self, world: World, port: int) -> None:
        """Pass over the channels of ``port`` that are empty, until a message sets out on them."""
        self.away.update(channel for channel in self.ports[port] if channel not in world.queues)
        self.ports[port] = [channel for channel in self.ports[port] if channel in world.queues]

    def _later(self, world: World, port: int) -> None:
        """Handle what is due but cannot arrive yet; what is due later may, on another channel or where order does not
        matter."""
        for channel in self.ports[port]:
            queue = world.queues.get(channel, ())
            able = queue[:1] if self.system.order(channel) == "fifo" else queue
            times = [time for m in able if (time := self.due[m.id]) > self.now]
            if times:
                self._await(port, min(times))

    def _await(self, port: int, time: int) -> None:
        """Look at ``port`` at ``time``, or earlier. In the heap, time and port are one number: it sorts faster."""
        if time < self.awaited[port]:
            self.awaited[port] = time
            _push(self.heap, time * self.width + port)

    def _gap(self) -> int:
        return max(1, self._ticks(gap_at(self.phases, self.now) if self.phases else self.gap))

    def _ticks(self, spec: Delay, rng: Random | None = None) -> int:
        if spec.digits is not None:
            self.drawn += 1
            return int(spec.digits[(self.drawn - 1) % len(spec.digits)])
        low, high = spec.low, spec.high
        return low + int((rng or self.rng).random() * (high - low + 1)) if high > low else low


_WATCHED: Mapping[type[Note], Callable[[Timed, Any, Action, World], object]] = {
    Lost: Timed._lost,
    Doubled: lambda schedule, note, action, world: schedule._sets_out(note.copy, note.channel),
    Hurried: lambda schedule, note, action, world: schedule._look(world, schedule.port[note.channel]),
    Healed: lambda schedule, note, action, world: schedule.lanes.open(),
    Down: lambda schedule, note, action, world: schedule.free.pop(note.process, None),
    Restored: lambda schedule, note, action, world: schedule._again(note),
    Returned: lambda schedule, note, action, world: schedule._retracted(note, world),
}
"""What a schedule in virtual time does on seeing one of the rarer notes."""


def _stirring(action: Action, notes: Iterable[Note]) -> bool:
    """Can a step let somebody continue? Programs never notice the arrival of recorded parts."""
    return type(action) is not Collect or any(isinstance(note, Told | Left) for note in notes)


def _ports(topology: Topology, *, one_per_sender: bool) -> list[list[str]]:
    """Return the channels that share a way out: those of a process, or each alone."""
    if one_per_sender:
        return [list(process.outputs) for process in topology.processes.values()]
    return [[channel] for channel in topology.channels]


def _lines(entries: tuple[Entry, ...], initiators: tuple[Initiator, ...]) -> list[tuple[int, int, Action, int | None]]:
    """Return what is to happen at a time, the last first: time, rank, action, and the number of its entry."""
    lines: list[tuple[int, int, Action, int | None]] = [(e.at, i, e.action, i) for i, e in enumerate(entries)]
    lines += [(s.at, len(entries) + i, Start(s.process), None) for i, s in enumerate(initiators)]
    return sorted(lines, key=lambda line: line[:2], reverse=True)
