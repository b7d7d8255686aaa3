"""A sweep is killed at moments that a seed draws: it goes on, and comes to the same end."""

from pathlib import Path

import pytest

from tests.pipeline import killed


@pytest.mark.parametrize("seed", [1, 5])
def test_killed_at_any_moment_it_goes_on_and_comes_to_the_same_end(seed: int, tmp_path: Path) -> None:
    assert killed.swept(seed, tmp_path) != "it was over before"
