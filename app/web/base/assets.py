"""Files for the browser: modules, styles, vendored libraries.

``/static/<edition>/path`` may be cached for a year, since another edition has another path; ``/static/path`` is
requested again each time. ``joined/`` has files made of several (see ``page_files``). What is made or text is cached,
compressed, for the current edition.
"""

import gzip
import re
from functools import partial
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from app.cache import Cache
from app.paths import STATIC
from app.web.base.page_files import joined
from app.web.base.root import at
from app.web.base.sse import takes_gzip
from app.web.base.templates import edition

EDITION = re.compile(r"([0-9a-f]{12})/(.+)")
MOST_BYTES = 16_000_000
"""The most memory of all cached files, as they are and compressed."""

CACHED = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".map": "application/json"}
"""The types of the cached files; they are text."""

FOREVER = "public, max-age=31536000, immutable"


class Assets(StaticFiles):
    """The static files. Nothing outside their folder can be reached."""

    def __init__(self) -> None:
        super().__init__(directory=STATIC)
        self._cache = Cache[tuple[str, str], tuple[bytes, bytes]](MOST_BYTES, lambda both: sum(map(len, both)))

    @property
    def bytes(self) -> int:
        """The memory of all cached files."""
        return self._cache.bytes

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return the file with its cache lifetime."""
        named = EDITION.fullmatch(path.replace("\\", "/"))
        if named and (known := self._cache.peek((named[1], named[2]))):
            return _packed(named[2], known, scope)
        present = named is not None and named[1] == edition()
        if named and named[2].startswith("joined/"):
            make = partial(_made, named[1], named[2])
            kept = partial(self._cache.get, (named[1], named[2]), make) if present else make
            answer = _packed(named[2], await run_in_threadpool(kept), scope)
        else:
            answer = await super().get_response(named[2] if named else path, scope)
            if named and present and answer.status_code == 200 and (STATIC / named[2]).suffix in CACHED:
                self._cache.get((named[1], named[2]), lambda: _zipped((STATIC / named[2]).read_bytes()))
        answer.headers["cache-control"] = FOREVER if present else "no-cache"
        return answer


def _made(edition: str, path: str) -> tuple[bytes, bytes]:
    """Return a file made of several."""
    whole = joined(path, at(f"/static/{edition}/"))
    if whole is None:
        raise HTTPException(404)
    return _zipped(whole)


def _zipped(whole: bytes) -> tuple[bytes, bytes]:
    return whole, gzip.compress(whole, 6, mtime=0)


def _packed(path: str, both: tuple[bytes, bytes], scope: Scope) -> Response:
    """Return the answer to a request for a cached file, compressed if the browser takes it so."""
    zipped = takes_gzip(Headers(scope=scope).get("accept-encoding", ""))
    headers = {"cache-control": FOREVER, "vary": "Accept-Encoding"}
    if zipped:
        headers["content-encoding"] = "gzip"
    return Response(both[zipped], headers=headers, media_type=CACHED[Path(path).suffix])
