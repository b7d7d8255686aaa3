"""A lattice of global states as it is drawn: levels from left to right, one event more in each.

Two processes make a part of a grid: every event of the first goes up, every event of the second goes down. With more,
the order within a level lets lines cross little (barycentres, as in ``app.core.layers``). A lattice that is too large
for a picture is shown in a sample around a state: see ``Lattice.sample``.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from app.core.lattice import Cut, Lattice, Levels
from app.core.layers import SWEEPS, Slot, centred

DRAWN, LONG, HIGH = 300, 40, 24
"""A picture has at most so many states, in so many levels, and so many in one level."""
SAMPLED, WIDE = 26, 8
"""A sample has so many levels, and so many states in one, beside those that it must have."""
WIDTH, HEIGHT = 630.0, 420.0
"""Of a picture in px, at most, as long as its states stay large enough."""
EDGE = 36.0
"""Around the states."""
NEAREST, FARTHEST = 20.0, 96.0
"""From one level to the next."""
LOWEST, HIGHEST = 14.0, 72.0
"""From one state of a level to the next."""
FEW, SAID = 6, 60
"""The states of more processes than FEW are told by those that have done something, as long as it is not longer than
SAID."""
LETTERS = 9
"""A state is labelled where its label is no longer, and where there is room for it."""

Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Dot:
    """A state in the picture. ``step``: the run was in it after that step; ``recorded``: the snapshots that recorded
    it; ``cutting``: those whose cut it is, though what they recorded of the channels is something else; ``chosen``;
    ``has``: what is asked for is true in it; ``said``: the state as people read it, empty where that is too long."""

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
        """The state as an address says it."""
        return written(self.cut)


@dataclass(frozen=True, slots=True)
class Drawing:
    """The picture. ``lines`` join states that one event lies between, ``real`` is the way of the run, ``passage`` the
    one of Theorem 1, ``avoiding`` one that is asked for; all as texts for SVG. ``ticks`` are (x, number of events).
    ``whole``: everything that there is; otherwise it is a sample of the levels ``first`` to ``last``."""

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


@dataclass(frozen=True, slots=True)
class Marks:
    """What is to be seen in a picture: the states of the run by step, its path, the passage of Theorem 1, the states
    that snapshots recorded, the one that is chosen, those that have what is asked for, and a path without them."""

    spine: Sequence[Cut]
    moments: Mapping[Cut, int]
    passage: Sequence[Cut] = ()
    recorded: Mapping[Cut, tuple[int, ...]] | None = None
    cutting: Mapping[Cut, tuple[int, ...]] | None = None
    chosen: Cut | None = None
    having: Iterable[Cut] = ()
    avoiding: Sequence[Cut] = ()


def written(cut: Cut) -> str:
    """A state as an address says it: ``2,1,0``."""
    return ",".join(map(str, cut))


def short(names: Sequence[str], cut: Cut) -> str:
    """A state as people read it: of many processes, those that have done something; empty where that is too long."""
    told = [f"{name}:{count}" for name, count in zip(names, cut, strict=True) if count]
    text = ", ".join(told) if len(cut) > FEW and any(cut) else written(cut)
    return text if len(text) <= SAID else ""


def shown(lattice: Lattice, found: Levels, marks: Marks) -> Levels:
    """The states of the picture: all, or a sample around the one that is chosen."""
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
    """The picture of a lattice."""
    part = shown(lattice, found, marks)
    here = {cut for level in part.levels for cut in level}
    below = {cut: [other for other in lattice.after(cut) if other in here] for level in part.levels for cut in level}
    rows = grid(part.levels) if len(lattice.names) == 2 else layers(part.levels, below)
    lowest, highest = min(rows.values()), max(rows.values())
    across = pitch(WIDTH, len(part.levels), NEAREST, FARTHEST)
    down = pitch(HEIGHT, highest - lowest + 1, LOWEST, HIGHEST)
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
    lines = "".join(f"M{at(places[a])}L{at(places[b])}" for a in below for b in below[a])
    ticks = tuple((EDGE + i * across, part.first + i) for i in range(len(part.levels)))
    return Drawing(
        round(2 * EDGE + (len(part.levels) - 1) * across, 1),
        round(2 * EDGE + (highest - lowest) * down + 20, 1),
        radius,
        labelled,
        dots,
        lines,
        way(marks.spine, places),
        way(marks.passage, places),
        way(marks.avoiding, places),
        ticks,
        part.whole,
        part.first,
        part.first + len(part.levels) - 1,
    )


def pitch(room: float, count: float, least: float, most: float) -> float:
    """How far apart so many things in a row are."""
    return max(least, min(most, (room - 2 * EDGE) / max(1, count - 1)))


def grid(levels: Sequence[Sequence[Cut]]) -> dict[Cut, float]:
    """How far down the states of two processes are: up with the first, down with the second."""
    return {cut: (cut[1] - cut[0]) / 2 for level in levels for cut in level}


def layers(levels: Sequence[Sequence[Cut]], below: Mapping[Cut, Sequence[Cut]]) -> dict[Cut, float]:
    """How far down the states are: equally far apart, in the order of the middles of their neighbours."""
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


def at(place: Place) -> str:
    """A place as SVG writes it."""
    return f"{place[0]:.1f} {place[1]:.1f}"


def way(cuts: Sequence[Cut], places: Mapping[Cut, Place]) -> str:
    """A path through the states that are in the picture."""
    points = [at(places[cut]) for cut in cuts if cut in places]
    return "M" + "L".join(points) if len(points) > 1 else ""
