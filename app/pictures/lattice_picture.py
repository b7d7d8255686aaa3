"""A lattice of global states as it is drawn: levels from left to right, each one event further.

With two processes it is part of a grid: every event of the first goes up, every event of the second goes down. With
more, states are ordered within each level so that few lines cross (barycentres, as in ``app.core.model.layers``). If a
lattice is too large for a picture, a sample around a state is shown: see ``Lattice.sample``.
"""

from collections.abc import Iterable, Mapping, Sequence
from operator import le

from app.core.model.layers import SWEEPS, Slot, centred
from app.core.model.value import Frozen
from app.core.oracle.lattice import Cut, Lattice, Levels

DRAWN, LONG, HIGH = 300, 40, 24
"""The most states in a picture, levels, and states per level."""
SAMPLED, WIDE = 26, 8
"""The levels of a sample, and its states per level, besides those that it must contain."""
WIDTH, HEIGHT = 630.0, 420.0
"""The largest picture in px, as long as its states stay large enough."""
EDGE = 36.0
"""Around the states."""
NEAREST, FARTHEST = 20.0, 96.0
"""Between two levels."""
LOWEST, HIGHEST = 14.0, 72.0
"""Between two states of a level."""
FEW, SAID = 6, 60
"""With more than FEW processes, a state is described by those that have done something, in at most SAID characters."""
LETTERS = 9
"""The longest label of a state, if there is room for it."""

Place = tuple[float, float]


class Dot(Frozen):
    """A state in the picture. ``step``: the run was in it after that step; ``recorded``: the snapshots that recorded
    it; ``cutting``: the snapshots with this cut that recorded different channel contents; ``chosen``; ``has``: the
    property in question is true in it; ``said``: the state as people read it, empty if that is too long."""

    cut: Cut
    x: float
    y: float
    label: str
    step: int | None = None
    recorded: tuple[int, ...] = ()
    cutting: tuple[int, ...] = ()
    chosen: bool = False
    has: bool = False
    said: str = ""

    @property
    def name(self) -> str:
        """The state as an address writes it."""
        return written(self.cut)


class Drawing(Frozen):
    """The picture. ``lines`` join states one event apart, ``real`` is the path of the run, ``passage`` that of Theorem
    1, ``avoiding`` a requested one; all as texts for SVG. ``ticks`` are (x, number of events). ``whole``: the picture
    shows everything; otherwise it is a sample of the levels ``first`` to ``last``."""

    width: float
    height: float
    radius: float
    labelled: bool
    dots: tuple[Dot, ...]
    lines: str
    real: str
    passage: str
    avoiding: str
    ticks: tuple[tuple[float, int], ...]
    whole: bool
    first: int
    last: int


class Marks(Frozen):
    """What a picture shows: the states of the run by step, its path, the path of Theorem 1, the states that snapshots
    recorded, the chosen one, those with the property in question, and a path without them."""

    spine: Sequence[Cut]
    moments: Mapping[Cut, int]
    passage: Sequence[Cut] = ()
    recorded: Mapping[Cut, tuple[int, ...]] | None = None
    cutting: Mapping[Cut, tuple[int, ...]] | None = None
    chosen: Cut | None = None
    having: Iterable[Cut] = ()
    avoiding: Sequence[Cut] = ()


def written(cut: Cut) -> str:
    """Return a state as an address writes it: ``2,1,0``."""
    return ",".join(map(str, cut))


def short(names: Sequence[str], cut: Cut) -> str:
    """Return a state as people read it: of many processes, those that have done something; empty if that is too
    long."""
    told = [f"{name}:{count}" for name, count in zip(names, cut, strict=True) if count]
    text = ", ".join(told) if len(cut) > FEW and any(cut) else written(cut)
    return text if len(text) <= SAID else ""


