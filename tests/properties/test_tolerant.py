"""Whatever goes wrong, a snapshot may be wrong or never end, but every action that is offered can be made."""

from random import Random

import pytest

from app.core.enabled import enabled, faults
from app.core.kernel import step
from app.core.system import DISCIPLINES
from app.simulator.key import RunKey
from tests.tiny import made

TRIANGLE = ["A->B", "A->C", "B->A", "B->C", "C->A", "C->B"]


@pytest.mark.parametrize("discipline", DISCIPLINES)
@pytest.mark.parametrize(
    ("algorithm", "newcomer"),
    [
        ("spezialetti-kearns", True),
        ("venkatesan", True),
        ("acharya-badrinath", False),
        ("alagar-venkatesan", False),
        ("unicast-token", False),
    ],
)
def test_every_action_that_is_offered_can_be_made_after_any_fault(
    algorithm: str, newcomer: bool, discipline: str
) -> None:
    values = {
        "topology": {
            "processes": ["A", "B", "C", *(["N"] if newcomer else [])],
            "channels": [*TRIANGLE, *(["B->N", "N->B"] if newcomer else [])],
        },
        "program": {"kind": "bank", "everyone": 5},
        "newcomers": {"N": "B"} if newcomer else {},
        "algorithm": algorithm,
        "discipline": discipline,
        "schedule": {"kind": "manual"},
    }
    system = made(values).system(RunKey())
    for seed in range(25):
        rng, world = Random(seed), system.begin()
        for _ in range(100):
            wrong = list(faults(system, world))
            offered = enabled(system, world)
            usual = offered[: len(offered) - len(wrong)]
            if not offered:
                break
            world, _ = step(system, world, rng.choice(wrong if wrong and (rng.random() < 0.1 or not usual) else usual))
