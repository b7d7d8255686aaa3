"""The messages in flight, tracked without visiting every channel."""

from typing import Any

import pytest

from app.core.kernel.step import step
from app.core.model.values import LANES, Collect, Crash, Deliver, Duplicate, Start
from app.run.run import record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.schedules.in_flight import Flight, control
from tests.tiny import made

TOLD: dict[str, Any] = {
    "topology": {"processes": ["A", "B", "C"], "channels": ["A->B", "B->A", "B->C", "C->B"]},
    "program": {"kind": "token", "holders": {"A": 1}},
    "algorithm": "mattern",
    "discipline": "any",
    "script": [{"start": "A"}],
}


def test_a_crash_takes_along_what_is_in_the_lanes_that_lead_there() -> None:
    system = made(TOLD).system(RunKey())
    world, flight = system.begin(), Flight(system)
    world, notes = step(system, world, Start("A"))
    flight.saw(notes)
    assert flight.words == 2 and [channel for channel, _ in flight.lanes.values()] == ["A->B", "A->B"]
    world, notes = step(system, world, Crash("B"))
    flight.saw(notes)
    assert not world.lanes and not flight.lanes and flight.words == 0
    assert flight.part(world) is None


def test_what_has_left_the_crashed_process_still_arrives() -> None:
    system = made(TOLD).system(RunKey())
    world, flight = system.begin(), Flight(system)
    for action in (Start("A"), Crash("A")):
        world, notes = step(system, world, action)
        flight.saw(notes)
    assert flight.part(world) == Collect("A->B") and flight.words == 2


def test_a_copy_that_the_network_makes_of_a_marker_belongs_to_the_algorithm_too() -> None:
    system = made(TOLD | {"algorithm": "chandy-lamport", "discipline": "fifo"}).system(RunKey())
    world, flight = system.begin(), Flight(system)
    for action in (Start("A"), Duplicate("A->B"), Deliver("A->B")):
        world, notes = step(system, world, action)
        flight.saw(notes)
    (copy,) = world.queues["A->B"]
    assert flight.controls[copy.id] == "A->B"


@pytest.mark.parametrize("name", ["crash-unusable", "crash-hangs", "hash-ring", "cut-and-mended", "lossy-network"])
@pytest.mark.parametrize("algorithm", [None, "mattern", "resent-marker"])
def test_it_holds_what_the_channels_hold(name: str, algorithm: str | None) -> None:
    run = record(LIBRARY.scenario(name), RunKey(algorithm=algorithm))
    flight = Flight(run.system)
    for each in run.steps:
        flight.saw(each.notes)
        world = run.world(each.number)
        assert dict(flight.messages) == {m.id: c for c, queue in world.queues.items() for m in queue}
        assert set(flight.controls) == {m.id for queue in world.queues.values() for m in queue if control(m)}
        assert {n: c for n, (c, _) in flight.lanes.items()} == {m.id: c for c, q in world.lanes.items() for m in q}
        assert all(m.kind in LANES for queue in world.lanes.values() for m in queue)
