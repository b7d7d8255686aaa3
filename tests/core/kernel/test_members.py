"""Members that come and go: who takes part, who is absent, what is lost, and what is refused."""

from dataclasses import replace

import pytest

from app.algorithms.registry import algorithm
from app.core.kernel.enabled import enabled, faults
from app.core.kernel.step import step
from app.core.model.notes import Absent, Closed, Completed, Crashed, Done, Joined, Leaving, Left, Lost, Note, Unusable
from app.core.model.system import System
from app.core.model.topology import Topology, named
from app.core.model.values import (
    Action,
    Collect,
    Crash,
    Deliver,
    Join,
    Leave,
    Move,
    Partition,
    Process,
    Refused,
    Start,
    Wake,
    World,
)
from app.programs.bank import Bank, freeze
from tests.tiny import after

FAMILY = Topology("pqn", [("p", "q"), ("q", "p"), ("p", "n"), ("n", "p")])
TRIO = Topology("abc", named("complete", list("abc")))


def pays(source: str, target: str, amount: int) -> Move:
    return Move(source, f"{source}->{target}", freeze(amount))


def family(name: str = "members") -> System:
    bank = Bank({"p": freeze(10), "q": freeze(0), "n": freeze(0)}, (freeze(1),))
    return System(FAMILY, bank, algorithm(name), newcomers={"n": "p"}, collect=False)


def trio(name: str = "members") -> System:
    bank = Bank(dict.fromkeys("abc", freeze(4)), (freeze(1),))
    return System(TRIO, bank, algorithm(name), collect=False)


def after_from(system: System, world: World, *actions: Action) -> World:
    for action in actions:
        world, _ = step(system, world, action)
    return world


def happened(system: System, world: World, action: Action, *kinds: type[Note]) -> list[Note]:
    return [note for note in step(system, world, action)[1] if isinstance(note, kinds)]


def test_a_process_knows_the_channels_from_and_to_those_who_are_there() -> None:
    system = family()
    alone = system.process(system.begin(), "p")
    assert alone == Process("p", ("q->p",), ("p->q",), ("p", "q"), back=("q->p",))
    assert system.process(after(system, Join("n")), "p") == FAMILY.processes["p"]
    assert FAMILY.processes["p"].back == ("q->p", "n->p")


# --- coming ------------------------------------------------------------------------------------------------------


def test_before_it_joins_a_newcomer_does_nothing_and_nobody_knows_it() -> None:
    system = family()
    world = system.begin()
    assert not world.member("n")
    assert system.process(world, "p").outputs == ("p->q",) and system.process(world, "p").members == ("p", "q")
    with pytest.raises(Refused, match="p cannot send on p->n; its outputs: p->q"):
        step(system, world, pays("p", "n", 1))
    with pytest.raises(Refused, match="n is not a member now"):
        step(system, world, pays("n", "p", 0))
    with pytest.raises(Refused, match="n cannot start a snapshot now: it is not a member"):
        step(system, world, Start("n"))


def test_joining_gives_it_and_its_parent_their_channels() -> None:
    system = family()
    world, notes = step(system, system.begin(), Join("n"))
    assert notes == (Joined("n", "p"),)
    assert system.process(world, "p").outputs == ("p->q", "p->n")
    assert pays("p", "n", 1) in enabled(system, world)


def test_a_newcomer_is_absent_from_what_its_parent_has_recorded() -> None:
    system = family()
    world = after(system, Start("p"))
    assert happened(system, world, Join("n"), Absent) == [Absent(1, "n", False)]
    assert step(system, world, Join("n"))[0].snapshots[1].waiting == world.snapshots[1].waiting == 2


def test_a_newcomer_is_part_of_what_its_parent_has_not_recorded() -> None:
    system = family()
    world = after(system, Start("q"))
    assert happened(system, world, Join("n"), Absent) == []
    assert step(system, world, Join("n"))[0].snapshots[1].waiting == 3
    done = after(system, Start("q"), Join("n"), Deliver("q->p"), Deliver("p->q"), Deliver("p->n"))
    assert happened(system, done, Deliver("n->p"), Completed) == [Completed(1)]


def test_the_part_of_a_newcomer_is_collected_too() -> None:
    system = replace(family(), collect=True)
    world = after(system, Start("q"))
    before = world.snapshots[1].uncollected
    assert step(system, world, Join("n"))[0].snapshots[1].uncollected == before + 1


def test_no_channel_is_partitioned_before_both_ends_are_members() -> None:
    system = family()
    cut = [fault.channel for fault in faults(system, system.begin()) if isinstance(fault, Partition)]
    assert cut == ["p->q", "q->p"]
    world = after(system, Join("n"))
    assert [f.channel for f in faults(system, world) if isinstance(f, Partition)] == list(FAMILY.channels)


