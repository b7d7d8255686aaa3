"""The route behind an address, as its pattern: ``/run/{ref}/events``. It names no visitor's scenario."""

import re
from collections.abc import Iterable
from functools import lru_cache

from starlette.routing import BaseRoute

OTHER = "other"
"""The name of all addresses that there are not."""


class RouteNames:
    """Finds the pattern of an address among routes; where two match, the first one is meant."""

    def __init__(self, routes: Iterable[BaseRoute], folders: Iterable[str] = ()) -> None:
        """Take the routes; ``folders`` are the first words of addresses that are known by these words alone."""
        self._folders = frozenset(folders)
        self._routes: dict[str, list[tuple[re.Pattern[str], str]]] = {}
        for route in routes:
            path, pattern = getattr(route, "path", ""), getattr(route, "path_regex", None)
            if pattern is not None:
                self._routes.setdefault(_first(path), []).append((pattern, path))
        self.of = lru_cache(1_024)(self._of)

    def _of(self, path: str) -> str:
        """Return the pattern of an address, without its query."""
        first = _first(path)
        if first in self._folders:
            return f"/{first}"
        return next((name for pattern, name in self._routes.get(first, ()) if pattern.match(path)), OTHER)


def _first(path: str) -> str:
    return path[1:].partition("/")[0]
