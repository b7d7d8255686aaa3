"""The root of the site: the path below which a proxy shows it, such as ``/bluecut``; empty without one.

Inside, an address is a path of the site, ``/run/blue-figure``, whatever the root is. The root is put before it where an
answer leaves: by ``rooted`` in a page, by ``at`` in what scripts and programs read, and by ``Root`` in the headers. A
request may come with the root or without it, since some proxies remove it and some do not. ``at`` leaves an address
alone that has the root already; so no page of the site may be called like the root.
"""

import re
from contextvars import ContextVar
from urllib.parse import SplitResult, urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.core.model.values import BluecutError

_ROOT: ContextVar[str] = ContextVar("root", default="")

_WRITTEN = re.compile(r"(?:/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+")

ATTRIBUTES = (
    *("action", "formaction", "href", "hx-get", "hx-post", "src"),
    *("data-answer", "data-from", "data-here", "data-htmx", "data-run"),
)
"""The attributes of our pages that contain an address."""

_BEFORE = '="/'
_NAMES = tuple(space + name for name in ATTRIBUTES for space in (" ", "\n"))

HEADERS = ("location", "hx-location", "hx-push-url", "hx-redirect", "hx-replace-url")
"""The headers that contain an address."""


def root() -> str:
    """Return the root of the site that answers now, without a slash at its end."""
    return _ROOT.get()


def at(address: str) -> str:
    """Return an address as a browser needs it: below the root."""
    mine = root()
    if not mine or not address.startswith("/") or address.startswith("//") or _below(address, mine):
        return address
    return mine + address


def below(links: dict[str, str]) -> dict[str, str]:
    """Return addresses by their names as scripts need them."""
    return {name: at(address) for name, address in links.items()}


def within(address: str) -> str:
    """Return an address of a browser as the application knows it: without the root."""
    mine = root()
    return address[len(mine) :] or "/" if mine and _below(address, mine) else address


def rooted(html: str) -> str:
    """Return a page whose addresses are below the root. Nothing that visitors write looks like one: in texts quotes are
    escaped, and in JSON, too."""
    if not root():
        return html
    made = html.split(_BEFORE)  # ten times as fast as an expression
    before = made[0]
    for i, piece in enumerate(made[1:], 1):
        address = "/" + piece.partition('"')[0]
        made[i] = '="' + (at(address) if before.endswith(_NAMES) else address) + piece[len(address) - 1 :]
        before = piece
    return "".join(made)


def public(request: Request) -> str:
    """Return the address of the site for other people, without a slash at its end."""
    return str(request.base_url).rstrip("/") + root()


def split_here(request: Request, address: str) -> SplitResult | None:
    """Return the parts of an address of this site, its path without the root; None if it is not one."""
    try:
        parts = urlsplit(address)
    except ValueError:  # half a bracket is no name of a server
        return None
    own = (not parts.netloc and not parts.scheme) or parts.netloc == request.url.netloc
    return parts._replace(path=within(parts.path)) if own else None


def for_phones(request: Request) -> str:
    """Return the same for phones: what looks at the server from its own machine knows it under a name that means
    another machine elsewhere."""
    lan = str(request.app.state.settings.lan)
    return lan if lan and request.url.hostname in ("localhost", "127.0.0.1", "::1") else public(request)


def _below(address: str, mine: str) -> bool:
    return address.startswith(mine) and address[len(mine) : len(mine) + 1] in ("", "/", "?", "#")


def readable_root(written: str, taken: frozenset[str]) -> str:
    """Return a root as it is used. Raises BluecutError if it is none, or begins with a word of ``taken``: the first
    words of the site's own addresses."""
    mine = written.rstrip("/")
    if mine and not _WRITTEN.fullmatch(mine):
        raise BluecutError("--root-path: write a path like /bluecut, not {got}", got=written[:80])
    if mine and mine.split("/")[1] in taken:
        raise BluecutError("--root-path: {got} is an address of Bluecut itself; choose another one", got=mine[:80])
    return mine


class Root:
    """Takes the root off the requests, and puts it before the addresses in the headers of the answers."""

    def __init__(self, app: ASGIApp, root: str) -> None:
        self.app, self.root = app, root

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request. The scope itself is changed, since what reports errors is outside."""
        if scope["type"] != "http" or not self.root:
            await self.app(scope, receive, send)
            return
        _ROOT.set(self.root)
        if _below(scope["path"], self.root):
            scope["path"] = within(scope["path"])
            raw: bytes = scope.get("raw_path") or b""
            if raw.startswith(self.root.encode()):
                scope["raw_path"] = raw[len(self.root) :] or b"/"

        async def rooted_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = MutableHeaders(scope=message)
                for name in HEADERS:
                    if name in present:
                        present[name] = at(present[name])
            await send(message)

        await self.app(scope, receive, rooted_headers)
