"""The stream is killed at random moments: its tables are the same as without a kill."""

from pathlib import Path

import pytest

from tests.pipeline import killed


@pytest.mark.slow
def test_killed_at_any_moment_it_finds_what_it_would_have_found(tmp_path: Path) -> None:
    """The seed kills it twice: with its whole group, and alone."""
    assert killed.followed(1985, tmp_path) != "it was over before"
