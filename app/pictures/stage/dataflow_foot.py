"""The cells at the foot of a process of a dataflow, which show its role; see ``static/js/stage/foot.js``."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from app.core.model.value import Frozen
from app.core.model.values import Json
from app.pictures.layout.colours import Text
from app.pictures.layout.plan import SMALL, Box, Plan
from app.pictures.layout.text_width import TIGHT, fit, measure
from app.words.catalogues import word

AIR = 2.0
"""Between two cells."""
LINES = 2
"""The most lines of a coordinator's logs."""
HIGH = {"row": 19.0, "large": 17.0, "small": 16.0}
"""The height of such a line: in a row, among slim channels, and for small processes."""
DOWN = 4.0
"""From a process to its durable cells below it."""
WORDY = 80
"""Cells narrower than this in total have no word before them."""
SLIM = 0.86
"""Digits are narrower than the estimate by this factor."""
SMALLEST = 0.7
"""How much smaller the line of a log may be, so that it is not shortened."""
TICK = " ✓"
"""After the range of a committed batch."""


class Feet(Frozen):
    """The cells at the lower end of a process: their height in total (``high``), the part of it below the box
    (``low``), and the height of a line of a log. ``box`` is the area of cells in the process, ``below`` that of durable
    cells below it: upper left corner and size, from the middle of the process."""

    low: float
    high: float
    line: float
    font: float
    box: Box
    below: Box


def feet(role: dict[str, Json] | None, plan: Plan, node: Box) -> Feet:
    """Return the feet of a process. Items that have left the system stand below a sink, not in it, and so do logs that
    outlive their coordinator."""
    high, low, line = (plan.foot, 0.0, 0.0) if role else (0.0, 0.0, 0.0)
    if role and high and role["role"] == "sink":
        low = high
    elif role and high and role.get("logs"):
        line = HIGH["row" if plan.look == "row" else "large" if plan.rows else "small"]
        low = LINES * line + DOWN
        high += low
    bottom, aside = node.h / 2 - low, 0 if line else 5
    # Inside a process the cells keep away from its lower edge; below it, from the process.
    box = Box(5 - node.w / 2, bottom - plan.foot, node.w - 10, plan.foot - 4)
    below = Box(aside - node.w / 2, bottom + DOWN, node.w - 2 * aside, low - 4)
    return Feet(low, high, line, plan.small, box, below)


class Entry(Frozen):
    """A line of the offset log, and whether the commit log has it too."""

    number: str
    range: str
    done: bool


class Cell(Frozen):
    """One cell. ``how`` is ``read`` or ``unread`` in the log of a source, ``out`` or ``twice`` below a sink,
    ``pending`` if it has still to be passed on, ``known`` for an id that is kept, ``unheard`` (``read unheard`` in a
    source) if it is unacknowledged, and for a part that the coordinator tracks ``stored``, ``lost`` or ``open``; in its
    logs ``logged``, and beside that ``committed`` or ``uncommitted``."""

    x: float
    y: float
    width: float
    height: float
    how: str
    said: Text | None


class Strip(Frozen):
    """The foot of a process. ``bar`` is the position in a log, ``beyond`` the line between a sink and what has left
    it."""

    role: str
    cells: tuple[Cell, ...]
    texts: tuple[Text, ...]
    bar: tuple[float, float, float] | None = None
    beyond: tuple[float, float, float] | None = None


class Foot(Frozen):
    """The content of a process's strip: its role (see ``app.wire.dataflow_roles``), how far its log is read, what it
    has still to pass on, what has left the system as (item, identity), and what the coordinator knows of the others'
    parts; its ``logs``; the ``ids`` that it keeps, and what it sent and may have to send again as (item, identity)."""

    name: str
    role: dict[str, Json]
    offset: int
    pending: Sequence[Json]
    outside: Sequence[tuple[Json, str]]
    heard: Sequence[str]
    logs: Sequence[Entry] = ()
    ids: Sequence[str] = ()
    unheard: Sequence[tuple[Json, str | None]] = ()


