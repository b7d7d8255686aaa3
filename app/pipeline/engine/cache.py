"""The folder on a user's machine for files that Bluecut can make again."""

import os
from pathlib import Path


def cache() -> Path:
    """Return the folder, which may not exist yet: ``$XDG_CACHE_HOME/bluecut``, or ``~/.cache/bluecut``."""
    chosen = os.environ.get("XDG_CACHE_HOME", "")
    base = Path(chosen) if Path(chosen).is_absolute() else Path(os.path.expanduser("~")) / ".cache"  # noqa: PTH111
    return base / "bluecut"
