"""Pictures for a phone, whose letters are never made smaller than can be read."""

import re
from collections.abc import Callable
from typing import TypeVar

from markupsafe import Markup

from app.core.model.topology import Topology
from app.pictures.layout.plan import LEGIBLE
from app.pictures.layout.stretches import DENSE

_Room = TypeVar("_Room")
_MARK = "stage-of-two"
"""Begins the ids of a picture that is used twice."""


def legible(svg: str) -> str:
    """Return a picture for a phone as wide as the place it was drawn for, or so wide that its smallest letters can be
    read; if that is wider than the phone, it can be swiped."""
    fonts = [float(size) for size in re.findall(r'<text [^>]*font-size="([0-9.]+)"', svg)]
    wide, high = map(float, svg.split('viewBox="', 1)[1].split('"')[0].split()[2:])
    room = float(svg.split(' width="', 1)[1].split('"')[0])
    shown = max(room, wide * LEGIBLE / min(fonts, default=LEGIBLE))
    size = f' width="{shown:.0f}" height="{shown * high / wide:.0f}"'
    return re.sub(r' width="[^"]*" height="[^"]*"', size, svg, count=1)


def screen_and_phone(
    topology: Topology, mark: str, screen: _Room, phone: _Room, draw: Callable[[str, _Room], str]
) -> list[Markup]:
    """Return the stage for a screen and for a phone. ``draw`` makes it with a mark, which begins the ids in it, for
    what is said of its room. One with very many channels is made once: on a phone, the same is as legible."""
    if len(topology.channels) > DENSE:
        drawn = draw(_MARK, screen)
        wide, narrow = drawn.replace(_MARK, mark), drawn.replace(_MARK, f"{mark}-narrow")
    else:
        wide, narrow = draw(mark, screen), draw(f"{mark}-narrow", phone)
    return [Markup(wide), Markup(legible(narrow))]
