"""How far long work is: one changing line on a terminal, otherwise a line on stderr now and then."""

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext

from rich.status import Status

from app.cli.terminal import oneline, say, visible, working

EVERY = 60.0
"""Seconds from one line to the next if the output is not a terminal."""


class Progressing:
    """Shows how far the work is (``now``), and prints lines that stay (``say``)."""

    def __init__(self, status: Status | None) -> None:
        self.status = status
        self.told = time.monotonic()

    def now(self, text: str, *, new: bool = False) -> None:
        """Show how far the work is. What is ``new``, such as the next stage, is shown at once."""
        if self.status is not None:
            self.status.update(oneline(text))
        elif new or time.monotonic() - self.told >= EVERY:
            self.told = time.monotonic()
            print(oneline(text), file=sys.stderr, flush=True)

    def say(self, lines: Iterable[str]) -> None:
        """Print lines at once; on a terminal they stay above the changing line, unbroken."""
        if self.status is None:
            say(lines)
            return
        for line in lines:
            self.status.console.print(visible(line), markup=False, highlight=False, emoji=False, soft_wrap=True)


@contextmanager
def progressing(what: str) -> Iterator[Progressing]:
    """Show the progress of long work, which begins with ``what``. Lines that stay belong to stdout: if that is not a
    terminal, no line changes on stderr either."""
    with working(what) if sys.stdout.isatty() else nullcontext() as status:
        yield Progressing(status)
