"""Places for words: the names of messages beside their arrows, so that none covers another, and the word at a cut."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from app.pictures.layout.colours import Text
from app.pictures.layout.paths import Point
from app.pictures.layout.text_width import measure
from app.pictures.spacetime.options import FINE

Box = tuple[float, float, float, float]


GAP = 6
"""Between words on one line, in px."""
SPACED = 1.15
"""How much wider than its letters a word may be that is bold, or spaced."""
LINE = 9
"""Nearer to the line of a process, a name lies on it."""
MOST = 80
"""With more arrows than this a name stands wherever there is room."""


@dataclass
class Labels:
    """The boxes that are taken, in a picture ``room`` wide whose lines are ``row`` apart, the first at ``top``; and the
    ``arrows`` on which a name would rather not stand: it would seem to be theirs. ``clear`` is how far from a line a
    name is clear of what is hatched there."""

    room: float
    row: float
    top: float
    clear: float = LINE
    boxes: list[Box] = field(default_factory=list)
    arrows: list[tuple[Point, Point]] = field(default_factory=list)

    def place(self, said: str, start: Point, end: Point) -> Point | None:
        """Return and take the middle of a free place beside an arrow; None if there is none."""
        dx, dy = end.x - start.x, end.y - start.y
        length = math.hypot(dx, dy) or 1
        nx, ny = dy / length, -dx / length
        if ny > 0:
            nx, ny = -nx, -ny
        w = measure(said, 14) + 4
        away = 9 + abs(nx) * w / 2
        spots = [
            Point(start.x + dx * part + nx * away * side, start.y + dy * part + ny * away * side)
            for part in (0.4, 0.6, 0.25, 0.75, 0.5)
            for side in (1, -1)
        ]
        # Prefer a place that the left edge does not cut, then one that no line of a process, and no arrow, crosses.
        near = self._near(min(start.x, end.x) - w - away, max(start.x, end.x) + w + away)
        boxes = {spot: (spot.x - w / 2, spot.y - 8, spot.x + w / 2, spot.y + 8) for spot in spots}
        crossed = {spot: sum(_crosses(boxes[spot], *one) for one in near) for spot in spots}
        beside = {spot: self._beside_line(spot.y) for spot in spots}
        for spot in sorted(
            spots, key=lambda one: (one.x < w / 2, beside[one] < LINE, beside[one] < self.clear, crossed[one])
        ):
            box = boxes[spot]
            if 0 < spot.x < self.room and not any(_overlap(box, other) for other in self.boxes):
                self.boxes.append(box)
                return spot
        return None

    def _near(self, left: float, right: float) -> list[tuple[Point, Point]]:
        """Return the arrows between two places; none where they are too many to be told apart anyway."""
        if len(self.arrows) > MOST:
            return []
        return [(a, b) for a, b in self.arrows if min(a.x, b.x) < right and max(a.x, b.x) > left]

    def _beside_line(self, y: float) -> float:
        """Return the distance of the nearest line of a process from a height."""
        return abs(y - self.top - self.row * round((y - self.top) / self.row))


def _crosses(box: Box, a: Point, b: Point) -> bool:
    """Does a line cross a box? Its part within each pair of sides, by Liang and Barsky (1984)."""
    begin, end = 0.0, 1.0
    left, top, right, bottom = box
    for step, room in (
        (a.x - b.x, a.x - left),
        (b.x - a.x, right - a.x),
        (a.y - b.y, a.y - top),
        (b.y - a.y, bottom - a.y),
    ):
        if step == 0:
            if room < 0:
                return False
        elif step < 0:
            begin = max(begin, room / step)
        else:
            end = min(end, room / step)
    return begin <= end


def _overlap(one: Box, other: Box) -> bool:
    """Do two boxes share a point?"""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def top(said: str, x: float, y: float) -> Text:
    """Return a word at the top of a cut that is of no use: before it, or after it if there is no room."""
    left = x > measure(said, 11) + 12
    return Text(x - 9 if left else x + 9, y, FINE, said, "end" if left else "start", 700, "mute")


def apart(text: Text, others: Iterable[Text]) -> bool:
    """Does a text keep clear of others on the same line?"""
    left, right = _ends(text)
    return all(right + GAP < begin or end + GAP < left for begin, end in map(_ends, others))


def _ends(text: Text) -> tuple[float, float]:
    """Return where a text begins and where it ends."""
    width = measure(text.said, text.size) * SPACED
    left = text.x - {"start": 0.0, "middle": width / 2, "end": width}[text.anchor]
    return left, left + width
