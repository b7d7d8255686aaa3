"""Files for the browser: modules, styles, vendored libraries.

``/static/<edition>/path`` may be cached for a year, since another edition has another path; ``/static/path`` is
requested again each time. A page needs some fifty files at once, so those of the current edition are cached,
compressed.
"""

import gzip
import re

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from app.places import STATIC
from app.web.page import edition
from app.web.stream import takes_gzip

EDITION = re.compile(r"([0-9a-f]{12})/(.+)")
KEPT = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
"""The types of the cached files; they are text."""

FOREVER = "public, max-age=31536000, immutable"


class Assets(StaticFiles):
    """The static files. Nothing outside their folder can be reached."""

    def __init__(self) -> None:
        super().__init__(directory=STATIC)
        self._edition = ""
        self._kept: dict[str, tuple[bytes, bytes]] = {}

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return the file with its cache lifetime."""
        named = EDITION.fullmatch(path.replace("\\", "/"))
        if named and named[1] == self._edition and named[2] in self._kept:
            return self._packed(named[2], scope)
        answer = await super().get_response(named[2] if named else path, scope)
        present = named is not None and named[1] == edition()
        if named and present and answer.status_code == 200:
            self._keep(*named.groups())
        answer.headers["cache-control"] = FOREVER if present else "no-cache"
        return answer

    def _keep(self, present: str, path: str) -> None:
        if self._edition != present:
            self._edition, self._kept = present, {}
        file = STATIC / path
        if file.suffix in KEPT:
            whole = file.read_bytes()
            self._kept[path] = whole, gzip.compress(whole, 6, mtime=0)

    def _packed(self, path: str, scope: Scope) -> Response:
        whole, packed = self._kept[path]
        zipped = takes_gzip(Headers(scope=scope).get("accept-encoding", ""))
        headers = {"cache-control": FOREVER, "vary": "Accept-Encoding"}
        if zipped:
            headers["content-encoding"] = "gzip"
        kind = KEPT[path[path.rindex(".") :]]
        return Response(packed if zipped else whole, headers=headers, media_type=kind)
