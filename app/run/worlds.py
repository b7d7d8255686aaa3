"""The worlds of a run: one before it, and one after each step.

A run that is read at once keeps them all. A run that waits in a cache keeps few; the kernel makes the others anew.
"""

from bisect import bisect_right
from typing import Self

from app.core.kernel.step import step
from app.core.model.system import System
from app.core.model.values import Action, World

STRETCH, MOST = 36_000, 640
"""A thinned run keeps a world where so much work, or so many steps, have passed since the last one that it keeps: what
makes the worlds between them expensive makes them many in memory, too."""


class Worlds:
    """The worlds of a run by their number of steps."""

    def __init__(self, system: System, first: World) -> None:
        self._system = system
        self._actions: list[Action] = []
        self._kept = [first]
        self._marks = [0]
        """After how many steps a thinned run keeps its worlds."""
        self._due = STRETCH
        """The work of the run at which the next is marked."""
        self._thinned = False
        self._stretch: tuple[int, tuple[World, ...]] = -1, ()
        """The stretch that was made last, and its place: whoever asks for a world asks for the next."""

    def add(self, action: Action, world: World, work: int) -> None:
        """Add one more step: what was done, the world after it, and the work of the run by then."""
        self._actions.append(action)
        self._kept.append(world)
        if work >= self._due or len(self._actions) == self._marks[-1] + MOST:
            self._marks.append(len(self._actions))
            self._due = work + STRETCH

    def __getitem__(self, number: int) -> World:
        """Return the world after ``number`` steps, at least 0. Raises IndexError past the end."""
        if not self._thinned:
            return self._kept[number]
        if number > len(self._actions):
            raise IndexError(number)
        place = bisect_right(self._marks, number) - 1
        after = number - self._marks[place]
        if not after:
            return self._kept[place]
        at, made = self._stretch
        if at != place:
            _, made = self._stretch = place, tuple(self._made(place))
        return made[after]

    def rest(self) -> None:
        """Forget the stretch that was made last."""
        self._stretch = -1, ()

    def _made(self, place: int) -> list[World]:
        begin, *later = self._marks[place : place + 2]
        end = later[0] - 1 if later else None
        made = [self._kept[place]]
        for action in self._actions[begin:end]:
            world, _ = step(self._system, made[-1], action)
            made.append(world)
        return made

    def thinned(self) -> Self:
        """Return the same worlds, of which only those at the marks are kept. They must all have been."""
        assert not self._thinned
        thin = type(self)(self._system, self._kept[0])
        thin._actions, thin._marks, thin._thinned = self._actions, self._marks, True
        thin._kept = [self._kept[mark] for mark in self._marks]
        return thin
