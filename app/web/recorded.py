"""A run as bytes, written once, however many visitors watch."""

import gzip
import json
from collections.abc import Iterator
from functools import cached_property

from app.core.model import Json
from app.simulator.run import Run
from app.web import frames
from app.web.stream import event


def compact(value: Json) -> bytes:
    """JSON in as few bytes as possible."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


class Recorded:
    """A run and its frames."""

    def __init__(self, run: Run) -> None:
        self.run = run

    @cached_property
    def scene(self) -> bytes:
        """What there is before the first step."""
        return compact(frames.scene(self.run))

    @cached_property
    def frames(self) -> tuple[bytes, ...]:
        """One small change a step."""
        return tuple(map(compact, frames.frames(self.run)))

    @cached_property
    def end(self) -> bytes:
        """What is known when the run is over."""
        return compact(frames.end(self.run))

    def events(self, after: int | None, *, zipped: bool) -> tuple[bytes, bool]:
        """The events behind step ``after`` (None: all, the scene included), and whether they are zipped."""
        if after is None:
            return (self._zipped if zipped else self._whole), zipped
        rest = b"".join(self._events(after))
        return (gzip.compress(rest, 6, mtime=0) if zipped else rest), zipped

    @cached_property
    def _whole(self) -> bytes:
        return b"".join(self._events(None))

    @cached_property
    def _zipped(self) -> bytes:
        return gzip.compress(self._whole, 6, mtime=0)

    def _events(self, after: int | None) -> Iterator[bytes]:
        if after is None:
            yield event("scene", 0, self.scene)
        for number, frame in enumerate(self.frames[after or 0 :], (after or 0) + 1):
            yield event("step", number, frame)
        yield event("end", len(self.run.steps), self.end)
