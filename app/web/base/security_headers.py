"""The headers of every answer. Pure ASGI: wrapping a stream costs nothing."""

from urllib.parse import urlsplit, urlunsplit

from starlette.datastructures import Headers as RequestHeaders
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; form-action 'self'; base-uri 'none'"
)
OURS = "; frame-src 'self'; frame-ancestors 'self'"
"""Our own pages may contain our runs in frames."""


def headers(path: str) -> dict[str, str]:
    """Return the headers for an answer at ``path``. Only ``/embed/`` may appear in other people's frames.

    It names no ancestors at all: even ``*`` would exclude slides opened from a disk.
    """
    return {
        "content-security-policy": POLICY if path.startswith("/embed/") else POLICY + OURS,
        "x-content-type-options": "nosniff",
        "referrer-policy": "same-origin",
        "cross-origin-opener-policy": "same-origin",
        "permissions-policy": "camera=(), geolocation=(), microphone=()",
    }


def _relative(location: str, host: str | None) -> str:
    """Return where a redirect leads, without the host if it is this one: a proxy may show the site under another."""
    parts = urlsplit(location)
    return urlunsplit(("", "", *parts[2:])) if parts.netloc and parts.netloc == host else location


class Headers:
    """Adds the headers to every answer of the application."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with the headers of the path."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        host = RequestHeaders(scope=scope).get("host")

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = MutableHeaders(scope=message)
                if "location" in present:
                    present["location"] = _relative(present["location"], host)
                for name, value in headers(scope["path"]).items():
                    present.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, guarded)
