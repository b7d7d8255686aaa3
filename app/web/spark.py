"""Is there what Spark commands need? Found out without importing any of it: the commands run in their own processes."""

from app.installed import SPARK, found
from app.web.process import POSSIBLE

INSTALL = "uv run --group spark bluecut serve"
"""What to type in the project's folder."""


def missing() -> tuple[str, ...]:
    """The modules that there are not. Whether there is a Java, the command says itself."""
    return tuple(name for name in SPARK if not found(name))


def possible() -> bool:
    """Can commands be started here at all?"""
    return POSSIBLE
