"""Members that join, leave and crash at random: whatever is complete and usable is right."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.kernel.enabled import enabled
from app.core.kernel.step import step
from app.core.model.values import Action, Crash, Drop, Duplicate, Join, Leave, Overtake, Partition
from app.core.oracle import checks, replay
from app.core.oracle.history import History
from app.run.run import record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from tests.often import often
from tests.tiny import made

FAMILY: dict[str, Any] = {
    "topology": {
        "processes": ["A", "B", "C", "N", "M"],
        "channels": [
            "A->B", "B->A", "B->C", "C->B", "A->C", "C->A", "B->N", "N->B", "N->M", "M->N",
        ],
    },
    "newcomers": {"N": "B", "M": "N"},
    "program": {"kind": "bank", "accounts": {"A": 5, "B": 5, "C": 5, "N": 0, "M": 0}, "amounts": [1, 2]},
    "algorithm": "members",
}  # fmt: skip
NETWORK = (Drop, Duplicate, Overtake, Partition)


@often(150)
@given(st.integers(0, 1_000_000), st.integers(20, 120))
def test_every_complete_and_usable_snapshot_is_right(seed: int, steps: int) -> None:
    rng = Random(seed)
    system = made(FAMILY).system(RunKey())
    world, history = system.begin(), History(system.topology.names)
    budget: dict[type[Action], int] = {Crash: 2, Leave: 1, Join: 2}
    for _ in range(steps):
        actions = [a for a in enabled(system, world) if not isinstance(a, NETWORK)]
        actions = [a for a in actions if budget.get(type(a), 1) and (not isinstance(a, Crash) or rng.random() < 0.1)]
        if not actions:
            break
        action = actions[int(rng.random() * len(actions))]
        if type(action) in budget:
            budget[type(action)] -= 1
        world, notes = step(system, world, action)
        history.watch(action, notes)
    for number, seen in history.recordings.items():
        verdict = checks.Oracle(system, history).judge(world, number)
        if seen.completed is not None and not seen.unusable:
            assert verdict.broken == (), (number, verdict.witnesses)
    assert replay.undisturbed(system, history)


@pytest.mark.parametrize(
    ("name", "total", "absent"), [("joiner-merged", 14, []), ("born-after", 10, ["N"]), ("born-before", 10, [])]
)
def test_a_newcomer_is_counted_twice_not_at_all_or_once(name: str, total: int, absent: list[str]) -> None:
    run = record(LIBRARY.scenario(name))
    assert list(run.history.recordings[1].absent) == absent
    witness = run.verdicts[1].witnesses.get("conserved", {"recorded": 10})
    assert witness["recorded"] == total


def test_the_same_newcomer_is_right_under_members() -> None:
    run = record(LIBRARY.scenario("joiner-merged"), RunKey(algorithm="members"))
    assert run.verdicts[1].broken == () and list(run.history.recordings[1].absent) == ["N"]


def test_plain_chandy_lamport_hangs_where_members_completes_and_says_that_it_is_unusable() -> None:
    hangs = record(LIBRARY.scenario("crash-hangs"))
    assert hangs.history.recordings[1].completed is None and hangs.verdicts[1].broken == ()
    ends = record(LIBRARY.scenario("crash-hangs"), RunKey(algorithm="members"))
    assert ends.history.recordings[1].completed is not None
    assert ends.history.recordings[1].unusable == ("P3",)


def test_a_key_that_changes_hands_is_in_the_channel() -> None:
    run = record(LIBRARY.scenario("hash-ring"))
    crossing = run.history.crossing(run.history.recordings[1].cut)
    assert {c: [m.payload for m in ms] for c, ms in crossing.items()} == {"N50->N30": [(("k25", 1),)]}
