"""The ordinary steps in one go are the same as those with a draft, in every algorithm."""

import pytest

from app.algorithms.registry import ALGORITHMS
from app.core.kernel.ordinary import ordinary
from app.core.kernel.step import whole_step
from app.core.model.values import APP, Deliver, Move
from app.run.run import record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from tests.run.behaviour import runs_under

NAMES = ("queue", "cut-and-mended", "lossy-network", "born-after", "domino", "plain-sink-twice", "phantom-photographs")


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_what_is_done_in_one_go_is_the_whole_step(algorithm: str) -> None:
    for run in runs_under(algorithm, NAMES):
        for step in run.steps:
            before = run.world(step.number - 1)
            done = ordinary(run.system, before, step.action)
            assert done is None or done == whole_step(run.system, before, step.action) == (step.world, step.notes)


def test_all_that_a_plain_program_does_is_ordinary() -> None:
    run = record(LIBRARY.scenario("random-twelve"))
    for step in run.steps:
        before = run.world(step.number - 1)
        action = step.action
        arrives = isinstance(action, Deliver) and before.queues[action.channel][0].kind == APP
        done = ordinary(run.system, before, action)
        assert (done is not None) == (arrives or isinstance(action, Move)), step.number


def test_causal_channels_dataflows_and_members_are_not_ordinary() -> None:
    causal = record(LIBRARY.scenario("queue"), RunKey(discipline="causal"))
    dataflow = record(LIBRARY.scenario("plain-sink-twice"))
    assert not causal.system.plain and not dataflow.system.plain
    absent = record(LIBRARY.scenario("born-after"))
    assert ordinary(absent.system, absent.begin, absent.steps[0].action) is None
