"""Deferred steps in virtual time, such as uploads and timeouts."""

from collections.abc import Callable, Mapping
from random import Random

from app.core.model.system import System
from app.core.model.values import Action, Todo, Wake, World
from app.schedules.delay import Delay


class Deferred:
    """When the steps are ``due`` that processes have put off: ``put_off`` is how long one takes, ``takes`` how long
    those do that begin with one word; is anything ``given``, or do all wait until nothing else is left to do?"""

    __slots__ = ("due", "given", "put_off", "rng", "system", "takes")

    def __init__(self, system: System, seed: int, put_off: Delay | None, takes: Mapping[str, Delay]) -> None:
        self.system = system
        self.rng = Random(f"{seed} put off")
        self.put_off = put_off
        self.takes = takes
        self.given = bool(put_off or takes)
        self.due: dict[tuple[str, Todo], int] = {}

    def next(self, world: World, now: int) -> Wake | None:
        """Return the oldest deferred step whose time has come."""
        for wake in world.wakes:
            if wake in self.due and self.due[wake] <= now:
                return Wake(*wake)
        return None

    def saw(
        self, action: Action, world: World, now: int, ticks: Callable[[Delay, Random], int]
    ) -> list[tuple[str, Todo]]:
        """Draw how long the steps take that were deferred just now, and return them. ``ticks`` draws from a source of
        chance."""
        known, fresh = self.due, []
        if isinstance(action, Wake):
            known.pop((action.process, action.what), None)  # it may have deferred the same again
        self.due = {}
        for wake in world.wakes:
            spec = self.takes.get(wake[1].word, self.put_off)
            if spec is None or self.system.timer(wake[1]):
                continue
            if wake not in known:
                known[wake] = now + max(1, ticks(spec, self.rng))
                fresh.append(wake)
            self.due[wake] = known[wake]
        return fresh
