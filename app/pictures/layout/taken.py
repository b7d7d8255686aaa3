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
SOME = 8
"""How many neighbouring spots are tried together: they are near the same boxes."""

Spot: TypeAlias = tuple[float, float]
_Taken: TypeAlias = tuple[float, float, float, float, int]
"""A box by its middle, half its size, and its owner."""


class Taken:
    """The boxes that are taken, each with its owner, found by the cells of a map."""

    def __init__(self, boxes: Sequence[Box]) -> None:
        self._boxes: list[_Taken] = []
        self._cells: dict[tuple[int, int], list[int]] = {}
        for box in boxes:
            self._take((box.x, box.y, box.w / 2, box.h / 2, -1))

    def take(self, spot: Spot, w: float, h: float, owner: int = -1) -> None:
        """Take a box by its middle."""
        self._take((*spot, w / 2 + AIR, h / 2 + AIR, owner))

    def _take(self, box: _Taken) -> None:
        x, y, w, h, _ = box
        for cell in _cells(x - w, y - h, x + w, y + h):
            self._cells.setdefault(cell, []).append(len(self._boxes))
        self._boxes.append(box)

    def free(self, spots: Iterable[Spot], w: float, h: float, owner: int = THROUGH) -> Iterator[bool]:
        """Yield for the middle of each box of a size whether there is nothing but the channel's own messages."""
        coming = iter(spots)
        while some := list(islice(coming, SOME)):
            near = self._near(some, w / 2 + AIR, h / 2 + AIR, owner)
            for x, y in some:
                for i, (ox, oy, wide, high) in enumerate(near):
                    if abs(x - ox) < wide and abs(y - oy) < high:
                        near.insert(0, near.pop(i))  # it is likely in the way of the next one, too
                        yield False
                        break
                else:
                    yield True

    def _near(self, spots: Sequence[Spot], w: float, h: float, owner: int) -> list[tuple[float, float, float, float]]:
        """Return the middles of the boxes of others that may be in the way of one of the spots, and how near is too
        near. ``w`` and ``h`` are half a size."""
        across, down = [x for x, _ in spots], [y for _, y in spots]
        left, right, top, low = min(across), max(across), min(down), max(down)
        found = set[int]().union(*(self._cells.get(cell, ()) for cell in _cells(left - w, top - h, right + w, low + h)))
        return [
            (x, y, w + wide - TOUCH, h + high - TOUCH)
            for x, y, wide, high, whose in map(self._boxes.__getitem__, found)
            if whose != owner and left - w - wide < x < right + w + wide and top - h - high < y < low + h + high
        ]


def _cells(left: float, top: float, right: float, low: float) -> Iterator[tuple[int, int]]:
    """Yield the cells of a map that a box touches."""
    for across in range(math.floor(left / CELL), math.floor(right / CELL) + 1):
        for down in range(math.floor(top / CELL), math.floor(low / CELL) + 1):
            yield across, down


def walls(width: float, height: float) -> list[Box]:
    """Return what lies to the left and to the right of a stage, where nothing may be put."""
    return [Box(x, height / 2, 2 * width, height) for x in (-width, 2 * width)]