def test_who_is_away_when_a_snapshot_starts_is_absent_from_it() -> None:
    system = family()
    assert happened(system, system.begin(), Start("p"), Absent) == [Absent(1, "n", False)]
    crashed = after(system, Join("n"), Crash("n"))
    assert happened(system, crashed, Start("p"), Absent) == [Absent(1, "n", True)]


@pytest.mark.parametrize("actions", [(Join("n"),), (Join("n"), Crash("n")), (Crash("p"),)])
def test_one_joins_once_and_only_through_a_parent_that_is_there(actions: tuple[Action, ...]) -> None:
    system = family()
    with pytest.raises(Refused, match="n cannot join now: it is a member, or was one, or its parent is not one"):
        step(system, after(system, *actions), Join("n"))


# --- leaving -----------------------------------------------------------------------------------------------------


def test_a_leaver_hands_over_what_it_has_and_then_it_is_gone() -> None:
    system = trio()
    world, notes = step(system, system.begin(), Leave("c"))
    assert notes == (Leaving("c"),) and world.member("c")
    (handed,) = [action for action in enabled(system, world) if isinstance(action, Move) and action.process == "c"]
    assert handed == pays("c", "a", 4)
    world, notes = step(system, world, handed)
    assert not [note for note in notes if isinstance(note, Left)]
    world, notes = step(system, world, Deliver("c->a"))
    assert notes[-1] == Left("c") and world.gone == ("c",) and world.states["a"] == freeze(8)


def test_a_leaver_with_nothing_goes_at_once() -> None:
    system = family()
    assert happened(system, after(system), Leave("q"), Leaving, Left) == [Leaving("q"), Left("q")]


def test_a_leaver_stays_until_a_snapshot_does_not_need_it_any_more() -> None:
    system = family()
    world = after(system, Start("p"), Leave("q"), Deliver("p->q"))
    assert world.leaving == ("q",)
    assert happened(system, world, Deliver("q->p"), Completed, Left) == [Completed(1), Left("q")]


def test_nobody_sends_to_a_leaver_or_lets_it_start() -> None:
    system = trio()
    world = after(system, Leave("c"))
    offered = enabled(system, world)
    assert pays("a", "b", 1) in offered and pays("a", "c", 1) not in offered
    assert Start("c") not in offered and Start("a") in offered


def test_the_last_one_cannot_leave_and_one_leaves_once() -> None:
    system = family()
    with pytest.raises(Refused, match="p cannot leave now: no process could take over"):
        step(system, after(system, Leave("q")), Leave("p"))
    with pytest.raises(Refused, match="cannot leave now"):
        step(trio(), after(trio(), Leave("c")), Leave("c"))


# --- crashing ----------------------------------------------------------------------------------------------------


def test_a_crash_takes_the_state_and_all_that_was_on_its_way_there() -> None:
    system = trio()
    world = after(system, pays("a", "c", 1), pays("c", "a", 2), Start("a"))
    later, notes = step(system, world, Crash("c"))
    assert notes[0] == Crashed("c", freeze(2))
    lost = [(note.channel, note.message.kind) for note in notes if isinstance(note, Lost)]
    assert lost == [("a->c", "app"), ("a->c", "marker")]
    assert [message.payload for message in later.queues["c->a"]] == [freeze(2)]
    assert "a->c" not in later.queues and not later.member("c")


def test_a_snapshot_that_lacks_the_part_of_the_crashed_is_unusable() -> None:
    system = trio()
    assert happened(system, after(system, Start("a")), Crash("c"), Absent, Unusable) == [
        Absent(1, "c", True),
        Unusable(1, "c"),
    ]
    recorded = after(system, Start("a"), Deliver("a->c"))
    assert happened(system, recorded, Crash("c"), Absent, Unusable) == [Unusable(1, "c")]


def test_a_snapshot_that_has_the_part_of_the_crashed_stays_usable() -> None:
    system = trio()
    world = after(system, Start("a"), Deliver("a->b"), Deliver("a->c"), Deliver("b->c"))
    assert happened(system, world, Crash("c"), Unusable) == []
    world = after(system, Start("a"), Deliver("a->b"), Deliver("a->c"), Deliver("b->c"), Crash("c"))
    world, _ = step(system, world, Deliver("c->b"))
    world, _ = step(system, world, Deliver("b->a"))
    assert happened(system, world, Deliver("c->a"), Completed) == [Completed(1)]


