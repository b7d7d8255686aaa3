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

        over = False

        async def bodiless(message: Message) -> None:
            nonlocal over
            if message["type"] == "http.response.body":
                if over:
                    return
                over = True  # else a connection would wait for the end of a stream
                message = {**message, "body": b"", "more_body": False}
            await send(message)

        await self.app({**scope, "method": "GET", DIRECT: bodiless}, receive, bodiless)
