"""A request for a page as far as its answer depends on it, and the answer; both can go to another process."""

from starlette.requests import Request
from starlette.types import Scope

from app.core.model.value import Frozen
from app.web.base.language import COOKIE, language
from app.web.base.sse import takes_gzip

FORWARDED = ("accept", "host", "hx-history-restore-request", "hx-request", "last-event-id", "sec-fetch-site")
"""The headers that answers depend on, besides the language and the compression."""


class Asked(Frozen):
    """A GET. Two that are equal have the same answer as long as ``edition`` is the same."""

    scheme: str
    root: str
    path: str
    raw: bytes
    query: bytes
    headers: tuple[tuple[str, str], ...]
    edition: object = None

    def scope(self) -> Scope:
        """Return it as a server hands it to an application."""
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": self.scheme,
            "root_path": self.root,
            "path": self.path,
            "raw_path": self.raw,
            "query_string": self.query,
            "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in self.headers],
        }


class Answer(Frozen):
    """What was answered, whole."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes


def asked_in(scope: Scope, edition: object) -> Asked:
    """Return what is asked for. Everything is left out that would make equal questions differ."""
    request = Request(scope)
    given = request.headers
    headers = [(name, given[name]) for name in FORWARDED if name in given]
    headers.append(("accept-language", language(request)))
    if COOKIE in request.cookies:
        headers.append(("cookie", f"{COOKIE}={language(request)}"))
    if takes_gzip(given.get("accept-encoding", "")):
        headers.append(("accept-encoding", "gzip"))
    path: str = scope["path"]
    raw: bytes = scope.get("raw_path") or path.encode()
    return Asked(scope["scheme"], scope.get("root_path", ""), path, raw, scope["query_string"], tuple(headers), edition)
