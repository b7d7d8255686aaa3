"""What a process of a dataflow is for, in cells at its foot; see ``static/js/stage/strip.js``."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.core.model import Json
from app.narration.tell import word
from app.view.picture.letters import fit, measure
from app.view.picture.marks import Text
from app.view.picture.plan import Box

AIR = 2.0
"""Between two cells."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell. ``how`` is ``read`` or ``unread`` in the log of a source, ``out`` or ``twice`` below a sink,
    ``pending`` where it is still to go on, and what the coordinator knows of a part: ``stored``, ``lost`` or
    ``open``."""

    x: float
    y: float
    width: float
    height: float
    how: str
    said: Text | None


@dataclass(frozen=True, slots=True)
class Strip:
    """The foot of a process. ``bar`` is the place in a log, ``beyond`` the line between a sink and what has left."""

    role: str
    cells: tuple[Cell, ...]
    texts: tuple[Text, ...]
    bar: tuple[float, float, float] | None = None
    beyond: tuple[float, float, float] | None = None


@dataclass(frozen=True, slots=True)
class Foot:
    """What the strip of a process tells of: its role (see ``app.view.roles``), how far its log is read, what is still
    to go on, what has left the system as (record, identity), and what the coordinator knows of the others' parts."""

    name: str
    role: dict[str, Json]
    offset: int
    pending: Sequence[Json]
    outside: Sequence[tuple[Json, str]]
    heard: Sequence[str]


def strip(foot: Foot, node: Box, high: float, told: Callable[[object], str], language: str) -> Strip:
    """The cells of a process, in ``node``'s own place."""
    down = 4.0 if foot.role["role"] == "sink" else 0.0
    return _Drawing(foot, Box(-node.w / 2 + 5, node.h / 2 - high + down, node.w - 10, high - 4), told, language).strip()


class _Drawing:
    """``box`` is the upper left corner and the size."""

    def __init__(self, foot: Foot, box: Box, told: Callable[[object], str], language: str) -> None:
        self.foot, self.box, self.told, self.language = foot, box, told, language
        self.font = min(12.0, max(9.0, box.h + 4 - 10))

    def strip(self) -> Strip:
        foot, role = self.foot, self.foot.role["role"]
        if role == "source":
            return self.log()
        if role == "sink":
            seen: set[str] = set()
            cells = []
            for record, identity in foot.outside:
                cells.append((self.told(record), "twice" if identity in seen else "out"))
                seen.add(identity)
            found, texts = self.cells(cells)
            y = self.box.y - 0.5
            return Strip(role, found, texts, beyond=(self.box.x - 5, self.box.x + self.box.w + 5, y))
        if role == "coordinator":
            return self.heard()
        if foot.pending:
            return Strip(role, *self.cells([(self.told(one), "pending") for one in foot.pending]))
        does = word(f"player.stage.does.{foot.role['does']}{'.keyed' if foot.role.get('keyed') else ''}", self.language)
        return Strip(role, (), () if does == foot.name else (self.word(does),))

    def log(self) -> Strip:
        """The records of a source: those read are grey, and a bar stands before the next one."""
        offset, log = self.foot.offset, self.foot.role["log"]
        texts = [self.told(one) for one in log] + (["■"] if self.foot.role.get("ends") else [])
        wide = [self.width(text) for text in texts]
        # As many as fit, with the last that was read among them.
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
            cells.append(self.cell(texts[i], "read" if i < offset else "unread", x, wide[i]))
            x += wide[i] + AIR
        if offset >= len(texts) and last + 1 == len(texts):
            bar = x - AIR / 2
        top, bottom = self.box.y - 1, self.box.y + self.box.h + 2
        return Strip("source", tuple(cells), tuple(dots), (bar, top, bottom) if bar is not None else None)

    def heard(self) -> Strip:
        """Whose parts the coordinator knows to be stored."""
        heard, box = self.foot.heard, self.box
        if not heard:
            return Strip("coordinator", (), ())
        w = min(14.0, (box.w - AIR * (len(heard) - 1)) / len(heard))
        if w < 7:
            return Strip("coordinator", (), (self.word(f"✓ {heard.count('stored')}/{len(heard)}"),))
        x = box.x + (box.w - len(heard) * (w + AIR) + AIR) / 2
        cells = tuple(Cell(x + i * (w + AIR), box.y + 2, w, box.h - 3, how, None) for i, how in enumerate(heard))
        return Strip("coordinator", cells, ())

    def cells(self, given: list[tuple[str, str]]) -> tuple[tuple[Cell, ...], tuple[Text, ...]]:
        """Cells side by side, the last ones; how many are left out stands before them."""
        box = self.box
        wide = [self.width(text) for text, _ in given]
        first, room = len(given), box.w
        while first > 0 and wide[first - 1] + AIR <= room - (18 if first > 1 else 0):
            first -= 1
            room -= wide[first] + AIR
        hidden = len(given) - 1 if given and first == len(given) else first
        shown = [(text, how, min(w, box.w - 20)) for (text, how), w in zip(given[hidden:], wide[hidden:], strict=True)]
        before = f"+{hidden}" if hidden else ""
        room = measure(before, self.font) + 4 if before else 0
        x = box.x + (box.w - (sum(w + AIR for _, _, w in shown) - AIR + room)) / 2
        texts = (Text(x, self.baseline, self.font, before, ink="mute"),) if before else ()
        x += room
        found = []
        for text, how, w in shown:
            found.append(self.cell(text, how, x, w))
            x += w + AIR
        return tuple(found), texts

    def cell(self, text: str, how: str, x: float, w: float) -> Cell:
        ink = "mute" if how == "read" else "wrong" if how == "twice" else "ink"
        said = Text(x + w / 2, self.baseline, self.font, fit(text, self.font, w - 3), "middle", ink=ink)
        return Cell(x, self.box.y + 1, w, self.box.h - 1, how, said)

    def dots(self, x: float, anchor: str) -> Text:
        return Text(x, self.baseline, self.font, "…", anchor, ink="mute")

    def word(self, text: str) -> Text:
        middle = self.box.x + self.box.w / 2
        return Text(middle, self.baseline, self.font, fit(text, self.font, self.box.w), "middle", ink="mute")

    @property
    def baseline(self) -> float:
        return self.box.y + self.box.h / 2 + self.font * 0.36 + 0.5

    def width(self, text: str) -> float:
        return max(self.font + 2, min(44.0, measure(text, self.font) + 6))
