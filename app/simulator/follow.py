"""The schedule that repeats what the programs did in another run, under another algorithm."""

import heapq
from bisect import insort
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import TypeAlias

from app.core.enabled import faults, hindrance, moves, obstacle, restorable, settled
from app.core.model import (
    APP,
    END,
    LANES,
    Abandon,
    Action,
    Collect,
    Crash,
    Deliver,
    Drop,
    Duplicate,
    Forget,
    Join,
    Message,
    Move,
    Overtake,
    Refused,
    Restart,
    Restore,
    Start,
    Wake,
    World,
)
from app.core.notes import Acted, Deferred, Doubled, Lost, Note, Received, Sent
from app.core.program import READ
from app.core.system import System
from app.simulator.flight import Flight, control, position
from app.simulator.schedule import draw

SPREAD = 3
"""How many events of the programs a control message, or a step put off, lets pass at most. A step that is put off again
and again is a timer: it lets as many more pass each time, and does not run out while an answer is on its way."""

Reaching = Deliver | Drop | Duplicate | Overtake
Thing: TypeAlias = tuple[str, int | str]
"""A record that was read, by source and offset, or that arrived, by channel and identity."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that must happen again. ``ordinal`` says which message of the channel it concerns: the how many-th
    (from 0) of the program's, or, where ``ours`` is false, of the algorithm's; a record of a dataflow has its identity
    instead, and a reading the offset from which it reads. ``again``: it happened before, and was done once more after a
    recovery; whoever recovers otherwise need not. ``hint``, the kind of a message of the algorithm or the word of a
    step put off, marks what was the algorithm's: it happens at the same place where this algorithm has the same."""

    action: Action
    ordinal: int | str = 0
    ours: bool = True
    again: bool = False
    hint: str = ""


def events(steps: Iterable[tuple[Action, Iterable[Note], World]]) -> tuple[Event, ...]:
    """What a run did apart from its algorithm. ``steps`` are its actions, their notes and the worlds before them.

    The arrivals of control messages and the steps put off are the algorithm's: they stay as hints. Faults stay, also
    those that hit a control message: the same place on the channel is hit again.
    """
    found: list[Event] = []
    count = Count()
    done: set[Thing] = set()
    for action, notes, world in steps:
        if isinstance(action, Reaching):
            message = world.queues[action.channel][action.position]
            ours = message.kind == APP
            if ours or not isinstance(action, Deliver):
                ordinal = count.of(message)
                again = ours and isinstance(action, Deliver) and (action.channel, ordinal) in done
                found.append(Event(action, ordinal, ours, again))
                done.add((action.channel, ordinal))
            elif (place := count.of(message)) != -1:
                found.append(Event(action, place, ours=False, hint=message.kind))
        elif isinstance(action, Move) and action.detail == READ:
            offset = world.states[action.process].offset
            found.append(Event(action, offset, again=(action.process, offset) in done))
            done.add((action.process, offset))
        elif isinstance(action, Wake):
            for event in taken(notes, world, count):
                thing = happened(event)
                found.append(replace(event, again=thing in done))
                done |= {thing} if thing else set()
            found.append(Event(action, hint=action.what))
        elif not isinstance(action, Collect | Wake) and not onward(action, world):
            found.append(Event(action))
        count.saw(notes)
    return tuple(found)


def taken(notes: Iterable[Note], world: World, count: "Count") -> Iterator[Event]:
    """What programs read and received in a step put off, because the algorithm told them to."""
    read: dict[str, int] = {}
    for note in notes:
        if isinstance(note, Received) and note.message.kind == APP:
            yield Event(Deliver(note.channel), count.of(note.message))
        elif isinstance(note, Acted) and note.move.detail == READ:
            offset = read[note.process] = read.get(note.process, world.states[note.process].offset - 1) + 1
            yield Event(note.move, offset)


def happened(event: Event) -> Thing | None:
    """The record that an event reads or lets arrive, None where it does neither."""
    action = event.action
    if isinstance(action, Move) and action.detail == READ:
        return action.process, event.ordinal
    return (action.channel, event.ordinal) if isinstance(action, Deliver) and isinstance(event.ordinal, str) else None


