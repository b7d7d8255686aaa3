"""The texts in a process and in its recorded copy, by the look of the stage."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from app.core.model.value import Frozen
from app.core.model.values import Json
from app.pictures.layout.colours import Text
from app.pictures.layout.grid import FONT
from app.pictures.layout.plan import Box, Plan
from app.pictures.layout.text_width import TIGHT, fit, measure, wrap
from app.pictures.stage.coins import Coin, coins, wide
from app.words.catalogues import named, word
from app.words.checkpoint_names import called

NUMBER = 44
"""In a row, how wide a value surely may be."""


@dataclass(frozen=True, slots=True)
class Look:
    """How processes are shown: the plan, the snapshot of the copies, the language, the masters of the processes'
    regions, and the numbers of the processes' own checkpoints; ``own``: name the checkpoints; ``tokens``: states are
    numbers of tokens, drawn as coins."""

    plan: Plan
    snapshot: int | None
    language: str
    in_words: Callable[[object], str]
    regions: Mapping[str, str] = field(default_factory=dict)
    saved: Mapping[str, int] = field(default_factory=dict)
    own: bool = False
    tokens: bool = False

    def number(self, name: str) -> str:
        """Return the snapshot's number, with the master if there are regions; or the number of the process's own
        checkpoint."""
        if name in self.saved:
            if self.own:
                return called(name, self.saved[name])
            return word("player.stage.saved", self.language, saved=self.saved[name])
        return f"#{self.snapshot} {self.regions.get(name, '')}".rstrip()


@dataclass(frozen=True, slots=True)
class Inside:
    """The texts in a process, and what marks those that the step has changed."""

    texts: list[Text]
    marks: list[Box] = field(default_factory=list)
    coins: list[Coin] = field(default_factory=list)


UNCHANGED = object()
"""What a state was before a step that does not change it."""


Camera = tuple[float, float, float]
"""Its left, its top and its size."""


def live(name: str, box: Box, state: object, was: object, look: Look, filled: bool) -> Inside:
    """Return what is in a process; ``box`` may leave out its foot. ``was``: the state before the step."""
    fresh = was is not UNCHANGED
    if look.plan.look == "grid":
        marks = [Box(0, box.h / 2 - 3, box.w - 6, 2)] if fresh else []
        ink = "paper" if filled else "ink"
        return Inside([Text(0, FONT * 0.36, FONT, fit(name, FONT, box.w - 3), "middle", 700, ink)], marks)
    tall = look.plan.look == "row"
    if look.tokens and isinstance(state, int):
        return _held(name, box, state, None if tall else FLAT if look.plan.rows else STACKED, fresh)
    if isinstance(state, dict) and (tall or look.plan.rows):
        before = was if isinstance(was, dict) else {}
        changed = [key for key, value in state.items() if fresh and (key not in before or before[key] != value)]
        return (_tall if tall else _flat)(name, box, state, changed, look)
    said = "" if state is None else look.in_words(state)
    if tall:
        return _large(name, box, said, fresh)
    return _line(name, box, said, look, fresh)


def recorded(name: str, box: Box, state: object, look: Look) -> tuple[Camera | None, list[Text], list[Coin]]:
    """Return the place of the camera on a copy, if it has one, and the texts and the tokens in the copy."""
    if not look.tokens or not isinstance(state, int):
        return *_written(name, box, state, look), []
    camera, texts = _written(name, box, "", look)
    tall = look.plan.look == "row"
    r = LARGE if tall else SMALL
    long = wide(state, r)
    found, said = coins(state, -long / 2 if tall else box.w / 2 - 8 - long, box.h / 2 - 21 if tall else 0, r, "paper")
    return camera, [*texts, *said], found


def _written(name: str, box: Box, state: object, look: Look) -> tuple[Camera | None, list[Text]]:
    """Return the place of the camera on a copy, and the texts in the copy."""
    if look.plan.look == "row":
        return _sheet(name, box, state, look)
    number = look.number(name) if look.plan.rows else look.regions.get(name, "")
    said, number, camera = _brief(look.in_words(state), number, box.w - 32)
    x, anchor = (box.w / 2 - 6, "end") if camera else (0, "middle")
    texts = [Text(x, 5, BRIEF, said, anchor, 600, "paper")]
    if number:
        texts.insert(0, Text(-box.w / 2 + 26, 5, BRIEF, number, weight=700, ink="paper"))
    return (-box.w / 2 + 6, -8, 15) if camera else None, texts


def _brief(said: str, number: str, room: float) -> tuple[str, str, bool]:
    """Return the state on a copy of one line, and the number of the snapshot, unless the state needs its room: its
    colour and the name of the snapshot above the picture tell it, too; and is there room for the camera?"""
    beside = room - (measure(number, BRIEF) + 8 if number else 0)
    if measure(said, BRIEF) * TIGHT <= beside:
        return said, number, True
    tighter = FLAG.sub("", BETWEEN.sub(" ", said))
    alone = bool(NUMBERED.fullmatch(number)) or not number
    most, whole = room if alone else beside, measure(tighter, BRIEF) * TIGHT
    camera = whole <= most or not alone or whole > room + CAMERA
    room = most if camera else room + CAMERA
    return fit(tighter, BRIEF, room / TIGHT), "" if alone else number, camera


class _Line(Frozen):
    """A state on one line: the font of the name and its place above the state or alone, the font of the state and its
    place, how much narrower than the process both are; and of the mark, its place, how much wider than the state and
    narrower than the process it is, and its height; and the radius of a token instead. See ``LINE`` in
    ``static/js/stage/state.js``."""

    font: float
    named: float
    alone: float
    size: float
    value: float
    room: tuple[float, float]
    mark: tuple[float, float, float, float]
    coin: float


STACKED = _Line(13, -4, 4.5, 13, 13.5, (8, 10), (9, 12, 6, 18), 8)
FLAT = _Line(15, -7, 5, 18, 17, (12, 14), (11, 16, 8, 24), 11)
NAMED, TWO, AT, MARK = -8.7, 12.7, (3.8, 16.3), (6.2, 25)
"""A stacked state too long for one line: where the name is, its font, where its two lines are, and where its mark is
and how high. See ``TWO`` there."""
NUMBERED, BETWEEN, FLAG = re.compile(r"#\d+"), re.compile("[,、] ?"), re.compile("=(?=[✓·])")
"""The plain number of a snapshot; and what a state with little room leaves out: commas, and the sign before a tick."""
CAMERA = 20
"""The room that the camera on a copy of one line takes."""
PARTS, CLOSE = re.compile("(?<=[:：;；,，、]) ?"), re.compile("(?<=[：；，、]) +|(?<= ) +")
"""Between the parts of a state that is written on two lines; and the space between them that is not written."""
COIN, SMALL, LARGE, BRIEF = 17, 10, 12, 13.5
"""The radius of a token in a process in a row, in a copy of one line, and in one below a heading."""


def _line(name: str, box: Box, state: str, look: Look, fresh: bool) -> Inside:
    how = FLAT if look.plan.rows else STACKED
    title = fit(name, how.font, box.w - how.room[0])
    y, wider, narrower, high = how.mark
    if how is STACKED and measure(state, how.size) > box.w - how.room[1]:
        brief = state.replace(word("state.sealed", look.language), word("state.sealed.short", look.language))
        lines = wrap(PARTS.split(brief), TWO, (box.w - 6) / TIGHT, len(AT))
        written = (Text(0, at, TWO, CLOSE.sub("", line), "middle", 600) for at, line in zip(AT, lines, strict=False))
        marks = [Box(0, MARK[0], box.w - narrower, MARK[1])] if fresh else []
        return Inside([Text(0, NAMED, how.font, title, "middle", 700), *written], marks)
    said = fit(state, how.size, box.w - how.room[1])
    if not said:
        return Inside([Text(0, how.alone, how.font, title, "middle", 700)])
    marks = [Box(0, y, min(measure(said, how.size) + wider, box.w - narrower), high)] if fresh else []
    texts = [Text(0, how.named, how.font, title, "middle", 700), Text(0, how.value, how.size, said, "middle", 600)]
    return Inside(texts, marks)


def _held(name: str, box: Box, count: int, how: _Line | None, fresh: bool) -> Inside:
    """Return the name above tokens: on a line, or in a row."""
    y, wider, _, high = how.mark if how else (box.h / 2 - 32, 20, 0, 38)
    r = how.coin if how else COIN
    font, room, named = (how.font, how.room[0], how.named) if how else (18, 16, 27 - box.h / 2)
    long = wide(count, r)
    found, said = coins(count, -long / 2, y, r)
    title = Text(0, named, font, fit(name, font, box.w - room), "middle", 700)
    return Inside([title, *said], [Box(0, y, long + wider, high)] if fresh else [], found)


def _large(name: str, box: Box, state: str, fresh: bool) -> Inside:
    """Return, in a row, the name above and the state in large letters; a sentence that is too long, in two lines."""
    exact = min(30, 30 * (box.w - 24) / max(1, measure(state, 30)))
    size = max(13, exact)
    whole = measure(state, size) * TIGHT <= box.w - 16
    lines = [state] if whole else wrap(state.split(" "), size, (box.w - 16) / TIGHT, 2)
    said = max(lines, key=len)
    marks = [Box(0, box.h / 2 - 32, min(measure(said, exact) + 20, box.w - 12), 38)] if fresh and said else []
    title = Text(0, 27 - box.h / 2, 18, fit(name, 18, box.w - 16), "middle", 700)
    at = [box.h / 2 - 21] if len(lines) == 1 else [box.h / 2 - 32, box.h / 2 - 16]
    written = (Text(0, y, size, line.replace("  ", " "), "middle", 700) for y, line in zip(at, lines, strict=True))
    return Inside([title, *written], marks)


def _tall(name: str, box: Box, state: dict[str, Json], changed: Sequence[str], look: Look) -> Inside:
    """Return, in a row, the name above and the state below it in rows."""
    top = -box.h / 2
    inside = Inside([Text(0, top + 27, 18, fit(name, 18, box.w - 16), "middle", 700)])
    items = list(state.items())
    # A state may have outgrown the room planned for the first one.
    most = max(1, min(look.plan.rows, int((box.h - 40) // 24)))
    shown = items[: most - 1 if len(items) > most else most]
    # Long names of variables get more of a wide process.
    longest = max((measure(named(key, state, look.language)[0], 15) for key, _ in shown), default=0)
    left = -min(box.w / 2 - 12, max(52, (longest + 8 + NUMBER) / 2))
    for at, (key, value) in enumerate(shown):
        y = top + 55 + at * 24
        said = fit(look.in_words(value), 15, 70)
        title = fit(named(key, state, look.language)[0], 15, (-2 * left - measure(said, 15) - 8) / TIGHT)
        inside.texts.append(Text(left, y, 15, title, ink="mute"))
        inside.texts.append(Text(-left, y, 15, said, "end", 600))
        if key in changed:
            inside.marks.append(Box(0, y - 5, 16 - 2 * left, 22))
    if len(shown) < len(items):
        rest = f"+{len(items) - len(shown)}"
        inside.texts.append(Text(0, top + 55 + len(shown) * 24, 13, rest, "middle", ink="mute"))
    return inside


def _flat(name: str, box: Box, state: dict[str, Json], changed: Sequence[str], look: Look) -> Inside:
    """Return, on a circle, the name, and the state in a few rows."""
    top = -box.h / 2
    inside = Inside([Text(0, top + 18, 15, fit(name, 15, box.w - 12), "middle", 700)])
    most = max(1, min(look.plan.rows, int((box.h - 28) // 17)))
    for at, (key, value) in enumerate(list(state.items())[:most]):
        said = fit(look.in_words(value), 13, box.w * 0.5)
        y = top + 37 + at * 17
        title = fit(named(key, state, look.language)[0], 13, box.w - 24 - measure(said, 13))
        inside.texts.append(Text(-box.w / 2 + 10, y, 13, title, ink="mute"))
        inside.texts.append(Text(box.w / 2 - 10, y, 13, said, "end", 600))
        if key in changed:
            inside.marks.append(Box(0, y - 4, box.w - 10, 16))
    return inside


def _entry(key: str, state: dict[str, Json], look: Look) -> str:
    name, value, mark = named(key, state, look.language)
    return f"{name}{mark if name else ''}{look.in_words(value)}"


def _sheet(name: str, box: Box, state: object, look: Look) -> tuple[Camera, list[Text]]:
    """Return the copy of a process in a row: a heading, and its state."""
    number = look.number(name)
    head = word("player.stage.recorded", look.language, process=name)
    head = head if measure(head, 13) <= box.w - 62 else fit(name, 13, box.w - 62)
    long = 32 + (measure(head, 13) + measure(number, 13)) * TIGHT
    y = -box.h / 2 + 24
    texts = [
        Text(-long / 2 + 24, y, 13, head, weight=600, ink="paper"),
        Text(long / 2, y, 13, number, "end", 700, "paper"),
    ]
    if isinstance(state, dict):
        entries = [_entry(key, state, look) for key in state]
        font, leading, below, lines = 15, 20, 36, wrap(entries, 15, box.w - 16, 3)
        if any(measure(each, font) > box.w - 16 for each in entries) or len(lines) * leading > box.h - 34:
            font, leading, below = 13, 15, 31
            lines = wrap(entries, font, box.w - 12, min(3, int((box.h - 28) // leading)))
        top = -box.h / 2 + below - 1 + font + (box.h - below - 4 - len(lines) * leading) / 2
        texts += [Text(0, top + at * leading, font, line, "middle", 600, "paper") for at, line in enumerate(lines)]
    else:
        said, room = look.in_words(state), (box.w - 16) / TIGHT
        size = max(13, min(20, 19.8 * room / max(1, measure(said, 20))))
        texts.append(Text(0, box.h / 2 - 14, size, fit(said, size, room), "middle", 700, "paper"))
    return (-long / 2, -box.h / 2 + 10, 18), texts
