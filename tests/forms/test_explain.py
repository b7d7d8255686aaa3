"""What a misspelt name may stand for."""

import pytest

from app.forms.explain import meant

KNOWN = ("title", "topology", "ring", "start", "state", "accounts", "amounts", "lai-yang", "chandy-lamport")


@pytest.mark.parametrize(
    ("typed", "near"),
    [
        ("titel", ["title"]),
        ("acounts", ["accounts", "amounts"]),
        ("itle", ["title"]),
        ("rings", ["ring"]),
        ("strat", ["start", "state"]),
        ("lai-young", ["lai-yang"]),
        ("lai", ["lai-yang"]),
        ("chandi-lampert", ["chandy-lamport"]),
    ],
)
def test_a_slip_of_the_fingers_leads_to_the_name_that_was_meant(typed: str, near: list[str]) -> None:
    assert meant(typed, KNOWN) == near


@pytest.mark.parametrize(
    ("typed", "known"),
    [("quorum", "form"), ("student", "sent"), ("dark", "mark"), ("serializable", "reliable")],
)
def test_another_word_is_no_suggestion(typed: str, known: str) -> None:
    assert meant(typed, (known,)) == []
