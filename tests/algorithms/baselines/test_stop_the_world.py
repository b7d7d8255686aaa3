"""Stop the world: which process is paused when, and why none may continue too early."""

import pytest

from app.core.kernel.step import step
from app.core.model.notes import Closed, Done, Note, Paused, Recorded, Resumed
from app.core.model.values import Collect, Deliver, Move, Refused
from app.run.explore import explore
from app.run.run import Run, record, summary
from app.scenario.run_key import RunKey
from tests.tiny import made, notes, run, scenario

BANK = """
    topology: {processes: [P, Q], channels: [P->Q, Q->P]}
    program: {kind: bank, accounts: {P: 10, Q: 5}}
    algorithm: stop-the-world
    collect: false
"""
TRIANGLE = {
    "topology": {"complete": 3},
    "program": {"kind": "bank", "everyone": 5},
    "algorithm": "stop-the-world",
    "collect": False,
}


def said(run: Run, number: int, *kinds: type[Note]) -> list[Note]:
    return [note for note in run.steps[number - 1].notes if isinstance(note, kinds)]


def test_a_start_pauses_and_a_paused_program_can_neither_send_nor_change() -> None:
    made = run(BANK + "    script: [{start: P}]")
    assert said(made, 1, Paused, Recorded) == [Paused("P", None)]
    with pytest.raises(Refused, match="P cannot act now: the algorithm pauses the program"):
        step(made.system, made.world(1), Move("P", "P->Q", (("", 1),)))
    step(made.system, made.world(1), Move("Q", "Q->P", (("", 1),)))


def test_what_was_under_way_arrives_before_the_record() -> None:
    made = run(BANK + "    script: [{send: {on: Q->P, message: 2}}, {start: P}, {deliver: P->Q}, {deliver: Q->P}]")
    assert said(made, 4, Recorded) == []
    assert said(made, 5, Recorded, Closed, Done) == [
        Recorded(1, "P", (("", 12),), None),
        Closed(1, "Q->P"),
        Done(1, "P"),
    ]


def test_who_has_a_pause_from_every_input_records_and_not_before() -> None:
    run = record(made(TRIANGLE | {"script": [{"start": "P1"}, {"deliver": "P1->P2"}]}))
    assert said(run, 2, Paused, Recorded) == [Paused("P2", None)]
    recorded = next(one for one in run.steps if Recorded(1, "P2", (("", 5),), None) in one.notes)
    assert recorded.action == Deliver("P3->P2")


def test_all_go_on_only_after_all_have_recorded() -> None:
    run = record(made(TRIANGLE | {"script": [{"start": "P1"}]}))
    last = max(run.history.recordings[1].recorded.values())
    resumed = [(one.number, note) for one in run.steps for note in one.notes if isinstance(note, Resumed)]
    assert [note for _, note in resumed] == [Resumed("P1", None), Resumed("P2", None), Resumed("P3", None)]
    assert all(number >= last for number, _ in resumed)
    assert isinstance(run.steps[resumed[0][0] - 1].action, Collect)
    step(run.system, run.end, Move("P3", "P3->P1", (("", 1),)))


def test_it_costs_one_pause_a_channel_and_two_words_a_process() -> None:
    (told,) = summary(record(made(TRIANGLE | {"script": [{"start": "P1"}]})))["snapshots"]
    assert (told["controls"], told["markers"]) == (6 + 2 * 2, 0)


def test_two_coordinators_pause_everybody_once_and_both_must_let_go() -> None:
    run = record(made(TRIANGLE | {"script": [{"start": "P1"}, {"start": "P2"}]}))
    assert [verdict.broken for verdict in run.verdicts.values()] == [(), ()]
    assert all(seen.completed for seen in run.history.recordings.values())
    for name in ("P1", "P2", "P3"):
        keys = [n.key for n in notes(run, "paused", "resumed") if isinstance(n, Paused | Resumed) and n.process == name]
        assert keys == ["paused", "resumed"]


def test_one_snapshot_after_the_other() -> None:
    values = TRIANGLE | {
        "schedule": {"kind": "seeded", "seed": 3, "moves": 20},
        "initiators": [{"process": "P1", "at": 3}, {"process": "P2", "at": 25}, {"process": "P1", "at": 50}],
    }
    run = record(made(values))
    assert [verdict.broken for verdict in run.verdicts.values()] == [(), (), ()]
    assert all(seen.completed for seen in run.history.recordings.values())


def test_a_pause_that_overtakes_a_message_leaves_it_in_no_record() -> None:
    text = BANK + "    script: [{send: {on: P->Q, message: 3}}, {start: P}, {deliver: P->Q, position: 1}]"
    made = run(text.replace("collect: false", "discipline: any"))
    assert made.verdicts[1].witnesses["channels"]["fault"] == "missing"


def test_in_all_interleavings_of_two_processes_the_channels_are_empty() -> None:
    values = TRIANGLE | {"topology": {"complete": 2}, "explore": {"moves": 3, "starts": ["P1"]}}
    found = explore(made(values))
    assert (found.bounded, found.counterexamples, found.incomplete) == (False, {}, 0)
    assert found.outcomes and all(not any(o.channels.values()) for o in found.outcomes)
    channels = [any(o.channels.values()) for o in explore(made(values), RunKey(algorithm="chandy-lamport")).outcomes]
    assert any(channels)


def test_a_program_that_can_receive_only_after_a_move_of_its_own_blocks_it() -> None:
    text = """
        topology: {processes: [p, q], channels: [p->q, q->p]}
        program:
          kind: machine
          first: {p: A, q: C}
          edges:
            p: [{from: A, to: B, send: m, on: p->q}]
            q: [{from: C, to: D}, {from: D, to: C, receive: m, on: p->q}]
        algorithm: stop-the-world
        script: [{send: {on: p->q, message: m}}, {start: q}]
    """
    stopped = run(text)
    assert stopped.history.recordings[1].completed is None
    going = record(scenario(text), RunKey(algorithm="chandy-lamport"))
    assert going.verdicts[1].broken == ()
