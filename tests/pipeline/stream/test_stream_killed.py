"""The stream is killed at moments that a seed draws: its tables come out as if it had not been."""

from pathlib import Path

import pytest

from tests.pipeline import killed


@pytest.mark.parametrize("seed", [1985, 2])
def test_killed_at_any_moment_it_finds_what_it_would_have_found(seed: int, tmp_path: Path) -> None:
    assert killed.followed(seed, tmp_path) != "it was over before"
