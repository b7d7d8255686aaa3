"""The recorded state of a channel: what is in its tray; and the findings of failed checks.

The rules are those of ``static/js/stage/caption.js``.
"""

from collections.abc import Sequence

from app.core.model.value import Frozen
from app.pictures.layout.colours import Text
from app.pictures.layout.paths import Point
from app.pictures.layout.plan import Box, Plan, Track
from app.pictures.layout.text_width import TIGHT, fit, measure
from app.pictures.stage.coins import Coin
from app.pictures.stage.shapes import Copy
from app.words.catalogues import word

SLIM = 0.88
"""Names of processes are narrower than the estimate by this factor."""
SHOWN = 4
"""The most recorded messages shown; more are counted."""
SIZE = 13
"""The font size of a recorded message in a row."""
LEGIBLE = 5
"""What is left of a word that was shortened is so long, or it says nothing."""
LABEL = 96
"""How wide the text on a message may be there."""
NEAR = 4
"""A badge that is no farther from its tray than this needs no line to it."""
HIGH, INSET = 26, 8
"""How high a tray in a row is, and how far its content is from its ends."""


class Channel(Frozen):
    """What to say about a channel. ``faults`` are messages with the word for the fault; if it is ``partitioned``, the
    first of them has no message; ``storing``: the part of its receiver is still being stored; ``useless``: that part
    is unusable; ``coins``: its messages are tokens."""

    name: str
    track: Track
    mode: str
    contents: tuple[str, ...]
    faults: tuple[tuple[str, str], ...]
    partitioned: bool = False
    storing: bool = False
    useless: bool = False
    coins: bool = False

    @property
    def open(self) -> bool:
        """Is the recorded state not safe yet: more may arrive, or the part that holds it is still being stored?"""
        return self.mode == "recording" or self.storing


def caption(channel: Channel, language: str) -> tuple[list[Text], list[Copy], Box | None]:
    """Return, in a row, what is beside a channel: its name, the copies of its messages, and the faults; and the tray
    around them, once there is one."""
    mode, track = channel.mode, channel.track
    sealed, recorded = mode == "recorded", mode in ("recording", "recorded")
    marks = channel.faults if track.wrong is None else ()
    beside = _width(marks) if marks else 0.0
    wide = min(track.room - beside, track.way.length + track.tube)
    begin = track.label.x - (wide + beside) / 2
    room = wide - 2 * INSET
    said = channel.name.replace("->", " → ")
    note = {"recording": "picture.recording.short", "unwatched": "player.stage.unseen"}.get(mode, "")
    note = word(note, language) if note else ""
    shown = _shortened(channel.contents, room)
    pills = [(content, 20 if channel.coins else measure(content, SIZE) + 14) for content in shown]
    rest = len(channel.contents) - len(pills)
    tail = f"{'+' if pills else '×'}{rest}" if rest else "∅" if sealed and not channel.contents else ""
    fixed = sum(w + 5 for _, w in pills) + (measure(tail, 13) + 8 if tail else 0)
    first = measure(said, 13) * SLIM + (8 if note else 0)
    if fixed and first + fixed > room:  # rather slim than nameless
        said = said.replace(" ", "")
        first = measure(said, 13) * SLIM + (8 if note else 0)
    if fixed and first + fixed > room:
        said, first = "", 0
    if measure(note, 13) * TIGHT > room - fixed - first - 8:
        note = ""
    long = first + measure(note, 13) * TIGHT
    x, y = begin + (wide - long - fixed - (8 if fixed else 0)) / 2, track.label.y
    grey = sealed and channel.useless
    on = "mute" if grey else "paper" if sealed else "ink" if recorded else "mute"
    texts = [Text(x, y + 4.5, 13, said, ink=on)]
    if note:
        texts.append(Text(x + first, y + 4.5, 13, note, ink=on))
    x += long + 8
    copies = []
    for content, w in pills:
        ink = "mute" if grey else "tone" if channel.open or not sealed else "paper"
        inside = Text(0, 4.5, SIZE, "" if channel.coins else content, "middle", 600, ink)
        coin = Coin(0, 0, 10, ink) if channel.coins else None
        copies.append(Copy(Point(x + w / 2, y), w, 20, inside, channel.open, coin=coin))
        x += w + 5
    if tail:
        empty = tail == "∅"
        ink = on if sealed else "tone"
        texts.append(Text(x, y + (5.5 if empty else 4.5), 16 if empty else 13, tail, weight=700, ink=ink))
    place = Point(begin + wide + 8, y)
    if track.wrong is not None:
        place = Point(track.wrong.x - _width(channel.faults) / 2, track.wrong.y)
    for message, wrong in channel.faults:
        w = measure(message, SIZE) + 30 if message else 20
        fault = _fault(Point(place.x + w / 2, place.y), message, SIZE, w, 20, channel.partitioned and not message)
        copies.append(fault)
        texts.append(Text(place.x + w + 6, place.y + 4.5, 13, wrong, weight=700, ink="wrong"))
        place = Point(place.x + _width([(message, wrong)]), place.y)
    return texts, copies, Box(begin + wide / 2, y, wide, HIGH) if recorded else None


