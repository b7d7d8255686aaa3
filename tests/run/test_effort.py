"""The cost of making and storing a run, so that none becomes too expensive."""

from typing import Any

import pytest

from app.core.kernel.enabled import enabled
from app.core.model.values import BluecutError, Drop, Wake
from app.run.run import WORK, choice, effort, record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from tests.tiny import made

LOSSY: dict[str, Any] = {
    "topology": {"random": {"processes": 40, "degree": 5, "seed": 1}},
    "program": {"kind": "bank", "everyone": 20},
    "algorithm": "sequenced",
    "loss": 60,
    "schedule": {"kind": "seeded", "seed": 1, "moves": 400},
    "initiators": [{"process": "P1", "at": 5}],
    "steps": 1500,
}
"""Most steps retransmit, discard or acknowledge a message."""


def test_every_step_costs_the_channels_of_whom_it_concerns() -> None:
    run = record(made(LOSSY))
    processes, channels = run.system.topology.processes, run.system.topology.channels
    for step in run.steps:
        if isinstance(step.action, Wake | Drop):
            drop = isinstance(step.action, Drop)
            name = channels[step.action.channel].target if drop else step.action.process  # type: ignore[union-attr]
            about = len(processes[name].inputs) + len(processes[name].outputs)
            assert effort(run.system, run.world(step.number), step.action, step.notes) > about


def test_steps_that_are_put_off_cost_what_it_takes_to_keep_them() -> None:
    run = record(made(LOSSY))
    step = next(step for step in run.steps if len(run.world(step.number).wakes) > 100)
    idle = run.world(step.number)
    few = type(idle)(idle.states, idle.memories, idle.queues, idle.lanes, idle.wakes[:1], idle.snapshots, idle.sent)
    assert effort(run.system, idle, step.action, ()) > effort(run.system, few, step.action, ()) + 5


def test_the_runs_of_the_library_are_far_below_the_limit() -> None:
    runs = [record(scenario) for scenario in LIBRARY.scenarios()]
    assert max(run.work for run in runs) < WORK / 4
    assert all(run.work > len(run.steps) for run in runs if run.steps)


@pytest.mark.parametrize("step", [0, 30, 90])
def test_a_choice_is_the_action_of_that_index_and_costs_what_was_looked_at(step: int) -> None:
    run = record(made(LOSSY))
    world, system = run.world(step), run.system
    possible = enabled(system, world)
    found = [choice(system, world, step, index) for index in range(len(possible))]
    assert [action for action, _ in found] == possible
    looked = [cost for _, cost in found]
    assert looked == sorted(looked) and looked[0] < 5 and looked[-1] >= len(possible)
    with pytest.raises(BluecutError, match=f"there are {len(possible)} actions"):
        choice(system, world, step, len(possible))


def test_choices_are_work_too() -> None:
    system, begin = (own := record(made(LOSSY), RunKey(manual=True))).system, own.begin
    last = len(enabled(system, begin)) - 1
    chosen = record(made(LOSSY), RunKey(choices=((0, last),), manual=True))
    (step,) = chosen.steps
    assert chosen.work > effort(system, chosen.end, step.action, step.notes) + last / 10
