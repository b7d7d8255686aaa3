"""One test for many things of a kind."""

import pytest

from tests.each import each


def test_every_value_is_tried_and_all_that_fail_are_told() -> None:
    tried = []

    @each("value", [1, 2, 3])
    def odd(value: int, more: int) -> None:
        tried.append((value, more))
        assert value == 2

    with pytest.RaisesGroup(AssertionError, AssertionError) as caught:
        odd(more=7)
    assert tried == [(1, 7), (2, 7), (3, 7)]
    assert [one.__notes__ for one in caught.value.exceptions] == [["value = 1"], ["value = 3"]]
