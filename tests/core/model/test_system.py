"""The orders of delivery, and which algorithms each is enough for."""

import pytest

from app.algorithms.registry import algorithm
from app.core.model.system import DISCIPLINES, STRENGTH, System, suffices
from app.core.model.topology import Topology
from app.programs.token import Token


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


@pytest.mark.parametrize(("discipline", "ordered"), [("fifo", True), ("causal", True), ("any", False)])
def test_a_channel_keeps_an_order_unless_its_discipline_or_an_exception_says_any(
    discipline: str, ordered: bool
) -> None:
    topology = Topology("ab", [("a", "b"), ("b", "a")])
    other = "fifo" if discipline == "any" else "any"
    system = System(topology, Token({"a": 1}), algorithm("photographs"), discipline, exceptions={"b->a": other})
    assert system.ordered("a->b") is ordered
    assert system.ordered("b->a") is not ordered
