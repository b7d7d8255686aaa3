"""The photographs of the processes, each taken on its own."""

import pytest
from msgspec import structs

from app.algorithms.registry import algorithm
from app.core.model.errors import Refused
from app.core.model.values import Process


def test_a_process_is_photographed_once_for_a_snapshot() -> None:
    rules, process = algorithm("photographs"), Process("p", (), ())
    memory, _ = rules.on_initiate(process, rules.start(process), 3, 1)
    part = rules.result(process, memory, 1)
    assert part is not None and part.state == 3
    with pytest.raises(Refused, match="p has been photographed for snapshot 1 already"):
        rules.on_initiate(process, memory, 4, 1)
    again, _ = rules.on_initiate(process, memory, 4, 2)
    assert (rules.result(process, again, 1), rules.result(process, again, 2)) == (part, structs.replace(part, state=4))
