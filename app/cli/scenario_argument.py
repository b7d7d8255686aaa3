"""The SCENARIO of a command: a name from the library, a file, or - for standard input."""

import sys
from pathlib import Path

from app.core.model.values import BluecutError, Phrase
from app.forms.explain import either, meant
from app.forms.utf8 import utf8
from app.scenario.library import LIBRARY
from app.scenario.scenario import Scenario, load

STDIN = "-"
MOST_BYTES = 256_000_000
"""A longer file is something else. Other limits protect servers, and do not hold here."""


def scenario(named: str) -> Scenario:
    """Return the scenario that ``named`` names. Raises BluecutError if there is none, or if it is wrong."""
    if named == STDIN:
        return load(_decoded(sys.stdin.buffer.read(MOST_BYTES + 1), "stdin"), "stdin", limit=None)
    if named in LIBRARY.names():
        return LIBRARY.scenario(named)
    path = Path(named)
    if not _exists(path):
        raise BluecutError(
            "no scenario of the library and no file is called {name!r}; {suggestion}",
            name=named[:80],
            suggestion=_suggestion(named),
        )
    return load(text(path), named, limit=None)


def _exists(path: Path) -> bool:
    """Is there a file (or a folder) of this name?"""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _suggestion(named: str) -> Phrase:
    """Return what the name was perhaps meant to be."""
    near = meant(named, LIBRARY.names())
    return Phrase("did you mean {names}?", names=either(near)) if near else Phrase("bluecut check lists the library")


def text(path: Path) -> str:
    """Return the text of a file, no longer than MOST_BYTES. Raises BluecutError if it cannot be read."""
    return _decoded(_content(path), str(path))


def _content(path: Path) -> bytes:
    """Return the first bytes of a file, one more than MOST_BYTES at most."""
    try:
        with path.open("rb") as file:
            return file.read(MOST_BYTES + 1)
    except IsADirectoryError:
        raise BluecutError("{file}: a folder; give a file", file=path) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise BluecutError("{file}: cannot be read: {reason}", file=path, reason=str(reason)) from None


def _decoded(content: bytes, name: str) -> str:
    """Return bytes as text. Raises BluecutError if there are too many, or they are not UTF-8."""
    if len(content) > MOST_BYTES:
        raise BluecutError("{file}: larger than {most:,} bytes, the most that can be read", file=name, most=MOST_BYTES)
    return utf8(content.decode("utf-8-sig", "surrogateescape"), name)
