"""Causal delivery: no process handles a message before one to itself whose sending happened earlier."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from immutables import Map

from app.algorithms.registry import algorithm
from app.core.kernel import causal_delivery
from app.core.kernel.enabled import enabled, obstacle
from app.core.kernel.step import step
from app.core.model.notes import Received, Restored, Sent
from app.core.model.system import System
from app.core.model.topology import Topology, named
from app.core.model.values import APP, Collect, Deliver, Drop, Duplicate, Message, Move, Refused, Start
from app.programs.token import Token
from app.run.run import Run, record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from tests.often import often
from tests.properties.systems import systems
from tests.tiny import after, made, notes

TRIANGLE = Topology("ABC", named("complete", ["A", "B", "C"]))


def system(discipline: str = "causal", name: str = "photographs", **fields: Any) -> System:
    return System(TRIANGLE, Token(dict.fromkeys("ABC", 9)), algorithm(name), discipline, **fields)


def send(channel: str) -> Move:
    return Move(channel[0], channel, "T")


AROUND = (send("A->C"), send("A->B"), Deliver("A->B"), send("B->C"))
"""A writes to C, then to B; B has read it and writes to C."""


def test_a_message_by_way_of_another_process_waits_for_the_direct_one() -> None:
    causal = system()
    world = after(causal, *AROUND)
    assert obstacle(causal, world, "B->C") == "early"
    assert Deliver("B->C") not in enabled(causal, world) and Deliver("A->C") in enabled(causal, world)
    world, _ = step(causal, world, Deliver("A->C"))
    assert obstacle(causal, world, "B->C") is None


def test_to_deliver_it_early_is_refused_with_the_reason() -> None:
    causal = system()
    with pytest.raises(
        Refused, match="the first message on B->C cannot be delivered now: a message before it in the causal order"
    ):
        step(causal, after(causal, *AROUND), Deliver("B->C"))


def test_under_fifo_alone_it_does_not_wait() -> None:
    fifo = system("fifo")
    assert obstacle(fifo, after(fifo, *AROUND), "B->C") is None


def test_a_message_that_knows_nothing_of_the_other_does_not_wait() -> None:
    causal = system()
    assert obstacle(causal, after(causal, send("A->C"), send("B->C")), "B->C") is None
    assert obstacle(causal, after(causal, send("A->B"), send("A->C"), Deliver("A->B"), send("B->A")), "B->A") is None


def test_what_is_known_is_passed_on_by_the_third_and_the_fourth() -> None:
    causal = system()
    path = (send("A->C"), send("A->B"), Deliver("A->B"), send("B->A"), Deliver("B->A"), send("A->B"), Deliver("A->B"))
    assert obstacle(causal, after(causal, *path, send("B->C")), "B->C") == "early"


def test_a_causal_channel_keeps_its_own_order_too() -> None:
    causal = system()
    world = after(causal, send("A->B"), send("A->B"))
    assert [obstacle(causal, world, "A->B", at) for at in (0, 1)] == [None, "early"]


def test_what_is_lost_keeps_nobody_waiting() -> None:
    causal = system()
    world = after(causal, *AROUND, Drop("A->C"))
    assert obstacle(causal, world, "B->C") is None


def test_a_copy_that_the_network_makes_is_not_waited_for() -> None:
    causal = system()
    assert obstacle(causal, after(causal, *AROUND, Duplicate("A->C")), "B->C") == "early"
    assert obstacle(causal, after(causal, *AROUND, Duplicate("A->C"), Deliver("A->C")), "B->C") is None


def test_a_channel_of_another_order_is_not_waited_for() -> None:
    mixed = system(exceptions={"A->C": "fifo"})
    assert obstacle(mixed, after(mixed, *AROUND), "B->C") is None


def test_all_messages_of_one_step_know_of_each_other() -> None:
    causal = system(name="acharya-badrinath")
    world = after(causal, Start("A"))
    assert [dict(world.queues[c][0].past.known) for c in ("A->B", "A->C")] == [{"A->B": 1, "A->C": 1}] * 2
    world = after(causal, Start("A"), Deliver("A->B"), send("B->C"))
    assert obstacle(causal, world, "B->C") == "early"


def test_messages_of_two_steps_do_not() -> None:
    causal = system(name="unicast-token")
    world = after(causal, Start("A"))
    assert dict(world.queues["A->B"][0].past.known) == {"A->B": 1}


def test_what_a_rollback_puts_back_has_the_number_that_it_had() -> None:
    run = record(LIBRARY.scenario("backup"), RunKey(algorithm="chandy-lamport", discipline="causal"))
    sent = {note.message.id: note.message for note in notes(run, "sent") if isinstance(note, Sent)}
    (back,) = (note for note in notes(run, "restored") if isinstance(note, Restored))
    again = [message for _, messages in back.queues for message in messages]
    assert [(m.payload, m.past.number) for m in again] == [(sent[m.identity].payload, 1) for m in again] != []


def test_what_is_told_beside_the_channels_passes_knowledge_on() -> None:
    causal = system(name="acharya-badrinath")
    told = (send("B->C"), Start("A"), Deliver("A->B"), Collect("B->A"), send("A->C"))
    assert obstacle(causal, after(causal, *told), "A->C", 1) == "early"
    world = after(causal, *told, Deliver("A->C"))
    assert obstacle(causal, world, "A->C") == "early"
    assert obstacle(causal, after(causal, *told, Deliver("A->C"), Deliver("B->C")), "A->C") is None


def test_who_learns_keeps_what_he_knew_better() -> None:
    assert causal_delivery.learned(Map({"a": 3, "b": 1}), Map({"a": 2, "b": 4, "c": 1})) == Map(
        {"a": 3, "b": 4, "c": 1}
    )


def test_a_sent_message_has_its_number_and_what_was_known_before() -> None:
    known, message = causal_delivery.counted(Map({"a": 2}), "a", Message(7, APP, "m"))
    assert known == Map({"a": 3}) and (message.past.number, message.past.known) == (3, Map({"a": 2}))


# --- against an independent account ------------------------------------------------------------------------------


def pasts(run: Run) -> dict[int, set[int]]:
    """Return for each message the messages whose sending happened before its own, by walking through the run."""
    seen: dict[str, set[int]] = {name: set() for name in run.system.topology.names}
    before: dict[int, set[int]] = {}
    for one in run.steps:
        sent = [note for note in one.notes if isinstance(note, Sent)]
        for note in one.notes:
            if isinstance(note, Received):
                seen[note.process] |= before[note.message.id] | {note.message.id}
        for note in sent:
            together = {other.message.id for other in sent} - {note.message.id}
            before[note.message.id] = seen[note.process] | together
        for note in sent:
            seen[note.process].add(note.message.id)
    return before


@often(150)
@given(systems("acharya-badrinath", "causal"), st.sampled_from((2, 3, 4)))
def test_nobody_receives_before_what_happened_before(values: dict[str, Any], size: int) -> None:
    bank = {"kind": "bank", "everyone": 9, "amounts": [1, 2]}
    starts = [{"process": f"P{1 + i % size}", "at": s["at"]} for i, s in enumerate(values["initiators"])]
    run = record(made(values | {"topology": {"complete": size}, "program": bank, "initiators": starts}))
    before = pasts(run)
    target = {c.name: c.target for c in run.system.topology.channels.values()}
    queued = [n for s in run.steps for n in s.notes if isinstance(n, Sent) and n.message.kind in ("app", "control")]
    aim = {note.message.id: target[note.channel] for note in queued}
    arrived: set[int] = set()
    for one in run.steps:
        for note in one.notes:
            if isinstance(note, Received) and note.message.id in aim:
                waited = {i for i in before[note.message.id] if aim.get(i) == note.process}
                assert waited <= arrived
                arrived.add(note.message.id)
    assert not run.end.queues
