"""What is on its way: messages and recorded parts, the oldest first, without looking at every channel."""

from collections import OrderedDict
from collections.abc import Iterable

from app.core.kernel import System, obstacle
from app.core.model import PART, Collect, Deliver, World
from app.core.notes import Note, Received, Sent


class Flight:
    """The channel of every message and of every part on its way, by the id, which grows with the time of sending."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.messages: OrderedDict[int, str] = OrderedDict()
        self.parts: OrderedDict[int, str] = OrderedDict()

    def saw(self, notes: Iterable[Note]) -> None:
        """One step was made."""
        for note in notes:
            if isinstance(note, Sent | Received):
                kind = self.parts if note.message.kind == PART else self.messages
                if isinstance(note, Sent):
                    kind[note.message.id] = note.channel
                else:
                    del kind[note.message.id]

    def message(self, world: World) -> Deliver | None:
        """The arrival of the oldest message that can be delivered."""
        for number, channel in self.messages.items():
            queue = world.queues[channel]
            position = 0 if queue[0].id == number else [m.id for m in queue].index(number)
            if obstacle(self.system, world, channel, position) is None:
                return Deliver(channel, position)
        return None

    def part(self) -> Collect | None:
        """The arrival of the part that was sent first."""
        return Collect(next(iter(self.parts.values()))) if self.parts else None
