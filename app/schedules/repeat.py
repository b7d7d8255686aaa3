"""The schedule that repeats what the programs did in another run, under another algorithm."""

import heapq
from bisect import insort
from collections import Counter
from collections.abc import Iterable
from random import Random

from msgspec.structs import replace

from app.core.kernel.enabled import faults, hindrance, moves, obstacle, restorable, settled, together
from app.core.model.notes import Deferred, Doubled, Lost, Note, Received, Sent, only, readers
from app.core.model.system import System
from app.core.model.values import (
    APP,
    LANES,
    Abandon,
    Action,
    Crash,
    Deed,
    Deliver,
    Forget,
    Join,
    Message,
    Move,
    OnMessage,
    Overtake,
    Refused,
    Restart,
    Restore,
    Todo,
    Wake,
    World,
)
from app.schedules.in_flight import Flight, control, position
from app.schedules.program_events import SPREAD, Count, Event, Hint, Thing, happened, hinted, onward
from app.schedules.protocol import draw


class Arrivals:
    """When the algorithm's messages are to arrive, counted in events of the programs."""

    def __init__(self, system: System, flight: Flight) -> None:
        self.system = system
        self.flight = flight
        self.later: list[tuple[int, int]] = []
        self.ripe: list[int] = []
        self.behind: dict[str, list[int]] = {}

    def expect(self, number: int, time: int) -> None:
        """Note that the message with this id is due after ``time`` events."""
        heapq.heappush(self.later, (time, number))

    def moved_up(self, channel: str) -> None:
        """Note that a message has left ``channel``: one behind it may have become its head."""
        for number in self.behind.pop(channel, ()):
            insort(self.ripe, number)

    def next(self, world: World, now: int) -> Deliver | None:
        """Return the arrival of the oldest message that is due and can be delivered."""
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
    """Repeats the same moves, starts, arrivals and faults in the same order. A control message that has a counterpart
    in the other run, of the same kind and the same ordinal on the channel, arrives between the same events if it can,
    and a deferred step is taken there. Other control messages arrive when an event needs it, and otherwise after a few
    events, drawn from the seed; a process that no marker reaches starts by itself.

    An event that the algorithm delays is done as soon as it can be, and so are other events of the same processes
    that are impossible without it; the others continue. One that cannot happen at all is skipped, and ``missed`` counts
    it: then the algorithm has disturbed the programs.
    """

    entry: int | None = None

    def __init__(self, system: System, wanted: tuple[Event, ...], seed: int) -> None:
        self.system = system
        self.wanted = wanted
        self.rng = Random(f"{seed} control")
        self.flight = Flight(system)
        self.count = Count()
        self.arrivals = Arrivals(system, self.flight)
        self.wakes: dict[tuple[str, Todo], int] = {}
        self.times: dict[tuple[str, Todo], int] = {}
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
        """Return what is due of the algorithm's, else the next event, else whatever makes that possible."""
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
            after = self._held(_mover(event.action))
            if not after and (action := self._possible(world, event)):
                if not _one_of_many(world, event.action, action):
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
        """Move on to the next event."""
        self.at += 1
        self.now += 1

    def _hinted(self, world: World, event: Event) -> Action | None:
        """Return what the algorithm of the other run did here, where this one can do the same. A message that cannot
        arrive now is due from now on."""
        name = hinted(event)
        self.hints[name] -= 1
        match event.action:
            case Wake(process=process, what=what) as action:
                return action if (process, what) in world.wakes and not self.system.timer(what) else None
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
        """Return the move of an operator that had to wait, as soon as there is room."""
        for name in self.system.topology.names:
            for move in moves(self.system, world, name):
                if onward(move, world) and hindrance(self.system, world, move) is None:
                    return move
        return None

    def _again(self, world: World) -> Action | None:
        """Return what repeats what a recovery has undone, before anything new: sources read up to where they had been,
        and items arrive that had arrived."""
        for name, offset in self.read.items():
            move = Move(name, None, None, Deed.READ)
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
        """Skip an event that cannot happen. It is missed, unless it was only repeated after a recovery, or happens
        later, after a recovery of this run."""
        if event.again or isinstance(event.action, Restore | Restart | Abandon | Forget):
            return
        thing = happened(event)
        if thing is None:
            self.missed += 1
        else:
            self.doubts.append(thing)

    def _freed(self, world: World) -> Action | None:
        """Return the first of the delayed events that is possible now; a process makes its moves in their order."""
        waiting: list[str] = []
        for i, event in enumerate(self.held):
            if name := _mover(event.action):
                if name in waiting:
                    continue
                waiting.append(name)
            if action := self._possible(world, event):
                del self.held[i]
                return action
        return None

    def _held(self, *names: str | None) -> bool:
        """Is an event of one of the processes delayed?"""
        return any(name in names for event in self.held for name in self._ends(event))

    def _ends(self, event: Event) -> tuple[str, ...]:
        match event.action:
            case OnMessage(channel=name):
                channel = self.system.topology.channels[name]
                return channel.source, channel.target
            case Move(process=process) | Join(process=process):
                return (process,)
        return ()

    def _hindered(self, world: World, event: Event) -> bool:
        """Does the algorithm make the event impossible now, by itself or by another event that it delays?"""
        match action := event.action:
            case Move() if world.member(action.process) and hindrance(self.system, world, action):
                return True
            case Join() if settled(self.system, world):
                return True
            case Deliver() if (position := self._position(world, event)) is not None:
                if obstacle(self.system, world, action.channel, position) == "blocked":
                    return True
        return self._held(*self._ends(event))

    def _quiet(self, world: World, *, hinted: bool) -> Action | None:
        """Return what comes next of the algorithm's; no timer, because other events can still come first. Without
        ``hinted``, whatever has its place among later events is left for there."""
        action = self.flight.quiet(world, controls=True, but=() if hinted else self.awaited)
        if not isinstance(action, Wake):
            return action
        free = (waiting for waiting in world.wakes if hinted or not self.hints[waiting])
        return next((Wake(*waiting) for waiting in free if self._first(waiting)), None)

    def _first(self, waiting: tuple[str, Todo]) -> bool:
        """Is a deferred step neither a timer nor deferred once more?"""
        return not self.times.get(waiting) and not self.system.timer(waiting[1])

    def _due(self, world: World) -> Action | None:
        if action := self._wake(world) or self.arrivals.next(world, self.now):
            return action
        if self.system.algorithm.RECOVERY.timers and (timer := self._timer(world)):
            return timer
        return self.flight.part(world) if self.flight.words and draw(self.rng, 2) else None

    def _timer(self, world: World) -> Wake | None:
        """Return the oldest timer of a channel on which nothing is in flight and no answer can come any more."""
        if any(not self.system.timer(what) for _, what in world.wakes):
            return None
        for name, what in world.wakes:
            target = self.system.topology.channels[what.name].target
            if (
                self.wakes.get((name, what), 0) <= self.now
                and what.name not in world.queues
                and target not in world.down
            ):
                return Wake(name, what)
        return None

    def _wake(self, world: World) -> Wake | None:
        """Return the oldest deferred step that is due. ``look`` is when it is worthwhile to look again."""
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
        match action:
            case Restore() | Restart():
                return self._back(world, action)
            case Abandon() | Forget() | Crash() if action not in tuple(faults(system, world)):
                return None
            case OnMessage():
                return self._reached(world, action, self._position(world, event))
            case Move():
                if not world.member(action.process) or hindrance(system, world, action):
                    return None
                process = system.process(world, action.process)
                if action.channel is not None and action.channel not in process.outputs:
                    return None
                try:
                    system.program.act(process, world.states[action.process], action)
                except Refused:
                    return None
            case Join() if settled(system, world):
                return None
        return action

    def _reached(self, world: World, action: OnMessage, position: int | None) -> Action | None:
        if position is None:
            return None
        here, reason = replace(action, position=position), obstacle(self.system, world, action.channel, position)
        match action:
            case Overtake():
                return Deliver(action.channel, position) if reason is None else here if reason == "behind" else None
            case Deliver() if reason is not None:
                return None
        return here

    def _back(self, world: World, action: Restore | Restart) -> Action | None:
        """Return the action that brings back a process that is down, in the way of this algorithm: to the latest
        snapshot, or to the same one, if it exists."""
        everybody = together(self.system, world)
        match action:
            case Restore() if everybody and action.snapshot in restorable(world):
                return action
            case Restart() if not everybody:
                return action if action.process in world.down else None
        return self.flight.back(world)

    def _position(self, world: World, event: Event) -> int | None:
        match event.action:
            case OnMessage(channel=channel):
                for place, message in enumerate(world.queues.get(channel, ())):
                    if (message.kind == APP) == event.ours and self.count.of(message) == event.ordinal:
                        return place
        return None

    def _way(self, world: World, event: Event) -> Action | None:
        """Return the arrival of a control message that stands in front of the event's."""
        match event.action:
            case Deliver(channel=channel) | Overtake(channel=channel):
                before = world.queues.get(channel, ())[: self._position(world, event) or 0]
                for place, message in enumerate(before):
                    if control(message) and obstacle(self.system, world, channel, place) is None:
                        return Deliver(channel, place)
        return None

    def saw(self, action: Action, world: World, notes: Iterable[Note]) -> None:
        """Draw when the next messages and steps of the algorithm are due."""
        notes = tuple(notes)
        self.flight.saw(notes)
        self.count.saw(notes)
        for name, times in Counter(readers(action, notes)).items():
            offset = world.states[name].offset
            self.happened.update((name, offset - back) for back in range(1, times + 1))
            self.read[name] = max(self.read.get(name, 0), offset)
        came = (note for note in only(Received, notes) if note.message.kind == APP)
        self.arrived.update((note.channel, self.count.of(note.message)) for note in came)
        for note in notes:
            match note:
                case Sent() if note.message.kind not in LANES and control(note.message):
                    self._expect(note.channel, note.message)
                case Doubled() if control(note.copy):
                    self.arrivals.expect(note.copy.id, self.now)
                case Received() | Lost():
                    self.arrivals.moved_up(note.channel)
                    self.happened.add((note.channel, self.count.of(note.message)))
                case Deferred():
                    self.look = 0
                    times = self.times[note.process, note.what] = self.times.get((note.process, note.what), -1) + 1
                    late = 1 + draw(self.rng, SPREAD) + times * SPREAD
                    if self.hints[note.process, note.what] and not self.system.timer(note.what):
                        late += len(self.wanted)
                    self.wakes[note.process, note.what] = self.now + late

    def _expect(self, channel: str, message: Message) -> None:
        """Place a message of the algorithm that was sent: at its place among the events, or due after a few."""
        late = 1 + draw(self.rng, SPREAD)
        name = (channel, message.kind, self.count.of(message))
        if self.hints[name] > 0:
            self.numbers[name] = message.id
            self.awaited.add(message.id)
        else:
            self.arrivals.expect(message.id, self.now + late)


def _mover(action: Action) -> str | None:
    """Return the process whose program moves; None where the action is no move."""
    return action.process if isinstance(action, Move) else None


def _one_of_many(world: World, wanted: Action, action: Action) -> bool:
    """Does the action restart only one of those that came back at once in the other run?"""
    return isinstance(wanted, Restore) and isinstance(action, Restart) and len(world.down) > 1
