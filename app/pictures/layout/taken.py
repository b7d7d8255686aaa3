"""Which boxes of a plan are taken, and by which channel. Most of the time of a large plan is spent here."""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeAlias

from app.pictures.layout.plan import Box

AIR = 1.5
"""Around each box."""
TOUCH = 1e-6
"""So far boxes may be one inside the other: those that touch are not in the way, however their places are rounded."""
CELL = 40
THROUGH = -2
"""The owner of what may cross."""
SOME = 8
"""How many neighbouring spots are tried together: they are near the same boxes."""

Spot: TypeAlias = tuple[float, float]
_Taken: TypeAlias = tuple[float, float, float, float, int]


class Taken:
    """The boxes that are taken, each with its owner, found by the cells of a map."""

    def __init__(self, boxes: Sequence[Box]) -> None:
        self._cells: dict[tuple[int, int], list[_Taken]] = {}
        for box in boxes:
            self._take((box.x, box.y, box.w, box.h, -1))

    def take(self, spot: Spot, w: float, h: float, owner: int = -1) -> None:
        """Take a box by its middle."""
        self._take((*spot, w + 2 * AIR, h + 2 * AIR, owner))

    def _take(self, box: _Taken) -> None:
        x, y, w, h, _ = box
        for cell in _cells(x - w / 2, y - h / 2, x + w / 2, y + h / 2):
            self._cells.setdefault(cell, []).append(box)

    def free(self, spots: Iterable[Spot], w: float, h: float, owner: int = THROUGH) -> Iterator[bool]:
        """Yield for the middle of each box of a size whether there is nothing but the channel's own messages."""
        w, h = w + 2 * AIR, h + 2 * AIR
        coming = iter(spots)
        while some := list(islice(coming, SOME)):
            near = self._near(some, w, h, owner)
            at = 0
            for x, y in some:
                # What was in the way of one is likely in the way of the next.
                for i in (range(at, len(near)), range(at)):
                    for k in i:
                        ox, oy, wide, high = near[k]
                        if abs(x - ox) * 2 < wide and abs(y - oy) * 2 < high:
                            break
                    else:
                        continue
                    at = k
                    yield False
                    break
                else:
                    yield True

    def _near(self, spots: Sequence[Spot], w: float, h: float, owner: int) -> list[tuple[float, float, float, float]]:
        """Return the middles of the boxes of others that may be in the way, and the sums of both sizes."""
        across, down = [x for x, _ in spots], [y for _, y in spots]
        cells = _cells(min(across) - w / 2, min(down) - h / 2, max(across) + w / 2, max(down) + h / 2)
        found = dict.fromkeys(box for cell in cells for box in self._cells.get(cell, ()))
        return [(x, y, w + ow - TOUCH, h + oh - TOUCH) for x, y, ow, oh, whose in found if whose != owner]


def _cells(left: float, top: float, right: float, low: float) -> Iterator[tuple[int, int]]:
    """Yield the cells of a map that a box touches."""
    for across in range(math.floor(left / CELL), math.floor(right / CELL) + 1):
        for down in range(math.floor(top / CELL), math.floor(low / CELL) + 1):
            yield across, down


def walls(width: float, height: float) -> list[Box]:
    """Return what lies to the left and to the right of a stage, where nothing may be put."""
    return [Box(x, height / 2, 2 * width, height) for x in (-width, 2 * width)]
