"""A state-transition diagram as it is drawn: a ring if each state leads only to the next, and the last to the first;
otherwise layers from top to bottom, one event apart, with lines that lead back around the side."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from app.analysis.state_diagram import Arrow, Diagram
from app.core.model.layers import Slot, uncrossed
from app.core.model.topology import around
from app.core.model.value import Frozen
from app.core.model.values import Deliver, Move, World
from app.pictures.layout.paths import Point, Way, quadratic, r, rounded
from app.pictures.layout.plan import arrowhead
from app.pictures.layout.text_width import fit, measure, wrap
from app.words.catalogues import readable, word

SIZE = 14.0
"""The font size of a state."""
SMALL = 12.5
"""The font size of an event."""
LEADING = 18.0
"""From one line of text to the next."""
NARROWEST, WIDEST = 84.0, 150.0
"""The width of a state's box, and of the words in it."""
INSIDE = 10.0
"""Around the words in a box."""
EDGE = 20.0
ASIDE, DOWN = 56.0, 62.0
"""Between the boxes of a layer, and between two layers."""
LANE = 18.0
"""Between two lines that lead back around the side."""
BEND = 20.0
"""The distance between two lines that join the same boxes."""
HEAD = 9.0
LABELLED = 14
"""With more lines than this, the picture labels only the boxes."""


class Box(Frozen):
    """A state: its middle, its ``lines`` of text, and the whole state in words, ``said``; the ``steps`` after which the
    run was in it, and the snapshots that ``recorded`` it. Is the run in it ``now``, and is nothing possible in it?"""

    place: int
    x: float
    y: float
    lines: tuple[str, ...]
    said: str
    steps: tuple[int, ...]
    recorded: tuple[int, ...]
    now: bool
    dead: bool

    @property
    def number(self) -> int:
        """Its number on the page."""
        return self.place + 1


class Line(Frozen):
    """Events that lead from one state to another: ``d`` is the line, ``head`` its tip, ``said`` the events in words,
    ``short`` the text, if any, at ``label``, along a line ``turned`` upwards. ``taken``: the run went this way."""

    source: int
    target: int
    d: str
    head: str
    said: str
    short: str
    label: Point
    turned: bool
    taken: bool


class Drawn(Frozen):
    """The path of a line, and where its label has room."""

    way: Way
    label: Point
    turned: bool = False


class Drawing(Frozen):
    """The picture: its upper left ``corner``, and the ``size`` of every box."""

    corner: Point
    width: float
    height: float
    size: Point
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]


Places: TypeAlias = dict[int, Point]
Size: TypeAlias = Point
Link: TypeAlias = tuple[int, int]


def draw(
    found: Diagram, visits: Sequence[int | None], recorded: Mapping[int, int | None], now: int | None, language: str
) -> Drawing:
    """Return the picture of a diagram: ``visits`` are the states of a run by step, ``recorded`` those that its
    snapshots recorded, ``now`` is the one shown."""
    texts = [_lines_of(found, world, language) for world in found.states]
    broad = max(measure(text, SIZE) for lines in texts for text in lines) + 2 * INSIDE
    size = Point(max(NARROWEST, broad), max(map(len, texts)) * LEADING + 2 * INSIDE)
    links = tuple(dict.fromkeys((arrow.source, arrow.target) for arrow in found.arrows))
    levels = _levels_of(len(found.states), links)
    ring = _cycle(levels, links)
    places = _circle(ring, size) if ring else _stacked(levels, links, size)
    went = {(a, b) for a, b in pairwise(visits) if a is not None and b is not None}
    ways = _joined(links, places, size, ring=bool(ring))
    lines = tuple(_line(found, link, drawn, link in went, language) for link, drawn in ways.items())
    left = {arrow.source for arrow in found.arrows}
    boxes = tuple(
        Box(
            place,
            places[place].x,
            places[place].y,
            texts[place],
            _state_text(found, world, language),
            tuple(step for step, there in enumerate(visits) if there == place),
            tuple(number for number, there in recorded.items() if there == place),
            place == now,
            place not in left,
        )
        for place, world in enumerate(found.states)
    )
    points = [point for drawn in ways.values() for point in drawn.way.points]
    xs = [box.x + sign * size.x / 2 for box in boxes for sign in (-1, 1)] + [point.x for point in points]
    xs += [one.label.x + sign * measure(one.short, SMALL) / 2 for one in lines if not one.turned for sign in (-1, 1)]
    ys = [box.y + sign * size.y / 2 for box in boxes for sign in (-1, 1)] + [point.y for point in points]
    corner = Point(round(min(xs) - EDGE, 1), round(min(ys) - EDGE, 1))
    return Drawing(corner, round(max(xs) + EDGE - corner.x, 1), round(max(ys) + EDGE - corner.y, 1), size, boxes, lines)


