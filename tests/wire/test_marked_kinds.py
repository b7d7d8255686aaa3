"""The legend of the timeline names what occurs in a run."""

import pytest

from app.run.run import record
from app.scenario.library import LIBRARY
from app.wire.marked_kinds import KINDS, marked_kinds


@pytest.mark.parametrize(
    ("name", "absent"),
    [
        ("blue-figure", {"restore"}),
        ("domino", {"marker", "complete"}),
        ("crash-both-ways", set()),
        ("no-token", {"message", "restore"}),
    ],
)
def test_only_what_occurs_is_in_the_legend(name: str, absent: set[str]) -> None:
    assert set(KINDS) - set(marked_kinds(record(LIBRARY.scenario(name)))) == absent
