"""The positions of a visitor's sliders."""

import pytest

from app.web.measure.costs.query import Query


@pytest.mark.parametrize(
    ("given", "slow"),
    [("5", 5), ("4.4", 5), ("1000", 15), ("-3", 1), ("nan", 1), ("many", 9), ("1e999", 15), ("", 7)],
)
def test_a_slider_stands_at_one_of_a_few_values(given: str, slow: int) -> None:
    assert Query.model_validate({"slow": given}).slow == slow


@pytest.mark.parametrize(
    ("given", "quiet"),
    [({}, True), ({"sent": "1"}, False), ({"sent": "1", "quiet": "1"}, True), ({"quiet": "0"}, False)],
)
def test_a_box_without_a_tick_is_only_known_by_the_form_that_it_was_in(given: dict[str, str], quiet: bool) -> None:
    assert Query.model_validate(given).quiet is quiet


def test_a_measure_that_is_none_is_the_first() -> None:
    assert Query.model_validate({"measure": "beauty"}).measure == "lasts"
    assert Query.model_validate({"measure": "stored"}).measure == "stored"
