"""Where vector clocks stand beside the events of a space-time diagram."""

import math
from collections.abc import Iterable

from app.view.picture.letters import measure
from app.view.picture.look import Dot
from app.view.picture.marks import Text
from app.view.picture.paths import Point

LINES = 2
"""So many lines of clocks stand below the line of a process, at most."""
SIZE, BELOW, APART = 11, 14, 12


def clocks(dots: Iterable[tuple[Dot, Point]], radius: float) -> list[Text | None]:
    """The clock below each event, in the order given, where no other one stands; None where there is no room, or
    nothing to say."""
    ends: dict[tuple[str, int], float] = {}
    found: list[Text | None] = []
    for dot, place in dots:
        half = measure(dot.clock, SIZE) / 2 + 2
        lines = (line for line in range(LINES) if ends.get((dot.process, line), -math.inf) < place.x - half)
        line = next(lines, None) if dot.clock else None
        if line is None:
            found.append(None)
            continue
        ends[dot.process, line] = place.x + half
        found.append(Text(place.x, place.y + radius + BELOW + APART * line, SIZE, dot.clock, "middle", 600))
    return found
