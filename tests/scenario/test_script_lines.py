"""The lines of a script as actions."""

import pytest

from app.core.model.values import Action, BluecutError, Crash, Deliver, Move, Overtake, Partition, Start
from app.programs.bank import freeze
from app.scenario.script_lines import DOING
from tests.tiny import scenario

BANK = """
    topology: {{processes: [A, B], channels: [A->B, B->A]}}
    program: {{kind: bank, everyone: 9}}
    script: [{line}]
"""


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("{start: A}", Start("A")),
        ("{send: {on: A->B, message: 2}}", Move("A", "A->B", freeze(2))),
        ("{deliver: A->B, position: 1}", Deliver("A->B", 1)),
        ("{overtake: A->B}", Overtake("A->B", 1)),
        ("{partition: A->B}", Partition("A->B")),
        ("{cut: A->B}", Partition("A->B")),  # as earlier files say
        ("{crash: B}", Crash("B")),
    ],
)
def test_a_line_is_one_action(line: str, action: Action) -> None:
    (entry,) = scenario(BANK.format(line=line)).entries
    assert entry.action == action


def test_a_line_that_does_two_things_is_told_what_a_line_can_do() -> None:
    with pytest.raises(BluecutError) as told:
        scenario(BANK.format(line="{start: A, partition: A->B}"))
    assert all(word in str(told.value) for word in DOING)
