"""The modules that a module imports, so that a page can request them all at once instead of one after another."""

import re
from functools import lru_cache
from posixpath import dirname, join, normpath

from app.paths import STATIC

IMPORT = re.compile(r'^(?:import|export)\b[^"]*?"(\.[^"]+)";$', re.MULTILINE)


@lru_cache(maxsize=16)
def modules(entry: str, edition: str) -> tuple[str, ...]:
    """Return ``entry`` and everything that it imports, directly or not, as paths under ``static/``, nearest first.

    ``edition`` is that of the files (see ``app.web.base.templates``): a new edition is read again.
    """
    found = {entry: None}
    waiting = [entry]
    for path in waiting:
        for imported in IMPORT.findall((STATIC / path).read_text(encoding="utf-8")):
            target = normpath(join(dirname(path), imported))
            if target not in found:
                found[target] = None
                waiting.append(target)
    return tuple(found)
