"""What happened before what: clocks, cuts, orphans, what crosses, and the reordering of Theorem 1."""

import pytest

from app.core.model.notes import Acted, Changed, Discarded, Done, Doubled, Received, Returned, Sent, Stored
from app.core.model.values import APP, Deliver, Message, Move
from app.core.oracle.history import INTERNAL, RECEIVE, SEND, History
from app.run.run import record
from app.scenario.library import LIBRARY
from tests.tiny import run

TALK = """
    topology: {processes: [p, q, r], channels: [p->q, q->r, r->p]}
    program: {kind: variables, values: {p: {x: 0}, q: {y: 0}, r: {z: 0}}}
    script:
      - {send: {on: p->q, message: a}}
      - {change: {process: r, set: {z: 1}}}
      - {deliver: p->q}
      - {send: {on: q->r, message: b}}
      - {deliver: q->r}
      - {send: {on: p->q, message: c}}
"""
HISTORY = run(TALK.replace("      - {send: {on: p->q, message: c}}\n", "")).history


def test_events_are_counted_by_process_and_know_their_step() -> None:
    assert [(e.step, e.process, e.index, e.kind) for e in HISTORY.events] == [
        (1, "p", 1, SEND),
        (2, "r", 1, INTERNAL),
        (3, "q", 1, RECEIVE),
        (4, "q", 2, SEND),
        (5, "r", 2, RECEIVE),
    ]


def test_a_clock_counts_the_events_of_each_process_that_an_event_knows_of() -> None:
    assert HISTORY.clocks == {
        ("p", 1): (1, 0, 0),
        ("r", 1): (0, 0, 1),
        ("q", 1): (1, 1, 0),
        ("q", 2): (1, 2, 0),
        ("r", 2): (1, 2, 2),
    }


def test_a_cut_is_consistent_when_nothing_inside_knows_of_anything_outside() -> None:
    assert HISTORY.consistent({"p": 1, "q": 1, "r": 1})
    assert HISTORY.consistent({"p": 1, "q": 2, "r": 1})
    assert HISTORY.consistent({"p": 0, "q": 0, "r": 1})
    assert not HISTORY.consistent({"p": 0, "q": 1, "r": 0})
    assert not HISTORY.consistent({"p": 1, "q": 1, "r": 2})


def test_of_a_process_that_a_cut_does_not_name_nothing_is_inside() -> None:
    assert HISTORY.consistent({"p": 1}) and HISTORY.consistent({})
    assert not HISTORY.consistent({"q": 1})


def test_an_orphan_is_received_inside_and_sent_outside() -> None:
    assert [m.payload.name for m in HISTORY.orphans({"p": 0, "q": 1, "r": 0})] == ["a"]
    assert HISTORY.orphans({"p": 1, "q": 2, "r": 1}) == []


def test_what_crosses_a_cut_is_sent_inside_and_not_received_inside() -> None:
    cut = {"p": 1, "q": 2, "r": 1}
    assert {c: [m.payload.name for m in messages] for c, messages in HISTORY.crossing(cut).items()} == {"q->r": ["b"]}
    assert HISTORY.crossing({"p": 1, "q": 2, "r": 2}) == {}


def test_a_message_that_never_arrives_crosses_too() -> None:
    history = run(TALK + "    schedule: {kind: script}\n    steps: 6").history
    assert [m.payload.name for m in history.crossing({"p": 2, "q": 2, "r": 2})["p->q"]] == ["c"]


def test_the_reordering_puts_what_is_inside_first_and_keeps_each_part_in_order() -> None:
    order, boundary = HISTORY.reordered({"p": 1, "q": 1, "r": 0})
    assert [event.step for event in order] == [1, 3, 2, 4, 5]
    assert boundary == 2


def test_a_snapshot_is_seen_from_its_start_to_its_end() -> None:
    made = run("""
        topology: {processes: [p, q], channels: [p->q, q->p]}
        program: {kind: token, holders: {p: 1}}
        script: [{send: {on: p->q}}, {start: q}, {deliver: p->q}, {deliver: q->p}, {deliver: p->q}]
    """)
    seen = made.history.recordings[1]
    assert (seen.started, seen.completed, seen.initiators) == (2, 5, ["q"])
    assert seen.cut == {"q": 0, "p": 1}
    assert seen.recorded == {"q": 2, "p": 4}
    assert seen.closed == {"q->p": 4, "p->q": 5}
    assert seen.markers == {"q->p": 1, "p->q": 1} and seen.records == {"q": 1, "p": 1}


def test_a_message_that_is_thrown_away_is_no_receipt_whatever_changes_after_it_in_the_step() -> None:
    message = Message(7, APP, "m")
    history = History(("P1", "P2"))
    move = Move("P2", None, 1)
    history.watch(Move("P1", "P1->P2", "m"), (Sent("P1", "P1->P2", message), Changed("P1", 1)))
    thrown = (Received("P2", "P1->P2", message), Discarded("P2", "P1->P2", message))
    history.watch(Deliver("P1->P2"), (*thrown, Acted("P2", move), Changed("P2", 2), Changed("P2", 3)))
    assert [(event.process, event.kind) for event in history.events] == [
        ("P1", SEND),
        ("P2", INTERNAL),
        ("P2", INTERNAL),
    ]
    assert history.events[1].action == move and not history.receives and history.vanished == {7: 2}


def test_who_rolls_back_past_a_sending_has_not_sent_the_copy_either() -> None:
    first, second = Message(1, APP, "a"), Message(2, APP, "b")
    copies = Message(3, APP, "a"), Message(4, APP, "b")
    history = History(("p", "q"))
    for message, copy in zip((first, second), copies, strict=True):
        sent = (Sent("p", "p->q", message), Changed("p", message.id), Doubled("p->q", message, copy))
        history.watch(Move("p", "p->q", message.payload), (*sent, *([Stored("p", 1, 1)] if message is first else [])))
    history.watch(Deliver("p->q"), (Returned("p", 1, 1, (("p->q", second),)),))
    assert history.counts == {"p": 1, "q": 0}
    assert history.undone == {2, 4}
    assert history.twins == {3: first}


@pytest.mark.parametrize("name", ["ring", "mattern", "two-starters", "causal-token"])
def test_every_message_that_the_algorithm_sends_is_counted(name: str) -> None:
    made = record(LIBRARY.scenario(name))
    sent = [note.message for step in made.steps for note in step.notes if isinstance(note, Sent)]
    assert made.history.controls == sum(message.control for message in sent) > 0
    told = sum(sum(seen.markers.values()) + seen.controls for seen in made.history.recordings.values())
    assert told == sum(message.control and message.snapshot is not None for message in sent)


def test_it_is_known_when_a_process_has_recorded_its_state_and_all_its_inputs() -> None:
    found = record(LIBRARY.scenario("three-banks"))
    said = {
        (note.snapshot, note.process): step.number for step in found.steps for note in step.notes if type(note) is Done
    }
    assert said == {
        (number, name): at for number, seen in found.history.recordings.items() for name, at in seen.done.items()
    }
    assert len(said) >= len(found.system.topology.names)
