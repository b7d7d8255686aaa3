"""Where the messages of a queue rest in their channel.

The rules are those of ``static/js/stage/places.js``.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from app.pictures.layout.plan import Station

SPACE = 5
"""Between two messages in a tube."""
COUNTER = 30
"""The width of the "+n" that counts hidden messages."""


@dataclass(frozen=True, slots=True)
class Rest:
    """The places of the visible messages, the head's first; ``hidden`` many are counted at ``more``, or, if the tube is
    too short, ``aside`` of it."""

    stations: tuple[Station, ...]
    hidden: int
    more: Station
    aside: bool


def slots(widths: Sequence[float], length: float, pad: float) -> Rest:
    """Return places in a tube, one behind another; ``pad`` is how far messages may rest beyond its ends."""
    places: list[float] = []
    edge = length + pad
    for i, width in enumerate(widths):
        begin = edge - width - (SPACE if i else 0)
        if begin < -pad + (0 if i == len(widths) - 1 else COUNTER):
            break
        places.append(begin + width / 2)
        edge = begin
    aside = bool(widths) and not places
    if aside:
        places.append(length / 2)
    more = 0 if aside else max(edge - SPACE - COUNTER / 2, 0)
    return Rest(tuple(Station(at, 1) for at in places), len(widths) - len(places), Station(more, 1), aside)


def stops(stations: Sequence[Station], count: int) -> Rest:
    """Return places on a wire, at its stations; the last station counts the messages without one."""
    if not stations:
        return Rest((), 0, Station(0, 1), False)
    fits = count if count <= len(stations) else len(stations) - 1
    return Rest(tuple(stations[:fits]), count - fits, stations[min(fits, len(stations) - 1)], False)
