"""What is on its way: messages and what is in the control lanes, the oldest first, without looking at every channel."""

from collections import OrderedDict
from collections.abc import Callable, Iterable

from app.core.enabled import obstacle
from app.core.model import APP, LANES, WORD, Collect, Deliver, Message, Wake, World
from app.core.notes import Doubled, Lost, Note, Received, Sent
from app.core.system import System


class Flight:
    """The channel of every message and of everything in the lanes, by the id, which grows with the time of sending."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.messages: OrderedDict[int, str] = OrderedDict()
        self.lanes: OrderedDict[int, str] = OrderedDict()
        self.words = 0

    def saw(self, notes: Iterable[Note]) -> None:
        """One step was made."""
        for note in notes:
            if isinstance(note, Sent | Received):
                kind = self.lanes if note.message.kind in LANES else self.messages
                word = note.message.kind == WORD
                if isinstance(note, Sent):
                    kind[note.message.id] = note.channel
                    self.words += word
                else:
                    del kind[note.message.id]
                    self.words -= word
            elif isinstance(note, Lost):
                del self.messages[note.message.id]
            elif isinstance(note, Doubled):
                self.messages[note.copy.id] = note.channel

    def message(self, world: World, wanted: Callable[[Message], bool] | None = None) -> Deliver | None:
        """The arrival of the oldest message that can be delivered, of those that are ``wanted``."""
        for number, channel in self.messages.items():
            queue = world.queues[channel]
            position = 0 if queue[0].id == number else [m.id for m in queue].index(number)
            if wanted is not None and not wanted(queue[position]):
                continue
            if obstacle(self.system, world, channel, position) is None:
                return Deliver(channel, position)
        return None

    def part(self, world: World) -> Collect | None:
        """The arrival of what was put into a lane first."""
        for channel in self.lanes.values():
            if channel in world.lanes and channel not in world.cut:
                return Collect(channel)
        return None

    def quiet(self, world: World, wanted: Callable[[Message], bool] | None = None) -> Deliver | Collect | Wake | None:
        """What comes next when nobody begins anything new: messages, what processes tell each other, steps put off, and
        at last the recorded parts."""
        told = self.part(world) if self.words else None
        put_off = Wake(*world.wakes[0]) if world.wakes else None
        return self.message(world, wanted) or told or put_off or self.part(world)


def control(message: Message) -> bool:
    """Does the message belong to the algorithm, not to the program? So does a message that it sends again."""
    return message.kind != APP or message.origin is not None
