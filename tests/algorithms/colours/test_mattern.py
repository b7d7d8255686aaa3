"""Mattern's rules: agree, tick, record in time, log what is late, and count."""

import pytest

from app.core.model.notes import Assembled, Closed, Counted, Done, Logged, Opened, Recorded, Sent, Told
from app.core.model.values import Tell
from app.forms.yaml_source import SourceError
from app.run.run import Run, record, summary
from app.scenario.run_key import RunKey
from tests.tiny import made, notes, run, said, scenario

BANK = """
    topology: {processes: [P, Q], channels: [P->Q, Q->P]}
    program: {kind: bank, accounts: {P: 10}}
    algorithm: mattern
    discipline: any
"""
LATE = (
    BANK
    + """
    script:
      - {send: {on: P->Q, message: 3}}
      - {start: P}
      - {collect: P->Q}
      - {collect: Q->P}
      - {send: {on: P->Q, message: 2}}
      - {deliver: P->Q, position: 1}
      - {collect: P->Q}
      - {collect: Q->P}
      - {deliver: P->Q}
      - {collect: Q->P}
      - {collect: P->Q}
"""
)


def words(run: Run, step: int) -> list[object]:
    """Return what was said in a step outside the channels."""
    sent = [n.message for n in said(run, step, Sent) if isinstance(n, Sent)]
    return [message.payload[2] for message in sent if message.kind == "word"]


def test_a_start_tells_a_time_and_nobody_records() -> None:
    made = run(LATE)
    assert words(made, 2) == [("agree", 1)]
    assert notes(made, "recorded")[0] in made.steps[3].notes
    assert made.world(3).memories["P"].clock == 0


def test_after_the_last_acknowledgement_the_initiator_records_and_ticks() -> None:
    made = run(LATE)
    assert words(made, 3) == ["ack"]
    assert said(made, 4, Recorded, Opened) == [Recorded(1, "P", (("", 7),), None), Opened(1, "Q->P")]
    assert words(made, 4) == [("tick", 1)]
    assert made.world(4).memories["P"].clock == 1


def test_nobody_is_held_up_while_the_answers_come_in() -> None:
    made = run(BANK + "    script: [{start: P}, {send: {on: P->Q, message: 4}}, {collect: P->Q}, {collect: Q->P}]")
    assert made.world(2).states["P"] == (("", 6),)
    assert [m.tag for m in made.world(2).queues["P->Q"]] == [0]


def test_a_message_of_the_new_time_makes_its_receiver_record_first() -> None:
    made = run(LATE)
    assert said(made, 6, Recorded) == [Recorded(1, "Q", (("", 0),), None)]
    assert words(made, 6) == [("count", 0)]


def test_the_dummy_message_makes_whoever_gets_nothing_else_record() -> None:
    made = run(BANK + "    script: [{start: P}, {collect: P->Q}, {collect: Q->P}, {collect: P->Q}]")
    assert said(made, 4, Recorded) == [Recorded(1, "Q", (("", 0),), None)]


def test_the_sum_says_what_is_missing_and_the_copy_ends_it() -> None:
    made = run(LATE)
    assert said(made, 8, Counted) == [Counted(1, "P", 1)]
    (logged,) = said(made, 9, Logged)
    assert isinstance(logged, Logged) and logged.channel == "P->Q"
    assert words(made, 9) == [("copy", "P->Q")]
    assert said(made, 10, Counted, Assembled, Done) == [Counted(1, "P", 0), Assembled(1, "P"), Done(1, "P")]


def test_channels_are_open_until_everybody_hears_that_nothing_is_in_flight() -> None:
    made = run(LATE)
    assert said(made, 10, Closed) == [Closed(1, "Q->P")]
    assert said(made, 11, Told, Closed) == [Told("Q", "P", 1, "done"), Closed(1, "P->Q")]
    assert made.history.recordings[1].completed == 11


def test_what_is_late_for_the_initiator_needs_no_copy() -> None:
    text = BANK.replace("P: 10", "Q: 10")
    made = run(
        text
        + "    script: [{send: {on: Q->P, message: 1}}, {start: P}, {collect: P->Q}, {collect: Q->P}, {deliver: Q->P}]"
    )
    assert len(said(made, 5, Logged)) == 1 and words(made, 5) == []
    assert summary(made)["snapshots"][0]["channels"] == {"P->Q": [], "Q->P": [1]}


def test_it_costs_five_words_a_process_and_one_a_late_message() -> None:
    for size in (1, 2, 4):
        values = {
            "topology": {"complete": size},
            "program": {"kind": "bank", "everyone": 5},
            "algorithm": "mattern",
            "script": [{"start": "P1"}],
        }
        assert summary(record(made(values)))["snapshots"][0]["controls"] == 5 * (size - 1)
    assert summary(run(LATE))["snapshots"][0]["controls"] == 5 + 1


def test_the_next_snapshot_is_at_the_next_tick_by_the_same_process() -> None:
    drained = BANK + "    schedule: {kind: seeded, seed: 5, moves: 9}\n"
    starts = "    initiators: [{process: P, at: 2}, {process: P, at: 90}]\n"
    twice = run(drained + starts)
    assert [seen.completed is not None for seen in twice.history.recordings.values()] == [True, True]
    assert [verdict.broken for verdict in twice.verdicts.values()] == [(), ()]
    assert twice.end.memories["Q"].clock == 2
    with pytest.raises(SourceError, match="Q cannot start a snapshot now: only the first initiator"):
        run(drained + "    initiators: [{process: P, at: 2}, {process: Q, at: 90}]\n")


def test_a_lost_message_makes_it_wait_for_ever_and_nothing_wrong_is_said() -> None:
    made = run(BANK + "    script: [{send: {on: P->Q, message: 3}}, {start: P}, {drop: P->Q}]")
    seen, verdict = made.history.recordings[1], made.verdicts[1]
    assert seen.completed is None and verdict.broken == ()
    assert said(made, len(made.steps), Counted) == [Counted(1, "P", 1)]
    late = record(scenario(LATE), RunKey(algorithm="lai-yang"))
    assert late.verdicts[1].broken == ()


def test_a_word_is_told_to_each_of_the_others() -> None:
    values = {
        "topology": {"ring": 3},
        "program": {"kind": "bank", "everyone": 5},
        "algorithm": "mattern",
        "script": [{"start": "P2"}],
    }
    start = record(made(values))
    assert words(start, 1) == [("agree", 1)] * 2
    assert Tell("P1", 1, ("agree", 1)) != Tell("P3", 1, ("agree", 1))
    assert start.history.recordings[1].completed is not None
