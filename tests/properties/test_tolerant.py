"""Under any faults, a snapshot may be wrong or never end, but every offered action is possible, and the counts stay
correct."""

from random import Random
from typing import Any

import pytest

from app.algorithms.registry import ALGORITHMS
from app.core.kernel.enabled import enabled, faults
from app.core.kernel.step import step
from app.core.model import recorded_state
from app.core.model.notes import Completed, Note
from app.core.model.system import DISCIPLINES, System
from app.core.model.values import Action, World
from app.scenario.run_key import RunKey
from app.scenario.scenario import unfit
from tests.often import pairs
from tests.tiny import made

TRIANGLE = ["A->B", "A->C", "B->A", "B->C", "C->A", "C->B"]
SEEDS = 4
STEPS = 80


FLOW: dict[str, Any] = {
    "topology": {"processes": ["J", "s", "a", "z"], "channels": ["J->s", "s->a", "a->z"]},
    "program": {
        "kind": "dataflow",
        "operators": {
            "J": {"coordinator": True},
            "s": {"source": [1, 2, 3, 4], "ends": True},
            "a": {"map": {"times": 2}},
            "z": {"sink": "idempotent"},
        },
    },
    "capacity": {"a->z": 2},
    "schedule": {"kind": "manual"},
}
"""For algorithms that are made for dataflows."""


def bank(algorithm: str, discipline: str) -> dict[str, Any]:
    """Return a triangle of accounts, with a newcomer or a coordinator if the algorithm allows one."""
    newcomer = ALGORITHMS[algorithm].GRAPH not in ("complete", "rooted")
    root = ALGORITHMS[algorithm].GRAPH == "rooted"
    return {
        "topology": {
            "processes": [*(["R"] if root else []), "A", "B", "C", *(["N"] if newcomer else [])],
            "channels": [*(["R->A"] if root else []), *TRIANGLE, *(["B->N", "N->B"] if newcomer else [])],
        },
        "program": {"kind": "bank", "everyone": 5},
        "newcomers": {"N": "B"} if newcomer else {},
        "algorithm": algorithm,
        "discipline": discipline,
        "schedule": {"kind": "manual"},
    }


@pytest.mark.parametrize(("algorithm", "discipline"), pairs(ALGORITHMS, DISCIPLINES, 7))
def test_every_action_that_is_offered_can_be_made_after_any_fault_and_the_counts_keep_true(
    algorithm: str, discipline: str
) -> None:
    whole = made(bank(algorithm, discipline))
    if unfit(ALGORITHMS[algorithm], whole.topology, whole.program):
        values: dict[str, Any] = FLOW | {
            "algorithm": algorithm,
            "discipline": discipline,
            "recovery": discipline != "causal",
        }
    else:
        values = bank(algorithm, discipline)
    system = made(values).system(RunKey())
    for seed in range(SEEDS):
        rng, world = Random(seed), system.begin()
        actions: list[Action] = []
        completed: list[int] = []
        for _ in range(STEPS):
            wrong = list(faults(system, world))
            offered = enabled(system, world)
            usual = offered[: len(offered) - len(wrong)]
            if not offered:
                break
            actions.append(rng.choice(wrong if wrong and (rng.random() < 0.1 or not usual) else usual))
            world, notes = step(system, world, actions[-1])
            completed += completions(notes)
            keeps_true(system, world, completed)
        again = system.begin()
        for action in actions:
            again, _ = step(system, again, action)
        assert again == world


def completions(notes: tuple[Note, ...]) -> list[int]:
    """Return the snapshots that have become complete."""
    return [note.snapshot for note in notes if isinstance(note, Completed)]


def keeps_true(system: System, world: World, completed: list[int]) -> None:
    """Check that a snapshot waits for all participants that have neither finished their part nor left, and perhaps for
    some with a complete part that still answer for others; it is complete, only once, when it waits for none."""
    assert len(completed) == len(set(completed))
    for number, progress in world.snapshots.items():
        parts = {name: recorded_state.part(system, world, name, number) for name in system.topology.names}
        left = [
            name
            for name, part in parts.items()
            if name not in (*progress.absent, *progress.unusable) and (part is None or not part.done)
        ]
        assert progress.waiting >= 0
        if not progress.aborted:
            assert progress.waiting >= len(left), (number, left, progress)
        if progress.aborted:  # perhaps only after it was complete: the system has rolled back to an earlier one
            assert number not in completed or progress.waiting == 0
        else:
            assert (number in completed) == (progress.waiting == 0)
