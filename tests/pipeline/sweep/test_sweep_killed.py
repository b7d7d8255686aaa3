"""A sweep is killed at random moments: it continues, and its result is the same."""

from pathlib import Path

import pytest

from tests.pipeline import killed


@pytest.mark.slow
def test_killed_at_any_moment_it_goes_on_and_comes_to_the_same_end(tmp_path: Path) -> None:
    """The seed kills it with its whole group; ``test_sweep`` kills it alone."""
    assert killed.swept(1, tmp_path) != "it was over before"