def onward(action: Action, world: World) -> bool:
    """Does an operator of a dataflow go on with what it took before, as it does by itself when there is room?"""
    return isinstance(action, Move) and bool(getattr(world.states[action.process], "pending", ()))


class Count:
    """Which message of its channel each one is, those of the program and those of the algorithm counted apart."""

    def __init__(self) -> None:
        self.ordinals: dict[int, int] = {}
        self.counts: dict[tuple[str, bool], int] = {}

    def saw(self, notes: Iterable[Note]) -> None:
        """One step was made."""
        for note in notes:
            if isinstance(note, Sent) and note.message.kind not in LANES and note.message.origin is None:
                kind = (note.channel, note.message.kind == APP)
                self.ordinals[note.message.id] = self.counts.get(kind, 0)
                self.counts[kind] = self.counts.get(kind, 0) + 1

    def of(self, message: Message) -> int | str:
        """The ordinal of a message; of a copy, that of the first; the identity of a record."""
        record: str | None = getattr(message.payload, "id", None) if message.kind == APP else None
        if message.payload is END:
            return "end"
        return record or self.ordinals.get(message.identity, -1)


Hint: TypeAlias = tuple[int | str, ...]
"""What names a message or a step of the algorithm in both runs, see ``hinted``."""


class Arrivals:
    """When the algorithm's messages are to arrive, counted in events of the programs."""

    def __init__(self, system: System, flight: Flight) -> None:
        self.system = system
        self.flight = flight
        self.later: list[tuple[int, int]] = []
        self.ripe: list[int] = []
        self.behind: dict[str, list[int]] = {}

    def expect(self, number: int, time: int) -> None:
        """The message with this id is due after ``time`` events."""
        heapq.heappush(self.later, (time, number))

    def moved_up(self, channel: str) -> None:
        """A message has left ``channel``: whatever is behind it may have become its head."""
        for number in self.behind.pop(channel, ()):
            insort(self.ripe, number)

    def next(self, world: World, now: int) -> Deliver | None:
        """The arrival of the oldest message that is due and can be delivered."""
        while self.later and self.later[0][0] <= now:
            insort(self.ripe, heapq.heappop(self.later)[1])
        waiting: list[int] = []
        found: Deliver | None = None
        looked = 0
        for number in self.ripe:
            looked += 1
            channel = self.flight.controls.get(number)
            if channel is None:
                continue  # it arrived earlier, or is lost
            at = position(world, channel, number)
            reason = obstacle(self.system, world, channel, at)
            if reason == "behind":
                self.behind.setdefault(channel, []).append(number)
                continue
            waiting.append(number)
            if reason is None:
                found = Deliver(channel, at)
                break
        self.ripe[:looked] = waiting
        return found