def parted(state: Json, role: dict[str, Json] | None) -> tuple[Json, list[Json], list[Entry]]:
    """Return the state of a process and, in a dataflow, what it still has to pass on, and the logs of a coordinator.
    See ``static/js/stage/rows.js``."""
    if role is None or not isinstance(state, dict):
        return state, [], []
    if role.get("logs"):
        return "", [], [Entry(number, said.removesuffix(TICK), said.endswith(TICK)) for number, said in state.items()]
    rest = {key: value for key, value in state.items() if key != "pending"}
    if "sealed" in rest:  # the numbers of transactions mean nothing to people
        rest["sealed"] = [one for records in rest["sealed"].values() for one in records]
    alone = len(rest) == 1 and next(iter(rest)) in ("offset", "total")
    return (next(iter(rest.values())) if alone else rest or ""), list(state.get("pending", ())), []


def strip(foot: Foot, node: Box, plan: Plan, in_words: Callable[[object], str], language: str) -> Strip:
    """Return the cells of a process, in ``node``'s own place."""
    return _Drawing(foot, node, plan, in_words, language).strip()


class _Drawing:
    """Draws the cells of a process."""

    def __init__(self, foot: Foot, node: Box, plan: Plan, in_words: Callable[[object], str], language: str) -> None:
        self.foot, self.in_words, self.language = foot, in_words, language
        size = feet(foot.role, plan, node)
        self.box, self.below, self.line, self.font = size.box, size.below, size.line, size.font
        self.least = plan.least

    def strip(self) -> Strip:
        foot, role = self.foot, self.foot.role["role"]
        if role == "source":
            return self.log()
        if role == "sink":
            return self.ledger()
        if role == "coordinator":
            return self.written(self.heard()) if foot.role.get("logs") else self.heard()
        if kept := self.kept():
            return Strip(role, *self.cells(kept, self.box, len(foot.ids)))
        does = word(f"player.stage.does.{foot.role['does']}{'.keyed' if foot.role.get('keyed') else ''}", self.language)
        return Strip(role, (), () if does == foot.name else (self.word(does),))

    def kept(self) -> list[tuple[str, str]]:
        """Return the ids that it knows, what it may have to send again, and what it has still to pass on."""
        ids = [(one, "known") for one in self.foot.ids]
        unheard = [(self.in_words(record), "unheard") for record, _ in self.foot.unheard]
        return [*ids, *unheard, *((self.in_words(one), "pending") for one in self.foot.pending)]

    def ledger(self) -> Strip:
        """Return the items that have left the system, beyond a line, with duplicates marked. The sink contains the ids
        that it knows."""
        seen: set[str] = set()
        cells = []
        for record, identity in self.foot.outside:
            cells.append((self.in_words(record), "twice" if identity in seen else "out"))
            seen.add(identity)
        found, texts = self.cells(cells, self.below)
        ids, more = self.cells([(one, "known") for one in self.foot.ids], self.box, len(self.foot.ids))
        return Strip("sink", (*ids, *found), (*more, *texts), beyond=self.beyond)

    def written(self, heard: Strip) -> Strip:
        """Return the logs, line by line: what a batch reads, and a tick if it is committed."""
        size, high, below = SMALL, self.line - 2, self.below
        tick = high + 2
        w = below.w - tick - AIR
        cells, texts = list(heard.cells), list(heard.texts)
        for i, entry in enumerate(self.foot.logs):
            y = below.y + i * self.line
            base = y + high / 2 + size * 0.36
            room = (w - 14 - measure(entry.number, size)) / SLIM
            small = max(self.least, size * max(SMALLEST, min(1.0, room / measure(entry.range, size))))
            said = Text(below.x + w - 3, base, small, fit(entry.range, small, room), "end")
            cells.append(Cell(below.x, y, w, high, "logged", said))
            texts.append(Text(below.x + 4, base, size, entry.number, ink="mute"))
            how = "committed" if entry.done else "uncommitted"
            cells.append(Cell(below.x + w + AIR, y, tick, high, how, None))
        return replace(heard, cells=tuple(cells), texts=tuple(texts), beyond=self.beyond)

    @property
    def beyond(self) -> tuple[float, float, float]:
        """Return the line between a process and the cells outside it."""
        return self.box.x - 5, self.box.x + self.box.w + 5, self.below.y - 0.5

    def log(self) -> Strip:
        """Return the items of a source: those read are grey, with an outline while they may have to be sent again, and
        a bar stands before the next one."""
        unheard = {record for _, record in self.foot.unheard}
        offset, log = self.foot.offset, self.foot.role["log"]
        texts = [self.in_words(one) for one in log] + (["■"] if self.foot.role.get("ends") else [])
        wide = [self.width(text) for text in texts]
        # As many as fit, including the last one read.
        first = last = max(0, min(offset - 1, len(texts) - 1))
        room = self.box.w - 2 * self.font - (wide[first] if wide else 0)
        while last + 1 < len(texts) and wide[last + 1] + AIR <= room:
            last += 1
            room -= wide[last] + AIR
        while first > 0 and wide[first - 1] + AIR <= room:
            first -= 1
            room -= wide[first] + AIR
        shown = range(first, min(last + 1, len(texts)))
        total = sum(wide[i] + AIR for i in shown) - AIR
        x = self.box.x + (self.box.w - total) / 2
        dots = [self.dots(x - 2, "end")] if first else []
        dots += [self.dots(x + total + 2, "start")] if last + 1 < len(texts) else []
        cells, bar = [], None
        for i in shown:
            bar = x - AIR / 2 if i == offset else bar
            how = "read" if i < offset else "unread"
            how = "read unheard" if f"{self.foot.name}.{i + 1}" in unheard else how
            cells.append(self.cell(texts[i], how, x, wide[i], self.box))
            x += wide[i] + AIR
        if offset >= len(texts) and last + 1 == len(texts):
            bar = x - AIR / 2
        top, bottom = self.box.y - 1, self.box.y + self.box.h + 2
        return Strip("source", tuple(cells), tuple(dots), (bar, top, bottom) if bar is not None else None)

    def heard(self) -> Strip:
        """Return the processes whose parts the coordinator knows to be stored."""
        heard, box = self.foot.heard, self.box
        if not heard:
            return Strip("coordinator", (), ())
        w = min(14.0, (box.w - AIR * (len(heard) - 1)) / len(heard))
        if w < 7:
            return Strip("coordinator", (), (self.word(f"✓ {heard.count('stored')}/{len(heard)}"),))
        x = box.x + (box.w - len(heard) * (w + AIR) + AIR) / 2
        cells = tuple(Cell(x + i * (w + AIR), box.y + 2, w, box.h - 3, how, None) for i, how in enumerate(heard))
        return Strip("coordinator", cells, ())

    def cells(self, given: list[tuple[str, str]], box: Box, ids: int = 0) -> tuple[tuple[Cell, ...], tuple[Text, ...]]:
        """Return the last cells that fit, side by side; before them stand the number of those left out and, if the
        first ones are ids, a word for them."""
        wide = [self.width(text) for text, _ in given]
        called = word("player.stage.ids", self.language) if ids and box.w > WORDY else ""
        first, room = len(given), box.w - (measure(called, self.font) + 4 if called else 0)
        while first > 0 and wide[first - 1] + AIR <= room - (18 if first > 1 else 0):
            first -= 1
            room -= wide[first] + AIR
        hidden = len(given) - 1 if given and first == len(given) else first
        shown = [(text, how, min(w, box.w - 20)) for (text, how), w in zip(given[hidden:], wide[hidden:], strict=True)]
        before = " ".join(one for one in (called, f"+{hidden}" if hidden else "") if one)
        room = measure(before, self.font) + 4 if before else 0
        x = box.x + (box.w - (sum(w + AIR for _, _, w in shown) - AIR + room)) / 2
        texts = (Text(x, self.baseline(box), self.font, before, ink="mute"),) if before else ()
        x += room
        found = []
        for text, how, w in shown:
            found.append(self.cell(text, how, x, w, box))
            x += w + AIR
        return tuple(found), texts

    def cell(self, text: str, how: str, x: float, w: float, box: Box) -> Cell:
        ink = "mute" if how == "read" else "wrong" if how == "twice" else "ink"
        said = Text(x + w / 2, self.baseline(box), self.font, fit(text, self.font, (w - 3) / TIGHT), "middle", ink=ink)
        return Cell(x, box.y + 1, w, box.h - 1, how, said)

    def dots(self, x: float, anchor: str) -> Text:
        return Text(x, self.baseline(self.box), self.font, "…", anchor, ink="mute")

    def word(self, text: str) -> Text:
        middle = self.box.x + self.box.w / 2
        return Text(middle, self.baseline(self.box), self.font, fit(text, self.font, self.box.w), "middle", ink="mute")

    def baseline(self, box: Box) -> float:
        return box.y + box.h / 2 + self.font * 0.36 + 0.5

    def width(self, text: str) -> float:
        return max(self.font + 2, min(44.0, measure(text, self.font) + 6))
