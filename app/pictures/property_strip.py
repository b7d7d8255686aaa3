"""When a property is true in a run, as a strip: the run itself, and below it what each snapshot said and when."""

from collections.abc import Sequence

from app.analysis.stable_properties import Conclusion, Span
from app.core.model.value import Frozen

WIDTH, SIDE = 960.0, 24.0
TOP, ROW, BAR = 30.0, 40.0, 18.0
"""The top of the first row, the distance between rows, and the height of a bar, in px."""
MOST = 8
"""The most snapshots with their own rows."""
MARKS = 12
"""The most steps that are numbered."""


class Bar(Frozen):
    """A part of the strip, ``width`` wide from ``x``. ``first`` and ``last`` are its steps."""

    x: float
    width: float
    true: bool
    first: int
    last: int


class Shot(Frozen):
    """A snapshot in the strip: from ``x`` to ``end`` in its row; ``said`` is what it recorded."""

    number: int
    x: float
    end: float
    y: float
    said: bool
    sound: bool


class Strip(Frozen):
    """The whole strip. ``ticks`` are (x, step); ``more`` counts the snapshots without a row."""

    width: float
    height: float
    bars: tuple[Bar, ...]
    shots: tuple[Shot, ...]
    ticks: tuple[tuple[float, int], ...]
    more: int


def strip(found: Sequence[Span], snapshots: Sequence[Conclusion], steps: int) -> Strip:
    """Return the strip of a run of so many steps."""
    unit = (WIDTH - 2 * SIDE) / (steps + 1)

    def x(step: float) -> float:
        return round(SIDE + step * unit, 1)

    bars = tuple(Bar(x(s.first), round((s.last + 1 - s.first) * unit, 1), s.true, s.first, s.last) for s in found)
    shots = tuple(
        Shot(one.number, x(one.began), x(one.ended + 1), TOP + (i + 1) * ROW, one.recorded, one.sound)
        for i, one in enumerate(snapshots[:MOST])
    )
    every = max(1, -(-(steps + 1) // MARKS))
    ticks = tuple((x(step + 0.5), step) for step in range(0, steps + 1, every))
    height = TOP + ROW * (1 + len(shots)) + 8
    return Strip(WIDTH, height, bars, shots, ticks, max(0, len(snapshots) - MOST))
