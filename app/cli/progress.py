"""How far long work is: one line on a terminal, which changes, and elsewhere a line on stderr now and then."""

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext

from rich.status import Status

from app.cli.output import oneline, say, visible, working

EVERY = 60.0
"""Seconds from one line to the next, where nobody looks at a terminal."""


class Progressing:
    """Tells how far it is (``now``), and what is to stay (``say``)."""

    def __init__(self, status: Status | None) -> None:
        self.status = status
        self.told = time.monotonic()

    def now(self, text: str, *, new: bool = False) -> None:
        """How far it is. What is ``new``, as another stage of the work, is told at once wherever it is told."""
        if self.status is not None:
            self.status.update(oneline(text))
        elif new or time.monotonic() - self.told >= EVERY:
            self.told = time.monotonic()
            print(oneline(text), file=sys.stderr, flush=True)

    def say(self, lines: Iterable[str]) -> None:
        """Print lines, at once; on a terminal they stay above the line that changes, and are not broken."""
        if self.status is None:
            say(lines)
            return
        for line in lines:
            self.status.console.print(visible(line), markup=False, highlight=False, emoji=False, soft_wrap=True)


@contextmanager
def progressing(what: str) -> Iterator[Progressing]:
    """Long work, which begins with ``what``. What is to stay belongs to stdout: where that is no terminal, no line
    changes on stderr either."""
    with working(what) if sys.stdout.isatty() else nullcontext() as status:
        yield Progressing(status)
