"""Markers that are acknowledged, and resent until then."""

from immutables import Map
from msgspec.structs import replace

from app.algorithms.registry import algorithm
from app.algorithms.shared.retransmission import ARRIVED
from app.core.model.values import Process

RULES, P = algorithm("resent-marker"), Process("P", (), ("P->Q", "P->R"))


def test_an_answer_starts_the_count_of_its_own_timer_anew_and_no_other() -> None:
    memory = replace(RULES.start(P), waiting=Map({"P->Q": (1, 2), "P->R": (1,)}), tries=Map({"P->Q": 3}))
    memory, effects = RULES.on_told(P, memory, None, "Q", 1, (ARRIVED, "P->Q"))
    assert (memory.waiting, memory.tries, effects) == (Map({"P->Q": (2,), "P->R": (1,)}), Map({"P->Q": 0}), ())
    memory, _ = RULES.on_told(P, memory, None, "R", 1, (ARRIVED, "P->R"))
    assert (memory.waiting, memory.tries) == (Map({"P->Q": (2,)}), Map({"P->Q": 0}))
