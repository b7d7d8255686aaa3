"""The schedule that a script dictates."""

from collections.abc import Iterable

from app.core.model.notes import Note
from app.core.model.system import System
from app.core.model.values import Action, World
from app.schedules.in_flight import Flight
from app.schedules.protocol import Entry, due, possible


class Script:
    """Does what the script says, line by line, then lets everything in flight arrive.

    With ``strict`` a line that cannot happen ends the run with an error; otherwise it is skipped, so that a run
    continues after a person has interfered.
    """

    def __init__(self, system: System, entries: tuple[Entry, ...], *, strict: bool) -> None:
        self.system = system
        self.entries = entries
        self.strict = strict
        self.flight = Flight(system)
        self.at = 0
        self.entry: int | None = None

    def next(self, world: World) -> Action | None:
        """Return the next line that can happen."""
        while self.at < len(self.entries):
            self.entry, action = self.at, self.entries[self.at].action
            self.at += 1
            if self.strict or possible(self.system, world, action):
                return due(world, action)
        self.entry = None
        return self.flight.rest(world)

    def saw(self, action: Action, world: World, notes: Iterable[Note]) -> None:
        """Keep track of what is in flight."""
        self.flight.saw(notes)
