"""What runs inside a worker process: the application itself, which answers one request at a time."""

import asyncio
import logging
import os
from collections.abc import Callable
from contextlib import suppress

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.web.workers.asked import Answer, Asked

NICE = 5
"""How far workers stand back behind the process that serves pages."""

_WITHIN: dict[int, tuple[ASGIApp, asyncio.Runner]] = {}
"""By process id, the application and the loop in which it answers."""


def begin(make: Callable[[], ASGIApp]) -> None:
    """Make the application of this process."""
    with suppress(AttributeError):  # Windows
        os.nice(NICE)
    _WITHIN[os.getpid()] = _patient(make()), asyncio.Runner()


def ready() -> bool:
    """Return True, after the application was made."""
    return os.getpid() in _WITHIN


def answer(asked: Asked) -> Answer:
    """Return what the application answers."""
    app, runner = _WITHIN[os.getpid()]
    return runner.run(answered(app, asked.scope()))


async def answered(app: ASGIApp, scope: Scope) -> Answer:
    """Return what an application answers to a GET. Raises what it raises."""
    status, headers = 500, []
    body = bytearray()
    whole = asyncio.Event()
    read = False

    async def receive() -> Message:
        nonlocal read
        if read:
            await whole.wait()
            return {"type": "http.disconnect"}
        read = True
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        nonlocal status, headers
        if message["type"] == "http.response.start":
            status, headers = message["status"], message["headers"]
            return
        body.extend(message.get("body", b""))
        if not message.get("more_body"):
            whole.set()

    await app(scope, receive, send)
    return Answer(status, tuple((bytes(name), bytes(value)) for name, value in headers), bytes(body))


def _patient(app: ASGIApp) -> ASGIApp:
    """Let an application log an error that it has answered in a sentence, instead of raising it."""

    async def answering(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await app(scope, receive, send)
        except Exception:
            logging.getLogger(__name__).exception(
                "no answer to /%s", scope["path"][1:].partition("/")[0]
            )  # the rest may be a scenario

    return answering
