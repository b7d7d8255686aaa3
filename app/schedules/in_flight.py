"""What is in flight: messages and the contents of the control lanes, oldest first, without looking at every channel."""

from collections import OrderedDict
from collections.abc import Container, Iterable, Mapping

from app.core.kernel.enabled import hindrance, lane_obstacle, moves, obstacle, restorable, together
from app.core.model.notes import Changed, Crashed, Doubled, Lost, Note, Received, Restored, Returned, Sent
from app.core.model.system import System
from app.core.model.values import (
    APP,
    LANES,
    WORD,
    Action,
    Collect,
    Deliver,
    Message,
    Move,
    Restart,
    Restore,
    Wake,
    World,
)


class Flight:
    """The channel of every message and of everything in the lanes, by id, oldest first. ``controls`` are those of the
    messages that belong to the algorithm, ``words`` counts what processes tell each other."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.messages: OrderedDict[int, str] = OrderedDict()
        self.controls: OrderedDict[int, str] = OrderedDict()
        self.lanes: OrderedDict[int, tuple[str, bool]] = OrderedDict()
        self.words = 0

    def saw(self, notes: Iterable[Note]) -> None:
        """Follow one step."""
        for note in notes:
            if type(note) is Changed:  # every second note; to fall through all cases takes longer
                continue
            match note:
                case Sent():
                    self._put(note.channel, note.message)
                case Received() | Lost():
                    self._take(note.message)
                case Doubled():
                    self._put(note.channel, note.copy)
                case Crashed():
                    self._crashed(note.process)
                case Restored():
                    self._restored(note)
                case Returned():
                    for _, message in note.retracted:
                        self._take(message)

    def _restored(self, note: Restored) -> None:
        """Keep only the messages that were recorded in flight."""
        for kept in (self.messages, self.controls, self.lanes):
            kept.clear()
        self.words = 0
        for channel, messages in note.queues:
            for message in messages:
                self._put(channel, message)

    def _put(self, channel: str, message: Message) -> None:
        if message.kind in LANES:
            self.lanes[message.id] = (channel, message.kind == WORD)
            self.words += message.kind == WORD
        else:
            self.messages[message.id] = channel
            if control(message):
                self.controls[message.id] = channel

    def _take(self, message: Message) -> None:
        if message.kind in LANES:
            del self.lanes[message.id]
            self.words -= message.kind == WORD
        else:
            del self.messages[message.id]
            self.controls.pop(message.id, None)

    def _crashed(self, process: str) -> None:
        """Remove what is in the lanes that lead to a crashed process. What is in the queues is lost, one by one."""
        channels = self.system.topology.channels
        for number, (channel, word) in list(self.lanes.items()):
            if channels[channel].target == process:
                del self.lanes[number]
                self.words -= word

    def message(self, world: World) -> Deliver | None:
        """Return the arrival of the oldest message that can be delivered."""
        return self._oldest(world, self.messages)

    def control(self, world: World, but: Container[int] = ()) -> Deliver | None:
        """Return the arrival of the oldest message of the algorithm that can be delivered, none of those in ``but``."""
        return self._oldest(world, self.controls, but)

    def _oldest(self, world: World, among: Mapping[int, str], but: Container[int] = ()) -> Deliver | None:
        for number, channel in among.items():
            if number in but:
                continue
            at = position(world, channel, number)
            if obstacle(self.system, world, channel, at) is None:
                return Deliver(channel, at)
        return None

    def part(self, world: World) -> Collect | None:
        """Return the arrival of what was put into a lane first."""
        for channel, _ in self.lanes.values():
            if lane_obstacle(self.system, world, channel) is None:
                return Collect(channel)
        return None

    def back(self, world: World) -> Restore | Restart | None:
        """Return the action that brings back a process that is down, in a system that recovers: from what was saved
        last."""
        if not world.down:
            return None
        if together(self.system, world):
            return Restore(restorable(world)[-1])
        return Restart(world.down[0])

    def quiet(
        self, world: World, *, controls: bool = False, but: Container[int] = ()
    ) -> Deliver | Collect | Wake | None:
        """Return what comes next when nothing new begins: messages (with ``controls``, only the algorithm's, and none
        of those in ``but``), what processes tell each other, deferred steps, and finally the recorded parts."""
        told = self.part(world) if self.words else None
        put_off = next((Wake(*due) for due in world.wakes if not self.system.timer(due[1])), None)
        message = self.control(world, but) if controls else self.message(world)
        return message or told or put_off or self.part(world)

    def rest(self, world: World) -> Action | None:
        """Return what comes next without further input: what is in flight arrives, processes that are down come back,
        sources are read, and finally the timers expire."""
        return self.quiet(world) or self.back(world) or reading(self.system, world) or self._timer(world)

    def _timer(self, world: World) -> Wake | None:
        return next((Wake(*due) for due in world.wakes), None)


def reading(system: System, world: World) -> Move | None:
    """Return what an eager program still has to do by itself: pass on what it has, and read what its sources have. No
    script asks for it, so it happens in the end."""
    if system.eager is None:
        return None
    offered = (move for name in system.topology.names for move in moves(system, world, name))
    return next((move for move in offered if hindrance(system, world, move) is None), None)


def position(world: World, channel: str, number: int) -> int:
    """Return the position of the message with this id in the queue of ``channel``."""
    queue = world.queues[channel]
    return 0 if queue[0].id == number else [message.id for message in queue].index(number)


def control(message: Message) -> bool:
    """Does the message belong to the algorithm, not to the program? A message that the algorithm resends does, too."""
    return message.kind != APP or message.origin is not None
