"""The seeded schedule: what it remembers from step to step is what it would find anew."""

from typing import Any

import pytest

from app.algorithms.registry import ALGORITHMS
from app.core.kernel.enabled import hindrance
from app.core.kernel.step import step
from app.core.model.values import BluecutError
from app.run.run import OWN
from app.schedules.seeded import Seeded
from tests.tiny import made

BANK: dict[str, Any] = {
    "topology": {"complete": 4},
    "program": {"kind": "bank", "everyone": 20},
    "schedule": {"kind": "seeded", "seed": 3, "moves": 200},
    "initiators": [{"process": "P1", "at": 10}],
}


@pytest.mark.parametrize("more", [{}, {"capacity": 1}, {"loss": 20}])
@pytest.mark.parametrize("name", [name for name, rules in ALGORITHMS.items() if rules.PAUSES])
def test_the_moves_that_an_algorithm_allows_are_those_of_this_world(name: str, more: dict[str, Any]) -> None:
    try:
        scenario = made(BANK | more | {"algorithm": name})
        system = scenario.system(OWN)
    except BluecutError:
        pytest.skip("not on a bank")
    schedule = scenario.schedule(OWN, system)
    assert isinstance(schedule, Seeded)
    world, paused = system.begin(), 0
    while (action := schedule.next(world)) is not None:
        world, notes = step(system, world, action)
        schedule.saw(action, world, notes)
        offered = schedule.movers.values()
        anew = [tuple(move for move in moves if not hindrance(system, world, move)) for moves in offered]
        assert list(schedule._free(world)) == [moves for moves in anew if moves]
        paused += sum(map(len, offered)) > sum(map(len, anew))
    assert paused
