"""Is there what Spark commands need? Found out without importing any of it: the commands run in their own processes."""

import sys
from importlib.util import find_spec

from app.web.process import POSSIBLE

PACKAGES = ("pyspark", "pandas", "pyarrow", "google.protobuf")
"""The modules without which no Spark command runs. Whether there is a Java, the command says itself."""

INSTALL = "uv run --group spark bluecut serve"
"""What to type in the project's folder."""


def missing() -> tuple[str, ...]:
    """The modules that there are not."""
    return tuple(name for name in PACKAGES if not found(name))


def found(name: str) -> bool:
    """Could this module be imported?"""
    if name in sys.modules:
        return sys.modules[name] is not None
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def possible() -> bool:
    """Can commands be started here at all?"""
    return POSSIBLE
