"""Answers HEAD like GET, without the body. Pure ASGI, so no route needs to know about it."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.web.base.sse import DIRECT


class Head:
    """Lets the application answer GET if a request asks for the headers alone."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer HEAD as GET, without the body."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return

        async def bodiless(message: Message) -> None:
            if message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        await self.app({**scope, "method": "GET", DIRECT: bodiless}, receive, bodiless)