def _states_to_draw(lattice: Lattice, found: Levels, marks: Marks) -> Levels:
    """Return the states of the picture: all, or a sample around the chosen one."""
    levels = found.levels
    if found.whole and found.count <= DRAWN and len(levels) <= LONG and max(map(len, levels)) <= HIGH:
        return found
    middle = sum(marks.chosen) if marks.chosen is not None else 0
    last = min(len(marks.spine) - 1, max(SAMPLED, middle + SAMPLED // 2))
    first = max(0, last - SAMPLED)
    wanted = [*marks.passage, *(marks.recorded or {}), *(marks.cutting or {}), *marks.avoiding]
    wanted += [marks.chosen] if marks.chosen is not None else []
    return lattice.sample(marks.spine, [cut for cut in wanted if first <= sum(cut) <= last], first, last, WIDE)


def draw(lattice: Lattice, found: Levels, marks: Marks) -> Drawing:
    """Return the picture of a lattice."""
    part = _states_to_draw(lattice, found, marks)
    below = _followers(part.levels)
    rows = _grid(part.levels) if len(lattice.names) == 2 else _layers(part.levels, below)
    lowest, highest = min(rows.values()), max(rows.values())
    across = _pitch(WIDTH, len(part.levels), NEAREST, FARTHEST)
    down = _pitch(HEIGHT, highest - lowest + 1, LOWEST, HIGHEST)
    places = {cut: (EDGE + (sum(cut) - part.first) * across, EDGE + (rows[cut] - lowest) * down) for cut in rows}
    radius = round(min(9.0, across * 0.3, down * 0.34), 1)
    longest = max((len(written(cut)) for cut in rows), default=0)
    labelled = longest <= LETTERS and across >= 6.4 * longest + 4 and down >= 30
    recorded, cutting, having = marks.recorded or {}, marks.cutting or {}, frozenset(marks.having)
    dots = tuple(
        Dot(
            cut,
            *places[cut],
            written(cut),
            marks.moments.get(cut),
            recorded.get(cut, ()),
            cutting.get(cut, ()),
            cut == marks.chosen,
            cut in having,
            short(lattice.names, cut),
        )
        for level in part.levels
        for cut in level
    )
    lines = "".join(f"M{_at(places[a])}L{_at(places[b])}" for a in below for b in below[a])
    ticks = tuple((EDGE + i * across, part.first + i) for i in range(len(part.levels)))
    return Drawing(
        round(2 * EDGE + (len(part.levels) - 1) * across, 1),
        round(2 * EDGE + (highest - lowest) * down + 20, 1),
        radius,
        labelled,
        dots,
        lines,
        _way(marks.spine, places),
        _way(marks.passage, places),
        _way(marks.avoiding, places),
        ticks,
        part.whole,
        part.first,
        part.first + len(part.levels) - 1,
    )


def _followers(levels: Sequence[Sequence[Cut]]) -> dict[Cut, list[Cut]]:
    """Return by state those of the next level that contain it, which are one event larger, by process."""
    beyond = (*levels[1:], ())
    return {
        cut: [other for other in reversed(more) if all(map(le, cut, other))]
        for level, more in zip(levels, beyond, strict=True)
        for cut in level
    }


def _pitch(room: float, count: float, least: float, most: float) -> float:
    """Return the distance between so many things in a row."""
    return max(least, min(most, (room - 2 * EDGE) / max(1, count - 1)))


def _grid(levels: Sequence[Sequence[Cut]]) -> dict[Cut, float]:
    """Return the vertical position of each state of two processes: up with the first, down with the second."""
    return {cut: (cut[1] - cut[0]) / 2 for level in levels for cut in level}


def _layers(levels: Sequence[Sequence[Cut]], below: Mapping[Cut, Sequence[Cut]]) -> dict[Cut, float]:
    """Return the vertical position of each state: equally far apart, ordered by the mean positions of their
    neighbours."""
    order: list[list[Slot]] = [[written(cut) for cut in level] for level in levels]
    cuts = {written(cut): cut for level in levels for cut in level}
    down: dict[Slot, list[Slot]] = {written(a): [written(b) for b in others] for a, others in below.items()}
    up: dict[Slot, list[Slot]] = {}
    for above, others in down.items():
        for other in others:
            up.setdefault(other, []).append(above)
    for sweep in range(SWEEPS):
        forth = sweep % 2 == 0
        for i in range(1, len(order)) if forth else range(len(order) - 2, -1, -1):
            centred(order[i], order[i - 1 if forth else i + 1], up if forth else down)
    return {cuts[str(slot)]: i - (len(level) - 1) / 2 for level in order for i, slot in enumerate(level)}


def _at(place: Place) -> str:
    """Return a place as SVG writes it."""
    return f"{place[0]:.1f} {place[1]:.1f}"


def _way(cuts: Sequence[Cut], places: Mapping[Cut, Place]) -> str:
    """Return a path through the states in the picture."""
    points = [_at(places[cut]) for cut in cuts if cut in places]
    return "M" + "L".join(points) if len(points) > 1 else ""
