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


def test_what_is_skipped_or_fails_by_name_hides_no_other_value() -> None:
    @each("value", [1, 2, 3])
    def strict(value: int) -> None:
        if value == 1:
            pytest.skip("not this one")
        pytest.fail("on purpose")

    with pytest.raises(BaseExceptionGroup) as caught:
        strict()
    assert [one.__notes__ for one in caught.value.exceptions] == [["value = 2"], ["value = 3"]]


def test_a_test_of_nothing_fails_and_one_of_which_all_is_skipped_is_skipped() -> None:
    with pytest.raises(AssertionError, match="nothing to try"):
        each("value", [])(lambda value: None)()
    with pytest.raises(pytest.skip.Exception):
        each("value", [1])(lambda value: pytest.skip("never"))()


def test_values_of_a_function_are_looked_for_each_time_the_test_runs() -> None:
    tried = []

    @each("value", lambda: [4, 5])
    def seen(value: int) -> None:
        tried.append(value)

    assert tried == []
    seen()
    seen()
    assert tried == [4, 5, 4, 5]
