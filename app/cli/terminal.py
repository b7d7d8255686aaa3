"""Output: lines for a pipe or a terminal, without control characters that a terminal would obey."""

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TextIO

from rich.console import Console
from rich.status import Status

from app.core.model.values import Json

BAD_INPUT = 2
"""The exit status for input that cannot be used."""

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that move the cursor, reverse the order of others, or cannot be written at all."""


def opened() -> None:
    """Open the standard streams that the command was started without: they are empty, and what is written to them is
    discarded. Else the next file would take the number of one."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # it takes the lowest number that is free, which is this one
            setattr(sys, name, os.fdopen(number, "w" if number else "r", encoding="utf-8", closefd=False))


def utf8() -> None:
    """Write UTF-8 whatever the machine's settings are."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def visible(text: str) -> str:
    """Return the text with its control characters made visible."""
    return CONTROL.sub(lambda m: m[0].encode("unicode_escape").decode(), text)


def oneline(text: str) -> str:
    """Return the text on one line."""
    return visible(" ".join(text.split()))


def say(lines: Iterable[str]) -> None:
    """Print lines. It is no error if the reader has closed the pipe."""
    write("".join(visible(line) + "\n" for line in lines))


def warn(text: str) -> None:
    """Print one line on stderr. Where that is impossible, there is nobody to tell."""
    try:
        print(f"bluecut: {oneline(text)}", file=sys.stderr, flush=True)
    except OSError:
        _discard(sys.stderr)


def write(text: str) -> None:
    """Print a text as it is."""
    with _closed_pipe():
        sys.stdout.write(text)
        sys.stdout.flush()


def write_json(value: Json) -> None:
    """Print a value as JSON that people can read."""
    write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


@contextmanager
def _closed_pipe() -> Iterator[None]:
    """Discard the rest silently when the reader closes the pipe."""
    try:
        yield
    except BrokenPipeError:
        _discard(sys.stdout)


def flushed() -> OSError | None:
    """Write what is still in memory. Return why that is impossible; then it is discarded, or the interpreter would try
    again when it ends."""
    try:
        sys.stdout.flush()
    except OSError as error:
        _discard(sys.stdout)
        return None if isinstance(error, BrokenPipeError) else error
    return None


def _discard(stream: TextIO) -> None:
    """Lead a stream nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def terminal() -> bool:
    """Is the output a terminal?"""
    return sys.stdout.isatty()


@contextmanager
def working(what: str) -> Iterator[Status | None]:
    """Show on a terminal that long work continues; show nothing in a pipe."""
    if not sys.stderr.isatty():
        yield None
        return
    # The line has the terminal to itself: while Spark starts, stderr leads to a log (see app.pipeline.engine.session).
    with (
        os.fdopen(os.dup(sys.stderr.fileno()), "w", encoding=sys.stderr.encoding, errors=sys.stderr.errors) as own,
        Console(file=own).status(oneline(what)) as status,
    ):
        yield status
