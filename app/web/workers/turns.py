"""What takes long and cannot be left to workers, since it changes what this process knows: clients take turns."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.web.base.errors import error_response
from app.web.base.quota import client_of
from app.web.workers.fair_line import Crowded, FairLine

AT_ONCE = 2
"""How many such requests are answered at once, one of them at most of one client. More would only take the interpreter
from each other, and from everybody else."""

PATIENCE = 60.0
"""The most seconds that one waits."""

WAITING = 8_192
"""The most that wait. A class that hands in at once is often one client: not their number is bounded, but their turns;
see also ``app.web.connections``."""

BUNCH = 4
"""How many things that phones send are answered at once of one client, besides those that wait for the disk. A hall is
often one client: so not one. Nor all that somebody sends who wants to disturb: others wait until a bunch is done."""

PAGES_AT_ONCE = 1
"""How many other pages this process makes at once of one client. Each has a thread, and whoever answers everybody waits
for the interpreter as one among them: with forty threads, forty times as long. Nor do more threads make more pages."""

FORMS = frozenset(("api", "assign", "editor", "rooms"))
"""The first words of addresses to which such forms are sent."""

PAGES = frozenset(("assign", "editor"))
"""The first words of such pages."""

LED = frozenset(("activity", "counts.csv", "phase", "present", "question", "show", "take", "tally"))
"""What in a room takes long."""

PHONES = frozenset(("act", "crowd", "seat", "vote"))
"""What phones send to a room, which does not."""


def lengthy(method: str, path: str) -> bool:
    """May the answer take a tenth of a second or more in this process?"""
    first, _, rest = path[1:].partition("/")
    if first == "r":
        return rest.partition("/")[2] in LED
    return first in (FORMS if method == "POST" else PAGES)


FREE = frozenset(("healthz", "metrics", "readyz", "static"))
"""The first words of what needs no thread, or must be answered whatever else is going on."""

STREAMS, WAITS = "/live", "/write/judge"
"""How the addresses of streams end, and what waits for a worker, for which there is another line."""


def has_thread(path: str) -> bool:
    """May the answer need a thread of this process?"""
    return path[1:].partition("/")[0] not in FREE and not path.endswith(STREAMS) and path != WAITS


def _joins(path: str) -> bool:
    """Are several files of ours joined for the answer? They wait for each other, and not for pages."""
    return path.startswith("/static/") and "/joined/" in path


def from_phone(method: str, path: str) -> bool:
    """Is it something that a phone sends to its room?"""
    first, _, rest = path[1:].partition("/")
    return method == "POST" and first == "r" and rest.partition("/")[2] in PHONES


def line_of_pages() -> FairLine:
    """Return a new line for pages."""
    return FairLine(WAITING, WAITING, WAITING, PATIENCE, PAGES_AT_ONCE)


class Turns:
    """Lets clients take turns in what takes long, in what many phones send at once, and in other pages. ``elsewhere``
    says for which of these there is a line already."""

    def __init__(
        self,
        app: ASGIApp,
        line: FairLine | None = None,
        pages: FairLine | None = None,
        elsewhere: Callable[[str], bool] = lambda path: False,
    ) -> None:
        self.app, self.elsewhere = app, elsewhere
        self.line = line or FairLine(AT_ONCE, WAITING, WAITING, PATIENCE)
        self.phones = FairLine(WAITING, WAITING, WAITING, PATIENCE, BUNCH)
        self.pages = pages or line_of_pages()
        self.files = line_of_pages()

    def line_of(self, method: str, path: str) -> FairLine | None:
        """Return the line for a request; None if it is answered at once."""
        if lengthy(method, path):
            return self.line
        if from_phone(method, path):
            return self.phones
        if _joins(path):
            return self.files
        return self.pages if has_thread(path) and not self.elsewhere(path) else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, if there is a line for it in its turn: when all of it has come, so that who sends slowly
        keeps nobody waiting, and only if somebody still waits for it."""
        line = self.line_of(scope["method"], scope["path"]) if scope["type"] == "http" else None
        if line is None:
            await self.app(scope, receive, send)
            return
        try:
            messages = [message async for message in _whole(receive)]
        except HTTPException as error:  # it is too large
            await error_response(Request(scope), error.status_code)(scope, receive, send)
            return
        if messages[-1]["type"] == "http.disconnect":
            return
        leaving = asyncio.ensure_future(disconnected(receive))
        answering = asyncio.ensure_future(self._answered(line, scope, _again(messages, leaving), send, leaving))
        try:
            await answering
        except Crowded as crowded:
            await error_response(Request(scope), 429 if crowded.mine else 503)(scope, receive, send)
        finally:
            leaving.cancel()
            with suppress(asyncio.CancelledError):
                await leaving

    async def _answered(
        self, line: FairLine, scope: Scope, receive: Receive, send: Send, leaving: "asyncio.Future[None]"
    ) -> None:
        client = client_of(scope)
        waiting = asyncio.current_task()
        assert waiting is not None

        def left(_: object) -> None:
            waiting.cancel()

        leaving.add_done_callback(left)
        try:
            async with line.place(client):
                leaving.remove_done_callback(left)  # what has begun goes on
                await self.app(scope, receive, send)
        except asyncio.CancelledError:
            if not leaving.done():
                raise


async def _whole(receive: Receive) -> AsyncIterator[Message]:
    """Yield the messages of a request, to the last; or of one whose client leaves."""
    more = True
    while more:
        message = await receive()
        yield message
        more = message["type"] == "http.request" and message.get("more_body", False)


def _again(messages: list[Message], leaving: Awaitable[None]) -> Callable[[], Awaitable[Message]]:
    """Return what receives them once more."""

    async def receive() -> Message:
        if messages:
            return messages.pop(0)
        await leaving
        return {"type": "http.disconnect"}

    return receive


async def disconnected(receive: Receive) -> None:
    """Return when the client has gone away."""
    while (await receive())["type"] != "http.disconnect":
        pass
