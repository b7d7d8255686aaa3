"""Connections: how many there may be, and how long one may take to ask for something."""

import asyncio
import errno
import logging
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Any

import h11
from starlette.requests import Request
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from app.web.base.errors import error_response
from app.web.base.security_headers import headers

UNASKED = 10.0
"""Seconds in which a connection sends a whole request. Then it is closed."""

STALLED = 60.0
"""Seconds in which a connection takes something of its answer. Then it is closed."""

MOST = 8_192
"""The most connections in all, if the machine allows as many open files."""

SHARE = 512
"""The most connections of one address, and at most half of all, unless the operator says how many. A proxy on this
machine speaks for many and may have all of them."""

SPARE = 64
"""How many connections beyond a limit are still told so, in words. Those beyond are closed at once."""

AT_ONCE = 32
"""The most connections that are accepted in one round of the loop; it looks at them a few rounds later."""

FILES = 65_536
"""The most open files that the server asks the machine for."""

OTHER_FILES = 256
"""How many open files are left to everything besides connections."""

SILENCE = 60.0
"""Seconds in which it is logged once that the machine has no more open files."""

logger = logging.getLogger("bluecut")


def open_files() -> int:
    """Allow this process as many open files as the machine permits, at most FILES. Return how many."""
    try:
        import resource
    except ImportError:  # Windows
        return FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(hard, FILES)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


@dataclass
class Crowd:
    """The open connections: ``most`` in all, ``share`` of one address."""

    most: int
    share: int
    addresses: Counter[str] = field(default_factory=Counter)

    @classmethod
    def within(cls, files: int, share: int | None = None) -> "Crowd":
        """Return the limits of a process that may have so many open files; ``share`` is what the operator lets one
        address have."""
        most = max(2, min(MOST, files - OTHER_FILES))
        return cls(most, min(SHARE, most // 2) if share is None else min(share, most))

    def enter(self, address: str) -> int:
        """Count one more connection. Return by how many its address, or all, are over a limit."""
        self.addresses[address] += 1
        mine = 0 if _here(address) else self.addresses[address] - self.share
        return max(0, self.addresses.total() - self.most, mine)

    def leave(self, address: str) -> None:
        """Count one connection less."""
        self.addresses[address] -= 1
        if self.addresses[address] <= 0:
            del self.addresses[address]


def _here(address: str) -> bool:
    """Is it an address of this machine for itself?"""
    try:
        return ip_address(address.partition("%")[0]).is_loopback
    except ValueError:
        return not address  # a socket of the file system has no address


class _Connection(H11Protocol):
    """A connection that is closed if it does not ask, or read, in time."""

    crowd: Crowd
    unasked: float
    stalled: float
    waiting: asyncio.TimerHandle | None = None
    sending: asyncio.TimerHandle | None = None
    address = ""
    counted = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin, or refuse to."""
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""
        over = self.crowd.enter(self.address)
        self.counted = True
        if over > SPARE:
            transport.abort()
        elif over:
            self.app = _crowded
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Read on, and see whether a whole request has come."""
        super().data_received(data)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        super().connection_lost(exc)
        if self.counted:
            self.counted = False
            self.crowd.leave(self.address)
        self._stop()
        self.resume_writing()

    def pause_writing(self) -> None:
        """Wait: more was sent than the reader has taken."""
        super().pause_writing()
        self._look()

    def _look(self, before: int | None = None) -> None:
        """See again and again whether the reader takes something of what waits."""
        waits = self.transport.get_write_buffer_size()
        if before is None or waits < before:
            self.sending = self.loop.call_later(self.stalled, self._look, waits)
        else:
            self.transport.abort()

    def resume_writing(self) -> None:
        """Go on."""
        super().resume_writing()
        if self.sending is not None:
            self.sending.cancel()
            self.sending = None

    def _wait(self) -> None:
        """Let the clock run as long as a request is not whole."""
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY) or self.transport.is_closing():
            self._stop()
        elif self.waiting is None:
            self.waiting = self.loop.call_later(self.unasked, self.transport.close)

    def _stop(self) -> None:
        if self.waiting is not None:
            self.waiting.cancel()
            self.waiting = None


def protocol(crowd: Crowd, unasked: float = UNASKED, stalled: float = STALLED) -> type[H11Protocol]:
    """Return uvicorn's connections within these limits; each has ``unasked`` seconds for a whole request, and
    ``stalled`` to take something of the answer."""
    return type("Connection", (_Connection,), {"crowd": crowd, "unasked": unasked, "stalled": stalled})


async def _crowded(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer that there is no room, and close."""
    refusal = error_response(Request(scope), 503)
    refusal.headers.update({**headers(scope["path"]), "connection": "close"})
    await refusal(scope, receive, send)


def quiet(clock: Callable[[], float] = time.monotonic) -> Callable[[asyncio.AbstractEventLoop, dict[str, Any]], None]:
    """Return what a loop does with its errors: it logs once in SILENCE that there are no more open files, where asyncio
    would write thousands of lines a second."""
    last = -SILENCE

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
        nonlocal last
        error = context.get("exception")
        if not isinstance(error, OSError) or error.errno not in (errno.EMFILE, errno.ENFILE):
            loop.default_exception_handler(context)
        elif clock() - last >= SILENCE:
            last = clock()
            logger.error("no more connections: %s; raise the limit (ulimit -n)", error.strerror)

    return handle
