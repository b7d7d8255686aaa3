"""The names under which a server answers. Whoever owns another name may let it point here, and then the pages under
that name read our answers and post as if they were ours (DNS rebinding): requests to other names are refused (421).

A browser compares origins by name, so an address in digits proves that no other name was involved.
"""

import re
import socket
from ipaddress import ip_address

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from app.core.model.values import BluecutError, Phrase
from app.web.base.errors import error_response
from app.web.base.security_headers import headers

ANY = "*"
"""Allows every name, where a proxy in front has checked them."""

_NAME = re.compile(r"\*|(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|[0-9a-f]*:[0-9a-f:.]*")


def checked_name(written: str) -> str:
    """Return a name as hosts are compared. Raises BluecutError if it is none: it has no scheme and no port."""
    name = written.lower().removeprefix("[").removesuffix("]").rstrip(".")
    if not _NAME.fullmatch(name):
        raise BluecutError("--allowed-host: write a name like bluecut.example.org, not {got!r}", got=written)
    return name


def name_in(host: str) -> str:
    """Return the name in a Host header, without its port."""
    name = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
    return name.lower().rstrip(".")


class Hosts:
    """Answers requests to ``names``, of which ``*.example.org`` means all below it, and ``ANY`` all there are. Always
    allowed are the names of this machine for itself, and with ``exposed``, where other machines reach the server, its
    own name and addresses in digits, too."""

    def __init__(self, app: ASGIApp, *, names: tuple[str, ...], exposed: bool) -> None:
        self.app = app
        self.exposed = exposed
        self.any = ANY in names
        own = (socket.gethostname().lower(),) if exposed else ()
        self.names = frozenset(("localhost", *own, *(name for name in names if not name.startswith("*"))))
        self.below = (".localhost", *(name[1:] for name in names if name.startswith("*.")))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        host = Headers(scope=scope).get("host") if scope["type"] == "http" else None
        # Without a name there is no page that could have sent it; and a refusal needs its style.
        if host is None or self.any or scope["path"].startswith("/static/") or self.allows(name_in(host)):
            await self.app(scope, receive, send)
            return
        says = Phrase("this server does not answer under the name {name!r}", name=name_in(host))
        mine = [each for each in scope["headers"] if each[0] != b"host"]  # the page must not repeat it as its address
        refusal = error_response(Request({**scope, "headers": mine}), 421, says)
        refusal.headers.update(headers(scope["path"]))  # the application has not seen it
        await refusal(scope, receive, send)

    def allows(self, name: str) -> bool:
        """May a request be to this name?"""
        if name in self.names or name.endswith(self.below):
            return True
        try:
            digits = ip_address(name)
        except ValueError:
            return False
        return self.exposed or digits.is_loopback
