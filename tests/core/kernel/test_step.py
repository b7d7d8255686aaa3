"""The kernel: what can happen, in which order, and what happens then."""

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest
from immutables import Map

from app.algorithms.registry import algorithm
from app.core.kernel.enabled import enabled, options
from app.core.kernel.step import step
from app.core.model.algorithm import Algorithm, Reply
from app.core.model.notes import Assembled, Changed, Completed, Received, Recorded, Sent, Uncollected, Unreachable
from app.core.model.system import System
from app.core.model.topology import Topology, named
from app.core.model.values import (
    Action,
    Collect,
    Crash,
    Deliver,
    Drop,
    Duplicate,
    Into,
    Leave,
    Message,
    Move,
    Partition,
    Process,
    Refused,
    Start,
    Take,
    Todo,
    Wake,
    World,
)
from app.programs.dataflow import COORDINATOR, SINK, SOURCE, Dataflow, Operator, Record
from app.programs.machine import Edge, Machine
from app.programs.token import Token
from tests.tiny import after

PAIR = Topology("pq", [("p", "q"), ("q", "p")])
SEND = Move("p", "p->q", "T")


def system(topology: Topology = PAIR, name: str = "chandy-lamport", **fields: object) -> System:
    return System(topology, Token({topology.names[0]: 2}), algorithm(name), **fields)  # type: ignore[arg-type]


def notes(system: System, world: World, action: Action, kind: type) -> list[object]:
    return [note for note in step(system, world, action)[1] if isinstance(note, kind)]


LINE = Topology(["JM", "s", "out"], [("JM", "s"), ("s", "out")])


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("aligned", "only the coordinator JM starts checkpoints, not s"),
        ("at-most-once", "at-most-once takes no snapshots, so nobody starts one"),
    ],
)
def test_a_start_that_can_never_be_says_why(name: str, told: str) -> None:
    operators = {
        "JM": Operator(COORDINATOR),
        "s": Operator(SOURCE, records=(Record("s.1", 1),)),
        "out": Operator(SINK, sink="plain"),
    }
    flow = System(LINE, Dataflow(operators), algorithm(name))
    with pytest.raises(Refused) as refused:
        step(flow, flow.begin(), Start("s"))
    assert str(refused.value) == told


def test_enabled_lists_arrivals_parts_steps_put_off_moves_and_starts_in_this_order() -> None:
    pair = system()
    world = after(pair, SEND, Start("p"), Start("q"), Deliver("p->q"), Deliver("p->q"), Deliver("q->p"))
    assert enabled(pair, world) == [
        Deliver("p->q"),
        Deliver("q->p"),
        Collect("p->q"),
        Collect("q->p"),
        SEND,
        Move("q", "q->p", "T"),
        Start("p"),
        Start("q"),
        *(fault(channel) for fault in (Drop, Duplicate) for channel in ("p->q", "q->p")),
        Partition("p->q"),
        Partition("q->p"),
        *(change(name) for change in (Crash, Leave) for name in "pq"),
    ]
    late = system(name="late-marker")
    assert enabled(late, after(late, Start("q"), Start("p")))[:2] == [
        Wake("q", Todo("markers", (1,))),
        Wake("p", Todo("markers", (2,))),
    ]


def test_fifo_delivers_the_head_and_any_order_every_message() -> None:
    fifo, free = system(), system(discipline="any")
    assert enabled(fifo, after(fifo, SEND, SEND))[:2] == [Deliver("p->q"), Start("p")]
    assert enabled(free, after(free, SEND, SEND))[:2] == [Deliver("p->q", 0), Deliver("p->q", 1)]


def test_what_cannot_happen_says_why() -> None:
    pair = system()
    world = after(pair, SEND, SEND)
    assert dict(options(pair, world))[Deliver("p->q", 1)] == "behind"
    deaf = System(
        PAIR, Machine({"p": "A", "q": "B"}, {"p": (Edge("A", "A", "p->q", "m"),)}), algorithm("chandy-lamport")
    )
    assert dict(options(deaf, after(deaf, Move("p", "p->q", "m", Into("A")))))[Deliver("p->q")] == "refused"


@pytest.mark.parametrize(
    ("actions", "last", "says"),
    [
        ((), Deliver("p->q"), "nothing is in flight on p->q at this point; send something first, or remove the line"),
        (
            (SEND, SEND),
            Deliver("p->q", 1),
            "position 1 of p->q cannot be delivered now: a FIFO channel delivers its first message first",
        ),
        ((), Collect("p->q"), "no recorded state is in flight on p->q"),
        ((), Wake("p", Todo("markers", (1,))), "p has not put off markers 1"),
        ((), Move("p", "q->p", "T"), "p cannot send on q->p; its outputs: p->q"),
        ((), Move("q", "q->p", "T"), "q holds no token"),
    ],
)
def test_an_impossible_action_is_refused_in_words(actions: tuple[Action, ...], last: Action, says: str) -> None:
    pair = system()
    with pytest.raises(Refused, match=says):
        step(pair, after(pair, *actions), last)


def test_a_process_without_outputs_is_told_so() -> None:
    chain = system(Topology("pq", [("p", "q")]))
    with pytest.raises(Refused, match="its outputs: none"):
        step(chain, after(chain, SEND, Deliver("p->q")), Move("q", "q->p", "T"))


