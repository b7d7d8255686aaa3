"""Limits on the size of a request. Pure ASGI, before everything that reads."""

from collections import Counter

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.forms.whole_number import whole_number
from app.web.base.errors import error_response
from app.web.base.quota import client_of

MOST_BODY = 65_536
MOST_HANDED_IN = 1_048_576
"""The bytes that a whole class hands in at once."""
MOST_ANSWERED = 1_048_576
"""The bytes of what a visitor's class has answered about a system: nine times what the right ones need."""
LARGER = {"/assign/read": MOST_HANDED_IN, "/write/judge": MOST_ANSWERED}
"""Where a body may be larger than MOST_BODY."""
MOST_HELD, SHARE_HELD = 64_000_000, 16_000_000
"""The bytes of the bodies of all requests that are being answered, or wait for their turn; and of one client's."""
MOST_ADDRESS = 8_192


class Limits:
    """Refuses bodies of more than MOST_BODY bytes (413), or what LARGER says, and addresses of more than MOST_ADDRESS
    (414). A body for which there is no room beside the others is refused, too (429, 503)."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._held = Counter[str]()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request within the limits, and refuse the others."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        length = len(scope.get("raw_path") or scope["path"].encode()) + len(scope["query_string"])
        announced = whole_number(request.headers.get("content-length", "0"), digits=12)
        most = LARGER.get(scope["path"], MOST_BODY)
        status = 414 if length > MOST_ADDRESS else 413 if announced is None or announced > most else 0
        if status:
            await error_response(request, status)(scope, receive, send)
            return
        client = client_of(scope)
        read = 0

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            size = len(message.get("body", b""))
            read += size
            self._held[client] += size
            if read > most:
                raise HTTPException(413)
            if size and self._held[client] > SHARE_HELD:
                raise HTTPException(429)
            if size and self._held.total() > MOST_HELD:
                raise HTTPException(503)
            return message

        try:
            await self.app(scope, counted, send)
        finally:
            self._held[client] -= read
            if not self._held[client]:
                del self._held[client]
