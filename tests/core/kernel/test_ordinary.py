"""The ordinary steps in one go are the same as those with a draft, in every algorithm."""

from collections.abc import Callable

import pytest
from msgspec import structs

from app.algorithms.registry import ALGORITHMS
from app.core.kernel import step as kernel
from app.core.kernel.effects import REQUESTS
from app.core.kernel.enabled import options
from app.core.kernel.ordinary import ordinary
from app.core.kernel.step import whole_step
from app.core.model.notes import Sent
from app.core.model.values import Action, Deliver, Move, Refused
from app.run.run import record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from tests.run.behaviour import runs_under
from tests.tiny import run

NAMES = ("queue", "cut-and-mended", "lossy-network", "born-after", "domino", "plain-sink-twice", "phantom-photographs")


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_what_is_done_in_one_go_is_the_whole_step(algorithm: str) -> None:
    for made in runs_under(algorithm, NAMES):
        for step in made.steps:
            before = made.world(step.number - 1)
            done = ordinary(made.system, before, step.action)
            assert done is None or done == whole_step(made.system, before, step.action) == (
                made.world(step.number),
                step.notes,
            )


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("queue", RunKey()),
        ("queue", RunKey(discipline="any")),
        ("three-banks", RunKey(algorithm="stop-the-world")),
        ("phantom-deadlock", RunKey()),
        ("node-idle", RunKey()),
        ("cut-and-mended", RunKey()),
        ("past-the-jam", RunKey()),
        ("domino", RunKey()),
    ],
)
def test_what_is_not_possible_is_refused_for_the_same_reason(name: str, key: RunKey) -> None:
    run, kinds = record(LIBRARY.scenario(name), key), set[type]()
    channels = tuple(run.system.topology.channels)
    for number in range(len(run.steps) + 1):
        world = run.world(number)
        tried: list[Action] = [Deliver(channel, position) for channel in channels for position in (-1, 0, 1)]
        offered = [action for action, _ in options(run.system, world) if isinstance(action, Move)]
        tried += [structs.replace(move, channel=channel) for move in offered[:1] for channel in channels]
        for action in (*tried, *offered):
            done, whole = (outcome(by, run.system, world, action) for by in (kernel.step, whole_step))
            assert done == whole, (number, action)
            kinds.add(type(whole))
    assert kinds == {str, tuple}


BLOCKED = """
    topology: {processes: [J, a, b, c], channels: [J->a, J->b, a->c, b->c]}
    program: {kind: bank, accounts: {J: 0, a: 5, b: 5, c: 0}}
    algorithm: aligned
    script: [{start: J}, {deliver: J->a}, {send: {on: a->c, message: 1}}, {deliver: a->c}]
"""


def test_a_message_on_a_blocked_input_is_refused_by_both() -> None:
    made = run(BLOCKED)
    deliver = Deliver("a->c")
    said = {outcome(by, made.system, made.world(4), deliver) for by in (kernel.step, whole_step)}
    assert len(said) == 1 and "blocks the channel" in str(said)


def outcome(by: Callable[..., object], *asked: object) -> object:
    """Return what a step gives, or the reason why it is not possible."""
    try:
        return by(*asked)
    except Refused as error:
        return str(error)


def test_all_that_a_plain_program_does_is_ordinary() -> None:
    run = record(LIBRARY.scenario("random-twelve"))
    for step in run.steps:
        before = run.world(step.number - 1)
        action = step.action
        records = any(type(note) in REQUESTS or isinstance(note, Sent) for note in step.notes)
        done = ordinary(run.system, before, action)
        expected = isinstance(action, Move) or (isinstance(action, Deliver) and not records)
        assert (done is not None) == expected, step.number


def test_causal_channels_dataflows_and_members_are_not_ordinary() -> None:
    causal = record(LIBRARY.scenario("queue"), RunKey(discipline="causal"))
    dataflow = record(LIBRARY.scenario("plain-sink-twice"))
    assert not causal.system.plain and not dataflow.system.plain
    absent = record(LIBRARY.scenario("born-after"))
    assert ordinary(absent.system, absent.begin, absent.steps[0].action) is None
