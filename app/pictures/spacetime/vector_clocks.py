"""Where vector clocks stand beside the events of a space-time diagram."""

import math
from collections.abc import Iterable

from app.pictures.layout.colours import Text
from app.pictures.layout.paths import Point
from app.pictures.layout.text_width import measure
from app.pictures.spacetime.options import FINE, Chosen, Dot

LINES = 2
"""The most lines of clocks below the line of a process."""
BELOW, APART = 15, 14


def clocks(dots: Iterable[tuple[Dot, Point]], radius: float) -> list[Text | None]:
    """Return the clock below each event, in the order given, unless another one is there; None if there is no room, or
    nothing to say."""
    ends: dict[tuple[str, int], float] = {}
    found: list[Text | None] = []
    for dot, place in dots:
        half = measure(dot.clock, FINE) / 2 + 2
        lines = (line for line in range(LINES) if ends.get((dot.process, line), -math.inf) < place.x - half)
        line = next(lines, None) if dot.clock else None
        if line is None:
            found.append(None)
            continue
        ends[dot.process, line] = place.x + half
        found.append(Text(place.x, place.y + radius + BELOW + APART * line, FINE, dot.clock, "middle", 600))
    return found


def boxes(texts: Iterable[Text | None], chosen: Chosen | None) -> list[tuple[float, float, float, float]]:
    """Return the boxes of permanent clocks, which other texts avoid; clocks that come and go with a dragged cut have
    none."""
    if chosen is None or not chosen.clocks or chosen.held:
        return []
    halves = [(text, measure(text.said, text.size) / 2) for text in texts if text is not None]
    return [(text.x - half, text.y - text.size, text.x + half, text.y + 3) for text, half in halves]