def test_a_neighbour_notices_a_crash_when_nothing_more_comes_from_there() -> None:
    system = trio()
    world = after(system, pays("c", "a", 2), Start("a"), Start("b"))
    crashed, notes = step(system, world, Crash("c"))
    assert [n for n in notes if isinstance(n, Closed)] == [Closed(2, "c->b")]
    assert "c->a" in system.process(crashed, "a").inputs
    assert happened(system, crashed, Deliver("c->a"), Closed) == [Closed(1, "c->a")]
    later, _ = step(system, crashed, Deliver("c->a"))
    assert "c->a" not in system.process(later, "a").inputs


def test_what_the_crashed_had_sent_is_recorded_by_a_later_snapshot_too() -> None:
    system = trio()
    world = after(system, pays("c", "a", 2), Crash("c"), Start("a"), Deliver("c->a"))
    part = system.algorithm.result(system.topology.processes["a"], world.memories["a"], 1)
    assert part is not None
    assert [(c, [m.payload for m in messages]) for c, messages in part.channels if messages] == [("c->a", [freeze(2)])]


def test_a_crash_takes_along_what_the_crashed_before_it_had_told_it() -> None:
    system = replace(trio("chandy-lamport"), collect=True)
    begun = after(
        system, Start("a"), Deliver("a->b"), Deliver("a->c"), Deliver("b->c"), Deliver("c->b"), Deliver("b->a")
    )
    world = after_from(system, begun, Deliver("c->a"))
    assert "c->a" in world.lanes  # the part of c is in flight
    both = after_from(system, world, Crash("c"), Crash("a"))
    assert "c->a" not in both.lanes and "c->a" not in both.queues


def test_nobody_waits_for_a_newcomer_that_takes_no_part_when_it_crashes() -> None:
    system = family()
    world = after(system, Start("p"), Join("n"))
    assert happened(system, world, Crash("n"), Absent, Unusable, Completed) == []
    world = after_from(system, world, Crash("n"))
    assert (world.snapshots[1].waiting, world.snapshots[1].unusable) == (2, ())
    world = after_from(system, world, Deliver("p->q"))
    assert world.snapshots[1].waiting == 1
    assert happened(system, world, Deliver("q->p"), Completed) == [Completed(1)]


def test_under_plain_chandy_lamport_the_neighbours_wait_for_ever() -> None:
    system = trio("chandy-lamport")
    world = after(system, Start("a"), Deliver("a->b"), Crash("c"))
    assert happened(system, world, Deliver("b->a"), Done, Completed) == []
    assert step(system, world, Deliver("b->a"))[0].snapshots[1].running


def test_the_last_member_cannot_crash() -> None:
    system = family()
    with pytest.raises(Refused, match="p cannot crash now: it is the last member"):
        step(system, after(system, Crash("q")), Crash("p"))
    with pytest.raises(Refused, match="q cannot crash now: it is not a member"):
        step(system, after(system, Crash("q")), Crash("q"))


# --- algorithms without markers -----------------------------------------------------------------------------------


def quiet(system: System, world: World) -> World:
    """Deliver everything in flight, and take every deferred step."""
    while world.queues or world.lanes or world.wakes:
        if world.queues:
            world, _ = step(system, world, Deliver(next(c for c in system.topology.channels if c in world.queues)))
        elif world.lanes:
            world, _ = step(system, world, Collect(next(c for c in system.topology.channels if c in world.lanes)))
        else:
            world, _ = step(system, world, Wake(*world.wakes[0]))
    return world


@pytest.mark.parametrize("name", ["mattern", "stop-the-world"])
def test_where_it_is_settled_who_takes_part_a_newcomer_waits_for_the_end(name: str) -> None:
    system = family(name)
    world = after(system, Start("p"))
    assert Join("n") not in enabled(system, world)
    with pytest.raises(Refused, match="n cannot join now: a snapshot is in progress, and its members are settled"):
        step(system, world, Join("n"))
    world = quiet(system, world)
    assert not world.snapshots[1].running
    assert Join("n") in enabled(system, world)
    world = quiet(system, after_from(system, world, Join("n"), Start("p")))
    assert not world.snapshots[2].running
    assert system.algorithm.result(system.topology.processes["n"], world.memories["n"], 2) is not None


@pytest.mark.parametrize("name", ["lai-yang", "wall-clock"])
def test_a_newcomer_that_takes_part_gets_the_turn_that_its_parent_still_has(name: str) -> None:
    system = family(name)
    world = after(system, Start("q"), Join("n"))
    (what,) = world.snapshots[1].turns
    assert ("n", what) in world.wakes
    world = quiet(system, world)
    assert not world.snapshots[1].running
    assert system.algorithm.result(system.topology.processes["n"], world.memories["n"], 1) is not None


def test_a_newcomer_that_takes_no_part_gets_no_turn() -> None:
    system = family("lai-yang")
    world = after(system, Start("p"), Join("n"))
    assert [one for one, _ in world.wakes] == ["p", "q"]
    assert world.snapshots[1].absent == ("n",)
