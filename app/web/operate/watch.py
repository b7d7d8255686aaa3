"""Counts every answer, and writes it to the log. Pure ASGI: wrapping a stream costs nothing.

Neither has anything personal: no address of a visitor, no query, and of the path only its pattern, because both can
carry a visitor's scenario.
"""

import logging
import re
import time
from collections.abc import Callable, Iterable
from functools import lru_cache

from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.web.base.sse import DIRECT
from app.web.operate.numbers import Numbers

METHODS = ("GET", "HEAD", "POST")
ACCESS = logging.getLogger("bluecut.access")

OTHER = "other"
"""The name of all addresses that there are not."""


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


class RouteNames:
    """Finds the pattern of an address among routes; where two match, the first one is meant."""

    def __init__(self, routes: Iterable[BaseRoute], folders: Iterable[str] = ()) -> None:
        """Take the routes; ``folders`` are the first words of addresses that are known by these words alone."""
        self._folders = frozenset(folders)
        self._routes: dict[str, list[tuple[re.Pattern[str], str]]] = {}
        for route in routes:
            path, pattern = getattr(route, "path", ""), getattr(route, "path_regex", None)
            if pattern is not None:
                self._routes.setdefault(_first(path), []).append((pattern, path))
        self.of = lru_cache(1_024)(self._of)

    def _of(self, path: str) -> str:
        """Return the pattern of an address, without its query."""
        first = _first(path)
        if first in self._folders:
            return f"/{first}"
        return next((name for pattern, name in self._routes.get(first, ()) if pattern.match(path)), OTHER)


def _first(path: str) -> str:
    return path[1:].partition("/")[0]
