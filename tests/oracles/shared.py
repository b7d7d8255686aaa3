"""Where the oracles are that this repository does not contain."""

from pathlib import Path

import pytest

ORACLES = Path(__file__).resolve().parents[2].parent / "shared" / "oracles"


def needs(path: Path) -> Path:
    """The path, or a skipped test that says why."""
    if not path.exists():
        pytest.skip(f"{path} is not here; these expected results are not part of the repository")
    return path
