"""Counts every answer, and writes it to the log. Pure ASGI: wrapping a stream costs nothing.

Neither has anything personal: no address of a visitor, no query, and of the path only its pattern, because both can
carry a visitor's scenario.
"""

import logging
import time
from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.web.base.sse import DIRECT
from app.web.operate.numbers import Numbers

METHODS = ("GET", "HEAD", "POST")
ACCESS = logging.getLogger("bluecut.access")


class Watch:
    """Watches an application; ``route_of`` returns the pattern of a path."""

    def __init__(self, app: ASGIApp, *, numbers: Numbers, route_of: Callable[[str], str]) -> None:
        self.app, self.numbers, self.route_of = app, numbers, route_of

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the application answer, and count it. A client that leaves before the answer begins counts as 499."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        numbers, began = self.numbers, time.perf_counter()
        status, size, streams = 499, 0, False

        async def counted(message: Message) -> None:
            nonlocal status, size, streams
            if message["type"] == "http.response.start":
                status = message["status"]
                streams = (b"content-type", b"text/event-stream") in (
                    (name.lower(), value.partition(b";")[0]) for name, value in message["headers"]
                )
                numbers.streams += streams
            else:
                size += len(message.get("body", b""))
            await send(message)

        scope[DIRECT] = counted
        numbers.open += 1
        try:
            await self.app(scope, receive, counted)
        except Exception:
            status = 500  # what reports errors is outside
            raise
        finally:
            numbers.open -= 1
            numbers.streams -= streams
            method = scope["method"] if scope["method"] in METHODS else "other"
            route, seconds = self.route_of(scope["path"]), time.perf_counter() - began
            numbers.count(method, route, status, seconds)
            if ACCESS.isEnabledFor(logging.INFO):
                fields = {"method": method, "route": route, "status": status, "ms": round(1_000 * seconds, 1)}
                ACCESS.info("answer", extra={"fields": fields | {"bytes": size}})
