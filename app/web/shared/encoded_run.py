"""A run as bytes, written once for any number of visitors."""

import gzip
import threading
from collections.abc import Iterator
from functools import cached_property
from itertools import islice

from pydantic_core import to_json

from app.core.model.values import Json
from app.run.run import Run
from app.web.base.sse import event
from app.wire import frames
from app.wire.end_card import EndCard, end_card

LEVEL = 5
"""How hard ``gzip`` tries: 6 takes 1.6 times as long for 5 % fewer bytes, 4 takes 0.8 times as long for 19 % more."""


def packed(value: Json) -> bytes:
    """Return JSON as it is sent: the same as ``compact``, in a fifth of the time."""
    return to_json(value)


class Recorded:
    """A run and its frames."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self._told: list[bytes] = []
        self._rest = frames.frames(run)
        self._lock = threading.Lock()

    @cached_property
    def scene(self) -> bytes:
        """What exists before the first step."""
        return packed(frames.scene(self.run))

    def first(self, steps: int) -> list[bytes]:
        """Return one small change per step, for the first steps. Later steps need not exist yet."""
        with self._lock:
            self._told += map(packed, islice(self._rest, max(0, steps - len(self._told))))
            return self._told[:steps]

    @cached_property
    def end(self) -> bytes:
        """What is known at the end of the run."""
        return packed(frames.end(self.run, self.card))

    @cached_property
    def card(self) -> EndCard:
        """The last word about the run."""
        return end_card(self.run)

    def events(self, after: int | None, *, zipped: bool) -> tuple[bytes, bool]:
        """Return the events after step ``after`` (None: all, including the scene), and whether they are compressed."""
        if after is None:
            return (self._zipped if zipped else self._whole), zipped
        rest = b"".join(self._events(after))
        return (gzip.compress(rest, LEVEL, mtime=0) if zipped else rest), zipped

    @cached_property
    def _whole(self) -> bytes:
        return b"".join(self._events(None))

    @cached_property
    def _zipped(self) -> bytes:
        return gzip.compress(self._whole, LEVEL, mtime=0)

    def _events(self, after: int | None) -> Iterator[bytes]:
        if after is None:
            yield event("scene", 0, self.scene)
        steps = self.first(len(self.run.steps))
        for number, frame in enumerate(steps[after or 0 :], (after or 0) + 1):
            yield event("step", number, frame)
        yield event("end", len(self.run.steps), self.end)