def test_a_step_leaves_the_world_before_it_as_it_was() -> None:
    pair = system()
    before = pair.begin()
    step(pair, before, Start("p"))
    assert before == pair.begin()


def test_a_message_has_an_id_of_its_own_and_travels_in_order() -> None:
    pair = system()
    world = after(pair, SEND, Start("p"), SEND)
    assert world.queues["p->q"] == (Message(0, "app", "T"), Message(1, "marker", None, 1), Message(2, "app", "T"))
    assert world.in_flight() == {"p->q": (Message(0, "app", "T"), Message(2, "app", "T"))}
    assert world.sent == 3


def test_an_empty_channel_takes_no_room() -> None:
    pair = system()
    assert after(pair, SEND, Deliver("p->q")).queues == Map()


def test_a_start_records_and_sends_markers_in_one_step() -> None:
    pair = system()
    world, happened = step(pair, pair.begin(), Start("p"))
    assert [note.key for note in happened] == ["started", "recorded", "sent", "opened", "rule"]
    assert world.snapshots[1].initiators == ("p",)


def test_the_last_to_finish_completes_the_snapshot() -> None:
    pair = system(collect=False)
    world = after(pair, Start("p"), Deliver("p->q"))
    assert notes(pair, world, Deliver("q->p"), Completed) == [Completed(1)]


def test_a_snapshot_that_cannot_complete_says_so_when_it_starts() -> None:
    chain = system(Topology("abc", named("chain", list("abc"))))
    assert notes(chain, chain.begin(), Start("b"), Unreachable) == [Unreachable(1, ("a",))]


def test_parts_travel_beside_the_queues_until_the_initiator_has_them_all() -> None:
    ring = system(Topology("abc", named("ring", list("abc"))))
    world = after(ring, Start("a"), Deliver("a->b"), Deliver("b->c"), Deliver("c->a"))
    assert not world.queues
    assert [m.payload for m in world.lanes["c->a"]] == ["c"] and [m.payload for m in world.lanes["b->c"]] == ["b"]
    passed = notes(ring, world, Collect("b->c"), Sent)
    assert [(note.channel, note.message.kind) for note in passed] == [("c->a", "part")]  # type: ignore[attr-defined]
    world = after(ring, Start("a"), Deliver("a->b"), Deliver("b->c"), Deliver("c->a"), Collect("b->c"), Collect("c->a"))
    assert notes(ring, world, Collect("c->a"), Assembled) == [Assembled(1, "a")]


def test_a_part_that_cannot_reach_the_initiator_stays() -> None:
    chain = system(Topology("ab", [("a", "b")]))
    assert notes(chain, after(chain, Start("a")), Deliver("a->b"), Uncollected) == [Uncollected(1, "b")]


def test_the_number_of_snapshots_has_an_end_and_it_is_said() -> None:
    pair = system(most=2)
    world = after(pair, Start("p"), Start("p"))
    assert not [action for action in enabled(pair, world) if isinstance(action, Start)]
    with pytest.raises(Refused, match="there are 2, the most that a run takes"):
        step(pair, world, Start("q"))


def test_starts_that_overlap_belong_to_one_snapshot_where_they_carry_no_id() -> None:
    photographs = system(name="photographs")
    world = after(photographs, Start("p"), Start("q"))
    assert list(world.snapshots) == [1] and world.snapshots[1].initiators == ("p", "q")
    assert list(after(photographs, Start("p"), Start("q"), Start("p")).snapshots) in ([1, 2], [2, 1])


def test_a_receipt_is_judged_by_the_algorithm_before_the_program_sees_it() -> None:
    pair = system()
    world = after(pair, SEND, Start("q"))
    kinds = [note.key for note in step(pair, world, Deliver("p->q"))[1]]
    assert kinds == ["received", "logged", "rule", "changed"]


def test_a_step_touches_only_what_the_action_concerns() -> None:
    names = [f"P{i}" for i in range(40)]
    ring = system(Topology(names, named("ring", names)))
    world = after(ring, Move("P0", "P0->P1", "T"))
    later, happened = step(ring, world, Deliver("P0->P1"))
    assert {note.process for note in happened if isinstance(note, Received | Changed | Recorded)} == {"P1"}
    assert {name for name in names if later.states[name] is not world.states[name]} == {"P1"}
    assert later.memories is world.memories


def test_what_a_run_is_made_of_cannot_be_changed() -> None:
    pair = system()
    with pytest.raises(AttributeError):
        pair.begin().sent = 3  # type: ignore[misc]
    assert replace(pair, discipline="any").fifo is False


def test_a_process_that_takes_an_input_receives_all_that_waits_there_one_after_the_other() -> None:
    def taking(process: Process, memory: None, state: object, snapshot: int) -> Reply[None]:
        return memory, (Take("p->q"),)

    rules = cast(Algorithm[None], SimpleNamespace(**vars(algorithm("photographs")) | {"on_initiate": taking}))
    pair = System(PAIR, Token({"p": 2}), rules)
    world, told = step(pair, after(pair, SEND, SEND), Start("q"))
    assert "p->q" not in world.queues
    assert world.states["q"] == 2
    assert [type(note) for note in told if isinstance(note, Received | Changed)] == [Received, Changed] * 2
    cut = after(pair, SEND, Partition("p->q"))
    assert "p->q" in step(pair, cut, Start("q"))[0].queues
