"""The lanes in virtual time: what travels beside the channels, such as recorded parts on their way to a collector."""

import heapq
from random import Random

from app.core.model.system import System
from app.core.model.values import Collect, Message, World
from app.schedules.protocol import draw


class Lanes:
    """What is on its way in the lanes, as a heap ``due`` of time, id and channel. ``held`` is what has to wait because
    the channel is partitioned, or its target down."""

    def __init__(self, system: System, seed: int) -> None:
        self.system = system
        self.rng = Random(f"{seed} parts")
        self.due: list[tuple[int, int, str]] = []
        self.held: list[tuple[int, int, str]] = []

    def send(self, message: Message, channel: str, now: int) -> None:
        """Draw when a part arrives."""
        heapq.heappush(self.due, (now + 1 + draw(self.rng, 3), message.id, channel))

    def next(self, world: World, now: int) -> Collect | None:
        """Return the next arrival that is due at the time ``now``."""
        while self.due and self.due[0][0] <= now:
            one = heapq.heappop(self.due)
            if one[2] in world.partitioned or self.system.topology.channels[one[2]].target in world.down:
                self.held.append(one)
            elif one[2] in world.lanes:
                return Collect(one[2])
        return None

    def open(self) -> None:
        """Look again at what was held."""
        for one in self.held:
            heapq.heappush(self.due, one)
        self.held.clear()

    def clear(self) -> None:
        """Forget everything on its way."""
        self.due.clear()
        self.held.clear()
