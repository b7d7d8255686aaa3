"""Server-sent events of a run: ``scene``, one ``step`` per step, then ``end``.

The id of an event is the step's number, so a browser that reconnects with ``Last-Event-ID`` gets what it lacks. The
stream is finite and consists of bytes that were written once; the browser closes it on ``end``.
"""

import re

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from app.forms.whole_number import whole_number

CHUNK = 65_536
"""Bytes sent at a time."""


DIRECT = "bluecut.direct"
"""The key of a request under which ``Watch`` puts what sends the body of an answer that goes on for hours, past
everything that only looks at the beginning: each part goes to thousands of readers."""

SEAM = b"\n\n"
"""What ends an event. JSON on one line has none."""


def event(name: str, number: int, data: bytes) -> bytes:
    """Return one event."""
    return b"event:%b\nid:%d\ndata:%b" % (name.encode(), number, data) + SEAM


def resumed(header: str | None) -> int | None:
    """Return the step in a Last-Event-ID; None if it is not one of ours."""
    return whole_number(header or "", digits=9)


def takes_gzip(accept_encoding: str) -> bool:
    """Does the reader understand gzip? ``q=0`` means no."""
    for offer in accept_encoding.lower().split(","):
        coding, _, weight = offer.replace(" ", "").partition(";q=")
        if coding == "gzip":
            return not re.fullmatch(r"0(\.0*)?", weight)
    return False


class Stream(Response):
    """Events as an answer, sent piece by piece: a slow reader delays only itself."""

    media_type = "text/event-stream"

    def __init__(self, whole: bytes = b"", zipped: bool = False, status_code: int = 200) -> None:
        super().__init__(
            status_code=status_code,
            headers={"cache-control": "no-store", "x-accel-buffering": "no", "vary": "Accept-Encoding"},
        )
        del self.headers["content-length"]
        self.whole = whole
        if zipped:
            self.headers["content-encoding"] = "gzip"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the pieces."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        for at in range(0, len(self.whole), CHUNK):
            piece = self.whole[at : at + CHUNK]
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})
