"""The stream is killed at moments that a seed draws: its tables come out as if it had not been."""

from pathlib import Path

from tests.pipeline import killed


def test_killed_at_any_moment_it_finds_what_it_would_have_found(tmp_path: Path) -> None:
    """The seed kills it twice: with all of its group, and alone."""
    assert killed.followed(1985, tmp_path) != "it was over before"
