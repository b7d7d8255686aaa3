"""The key of a run, and choices as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.model.values import BluecutError
from app.scenario.run_key import MOST_CHOICES, RunKey, read, written

CHOICES = st.dictionaries(st.integers(0, 999_999), st.integers(0, 999_999), max_size=30).map(
    lambda found: tuple(sorted(found.items()))
)


def test_choices_in_a_row_are_written_together() -> None:
    assert written(((5, 2), (6, 0), (12, 3))) == "5:2.0,12:3"
    assert written(()) == ""


def test_choices_are_read_as_they_are_written() -> None:
    assert read("5:2.0,12:3") == ((5, 2), (6, 0), (12, 3))
    assert read("") == ()


@given(CHOICES)
def test_reading_what_was_written_gives_the_same(choices: tuple[tuple[int, int], ...]) -> None:
    assert read(written(choices)) == choices


@pytest.mark.parametrize(
    "text", ["5", "5:", ":2", "5:2,", "a:b", "5:-1", "5:2;6:0", "5:2..0", "1234567:0", "٣:١", " 5:2"]
)
def test_a_text_of_another_form_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(BluecutError, match="as in 5:2"):
        read(text)


@pytest.mark.parametrize("text", ["5:0,5:1", "5:0.0,6:1", "7:0,5:1"])
def test_steps_must_grow(text: str) -> None:
    with pytest.raises(BluecutError, match="must increase"):
        read(text)


def test_there_is_a_limit_and_it_is_said() -> None:
    many = "0:" + ".".join(["0"] * MOST_CHOICES)
    assert len(read(many)) == MOST_CHOICES
    with pytest.raises(BluecutError, match=f"at most {MOST_CHOICES}"):
        read(many + ".0")


def test_a_branch_keeps_the_choices_before_it_and_forgets_the_others() -> None:
    key = RunKey(seed=7, choices=((1, 1), (3, 0), (8, 2)))
    assert key.branch(3, 4) == RunKey(seed=7, choices=((1, 1), (3, 4)))
    assert key.branch(0, 2) == RunKey(seed=7, choices=((0, 2),))
