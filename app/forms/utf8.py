"""Bytes that are no UTF-8, told with their line."""

import re

from app.core.model.values import BluecutError

_NO_UTF8 = re.compile("[\udc80-\udcff]")
"""What ``surrogateescape`` makes of bytes that are no UTF-8."""


def utf8(text: str, name: str, first: int = 1) -> str:
    """Return a text that was read with ``surrogateescape``; its lines are numbered from ``first``. Raises BluecutError,
    which names the line, where it was no UTF-8."""
    if wrong := _NO_UTF8.search(text):
        line = text.count("\n", 0, wrong.start()) + first
        raise BluecutError("{file}, line {line}: not UTF-8; save the file as UTF-8 text", file=name, line=line)
    return text
