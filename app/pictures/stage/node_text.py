"""The texts in a process and in its recorded copy, by the look of the stage."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from app.core.model.values import Json
from app.pictures.layout.colours import Text
from app.pictures.layout.grid import FONT
from app.pictures.layout.plan import Box, Plan
from app.pictures.layout.text_width import fit, measure, wrap
from app.words.catalogues import named, word
from app.words.checkpoint_names import called

TIGHT = 0.92
"""Estimates of widths are generous; for texts on one line, this part of the estimate looks right."""


@dataclass(frozen=True, slots=True)
class Look:
    """How processes are shown: the plan, the snapshot of the copies, the language, the masters of the processes'
    regions, and the numbers of the processes' own checkpoints; ``own``: name the checkpoints."""

    plan: Plan
    snapshot: int | None
    language: str
    in_words: Callable[[object], str]
    regions: Mapping[str, str] = field(default_factory=dict)
    saved: Mapping[str, int] = field(default_factory=dict)
    own: bool = False

    @property
    def rows(self) -> int:
        """How many rows of a state a process shows (0: one line)."""
        return self.plan.rows

    def number(self, name: str) -> str:
        """Return the snapshot's number, with the master if there are regions; or the number of the process's own
        checkpoint."""
        if name in self.saved:
            if self.own:
                return called(name, self.saved[name])
            return word("player.stage.saved", self.language, saved=self.saved[name])
        return f"#{self.snapshot} {self.regions.get(name, '')}".rstrip()


def live(name: str, box: Box, state: object, look: Look, filled: bool) -> list[Text]:
    """Return the texts in a process; ``box`` may leave out its foot."""
    if look.plan.look == "grid":
        return [Text(0, FONT * 0.36, FONT, fit(name, FONT, box.w - 3), "middle", 700, "paper" if filled else "ink")]
    if look.plan.look == "row":
        return _tall(name, box, state, look)
    return _flat(name, box, state, look) if look.rows else _stacked(name, box, state, look)


def recorded(name: str, box: Box, state: object, look: Look) -> tuple[tuple[float, float, float], list[Text]]:
    """Return the place of the camera on a copy, and the texts in the copy."""
    if look.plan.look == "row":
        return _sheet(name, box, state, look)
    number = look.number(name) if look.rows else look.regions.get(name, "")
    room = box.w - 26 - measure(number, 12) - (16 if number else 8)
    said = fit(look.in_words(state), 12, room)
    texts = [Text(box.w / 2 - 8, 4.5, 12, said, "end", 600, "paper")]
    if number:
        texts.insert(0, Text(-box.w / 2 + 26, 4.5, 12, number, weight=700, ink="paper"))
    return (-box.w / 2 + 6, -8, 15), texts


def _tall(name: str, box: Box, state: object, look: Look) -> list[Text]:
    """Return, in a row, the name above and the state below it in rows."""
    top = -box.h / 2
    texts = [Text(0, top + 27, 18, fit(name, 18, box.w - 16), "middle", 700)]
    if not isinstance(state, dict):
        said = "" if state is None else look.in_words(state)
        size = max(12, min(30, 30 * (box.w - 24) / max(1, measure(said, 30))))
        return [*texts, Text(0, box.h / 2 - 21, size, fit(said, size, box.w - 16), "middle", 700)]
    items = list(state.items())
    # A state may have outgrown the room planned for the first one.
    most = max(1, min(look.rows, int((box.h - 40) // 24)))
    shown = items[: most - 1 if len(items) > most else most]
    left = -min(box.w / 2 - 16, 52)
    for at, (key, value) in enumerate(shown):
        y = top + 55 + at * 24
        said = fit(look.in_words(value), 15, 70)
        texts.append(
            Text(
                left, y, 15, fit(named(key, state, look.language)[0], 15, -2 * left - measure(said, 15) - 8), ink="mute"
            )
        )
        texts.append(Text(-left, y, 15, said, "end", 600))
    if len(shown) < len(items):
        texts.append(Text(0, top + 55 + len(shown) * 24, 13, f"+{len(items) - len(shown)}", "middle", ink="mute"))
    return texts


def _stacked(name: str, box: Box, state: object, look: Look) -> list[Text]:
    """Return, for many processes, the name and below it the state in one line."""
    said = "" if state is None else fit(look.in_words(state), 13, box.w - 10)
    title = Text(0, -4 if said else 4.5, 13, fit(name, 13, box.w - 8), "middle", 700)
    return [title, Text(0, 13.5, 13, said, "middle", 600)] if said else [title]


def _flat(name: str, box: Box, state: object, look: Look) -> list[Text]:
    """Return, on a circle, the name, and the state in large type or in a few rows."""
    if not isinstance(state, dict):
        said = "" if state is None else fit(look.in_words(state), 18, box.w - 14)
        title = Text(0, -7 if said else 5, 15, fit(name, 15, box.w - 12), "middle", 700)
        return [title, Text(0, 17, 18, said, "middle", 600)] if said else [title]
    top = -box.h / 2
    texts = [Text(0, top + 18, 15, fit(name, 15, box.w - 12), "middle", 700)]
    most = max(1, min(look.rows, int((box.h - 28) // 17)))
    for at, (key, value) in enumerate(list(state.items())[:most]):
        said = fit(look.in_words(value), 13, box.w * 0.5)
        y = top + 37 + at * 17
        texts.append(
            Text(
                -box.w / 2 + 10,
                y,
                13,
                fit(named(key, state, look.language)[0], 13, box.w - 24 - measure(said, 13)),
                ink="mute",
            )
        )
        texts.append(Text(box.w / 2 - 10, y, 13, said, "end", 600))
    return texts


def _entry(key: str, state: dict[str, Json], look: Look) -> str:
    """Return one entry of a state on a line."""
    name, value, mark = named(key, state, look.language)
    return f"{name}{mark if name else ''}{look.in_words(value)}"


def _sheet(name: str, box: Box, state: object, look: Look) -> tuple[tuple[float, float, float], list[Text]]:
    """Return the copy of a process in a row: a heading, and its state."""
    number = look.number(name)
    head = word("picture.recorded", look.language, process=name)
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
            font, leading, below = 11, 13, 31
            lines = wrap(entries, font, box.w - 16, min(3, int((box.h - 28) // leading)))
        top = -box.h / 2 + below - 1 + font + (box.h - below - 4 - len(lines) * leading) / 2
        texts += [Text(0, top + at * leading, font, line, "middle", 600, "paper") for at, line in enumerate(lines)]
    else:
        texts.append(Text(0, box.h / 2 - 14, 20, fit(look.in_words(state), 20, box.w - 16), "middle", 700, "paper"))
    return (-long / 2, -box.h / 2 + 10, 18), texts
