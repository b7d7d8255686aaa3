"""A dataflow in layers, from left to right; channels that lead back go around below. Few processes are boxes with slim
channels, many are small with thin lines.

On a narrow stage the flow goes from top to bottom if letters would be too small otherwise. So places are computed
along and across the flow: in this module ``x`` of a spot is along it, and ``_Style.turned`` puts it on the stage.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from app.core.model.value import Frozen
from app.pictures.layout.circle import FEW
from app.pictures.layout.grid import TIP as THIN
from app.pictures.layout.grid import lined, thin
from app.pictures.layout.paths import Point, Way, cubic, rounded
from app.pictures.layout.plan import (
    CLEAREST,
    MANY,
    THREAD,
    Box,
    Content,
    Link,
    Plan,
    Track,
    arrowhead,
    hanging,
    least_bent,
)
from app.pictures.layout.stretches import beyond, stretched, trays
from app.pictures.layout.wires import (
    BENDS,
    LEAST,
    MORE_BENT,
    RING,
    ROOMY,
    SHEET,
    TIGHT,
    TIP,
    TOUCH,
    TRAY,
    boxes,
    foot,
)

EDGE = 14
"""Space kept free around everything."""
UNDER, NEXT, CLOSE = 26, 26, 11
"""From the lowest process to the channels that lead back below it, and from one of them to the next; and with many."""
LOUD = 24
"""What is recorded of them needs so much more room below them in a lecture."""
COMB = 30
"""Between two channels that meet the same side of a process, if there is room."""
ROUND = 18
"""The radius of the corners of channels that go around."""
NARROW = 520
"""On a stage less wide than this the flow may go from top to bottom."""
EARLY = 0.4
"""The part of a channel at which its recorded state is printed."""
BADGES = (44, 34, 26, 22)
"""Widths of that content, tried in turn: items matter more."""
ROWS, LINE = 2, 4.5
"""The rows of a state, and em per row, for which there is always room: an operator starts with nothing."""
WIDER = (*BENDS, *(side * by for by in (180, 220, 270) for side in (1, -1)))
"""Bends of a channel that skips layers, tried in turn, to either side."""


class Gaps(Frozen):
    """The space between two layers: the least, the space for three messages besides the recorded state, and the most;
    and the space between two processes of a layer."""

    along: float
    ample: float
    most: float
    across: float


BY_SIZE = {
    "few": Gaps(96, 184, 260, 26),
    "small": Gaps(74, 156, 200, 22),
    "narrow": Gaps(50, 50, 90, 22),
    "many": Gaps(44, 44, 120, 16),
}
SLIGHT = 0.9
"""Everything may be drawn this much smaller to leave ample space for channels."""


class _Style(Frozen):
    """How channels look: their thickness, their distance at a process, their distance from it at the end, and their
    heads. ``w`` is the size of a process along the flow, ``h`` across it; ``turned``: the flow goes downwards."""

    w: float
    h: float
    band: float
    comb: float
    into: float
    many: bool
    turned: bool

    def at(self, spot: Point) -> Point:
        """Return the point of the stage that is so far along and across the flow."""
        return Point(spot.y, spot.x) if self.turned else spot

    def track(self, way: Way, tube: float) -> Track:
        inner = -hanging(way)
        if self.many:
            return thin(way, inner)
        head = arrowhead(way, 0, TIP, max(3.5, tube / 2 + 2.5))
        return Track(way, tube, head, beyond(way, ROOMY.pill, SHEET, -inner), way.points[0], way.length, inner=inner)


@dataclass(slots=True)
class _Ends:
    """Where a channel meets its two processes, beside the middles of their sides."""

    link: int
    source: int
    target: int
    tube: float
    out: float = 0
    into: float = 0


class _Bound(Frozen):
    """The extent of a process and its copy, through which no returning channel may pass."""

    x: float
    half: float
    top: float
    bottom: float


class _Measures(Frozen):
    """How large everything is, and how much room that needs along and across the flow. ``along`` is the size of a
    process with its copy along the flow, ``slot`` across it; ``under``, ``apart`` and ``below`` are the distances of
    the channels that lead back."""

    narrow: bool
    turned: bool
    many: bool
    small: bool
    box: tuple[float, float]
    card: tuple[float, float]
    gaps: Gaps
    along: float
    slot: float
    columns: int
    rows: float
    under: float
    apart: float
    below: float
    need_along: float
    need_across: float

    @property
    def size(self) -> tuple[float, float]:
        """Return the size of a process along and across the flow."""
        return self.box[::-1] if self.turned else self.box

    @property
    def hangs(self) -> float:
        """Return how much space across the flow a copy takes, with its distance from the process."""
        return 0 if self.many else self.card[0 if self.turned else 1] + THREAD

    def zoom(self, along: float, across: float) -> float:
        """Return how large everything is drawn in that room."""
        # A large stage makes channels longer before it makes everything larger.
        ample = along / (self.need_along + (self.columns - 1) * (self.gaps.ample - self.gaps.along))
        eased = min(
            1.5 if self.many else 1.8, ample, along / (self.need_along * 1.25), across / (self.need_across * 1.15)
        )
        fits = min(1, along / self.need_along, across / self.need_across, max(SLIGHT, ample))
        return max(LEAST, fits, eased)


def layers(places: Sequence[Point], links: Sequence[Link], width: float, height: float, content: Content) -> Plan:
    """Return the plan of a stage of that size."""
    level = _measured(places, links, content, width < NARROW, turned=False)
    if not level.narrow:
        return _drawn(places, links, width, height, content, level)
    upright = _measured(places, links, content, True, turned=True)
    down = min(width / upright.need_across, height / upright.need_along)
    across = min(width / level.need_along, height / level.need_across)
    return _drawn(places, links, width, height, content, upright if down > across < CLEAREST else level)


def preferred(places: Sequence[Point], links: Sequence[Link], width: float, content: Content) -> float | None:
    """Return the height that suits a narrow stage of that width; None for a wide one."""
    if width >= NARROW:
        return None
    level, upright = (_measured(places, links, content, True, turned=turned) for turned in (False, True))
    across, down = width / level.need_along, width / upright.need_across
    if down > across < CLEAREST:
        return upright.need_along * max(LEAST, min(CLEAREST, down))
    return level.need_across * max(LEAST, min(1.2, across))


def _measured(
    places: Sequence[Point], links: Sequence[Link], content: Content, narrow: bool, *, turned: bool
) -> _Measures:
    many = len(places) > MANY
    small = many or narrow or len(places) > FEW
    content = replace(content, rows=max(content.rows, ROWS), line=max(content.line, LINE))
    box, card = ((46.0, 22.0), (0.0, 0.0)) if many else boxes(content, small)
    gaps = BY_SIZE["many" if many else "narrow" if narrow else "small" if small else "few"]
    along, slot = max(box[0], card[0]), card[1] + box[1]
    if turned:
        along, slot = max(box[1], card[1]), card[0] + box[0]
    slot += 0 if many else THREAD
    columns, rows = len({round(p.x * 1e4) for p in places}), deepest(places)
    returning = sum(link.against for link in links)
    under: float = CLOSE if many else UNDER
    apart = (min(CLOSE, 66 / returning) if many else min(NEXT, 104 / returning)) if returning else 0.0
    beneath = 4 if many else 10 + (LOUD if content.loud else 0)
    below = under + (returning - 1) * apart + beneath if returning else 0.0
    need_along = columns * along + (columns - 1) * gaps.along + 2 * EDGE
    need_across = rows * slot + (rows - 1) * gaps.across + 2 * EDGE + below
    sizes = (box, card, gaps, along, slot, columns, rows, under, apart, below, need_along, need_across)
    return _Measures(narrow, turned, many, small, *sizes)


def _drawn(
    places: Sequence[Point], links: Sequence[Link], width: float, height: float, content: Content, measures: _Measures
) -> Plan:
    turned, many, small = measures.turned, measures.many, measures.small
    gaps, columns, rows = measures.gaps, measures.columns, measures.rows
    zoom = measures.zoom(height, width) if turned else measures.zoom(width, height)
    width, height = width / zoom, height / zoom
    wide, deep = (height, width) if turned else (width, height)
    spare = deep - measures.need_across
    inner = min(wide - 2 * EDGE - measures.along, (columns - 1) * (measures.along + gaps.most))
    pitch = measures.slot + gaps.across + max(0.0, min(120, spare / rows))
    # Channels that go around get more room below if there is some.
    more = max(0.0, min(4 if many else 22, spare * 0.12)) if measures.below else 0.0
    top = (deep - (rows * pitch - gaps.across + measures.below + more)) / 2 - gaps.across / 2
    spots = [
        Point(
            (wide - inner) / 2 + (p.x if columns > 1 else 0.5) * inner,
            top + p.y * rows * pitch + measures.hangs / 2,
        )
        for p in places
    ]
    bands = replace(TIGHT if small else ROOMY, badges=BADGES).louder(content.loud / zoom)
    (w, h), (card_w, card_h) = measures.size, measures.card
    band, comb, into = (2, 7, THIN + 1) if many else (bands.band, COMB, TIP + TOUCH)
    style = _Style(w, h, band, comb, into, many, turned)
    lift = (h + THREAD + measures.hangs) / 2
    nodes = tuple(Box(p.x, p.y, *measures.box) for p in map(style.at, spots))
    cards = nodes
    if not many:
        cards = tuple(Box(p.x, p.y, card_w, card_h) for p in (style.at(Point(p.x, p.y - lift)) for p in spots))
    step = inner / (columns - 1) if columns > 1 else measures.along + gaps.along
    half, above = (w / 2 + 3, 3.0) if many else (measures.along / 2 + 5, measures.hangs + 4)
    bounds = [_Bound(p.x, half, p.y - h / 2 - above, p.y + h / 2 + (3 if many else 5)) for p in spots]
    bare = _onward(links, spots, (nodes, cards), step, style) | _around(
        links, spots, bounds, step / 2, measures.under + more, measures.apart, style
    )
    tracks = [bare[i] for i in range(len(links))]
    if many:
        return lined(width, height, nodes, tracks)
    taken = [Box(box.x, box.y - 1.5, box.w + 2 * RING, box.h + 2 * RING + 3) for box in nodes]
    taken += [Box(card.x, card.y, card.w + 4, card.h + 4) for card in cards]
    hung = trays(tracks, taken, bands.tray, TRAY)
    found = stretched(hung, taken, bands.sizes(SHEET, EARLY))
    rows_shown, low = 0 if small else 3, foot(content, small)
    return Plan("wires", width, height, nodes, cards, found, *bands.pill[::-1], bands.font, rows_shown, low)


def deepest(places: Sequence[Point]) -> float:
    """Return the number of processes in the highest layer."""
    rows = 1.0
    for i, p in enumerate(places):
        rows = max(rows, 0.5 / max(0.01, min(p.y, 1 - p.y)))
        for q in places[i + 1 :]:
            if abs(p.x - q.x) < 1e-3:
                rows = max(rows, 1 / max(0.01, abs(p.y - q.y)))
    return rows


def _comb(count: int, side: float, wish: float) -> tuple[float, list[float]]:
    """Return the distance between ``count`` ends along a side of that length, and their positions relative to its
    middle."""
    gap = min(wish, side / (count - 1)) if count > 1 else wish
    return gap, [(i - (count - 1) / 2) * gap for i in range(count)]


def _onward(
    links: Sequence[Link], spots: Sequence[Point], boxes: tuple[Sequence[Box], ...], step: float, style: _Style
) -> dict[int, Track]:
    """Return the channels along the flow: from side to side, in the order in which they leave, bent if a process is in
    the way."""
    ends = [_Ends(i, c.source, c.target, style.band) for i, c in enumerate(links) if not c.against]
    for i in range(len(spots)):
        out = sorted((end for end in ends if end.source == i), key=lambda end: spots[end.target].y)
        gap, places = _comb(len(out), style.h - 16, style.comb)
        for end, place in zip(out, places, strict=True):
            end.out, end.tube = place, max(2, min(end.tube, gap - 4))
        into = sorted((end for end in ends if end.target == i), key=lambda end: spots[end.source].y)
        gap, places = _comb(len(into), style.h - 16, style.comb)
        for end, place in zip(into, places, strict=True):
            end.into, end.tube = place, max(2, min(end.tube, gap - 4))
    found = {}
    for end in ends:
        a, b = spots[end.source], spots[end.target]
        start = Point(a.x + style.w / 2, a.y + end.out)
        stop = Point(b.x - style.w / 2 - style.into, b.y + end.into)
        pull = (stop.x - start.x) * 0.42

        def bent(bend: float, start: Point = start, stop: Point = stop, pull: float = pull) -> Way:
            first, second = Point(start.x + pull, start.y + bend), Point(stop.x - pull, stop.y + bend)
            return cubic(*map(style.at, (start, first, second, stop)))

        others = [box for each in boxes for i, box in enumerate(each) if i not in (end.source, end.target)]
        skips = b.x - a.x > step * 1.5
        bend = least_bent(WIDER, bent, others, end.tube / 2 + 6, MORE_BENT) if skips else 0
        found[end.link] = style.track(bent(bend), end.tube)
    return found


def _around(
    links: Sequence[Link],
    spots: Sequence[Point],
    bounds: Sequence[_Bound],
    gutter: float,
    under: float,
    apart: float,
    style: _Style,
) -> dict[int, Track]:
    """Return the channels against the flow: from below a process, beneath everything between, to below another; the
    shorter ones inside. If something is below a process, they go down beside its layer."""
    back = [_Ends(i, c.source, c.target, style.band) for i, c in enumerate(links) if c.against]
    ends = sorted(back, key=lambda end: abs(spots[end.source].x - spots[end.target].x))
    for i in range(len(spots)):
        leaving = [end for end in ends if end.source == i]
        coming = [end for end in reversed(ends) if end.target == i]
        gap, places = _comb(len(leaving) + len(coming), style.w - 20, style.comb)
        for end, place in zip([*leaving, *coming], places, strict=True):
            end.tube = max(2, min(end.tube, gap - 4))
            if end.source == i:
                end.out = place
            else:
                end.into = place
    used: list[tuple[float, float, float]] = []
    found = {}
    for end in ends:
        a, b = spots[end.source], spots[end.target]
        start, stop = Point(a.x + end.out, a.y + style.h / 2), Point(b.x + end.into, b.y + style.h / 2)
        left, right = sorted((start.x, stop.x))
        between = [box for box in bounds if box.x + box.half > left and box.x - box.half < right]
        beside = [y for low, high, y in used if low < right and high > left]
        floor = max([box.bottom for box in between] + [start.y, stop.y]) - 5
        higher = sorted({box.bottom - 5 for box in bounds if box.bottom - 5 < floor})
        lowest = [floor + under + k * apart for k in range(len(ends))]

        def free(
            y: float,
            least: float = max(start.y, stop.y),
            between: list[_Bound] = between,
            beside: list[float] = beside,
        ) -> bool:
            hit = any(box.top - under / 2 < y < box.bottom + under / 2 for box in between)
            return y > least and not hit and not any(abs(other - y) < apart - 1 for other in beside)

        y = next(filter(free, [*(bottom + under for bottom in higher), *lowest]), lowest[-1])
        used.append((left, right, y))
        first = _leg(start, start.x - gutter, y, bounds, under)
        last = _leg(Point(stop.x, stop.y + style.into), stop.x + gutter, y, bounds, under)
        corners = [*map(style.at, (*first, *reversed(last)))]
        found[end.link] = style.track(rounded(corners, 8 if style.many else ROUND), end.tube)
    return found


def _leg(end: Point, beside: float, y: float, bounds: Sequence[_Bound], under: float) -> list[Point]:
    """Return the path from the lower side of a process down to ``y``: straight, or past what is below it."""
    if not any(abs(box.x - end.x) < box.half and end.y < box.top < y for box in bounds):
        return [end, Point(end.x, y)]
    ledge = end.y + under / 2
    return [end, Point(end.x, ledge), Point(beside, ledge), Point(beside, y)]
