"""Files for the browser: modules, styles, vendored libraries.

``/static/<edition>/path`` may be kept for a year, since another edition has another path; ``/static/path`` is asked
for again each time.
"""

import re

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from app.places import STATIC
from app.web.page import edition

EDITION = re.compile(r"([0-9a-f]{12})/(.+)")


class Assets(StaticFiles):
    """The static files. Nothing outside their folder is reachable."""

    def __init__(self) -> None:
        super().__init__(directory=STATIC)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The file, with how long it may be kept."""
        named = EDITION.fullmatch(path.replace("\\", "/"))
        answer = await super().get_response(named[2] if named else path, scope)
        keep = named is not None and named[1] == edition()
        answer.headers["cache-control"] = "public, max-age=31536000, immutable" if keep else "no-cache"
        return answer