def _shortened(contents: Sequence[str], room: float) -> list[str]:
    """Return the first recorded messages, as long as there is room for them; none if one could not be read."""
    shown = contents[:SHOWN]
    cut = [fit(content, SIZE, max(SIZE, min(LABEL, room / len(shown) - 26))) for content in shown]
    return [] if any(each.endswith("…") and len(each) < LEGIBLE for each in cut) else cut


def _width(faults: Sequence[tuple[str, str]]) -> float:
    """Return the width of faults with their words, one after another."""
    return sum((measure(message, SIZE) + 50 if message else 40) + measure(wrong, 13) for message, wrong in faults)


def _fault(place: Point, message: str, size: float, w: float, h: float, bolt: bool = False) -> Copy:
    """Return a finding of a check or an action of the network: the template dashes it and puts a cross before it, or a
    bolt."""
    said = Text(-w / 2 + h / 2 + 9, size * 0.36, size, message, weight=700, ink="wrong")
    return Copy(place, w, h, said, True, True, bolt)


def badge(channel: Channel, plan: Plan) -> list[Copy]:
    """Return the badge on the channel: ∅, the recorded messages or their number; or the faults in them."""
    spot = channel.track.badge
    grid = plan.look == "grid"
    if spot is None:
        return []
    size = 8 if grid else max(plan.font, 11)
    most = spot.w - 8
    if channel.faults:
        message, wrong = channel.faults[0]
        whole = f"{message} {wrong}".strip()
        message = whole if measure(whole, size) <= most - 16 else fit(message, size, most - 16) if most > 24 else ""
        w = measure(message, size) + 24 if message else size + 10
        return [_fault(_middle(spot.box(w, size + 6)), message, size, w, size + 6, channel.partitioned)]
    if channel.mode in ("none", "unwatched") or (channel.mode == "recording" and not channel.contents):
        return []
    if grid and not channel.contents:
        return []
    said = _content(channel.contents, size, min(most, 54), grid)
    h = size + (3 if grid else 6)
    one = channel.coins and not grid and len(channel.contents) == 1
    w = h if one else max(measure(said, size) + 10, size + 8)
    late = channel.mode == "recording" or (channel.storing and bool(channel.contents))
    ink = "tone" if late else "paper"
    inside = Text(0, size * 0.36, size, "" if one else said, "middle", 700, ink)
    place, coin = _middle(spot.box(w, h)), Coin(0, 0, h / 2, ink) if one else None
    leader = Point(spot.x - spot.nx * spot.gap - place.x, spot.y - spot.ny * spot.gap - place.y)
    return [Copy(place, w, h, inside, late, coin=coin, leader=leader if spot.gap > NEAR and not grid else None)]


def _middle(box: Box) -> Point:
    return Point(box.x, box.y)


def _content(contents: Sequence[str], size: float, most: float, grid: bool) -> str:
    """Return as many recorded messages as fit, or their number."""
    if not contents:
        return "∅"
    said = " ".join(contents)
    if not grid and len(contents) <= SHOWN and measure(said, size) <= most:
        return said
    cut = fit(said, size, most) if len(contents) == 1 and not grid else "…"
    return f"×{len(contents)}" if cut == "…" else cut
