"""Pictures for a phone, whose letters are never made smaller than can be read."""

import re

from app.pictures.layout.plan import LEGIBLE


def legible(svg: str) -> str:
    """Return a picture for a phone as wide as the place it was drawn for, or so wide that its smallest letters can be
    read; if that is wider than the phone, it can be swiped."""
    fonts = [float(size) for size in re.findall(r'<text [^>]*font-size="([0-9.]+)"', svg)]
    wide, high = map(float, svg.split('viewBox="', 1)[1].split('"')[0].split()[2:])
    room = float(svg.split(' width="', 1)[1].split('"')[0])
    shown = max(room, wide * LEGIBLE / min(fonts, default=LEGIBLE))
    size = f' width="{shown:.0f}" height="{shown * high / wide:.0f}"'
    return re.sub(r' width="[^"]*" height="[^"]*"', size, svg, count=1)
