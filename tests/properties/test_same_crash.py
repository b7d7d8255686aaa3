"""The same crashes under another way of recovery: the programs do the same, and end in the same states."""

from collections import Counter
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from app.core.kernel.enabled import enabled
from app.core.kernel.step import step
from app.core.model.notes import Note
from app.core.model.system import System
from app.core.model.values import Action, Crash, Restart, Restore, World
from app.core.oracle.history import History
from app.core.oracle.replay import undisturbed
from app.scenario.run_key import RunKey
from app.schedules.in_flight import Flight
from app.schedules.program_events import events
from app.schedules.repeat import Follow
from tests.often import often
from tests.properties.test_duplicates import END, FAULTS, flows, outcome, quiet, wanted
from tests.tiny import made

Steps = list[tuple[Action, tuple[Note, ...], World]]
WAYS = ("aligned", "unaligned", "millwheel", "weak-productions")


def coordinated(values: dict[str, Any], algorithm: str) -> dict[str, Any]:
    """Return the flow with a coordinator, in FIFO channels."""
    topology, operators = values["topology"], values["program"]["operators"]
    if "JM" not in operators:
        sources = [name for name, operator in operators.items() if "source" in operator]
        topology = {
            "processes": ["JM", *topology["processes"]],
            "channels": [*topology["channels"], *(f"JM->{name}" for name in sources)],
        }
        operators = {"JM": {"coordinator": True}, **operators}
    return values | {
        "topology": topology,
        "program": values["program"] | {"operators": operators},
        "algorithm": algorithm,
        "discipline": "fifo",
    }


def happened(system: System, rng: Random) -> Steps:
    """Return a run in which operators crash now and then, up to its end."""
    world, flight = system.begin(), Flight(system)
    found: Steps = []
    for turn in range(120 + END):
        action = flight.rest(world)
        if turn < 120:
            usual = [a for a in enabled(system, world) if wanted(a) and (not isinstance(a, FAULTS) or falls(a))]
            calm = [a for a in usual if not isinstance(a, Crash)]
            action = rng.choice(usual if rng.random() < 0.05 else calm) if usual and calm else None
        if action is None:
            break
        after, notes = step(system, world, action)
        found.append((action, notes, world))
        flight.saw(notes)
        world = after
    return found


def falls(action: Action) -> bool:
    """Does an operator crash? (A coordinator that never does in one of the two cannot in the other.)"""
    return isinstance(action, Crash) and action.process != "JM"


@often(60)
@given(
    values=flows(),
    seed=st.integers(0, 10**6),
    ways=st.tuples(st.sampled_from(WAYS), st.sampled_from(WAYS)).filter(lambda ways: ways[0] != ways[1]),
)
def test_the_same_crashes_lead_to_the_same_states_in_every_way(
    values: dict[str, Any], seed: int, ways: tuple[str, str]
) -> None:
    first, second = (made(coordinated(values, way)).system(RunKey()) for way in ways)
    own = happened(first, Random(seed))
    follow = Follow(second, events((action, None, notes, world) for action, notes, world in own), seed)
    world, history = second.begin(), History(second.topology.names)
    crashes: Counter[str] = Counter()
    for _ in range(2 * END):
        action = follow.next(world)
        if action is None:
            break
        if type(action).__name__ == "Start" and action not in enabled(second, world):
            continue
        world, notes = step(second, world, action)
        follow.saw(action, world, notes)
        history.watch(action, notes)
        crashes.update([action.process] if isinstance(action, Crash) else ())
        if isinstance(action, Restart | Restore):
            assert isinstance(action, Restart) == (second.algorithm.RECOVERY.way == "local")
    else:
        raise AssertionError("it does not come to its end")
    assert follow.missed == 0
    assert crashes <= Counter(action.process for action, _, _ in own if isinstance(action, Crash))
    assert not world.down and not world.in_flight()
    assert outcome(second, world) == outcome(second, quiet(second))
    assert undisturbed(second, history)
