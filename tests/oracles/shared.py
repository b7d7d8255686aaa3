"""The location of oracles that are not part of this repository."""

from pathlib import Path

import pytest

ORACLES = Path(__file__).resolve().parents[2].parent / "shared" / "oracles"


def needs(path: Path) -> Path:
    """Return the path, or skip the test with the reason."""
    if not path.exists():
        pytest.skip(f"{path} is not here; these expected results are not part of the repository")
    return path