class Follow:
    """Lets the same moves, starts, arrivals and faults happen in the same order. A control message that has a
    counterpart in the other run, of the same kind and the same ordinal on the channel, arrives between the same events
    if it can, and a step put off is done there. Other control messages arrive when an event needs it, and otherwise
    after a few events, drawn from the seed; whoever no marker reaches starts by himself.

    An event that the algorithm holds up is done as soon as it can be, and so is whatever else of the same processes
    becomes impossible by its absence; the others go on. One that cannot happen at all is passed over, and ``missed``
    counts it: then the algorithm has disturbed the programs.
    """

    entry: int | None = None

    def __init__(self, system: System, wanted: tuple[Event, ...], seed: int) -> None:
        self.system = system
        self.wanted = wanted
        self.rng = Random(f"{seed} control")
        self.flight = Flight(system)
        self.count = Count()
        self.arrivals = Arrivals(system, self.flight)
        self.wakes: dict[tuple[str, str], int] = {}
        self.times: dict[tuple[str, str], int] = {}
        self.look = 0
        self.at = 0
        self.now = 0
        self.hints = Counter(name for event in wanted if (name := hinted(event)))
        self.numbers: dict[Hint, int] = {}
        self.awaited: set[int] = set()
        self.held: list[Event] = []
        self.missed = 0
        self.happened: set[Thing] = set()
        self.doubts: list[Thing] = []
        self.read: dict[str, int] = {}
        self.arrived: set[tuple[str, int | str]] = set()

    def next(self, world: World) -> Action | None:
        """What is due of the algorithm's, else the next event, else whatever makes that possible."""
        if action := self._due(world):
            return action
        if self.held and (action := self._freed(world)):
            return action
        if world.durable.lives and (action := self._again(world)):
            return action
        if self.system.capacity and (action := self._onward(world)):
            return action
        while self.at < len(self.wanted):
            event = self.wanted[self.at]
            if event.hint:
                self.at += 1
                if action := self._hinted(world, event):
                    return action
                continue
            after = isinstance(event.action, Move) and self._held(event.action.process)
            if not after and (action := self._possible(world, event)):
                if not (isinstance(action, Restart) and isinstance(event.action, Restore) and world.down[1:]):
                    self._on()
                return action
            if action := self._way(world, event) or self._quiet(world, hinted=False):
                return action
            hindered = after or self._hindered(world, event)
            if not hindered and (action := self._quiet(world, hinted=True)):
                return action
            self._on()
            if hindered:
                self.held.append(event)
            else:
                self._pass(event)
        if action := self.flight.rest(world):
            return action
        for event in self.held:
            self._pass(event)
        self.missed += sum(thing not in self.happened for thing in self.doubts)
        self.held.clear()
        self.doubts.clear()
        return None

    def _on(self) -> None:
        """One more event is past."""
        self.at += 1
        self.now += 1

    def _hinted(self, world: World, event: Event) -> Action | None:
        """What the algorithm of the other run did here, where this one can do the same. A message that cannot arrive
        now is due from now on."""
        name = hinted(event)
        self.hints[name] -= 1
        if isinstance(event.action, Wake):
            waiting = (event.action.process, event.action.what)
            if waiting not in world.wakes or self.system.timer(waiting[1]):
                return None
            return event.action
        number = self.numbers.get(name, -1)
        channel = self.flight.controls.get(number)
        self.awaited.discard(number)
        if channel is None:
            return None
        at = position(world, channel, number)
        if obstacle(self.system, world, channel, at) is None:
            return Deliver(channel, at)
        self.arrivals.expect(number, self.now)
        return None

    def _onward(self, world: World) -> Move | None:
        """An operator that had to wait goes on as soon as there is room."""
        for name in self.system.topology.names:
            for move in moves(self.system, world, name):
                if onward(move, world) and hindrance(self.system, world, move) is None:
                    return move
        return None

    def _again(self, world: World) -> Action | None:
        """What a recovery has undone is done again before anything new: sources read up to where they had come, and
        records arrive that had arrived."""
        for name, offset in self.read.items():
            move = Move(name, None, None, READ)
            behind = world.states[name].offset < offset and move in moves(self.system, world, name)
            if behind and hindrance(self.system, world, move) is None:
                return move
        for number, channel in self.flight.messages.items():
            at = position(world, channel, number)
            message = world.queues[channel][at]
            again = message.kind == APP and (channel, self.count.of(message)) in self.arrived
            if again and obstacle(self.system, world, channel, at) is None:
                return Deliver(channel, at)
        return None

    def _pass(self, event: Event) -> None:
        """An event cannot happen. It is missed, unless it was only done once more after a recovery, or is done later,
        after a recovery of this run."""
        if event.again or isinstance(event.action, Restore | Restart | Abandon | Forget):
            return
        thing = happened(event)
        if thing is None:
            self.missed += 1
        else:
            self.doubts.append(thing)

    def _freed(self, world: World) -> Action | None:
        """The first of the events held up that is possible now; a process makes its moves in their order."""
        waiting: list[str] = []
        for i, event in enumerate(self.held):
            if isinstance(event.action, Move):
                if event.action.process in waiting:
                    continue
                waiting.append(event.action.process)
            if action := self._possible(world, event):
                del self.held[i]
                return action
        return None

    def _held(self, *names: str) -> bool:
        """Is an event of one of the processes held up?"""
        return any(name in names for event in self.held for name in self._ends(event))

    def _ends(self, event: Event) -> tuple[str, ...]:
        """The processes that the event concerns."""
        action = event.action
        if isinstance(action, Reaching):
            channel = self.system.topology.channels[action.channel]
            return channel.source, channel.target
        return (action.process,) if isinstance(action, Move | Join) else ()

    def _hindered(self, world: World, event: Event) -> bool:
        """Is it the algorithm that makes the event impossible now, by itself or by another event that it holds up?"""
        action = event.action
        if isinstance(action, Move) and world.member(action.process) and hindrance(self.system, world, action):
            return True
        if isinstance(action, Join) and settled(self.system, world):
            return True
        position = self._position(world, event) if isinstance(action, Deliver) else None
        if isinstance(action, Deliver) and position is not None:
            blocked = obstacle(self.system, world, action.channel, position) == "blocked"
            return blocked or self._held(*self._ends(event))
        return self._held(*self._ends(event))

    def _quiet(self, world: World, *, hinted: bool) -> Action | None:
        """What comes next of the algorithm's; no timer, because other events can still come first. Without ``hinted``,
        whatever has its place among the events to come is left for there."""
        action = self.flight.quiet(world, controls=True, but=() if hinted else self.awaited)
        if not isinstance(action, Wake):
            return action
        free = (waiting for waiting in world.wakes if hinted or not self.hints[waiting])
        return next((Wake(*waiting) for waiting in free if self._first(waiting)), None)

    def _first(self, waiting: tuple[str, str]) -> bool:
        """Is a step put off neither a timer nor put off once more?"""
        return not self.times.get(waiting) and not self.system.timer(waiting[1])

    def _due(self, world: World) -> Action | None:
        if action := self._wake(world) or self.arrivals.next(world, self.now):
            return action
        if self.system.algorithm.TIMERS and (timer := self._timer(world)):
            return timer
        return self.flight.part(world) if self.flight.words and draw(self.rng, 2) else None

    def _timer(self, world: World) -> Wake | None:
        """The oldest timer of a channel on which nothing is on its way and no answer can come any more."""
        if any(not self.system.timer(what) for _, what in world.wakes):
            return None
        for name, what in world.wakes:
            channel = what.partition(" ")[2]
            target = self.system.topology.channels[channel].target
            if self.wakes.get((name, what), 0) <= self.now and channel not in world.queues and target not in world.down:
                return Wake(name, what)
        return None

    def _wake(self, world: World) -> Wake | None:
        """The oldest step put off that is due. ``look`` is when it is worth while to look again."""
        if self.look > self.now or not world.wakes:
            return None
        self.look = len(self.wanted) + 1
        for waiting in world.wakes:
            time = self.wakes.get(waiting, 0)
            if self.system.timer(waiting[1]):
                continue
            if time <= self.now and not (self.times.get(waiting) and self.flight.words):
                self.look = 0
                return Wake(*waiting)
            self.look = min(self.look, time)
        return None

    def _possible(self, world: World, event: Event) -> Action | None:
        action, system = event.action, self.system
        if isinstance(action, Restore | Restart):
            return self._back(world, action)
        if isinstance(action, Abandon | Forget | Crash) and action not in faults(system, world):
            return None
        if isinstance(action, Reaching):
            position = self._position(world, event)
            if position is None:
                return None
            if isinstance(action, Deliver | Overtake):
                free = obstacle(system, world, action.channel, position)
                if free is None:
                    return Deliver(action.channel, position, action.detail if isinstance(action, Deliver) else None)
                return Overtake(action.channel, position) if isinstance(action, Overtake) and free == "behind" else None
            return replace(action, position=position)
        if isinstance(action, Move):
            if not world.member(action.process) or hindrance(system, world, action):
                return None
            process = system.process(world, action.process)
            if action.channel is not None and action.channel not in process.outputs:
                return None
            try:
                system.program.act(process, world.states[action.process], action)
            except Refused:
                return None
        if isinstance(action, Join) and settled(system, world):
            return None
        return action

    def _back(self, world: World, action: Restore | Restart) -> Action | None:
        """Whoever is down comes back, in the way of this algorithm: to the same snapshot, if there is one."""
        if isinstance(action, Restore) and self.system.algorithm.RECOVERY == "rollback" and world.down:
            return action if action.snapshot in restorable(world) else self.flight.back(world)
        if isinstance(action, Restart) and self.system.algorithm.RECOVERY == "local":
            return action if action.process in world.down else None
        return self.flight.back(world)

    def _position(self, world: World, event: Event) -> int | None:
        """Where the message of the event is now."""
        action = event.action
        if not isinstance(action, Reaching):
            return None
        for place, message in enumerate(world.queues.get(action.channel, ())):
            if (message.kind == APP) == event.ours and self.count.of(message) == event.ordinal:
                return place
        return None

    def _way(self, world: World, event: Event) -> Action | None:
        """Let the control messages arrive that stand in front of the event's."""
        action = event.action
        if not isinstance(action, Deliver | Overtake):
            return None
        position = self._position(world, event)
        if position is None:
            return None
        for place, message in enumerate(world.queues[action.channel][:position]):
            if control(message) and obstacle(self.system, world, action.channel, place) is None:
                return Deliver(action.channel, place)
        return None

    def saw(self, action: Action, world: World, notes: Iterable[Note]) -> None:
        """Draw when the algorithm's next things are due."""
        notes = tuple(notes)
        self.flight.saw(notes)
        self.count.saw(notes)
        made = [action, *(note.move for note in notes if isinstance(note, Acted))]
        reads = Counter(move.process for move in made if isinstance(move, Move) and move.detail == READ)
        for name, times in reads.items():
            offset = world.states[name].offset
            self.happened.update((name, offset - back) for back in range(1, times + 1))
            self.read[name] = max(self.read.get(name, 0), offset)
        for note in notes:
            if isinstance(note, Received) and note.message.kind == APP:
                self.arrived.add((note.channel, self.count.of(note.message)))
            if isinstance(note, Sent) and note.message.kind not in LANES and control(note.message):
                self._expect(note.channel, note.message)
            elif isinstance(note, Doubled) and control(note.copy):
                self.arrivals.expect(note.copy.id, self.now)
            elif isinstance(note, Received | Lost):
                self.arrivals.moved_up(note.channel)
                self.happened.add((note.channel, self.count.of(note.message)))
            elif isinstance(note, Deferred):
                self.look = 0
                times = self.times[note.process, note.what] = self.times.get((note.process, note.what), -1) + 1
                late = 1 + draw(self.rng, SPREAD) + times * SPREAD
                if self.hints[note.process, note.what] and not self.system.timer(note.what):
                    late += len(self.wanted)
                self.wakes[note.process, note.what] = self.now + late

    def _expect(self, channel: str, message: Message) -> None:
        """A message of the algorithm is on its way: it has its place among the events, or is due after a few."""
        late = 1 + draw(self.rng, SPREAD)
        name = (channel, message.kind, self.count.of(message))
        if self.hints[name] > 0:
            self.numbers[name] = message.id
            self.awaited.add(message.id)
        else:
            self.arrivals.expect(message.id, self.now + late)


def hinted(event: Event) -> Hint:
    """What names the same thing in both runs: a step put off by process and word, a message of the algorithm by
    channel, kind and ordinal; nothing else."""
    action = event.action
    if event.hint and isinstance(action, Wake):
        return action.process, action.what
    return (action.channel, event.hint, event.ordinal) if event.hint and isinstance(action, Deliver) else ()


def with_starts(system: System, wanted: tuple[Event, ...], seed: int) -> tuple[Event, ...]:
    """The events, and, for an algorithm in which nobody is told to record, a start of every other process within a few
    events of the first start."""
    firsts = [i for i, event in enumerate(wanted) if isinstance(event.action, Start)]
    if not system.algorithm.ALONE or not firsts:
        return wanted
    rng = Random(f"{seed} starts")
    starting = {event.action.process for event in wanted if isinstance(event.action, Start)}
    late = [(firsts[0] + 1 + draw(rng, 2 * SPREAD), name) for name in system.topology.names if name not in starting]
    found: list[Event] = []
    for i, event in enumerate(wanted):
        found += [Event(Start(name)) for at, name in late if at == i]
        found.append(event)
    return (*found, *(Event(Start(name)) for at, name in late if at >= len(wanted)))
