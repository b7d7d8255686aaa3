"""The line of years: the milestones of the history, each at its year."""

from app.core.model.value import Frozen
from app.course.history import MilestoneForm

WIDTH, SIDE, PITCH = 1120, 24, 15
"""The line of years: its width on the page, the space at both ends, and the distance of stacked signs."""


class Sign(Frozen):
    """A milestone on the line of years: ``x`` and, upwards from the line, ``y``, in its units."""

    milestone: MilestoneForm
    x: float
    y: float


class Scale(Frozen):
    """The line of years: its signs, and the decades with their places."""

    width: int
    height: float
    signs: tuple[Sign, ...]
    decades: tuple[tuple[int, float], ...]


def scale(known: tuple[MilestoneForm, ...], width: int = WIDTH) -> Scale:
    """Return the milestones on a line; those that would overlap are stacked."""
    first, last = known[0].year, known[-1].year
    long = max(last - first, 1)

    def at(year: int) -> float:
        return SIDE + (year - first) * (width - 2 * SIDE) / long

    signs: list[Sign] = []
    for one in known:
        x = at(one.year)
        beside = [sign for sign in signs if abs(sign.x - x) < PITCH]
        taken = [sign.y for sign in beside]
        y = next(level for level in (PITCH * (k + 1) for k in range(len(known))) if level not in taken)
        signs.append(Sign(one, round(x, 1), y))
    decades = tuple((year, round(at(year), 1)) for year in range(-(-first // 10) * 10, last + 1, 10))
    return Scale(width, max(sign.y for sign in signs) + PITCH, tuple(signs), decades)
