"""The worlds of a run: one before it, and one after each step.

A run that is read at once keeps them all. A run that waits in a cache keeps few; the kernel makes the others anew.
"""

from collections.abc import Sequence
from typing import Self

from app.core.kernel.step import step
from app.core.model.system import System
from app.core.model.values import Action, World

EVERY = 256
"""A thinned run keeps one world in so many."""


class Worlds:
    """The worlds of a run by their number of steps. ``worlds`` are those after 0, ``every``, 2 × ``every`` … of the
    ``actions``."""

    def __init__(self, system: System, actions: Sequence[Action], worlds: Sequence[World], every: int = 1) -> None:
        self._system = system
        self._actions = actions
        self._kept = worlds
        self._every = every
        self._stretch: tuple[int, tuple[World, ...]] = -1, ()
        """The stretch that was made last, and the number of its first world: whoever asks for one asks for the next."""

    def __getitem__(self, number: int) -> World:
        """Return the world after ``number`` steps, at least 0. Raises IndexError past the end."""
        place, after = divmod(number, self._every)
        if not after:
            return self._kept[place]
        first, made = self._stretch
        if first != number - after:
            first, made = self._stretch = number - after, tuple(self._made(place))
        return made[after]

    def _made(self, place: int) -> list[World]:
        made = [self._kept[place]]
        for action in self._actions[place * self._every : (place + 1) * self._every - 1]:
            world, _ = step(self._system, made[-1], action)
            made.append(world)
        return made

    def thinned(self) -> Self:
        """Return the same worlds, of which only one in ``EVERY`` is kept. They must all have been."""
        assert self._every == 1
        return type(self)(self._system, self._actions, self._kept[::EVERY], EVERY)
