"""The orders of delivery, and which algorithms each is enough for."""

import pytest

from app.core.model.system import DISCIPLINES, STRENGTH, suffices


def test_the_strengths_are_the_disciplines() -> None:
    assert sorted(STRENGTH) == sorted(DISCIPLINES)


@pytest.mark.parametrize(
    ("required", "those"), [("any", {"fifo", "causal", "any"}), ("fifo", {"fifo", "causal"}), ("causal", {"causal"})]
)
def test_who_keeps_the_causal_order_keeps_that_of_each_channel_and_who_keeps_none_suffices_for_those_that_need_none(
    required: str, those: set[str]
) -> None:
    assert {order for order in DISCIPLINES if suffices(order, required)} == those
    assert not suffices("lifo", required)
