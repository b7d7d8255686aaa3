"""Channels that were partitioned, and healed, in space and time: a mark between the lines of their two processes."""

from app.core.model.notes import Healed, Note, Partitioned
from app.core.model.value import Frozen
from app.pictures.layout.colours import Text
from app.pictures.layout.paths import Point
from app.pictures.layout.text_width import measure
from app.pictures.spacetime.labels import Labels
from app.pictures.spacetime.options import FINE
from app.pictures.spacetime.shapes import Scissors
from app.run.run import Run
from app.words.catalogues import word

BESIDE = 12


class ChannelFault(Frozen):
    """In ``step`` the channel from the row ``source`` to the row ``target`` was partitioned, or ``healed``."""

    step: int
    source: int
    target: int
    channel: str
    healed: bool


def faulty(run: Run, step: int) -> tuple[ChannelFault, ...]:
    """Return all partitions of channels, and their ends, by ``step``."""
    rows, channels = run.system.topology.process_order, run.system.topology.channels
    found = []
    for at, note in run.told(Note, step):
        if isinstance(note, Partitioned | Healed):
            ends = rows[channels[note.channel].source], rows[channels[note.channel].target]
            found.append(ChannelFault(at, *ends, note.channel, isinstance(note, Healed)))
    return tuple(found)


def scissors(one: ChannelFault, x: float, y: float, z: float, labels: Labels, language: str) -> Scissors:
    """Return the mark at ``x``, between the lines at ``y`` and ``z``; its words take their place among ``labels``."""
    middle = (y + z) / 2
    said = word(f"spacetime.channel.{'healed' if one.healed else 'partitioned'}", language, channel=one.channel)
    wide = measure(said, FINE)
    after = x + BESIDE + wide <= labels.room
    left = x + BESIDE if after else x - BESIDE - wide
    labels.boxes.append((left, middle - 9, left + wide, middle + 9))
    anchor, ink = "start" if after else "end", "ink" if one.healed else "wrong"
    text = Text(left if after else left + wide, middle + 4, FINE, said, anchor, 700, ink)
    return Scissors(one.channel, Point(x, middle), min(y, z), max(y, z), one.healed, text)