def _lines_of(found: Diagram, world: World, language: str) -> tuple[str, ...]:
    """Return the text in a state's box: the processes, and below them the contents of the channels."""
    program, names = found.system.program, found.system.topology.names
    states = [f"{name}: {readable(program.view(world.states[name]), language)}" for name in names]
    held = [f"{readable(channel, language)}: {content}" for channel, content in _contents(found, world, language)]
    return (*wrap(states, SIZE, WIDEST, 4), *wrap(held, SIZE, WIDEST, 3))


def _state_text(found: Diagram, world: World, language: str) -> str:
    """Describe a state in words."""
    program = found.system.program
    parts = [
        word("states.process", language, process=name, state=readable(program.view(world.states[name]), language))
        for name in found.system.topology.names
    ]
    parts += [
        word("states.channel", language, channel=channel, messages=content)
        for channel, content in _contents(found, world, language)
    ]
    return readable(parts, language)


def _contents(found: Diagram, world: World, language: str) -> list[tuple[str, str]]:
    """Return the channels that are not empty, with their contents."""
    show, flying = found.system.program.show, world.in_flight()
    channels = found.system.topology.channels
    return [(c, readable([show(m.payload) for m in flying[c]], language)) for c in channels if c in flying]


def _event(found: Diagram, arrow: Arrow) -> tuple[str, dict[str, object]]:
    """Return what leads from one state to the next, as a catalogue key and its fields."""
    action, program, world = arrow.action, found.system.program, found.states[arrow.source]
    if isinstance(action, Deliver):
        message = program.show(world.queues[action.channel][action.position].payload)
        target = found.system.topology.channels[action.channel].target
        return "action.deliver", {"process": target, "channel": action.channel, "message": message}
    assert isinstance(action, Move)
    if action.channel is None:
        state = program.view(found.states[arrow.target].states[action.process])
        return "action.change", {"process": action.process, "state": state}
    fields = {"process": action.process, "channel": action.channel, "message": program.show(action.payload)}
    return "action.send", fields


def _events(found: Diagram, source: int, target: int) -> list[tuple[str, dict[str, object]]]:
    """Return all events that lead from one state to another."""
    return [_event(found, arrow) for arrow in found.arrows if (arrow.source, arrow.target) == (source, target)]


def _line(found: Diagram, link: Link, drawn: Drawn, taken: bool, language: str) -> Line:
    told = _events(found, *link)
    whole = readable([word(key, language, **fields) for key, fields in told], language)
    key, fields = told[0]
    brief = word(f"diagram.{key.removeprefix('action.')}", language, **fields) + (" …" if len(told) > 1 else "")
    few = len({(arrow.source, arrow.target) for arrow in found.arrows}) <= LABELLED
    short = fit(brief, SMALL, WIDEST) if few else ""
    tip = "L".join(f"{r(corner.x)} {r(corner.y)}" for corner in arrowhead(drawn.way, -HEAD, HEAD, HEAD * 0.45))
    return Line(*link, drawn.way.d, f"M{tip}Z", whole, short, drawn.label, drawn.turned, taken)


# --- where everything is ------------------------------------------------------------------------------------------


def _levels_of(count: int, links: Sequence[Link]) -> list[list[int]]:
    """Group the states by their distance from the first one, in events."""
    after: dict[int, list[int]] = {}
    for a, b in links:
        after.setdefault(a, []).append(b)
    far, order = {0: 0}, [0]
    for state in order:
        for other in after.get(state, ()):
            if other not in far:
                far[other] = far[state] + 1
                order.append(other)
    found: list[list[int]] = [[] for _ in range(max(far.values()) + 1)]
    for state in range(count):
        found[far[state]].append(state)
    return found


