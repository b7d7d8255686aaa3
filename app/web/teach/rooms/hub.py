"""Everybody who reads a room: each gets the newest event, which is serialised once.

No reader has a queue. It is woken, and takes what is newest then: who is slow misses what is old already, holds nobody
up, and needs no more memory than the connection. This is the whole of the interface, so that a broker could carry
events to hubs on other machines: ``publish`` on one of them, and ``readers`` on all.
"""

import asyncio
import time
from collections.abc import Callable

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from app.compact_json import compact
from app.core.model.values import Json
from app.web.base.sse import DIRECT

BEAT = 15.0
"""Seconds after which readers are sent a sign of life."""
STUCK = 60.0
"""Seconds after which a reader that takes nothing is dropped."""
BEATING = b"event:beat\ndata:\n\n"


def event(document: Json) -> bytes:
    """Return a document as an event."""
    return b"event:room\ndata:%b\n\n" % compact(document).encode()


class _Reader:
    """A connection that is sent what is newest."""

    def __init__(self) -> None:
        self.woken = asyncio.Event()
        self.left = False
        self.sending: float | None = None
        self.task: asyncio.Task[object] | None = asyncio.current_task()


class Hub:
    """The readers of a room. ``changed`` is called when one comes or goes."""

    def __init__(self, changed: Callable[[], None] = lambda: None, clock: Callable[[], float] = time.monotonic) -> None:
        self.newest = b""
        self._readers: set[_Reader] = set()
        self._changed, self._clock = changed, clock

    @property
    def readers(self) -> int:
        """How many there are."""
        return len(self._readers)

    def publish(self, event: bytes) -> None:
        """Send an event to everybody."""
        self.newest = event
        for reader in self._readers:
            reader.woken.set()

    def beat(self) -> None:
        """Send a sign of life to everybody, and drop those who have taken nothing for long."""
        now = self._clock()
        for reader in list(self._readers):
            if reader.sending is None:
                reader.woken.set()
            elif now - reader.sending > STUCK and reader.task is not None:
                reader.task.cancel()

    def close(self) -> None:
        """Let every reader go, with the newest event."""
        for reader in list(self._readers):
            reader.left = True
            reader.woken.set()

    async def send_to(self, receive: Receive, send: Send) -> None:
        """Send events until the reader leaves, or the hub closes."""
        reader, sent = _Reader(), b""
        self._readers.add(reader)
        self._changed()
        leaving = asyncio.create_task(_gone(receive, reader))
        try:
            while True:
                reader.woken.clear()
                newest = self.newest
                reader.sending = self._clock()
                await send(_piece(newest if newest is not sent else BEATING))
                sent, reader.sending = newest, None
                if reader.left and self.newest is sent:
                    break
                await reader.woken.wait()
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except asyncio.CancelledError:
            if reader.sending is None or self._clock() - reader.sending <= STUCK:
                raise  # it is the server that ends
        finally:
            leaving.cancel()
            self._readers.discard(reader)
            self._changed()


def _piece(event: bytes) -> dict[str, object]:
    return {"type": "http.response.body", "body": event, "more_body": True}


async def _gone(receive: Receive, reader: _Reader) -> None:
    """Let a reader go when its connection is lost."""
    while (await receive())["type"] != "http.disconnect":
        pass
    reader.left = True
    reader.woken.set()


class Live(Response):
    """The events of a hub as an answer. A browser that loses it comes back after ``retry`` milliseconds."""

    media_type = "text/event-stream"

    def __init__(self, hub: Hub, retry: int) -> None:
        super().__init__(headers={"cache-control": "no-store", "x-accel-buffering": "no"})
        del self.headers["content-length"]
        self.hub, self.retry = hub, retry

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send events as long as somebody reads."""
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        await send(_piece(b"retry:%d\n\n" % self.retry))
        # In a task of its own, waking up does not lead through everything that has handled the request.
        await asyncio.create_task(self.hub.send_to(receive, scope.get(DIRECT, send)))
