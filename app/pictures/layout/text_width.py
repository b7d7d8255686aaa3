"""Approximate widths of texts: a picture is made without a font, so widths are estimated and texts shortened to fit.

The rules are those of ``static/js/stage/letters.js``.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

TIGHT = 0.92
"""Estimates of widths are generous; for texts on one line, this part of the estimate looks right."""
CLASSES = ((re.compile(r"[MWmw@%✓]"), 0.94), (re.compile(r"[ilI.,:;|!']"), 0.36), (re.compile(r"[A-Z=+<>→]"), 0.74))


def measure(text: str, size: float) -> float:
    """Return the width of ``text`` at a font size, in the same unit. Square characters count as one em."""
    return size * sum(_em(sign) for sign in text)


@lru_cache(maxsize=4_096)
def _em(sign: str) -> float:
    """Return the width of a character in em."""
    if sign > "\u2e7f":
        return 1
    return next((wide for signs, wide in CLASSES if signs.match(sign)), 0.66)


def fit(text: str, size: float, width: float) -> str:
    """Return ``text``, shortened with … if it is wider than ``width``."""
    if measure(text, size) <= width:
        return text
    kept = ""
    for sign in text:
        if measure(f"{kept}{sign}…", size) > width:
            break
        kept += sign
    return f"{kept.rstrip()}…"


def wrap(parts: Sequence[str], size: float, width: float, most: int) -> list[str]:
    """Return the parts in at most ``most`` lines no wider than ``width``."""
    lines: list[str] = []
    for part in parts:
        longer = f"{lines[-1]}  {part}" if lines else part
        if lines and measure(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(part)
    shown = [fit(line, size, width) for line in lines[:most]]
    if len(lines) > most:
        shown[-1] = fit(f"{shown[-1]} …", size, width)
    return shown
