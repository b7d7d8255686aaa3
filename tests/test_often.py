"""What is tried often says of which example it fails."""

import pytest
from hypothesis import given
from hypothesis import strategies as st


@given(st.integers())
def small(number: int) -> None:
    """Fail for large numbers."""
    assert number < 100


def test_the_example_that_fails_is_printed() -> None:
    with pytest.raises(AssertionError) as raised:
        small()
    assert "number=100" in "".join(raised.value.__notes__)
