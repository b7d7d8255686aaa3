"""Faults of the network: what can go wrong, what happens then, and what cannot happen."""

import pytest

from app.algorithms.registry import algorithm
from app.core.kernel.enabled import enabled, faults, options
from app.core.kernel.step import step
from app.core.model.notes import Doubled, Healed, Lost, Note, Overtook, Partitioned, Received
from app.core.model.system import System
from app.core.model.topology import Topology
from app.core.model.values import (
    Action,
    Collect,
    Crash,
    Deliver,
    Drop,
    Duplicate,
    Heal,
    Move,
    Overtake,
    Partition,
    Refused,
    Start,
    World,
)
from app.programs.bank import Bank, freeze
from tests.tiny import after, run

PAIR = Topology("pq", [("p", "q"), ("q", "p")])
BANK = Bank({"p": freeze(10), "q": freeze(0)}, (freeze(1),))


def sends(amount: int) -> Move:
    return Move("p", "p->q", freeze(amount))


def system(discipline: str = "fifo") -> System:
    return System(PAIR, BANK, algorithm("chandy-lamport"), discipline)


def happened(system: System, world: World, action: Action) -> tuple[Note, ...]:
    return step(system, world, action)[1]


def waiting(world: World, channel: str = "p->q") -> list[tuple[int, str]]:
    """Return the ids and kinds of the messages in a channel."""
    return [(message.id, message.kind) for message in world.queues.get(channel, ())]


def test_a_dropped_message_is_gone_and_the_receiver_knows_nothing() -> None:
    pair = system()
    world = after(pair, sends(1), sends(2), sends(3))
    (lost,) = happened(pair, world, Drop("p->q", 1))
    assert isinstance(lost, Lost) and (lost.channel, lost.message.id) == ("p->q", 1)
    assert waiting(after(pair, sends(1), sends(2), sends(3), Drop("p->q", 1))) == [(0, "app"), (2, "app")]
    assert waiting(after(pair, sends(1), Drop("p->q"))) == []


def test_a_copy_has_an_id_of_its_own_and_comes_last() -> None:
    pair = system()
    world = after(pair, sends(1), Start("p"), Duplicate("p->q"))
    assert waiting(world) == [(0, "app"), (1, "marker"), (2, "app")]
    (doubled,) = happened(pair, after(pair, sends(1)), Duplicate("p->q"))
    assert isinstance(doubled, Doubled) and (doubled.message.id, doubled.copy.id) == (0, 1)
    assert doubled.copy.payload == doubled.message.payload and doubled.copy.identity == 1


def test_a_message_overtakes_where_only_the_order_keeps_it_back() -> None:
    pair = system()
    world = after(pair, sends(1), Start("p"), sends(2))
    later, notes = step(pair, world, Overtake("p->q", 2))
    assert [type(note) for note in notes][:2] == [Overtook, Received]
    assert waiting(later) == [(0, "app"), (1, "marker")]
    assert later.states["q"] == freeze(2)


def test_nothing_overtakes_where_there_is_no_order_or_nothing_in_front() -> None:
    free = system("any")
    assert not [a for a in faults(free, after(free, sends(1), sends(2))) if isinstance(a, Overtake)]
    for pair, actions, position in ((system(), (sends(1),), 0), (free, (sends(1), sends(2)), 1)):
        with pytest.raises(Refused, match="has nothing to overtake"):
            step(pair, after(pair, *actions), Overtake("p->q", position))


def test_nothing_arrives_on_a_partitioned_channel_and_everything_once_it_has_healed() -> None:
    pair = system()
    world, notes = step(pair, after(pair, sends(1)), Partition("p->q"))
    assert notes == (Partitioned("p->q"),)
    assert dict(options(pair, world))[Deliver("p->q")] == "partitioned"
    with pytest.raises(Refused, match="cannot be delivered now: the channel is partitioned"):
        step(pair, world, Deliver("p->q"))
    world, _ = step(pair, world, sends(2))
    world, notes = step(pair, world, Heal("p->q"))
    assert notes == (Healed("p->q"),) and waiting(world) == [(0, "app"), (1, "app")]
    assert step(pair, world, Deliver("p->q"))[0].states["q"] == freeze(1)


def test_a_partitioned_channel_holds_its_control_lane_too() -> None:
    pair = system()
    world = after(pair, Start("p"), Deliver("p->q"), Partition("q->p"))
    assert [message.kind for message in world.lanes["q->p"]] == ["part"]
    assert dict(options(pair, world))[Collect("q->p")] == "partitioned"
    with pytest.raises(Refused, match="the channel is partitioned"):
        step(pair, world, Collect("q->p"))
    assert not step(pair, step(pair, world, Heal("q->p"))[0], Collect("q->p"))[0].lanes


def test_a_channel_is_partitioned_once_and_heals_once() -> None:
    pair = system()
    with pytest.raises(Refused, match="p->q is already partitioned"):
        step(pair, after(pair, Partition("p->q")), Partition("p->q"))
    with pytest.raises(Refused, match="p->q is not partitioned"):
        step(pair, pair.begin(), Heal("p->q"))


@pytest.mark.parametrize("kind", [Drop, Duplicate, Overtake])
def test_a_fault_needs_a_message(kind: type[Drop | Duplicate | Overtake]) -> None:
    pair = system()
    with pytest.raises(Refused, match="nothing is in flight on p->q"):
        step(pair, pair.begin(), kind("p->q", 1))
    with pytest.raises(Refused, match="nothing to deliver at position 5 of p->q"):
        step(pair, after(pair, sends(1)), kind("p->q", 5))


def test_faults_come_last_and_in_a_fixed_order() -> None:
    pair = system()
    world = after(pair, sends(1), sends(2), Partition("q->p"))
    wrong = list(faults(pair, world))
    assert wrong == [
        Drop("p->q", 0),
        Drop("p->q", 1),
        Duplicate("p->q", 0),
        Duplicate("p->q", 1),
        Overtake("p->q", 1),
        Partition("p->q"),
        Heal("q->p"),
        Crash("p"),
        Crash("q"),
        *wrong[9:],
    ]
    assert [type(action).__name__ for action in wrong[9:]] == ["Leave", "Leave"]
    assert enabled(pair, world)[-len(wrong) :] == wrong


def test_every_fault_that_is_offered_can_happen() -> None:
    pair = system()
    world = after(pair, sends(1), Start("p"), sends(2), Deliver("p->q"))
    for fault in faults(pair, world):
        assert step(pair, world, fault)[1], fault


def test_what_an_operator_was_about_to_send_to_one_that_crashes_for_good_goes_nowhere() -> None:
    made = run("""
    topology: {processes: [JM, s, o, k], channels: [JM->s, s->o, o->k]}
    program:
      kind: dataflow
      operators: {JM: {coordinator: true}, s: {source: [1, 2]}, o: {map: {plus: 1}}, k: {sink: plain}}
    algorithm: aligned
    recovery: false
    capacity: {o->k: 1}
    script:
      - {start: JM}
      - {read: s}
      - {read: s}
      - {deliver: JM->s}
      - {deliver: s->o}
      - {deliver: s->o}
      - {crash: k}
    """)
    assert made.end.states["o"].pending == () and made.undisturbed
    assert made.verdicts[1].broken == ()
