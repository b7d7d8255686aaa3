"""Which boxes of a plan are taken, and by which channel. Most of the time of a large plan is spent here."""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeAlias

from app.pictures.layout.plan import Box

AIR = 1.5
"""Around each box."""
TOUCH = 5e-7
"""So far boxes may be one inside the other: those that touch are not in the way, however their places are rounded."""
CELL = 40
THROUGH = -2
"""The owner of what may cross."""
SOME = 16
"""How many neighbouring spots are tried together: they are near the same boxes."""

Spot: TypeAlias = tuple[float, float]
_Edges: TypeAlias = tuple[float, float, float, float]
"""The left, right, upper and lower edge of a box."""


class Taken:
    """The boxes that are taken, each with its owner, found by the cells of a map."""

    def __init__(self, boxes: Sequence[Box]) -> None:
        self._boxes: list[tuple[_Edges, int]] = []
        self._cells: dict[tuple[int, int], list[int]] = {}
        for box in boxes:
            self._take(box.x, box.y, box.w / 2, box.h / 2, -1)

    def take(self, spot: Spot, w: float, h: float, owner: int = -1) -> None:
        """Take a box by its middle."""
        self._take(*spot, w / 2 + AIR, h / 2 + AIR, owner)

    def _take(self, x: float, y: float, w: float, h: float, owner: int) -> None:
        edges = (x - w, x + w, y - h, y + h)
        for cell in _cells(*edges):
            self._cells.setdefault(cell, []).append(len(self._boxes))
        self._boxes.append((edges, owner))

    def free(self, spots: Iterable[Spot], w: float, h: float, owner: int = THROUGH) -> Iterator[bool]:
        """Yield for the middle of each box of a size whether there is nothing but the channel's own messages."""
        coming = iter(spots)
        while some := list(islice(coming, SOME)):
            near = self._near(some, w / 2 + AIR, h / 2 + AIR, owner)
            for x, y in some:
                for i, (left, right, top, low) in enumerate(near):
                    if left < x < right and top < y < low:
                        near.insert(0, near.pop(i))  # it is likely in the way of the next one, too
                        yield False
                        break
                else:
                    yield True

    def _near(self, spots: Sequence[Spot], w: float, h: float, owner: int) -> list[_Edges]:
        """Return where the middle of a box is in the way of the boxes of others that are near one of the spots. ``w``
        and ``h`` are half its size."""
        across, down = zip(*spots, strict=True)
        left, right, top, low = min(across) - w, max(across) + w, min(down) - h, max(down) + h
        found = set[int]().union(*[self._cells.get(cell, ()) for cell in _cells(left, right, top, low)])
        w, h = w - TOUCH, h - TOUCH
        return [
            (begin - w, end + w, over - h, under + h)
            for (begin, end, over, under), whose in map(self._boxes.__getitem__, found)
            if begin < right and end > left and over < low and under > top and whose != owner
        ]


def _cells(left: float, right: float, top: float, low: float) -> list[tuple[int, int]]:
    """Return the cells of a map that a box touches."""
    rows = range(math.floor(top / CELL), math.floor(low / CELL) + 1)
    return [(across, down) for across in range(math.floor(left / CELL), math.floor(right / CELL) + 1) for down in rows]


def walls(width: float, height: float) -> list[Box]:
    """Return what lies to the left and to the right of a stage, where nothing may be put."""
    return [Box(x, height / 2, 2 * width, height) for x in (-width, 2 * width)]
