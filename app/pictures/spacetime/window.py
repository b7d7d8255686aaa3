"""What a space-time diagram shows of a run, and where: the lines, the steps, and the messages between them."""

import math
from collections.abc import Sequence

from app.core.model.values import APP
from app.core.oracle.history import Recording
from app.pictures.layout.colours import current
from app.pictures.layout.paths import Point
from app.pictures.spacetime import recovery_line
from app.pictures.spacetime.flights import Flight, carriers, flights
from app.pictures.spacetime.options import Look
from app.run.run import Run
from app.wire.membership import absent

WIDTH = 960
HEAD, FOOT = 30, 30
WIDEST, NARROWEST = 112.0, 20.0
SLIM, CLOSE = 440.0, 18.0
"""The least width of a narrow diagram, and of a step in it."""
ROWS = 264
"""The height of all lines together, at most; a small diagram has it whatever the number of lines."""
HALL, LOW = 680.0, 180
"""The least width, and the height of all lines, of a diagram for a lecture hall: so its letters are large."""
SMALL = 560.0
"""The room of a small diagram."""
KEPT = 0.7
"""The position of now in a window that shows only a part of the run, as a fraction of its width."""
PLAIN, CROSSING, ORPHAN = "plain", "crossing", "orphan"


class Window:
    """The diagram of a run after some steps, in a language and with a look."""

    def __init__(self, run: Run, step: int, language: str, look: Look) -> None:
        self.run, self.step, self.language, self.look = run, step, language, look
        self.names = run.system.topology.names
        self.steps = len(run.steps)
        most = math.inf if look.small or look.tall else 88.0
        rows = LOW if look.hall else ROWS
        self.row = max(4.0, min(most, rows / len(self.names))) if len(self.names) < 40 or look.small else 8.0
        self.height = HEAD + FOOT + self.row * len(self.names)
        self.left = min(24 + max(map(len, self.names)) * 9, 112)
        self.width = self.wide()
        self.room = self.width - self.left - 16
        least = 0 if look.small else CLOSE if look.narrow or look.hall else NARROWEST
        self.unit = min(WIDEST, max(least, self.room / (self.steps + 1)))
        self.now = (step + 0.5) * self.unit
        most = max(0.0, (self.steps + 1) * self.unit - self.room)
        self.origin = max(0.0, min(most, self.now - self.room * KEPT))
        self.snapshot = (look.only or current(run, step)) if look.records else None
        self.all = flights(run)
        self.flights = {f.message.id: f for f in self.all}
        self.carriers = carriers(run)
        self.unsent = recovery_line.unsent(run, step)
        self.absent: dict[int, tuple[str, ...]] = {}

    def wide(self) -> float:
        """Return the width of the drawing."""
        around = self.left + 16
        if self.look.small:
            return around + SMALL
        if self.look.brief:
            return SLIM
        if self.look.narrow or self.look.hall:
            wanted = max(HALL if self.look.hall else SLIM, around + (self.steps + 1) * CLOSE)
            return wanted if self.look.whole else min(WIDTH, wanted)
        return max(WIDTH, around + (self.steps + 1) * NARROWEST) if self.look.whole else WIDTH

    def x(self, step: float) -> float:
        """Return where a step lies."""
        return step * self.unit - self.origin

    def y(self, row: float) -> float:
        """Return the height of a line."""
        return HEAD + (row + 0.5) * self.row

    def spot(self, step: float, name: str) -> Point:
        """Return where a process is at a step."""
        return Point(self.x(step), self.y(self.run.system.topology.process_order[name]))

    def inside(self, x: float) -> bool:
        """Is a place seen?"""
        return -1 <= x <= self.room + 1

    def shows(self, seen: Recording) -> bool:
        """Are the cut and the record points of a snapshot drawn?"""
        return self.look.records and self.look.only in (None, seen.id)

    def visible(self) -> list[Flight]:
        """Return the messages that are drawn."""
        first, last = self.origin / self.unit, min(self.step, (self.origin + self.room) / self.unit)
        known = [f for f in self.flights.values() if f.begins <= last and f.ends >= first]
        return [f for f in known if self.look.draws(f.message.kind)]

    def fate(self, flight: Flight, seen: Recording | None) -> str:
        """Return the fate of a message as far as this step decides it; see ``static/js/time/cut.js``."""
        if self.look.chosen is not None:
            return self.look.chosen.fates.get(self.carriers[flight.message.id], PLAIN)
        if flight.message.id in self.unsent:
            return ORPHAN
        if seen is None or flight.message.kind != APP or flight.lost <= self.step:
            return PLAIN
        source, target = self.names[flight.source], self.names[flight.target]
        out = self.out(seen)
        if target not in out and seen.recorded.get(target, math.inf) > self.step:
            return PLAIN
        border = self.border(seen, source, out)
        if flight.received < self.border(seen, target, out):
            return PLAIN if flight.first <= border else ORPHAN
        return CROSSING if flight.sent <= border else PLAIN

    def out(self, seen: Recording) -> tuple[str, ...]:
        """Return the processes that take no part in a snapshot, as far as is known at this step."""
        if seen.id not in self.absent:
            self.absent[seen.id] = absent(self.run, self.step, seen.id)
        return self.absent[seen.id]

    def border(self, seen: Recording, name: str, out: Sequence[str]) -> float:
        """Return the step that separates a process's past from its future; 0 or infinity if it takes no part."""
        if name in out:
            return math.inf if seen.absent.get(name, False) else 0
        return seen.recorded.get(name, math.inf)
