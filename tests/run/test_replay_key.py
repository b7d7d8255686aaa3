"""A chosen run, repeated under other rules."""

import pytest

from app.core.kernel.enabled import enabled
from app.core.model.values import Move, Start
from app.run.replay_key import again
from app.run.run import Run, record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey, read
from tests.tiny import made


def moves(run: Run) -> list[Move]:
    """Return the programs' own moves."""
    return [step.action for step in run.steps if isinstance(step.action, Move)]


def test_the_same_payments_are_made_in_the_same_order_and_the_broken_variant_breaks() -> None:
    chosen = LIBRARY.scenario("late-marker")
    broken = record(chosen, RunKey(choices=read("0:2.1.0.0.0.0.0"), manual=True))
    key = again(broken, RunKey("chandy-lamport"))
    assert key is not None and key.drain and not key.manual
    right = record(chosen, key)
    assert moves(right) == moves(broken)
    assert broken.verdicts[1].checks["consistent"] is False
    assert right.verdicts[1].checks["consistent"] is True


def test_the_other_way_round_it_breaks_again() -> None:
    chosen = LIBRARY.scenario("token-late")
    sound = record(chosen, RunKey(choices=read("0:0.0.0.1.0.0.0"), drain=True))
    assert sound.verdicts[1].broken == ()
    key = again(sound, RunKey("no-channels"))
    assert key is not None
    assert "conserved" in record(chosen, key).verdicts[1].broken


def test_another_order_of_delivery_alone_changes_nothing_of_a_run_in_order() -> None:
    chosen = LIBRARY.scenario("late-marker")
    run = record(chosen, RunKey(choices=read("0:2.1"), drain=True))
    key = again(run, RunKey(discipline="any"))
    assert key is not None
    assert [step.action for step in record(chosen, key).steps] == [step.action for step in run.steps]


def test_what_only_a_script_can_say_cannot_be_chosen() -> None:
    """The script of this scenario pays amounts that the program does not offer."""
    assert again(record(LIBRARY.scenario("queue")), RunKey("no-channels")) is None


@pytest.mark.parametrize("algorithm", ["mattern", "venkatesan"])
def test_a_start_that_the_other_algorithm_refuses_is_passed_over(algorithm: str) -> None:
    """Both have one fixed initiator; Chandy and Lamport's rule has as many as there are processes."""
    scenario = made(
        {
            "topology": {"complete": 3},
            "program": {"kind": "bank", "everyone": 5},
            "schedule": {"kind": "manual"},
        }
    )
    run = record(scenario, RunKey(manual=True))
    key = run.key
    for wanted in (Start("P1"), Start("P2")):
        key = key.branch(len(run.steps), enabled(run.system, run.end).index(wanted))
        run = record(scenario, key)
    repeated = again(run, RunKey(algorithm))
    assert repeated is not None
    other = record(scenario, repeated)
    assert [step.action for step in other.steps if isinstance(step.action, Start)] == [Start("P1")]
    assert other.verdicts[1].checks["consistent"] is True