def _cycle(levels: Sequence[Sequence[int]], links: Sequence[Link]) -> list[int]:
    """Return the states in order if each leads only to the next and the last to the first; otherwise nothing."""
    order = [state for level in levels for state in level]
    return order if len(order) > 2 and set(links) == set(zip(order, [*order[1:], order[0]], strict=True)) else []


def _circle(order: Sequence[int], size: Size) -> Places:
    """Return the states on an ellipse, clockwise from the top."""
    n = len(order)
    across, down = max(size.x + ASIDE, n * size.x / 4), max(2 * (size.y + DOWN), n * (size.y + 12) / 2)
    points = (around(i, n) for i in range(n))
    return {state: Point(round(x * across, 1), round(y * down, 1)) for state, (x, y) in zip(order, points, strict=True)}


def _stacked(levels: Sequence[Sequence[int]], links: Sequence[Link], size: Size) -> Places:
    """Place the states in layers from top to bottom, in an order in which few lines cross."""
    level_of = {state: i for i, level in enumerate(levels) for state in level}
    above: dict[Slot, list[Slot]] = {}
    below: dict[Slot, list[Slot]] = {}
    for a, b in links:
        if level_of[b] == level_of[a] + 1:
            below.setdefault(str(a), []).append(str(b))
            above.setdefault(str(b), []).append(str(a))
    ordered = uncrossed([[str(state) for state in level] for level in levels], above, below, ())
    return {
        int(str(slot)): Point((i - (len(level) - 1) / 2) * (size.x + ASIDE), y * (size.y + DOWN))
        for y, level in enumerate(ordered)
        for i, slot in enumerate(level)
    }


def _joined(links: Sequence[Link], places: Places, size: Size, *, ring: bool) -> dict[Link, Drawn]:
    """Draw the lines between the boxes: straight to the next layer, and around the side to one farther away."""
    lanes = {-1: 0, 1: 0}
    outer = max(abs(place.x) for place in places.values()) + size.x / 2
    found = {}
    for a, b in links:
        start, end = places[a], places[b]
        if ring or abs(end.y - start.y) == size.y + DOWN:
            way = _direct(start, end, size, BEND if (b, a) in links else 0.0)
            found[a, b] = Drawn(way, way.at(way.length / 2))
            continue
        side = -1 if start.x + end.x < 0 else 1
        lane = lanes[side]
        lanes[side] += 1
        x = side * (outer + 16 + LANE * lane)
        one, leaving = _leave(start, places, size, side, 1, lane)
        two, coming = _leave(end, places, size, side, -1, lane)
        low, high = Point(x, (leaving or [one])[-1].y), Point(x, (coming or [two])[-1].y)
        way = rounded((one, *leaving, low, high, *reversed(coming), two), 12)
        found[a, b] = Drawn(way, Point(x, (low.y + high.y) / 2), turned=True)
    return found


def _leave(box: Point, places: Places, size: Size, side: int, down: int, lane: int) -> tuple[Point, list[Point]]:
    """Return where a line that goes around leaves a box, or reaches one (``down`` is -1), and its first corner:
    sideways if no box is in the way, else through the space between the layers."""
    by = 6.0 * (lane % 4)
    if not any(other.y == box.y and (other.x - box.x) * side > 0 for other in places.values()):
        return Point(box.x + side * (size.x / 2 + (2 if down < 0 else 0)), box.y + down * (4 + by)), []
    x, y = box.x + side * (size.x / 4 - by), box.y + down * size.y / 2
    return Point(x, y), [Point(x, y + down * (14 + by))]


def _direct(start: Point, end: Point, size: Size, bend: float) -> Way:
    """Return a line from box to box, bent aside if another one leads back."""
    dx, dy = end.x - start.x, end.y - start.y
    length = (dx * dx + dy * dy) ** 0.5
    control = Point((start.x + end.x) / 2 - dy / length * bend, (start.y + end.y) / 2 + dx / length * bend)
    return quadratic(_border(start, control, size), control, _border(end, control, size, 2))


def _border(middle: Point, towards: Point, size: Size, gap: float = 0.0) -> Point:
    """Return where a line from the middle of a box towards a point leaves the box."""
    dx, dy = towards.x - middle.x, towards.y - middle.y
    parts = [(size.x / 2 + gap) / abs(dx)] if dx else []
    parts += [(size.y / 2 + gap) / abs(dy)] if dy else []
    part = min([*parts, 1.0])
    return Point(middle.x + dx * part, middle.y + dy * part)
