"""The recorded state of a channel: beside it in a row, elsewhere a small badge on it; and the findings of failed
checks.

The rules are those of ``static/js/stage/caption.js``.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from app.pictures.layout.colours import Text
from app.pictures.layout.paths import Point
from app.pictures.layout.plan import Badge, Plan, Track
from app.pictures.layout.text_width import fit, measure
from app.pictures.stage.node_text import TIGHT
from app.pictures.stage.shapes import Copy
from app.words.catalogues import word

SLIM = 0.88
"""Names of processes are narrower than the estimate by this factor."""
SHOWN = 4
"""The most recorded messages shown; more are counted."""


@dataclass(frozen=True, slots=True)
class Channel:
    """What to say about a channel. ``faults`` are messages with the word for the fault; if it is ``partitioned``, the
    first of them has no message; ``near`` is how near to its beginning messages rest; ``storing``: the part of its
    receiver is still being stored."""

    name: str
    target: str
    track: Track
    mode: str
    contents: tuple[str, ...]
    faults: tuple[tuple[str, str], ...]
    near: float
    partitioned: bool = False
    storing: bool = False

    @property
    def open(self) -> bool:
        """Is the recorded state not safe yet: more may arrive, or the part that holds it is still being stored?"""
        return self.mode == "recording" or self.storing


def caption(channel: Channel, language: str) -> tuple[list[Text], list[Copy]]:
    """Return the text beside a channel in a row: its name, whether it is recorded, the recorded messages, and the
    faults."""
    mode, track = channel.mode, channel.track
    said = channel.name.replace("->", " → ")
    note = {
        "none": "",
        "recording": word("picture.recording", language, process=channel.target),
        "recorded": word("picture.closed", language),
        "unwatched": word("picture.unwatched", language),
    }[mode]
    pills = [(content, measure(content, 12) + 16) for content in (fit(c, 12, 84) for c in channel.contents[:SHOWN])]
    rest = len(channel.contents) - len(pills)
    tail = f"+{rest}" if rest else "∅" if mode == "recorded" and not channel.contents else ""
    marks = channel.faults if track.wrong is None else ()
    fixed = sum(w + 5 for _, w in pills) + (measure(tail, 13) + 8 if tail else 0)
    fixed += _width(marks) + (4 if marks else 0)
    first = measure(said, 13) * SLIM + (8 if note else 0)
    if measure(note, 13) * TIGHT > track.room - fixed - first - 8:
        note = word("picture.recording.short", language) if mode == "recording" else ""
    if fixed and first + fixed > track.room:
        said, first = "", 0
    long = first + measure(note, 13) * TIGHT
    x = track.label.x - (long + fixed + (8 if fixed else 0)) / 2
    y = track.label.y
    texts = [Text(x, y + 4.5, 13, said, ink="mute")]
    if note:
        seen = mode != "unwatched"
        texts.append(Text(x + first, y + 4.5, 13, note, weight=600 if seen else 400, ink="tone" if seen else "mute"))
    x += long + 8
    copies = []
    for content, w in pills:
        inside = Text(0, 4.5, 12, content, "middle", 600, "tone" if channel.open else "paper")
        copies.append(Copy(Point(x + w / 2, y), w, 20, inside, channel.open))
        x += w + 5
    if tail:
        texts.append(Text(x, y + 4.5, 15 if tail == "∅" else 13, tail, weight=700, ink="tone"))
        x += measure(tail, 13) + 12
    place = Point(x + 4, y)
    if track.wrong is not None:
        place = Point(track.wrong.x - _width(channel.faults) / 2, track.wrong.y)
    for message, wrong in channel.faults:
        w = measure(message, 12) + 30 if message else 20
        copies.append(_fault(Point(place.x + w / 2, place.y), message, 12, w, 20, channel.partitioned and not message))
        texts.append(Text(place.x + w + 6, place.y + 4.5, 13, wrong, weight=700, ink="wrong"))
        place = Point(place.x + _width([(message, wrong)]), place.y)
    middle = track.way.at(track.way.length / 2)
    if mode == "recorded" and not channel.contents and channel.near > track.way.length / 2 + 24:
        texts.append(Text(middle.x, middle.y + 7, 20, "∅", "middle", 700, "paper"))
    return texts, copies


def _width(faults: Sequence[tuple[str, str]]) -> float:
    """Return the width of faults with their words, one after another."""
    return sum((measure(message, 12) + 50 if message else 40) + measure(wrong, 13) for message, wrong in faults)


def _fault(place: Point, message: str, size: float, w: float, h: float, bolt: bool = False) -> Copy:
    """Return a finding of a check or an action of the network: the template dashes it and puts a cross before it, or a
    bolt."""
    said = Text(-w / 2 + h / 2 + 9, size * 0.36, size, message, weight=700, ink="wrong")
    return Copy(place, w, h, said, True, True, bolt)


def badge(channel: Channel, plan: Plan) -> list[Copy]:
    """Return the badge on the channel: ∅, the recorded messages or their number; or the faults in them."""
    spot = _where(channel)
    grid = plan.look == "grid"
    if spot is None:
        return []
    place = channel.track.way.at(spot.at)
    size = 8 if grid else max(plan.font, 11)
    most = spot.w - 8
    if channel.faults:
        message, wrong = channel.faults[0]
        whole = f"{message} {wrong}".strip()
        message = whole if measure(whole, size) <= most - 16 else fit(message, size, most - 16) if most > 24 else ""
        w = measure(message, size) + 24 if message else size + 10
        return [_fault(place, message, size, w, size + 6, channel.partitioned)]
    if channel.mode in ("none", "unwatched") or (channel.mode == "recording" and not channel.contents):
        return []
    if grid and not channel.contents:
        return []
    said = _content(channel.contents, size, min(most, 46), grid)
    w = max(measure(said, size) + 10, size + 8)
    late = channel.mode == "recording" or (channel.storing and bool(channel.contents))
    ink = "tone" if late else "paper"
    inside = Text(0, size * 0.36, size, said, "middle", 700, ink)
    return [Copy(place, w, size + (3 if grid else 6), inside, late)]


def _where(channel: Channel) -> Badge | None:
    """Return the position of the badge and its greatest width; in a tube only where no message rests."""
    if channel.track.stations is not None:
        return channel.track.badge
    at = channel.track.way.length * channel.track.print
    wide = min(110, 2 * (min(channel.near, 2 * at + 40) - at))
    return Badge(at, wide) if channel.near > at + 26 else None


def _content(contents: Sequence[str], size: float, most: float, grid: bool) -> str:
    """Return as many recorded messages as fit, or their number."""
    if not contents:
        return "∅"
    said = " ".join(contents)
    if not grid and len(contents) <= SHOWN and measure(said, size) <= most:
        return said
    return fit(said, size, most) if len(contents) == 1 and not grid else f"×{len(contents)}"
