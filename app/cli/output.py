"""Output: lines for a pipe or a terminal, and nothing that a terminal would obey instead of showing it."""

import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.status import Status

BAD_INPUT = 2
"""The exit status where what was given cannot be used."""

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that move the cursor, turn the order of others around, or cannot be written at all."""


def utf8() -> None:
    """Write UTF-8 whatever the machine is set to."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def visible(text: str) -> str:
    """The text with its control characters shown instead of sent."""
    return CONTROL.sub(lambda m: m[0].encode("unicode_escape").decode(), text)


def oneline(text: str) -> str:
    """The text on one line."""
    return visible(" ".join(text.split()))


def say(lines: Iterable[str]) -> None:
    """Print lines. A reader who has seen enough and closed the pipe is no error."""
    write("".join(visible(line) + "\n" for line in lines))


def warn(text: str) -> None:
    """One line on stderr."""
    print(f"bluecut: {oneline(text)}", file=sys.stderr, flush=True)


def write(text: str) -> None:
    """Print a text as it is."""
    with closed_pipe():
        sys.stdout.write(text)
        sys.stdout.flush()


@contextmanager
def closed_pipe() -> Iterator[None]:
    """When the reader goes away, what is left is thrown away, silently."""
    try:
        yield
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def terminal() -> bool:
    """Does a person look at what is printed?"""
    return sys.stdout.isatty()


@contextmanager
def working(what: str) -> Iterator[Status | None]:
    """Long work: says on the terminal that it goes on, and nothing in a pipe."""
    if not sys.stderr.isatty():
        yield None
        return
    with Console(stderr=True).status(oneline(what)) as status:
        yield status
