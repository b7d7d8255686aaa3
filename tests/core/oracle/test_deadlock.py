"""Deadlock: its definition against exhaustive search, and small cases."""

from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.algorithms.registry import ALGORITHMS
from app.core.kernel.enabled import options
from app.core.kernel.step import step
from app.core.model.system import System
from app.core.model.topology import Topology
from app.core.model.values import APP, Message, Start, World
from app.core.oracle.deadlock import MOST, Wait, deadlocked, waits
from app.programs.bank import Bank
from app.programs.machine import Edge, Machine

HOLDERS = ("P", "Q", "R")


def system(machine: Machine, links: list[tuple[str, str]], discipline: str = "fifo") -> System:
    """Return state machines under an algorithm that is never started."""
    names = sorted({name for link in links for name in link})
    return System(Topology(names, links), machine, ALGORITHMS["chandy-lamport"], discipline)


def flight(**channels: list[str]) -> dict[str, tuple[Message, ...]]:
    """Messages in flight; a channel is written as ``P_Q``."""
    return {
        name.replace("_", "->"): tuple(Message(number, APP, payload) for number, payload in enumerate(payloads))
        for name, payloads in channels.items()
    }


def successors(made: System, world: World) -> Iterator[World]:
    """Yield the worlds that are one program step or one delivery away."""
    for action, reason in options(made, world):
        if reason is None and not isinstance(action, Start):
            yield step(made, world, action)[0]


def every(made: System, begin: World, most: int) -> list[World] | None:
    """Return all worlds that can follow; None if there are more than ``most``."""
    found = {key(made, begin): begin}
    for world in (queue := [begin]):
        for after in successors(made, world):
            if key(made, after) not in found:
                found[key(made, after)] = after
                queue.append(after)
                if len(found) > most:
                    return None
    return queue


def key(made: System, world: World) -> object:
    """Return a key that is equal for worlds that look alike to the programs."""
    return tuple(sorted(world.states.items())), tuple(
        (channel, tuple(m.payload for m in world.queues.get(channel, ()))) for channel in made.topology.channels
    )


def waits_in(made: System, world: World, name: str) -> bool:
    """Can the process do nothing but receive?"""
    edges = [e for e in made.program.edges[name] if e.source == world.states[name]]  # type: ignore[attr-defined]
    return bool(edges) and all(edge.receive is not None for edge in edges)


@st.composite
def holders(draw: st.DrawFn) -> System:
    """Draw two or three processes, each with a resource of its own. It may request another one's, grant its own, have
    it released, or be done. While it waits it may queue a request, or grant it anyway. Irrelevant messages are received
    and ignored, so they never block a channel."""
    names = HOLDERS[: draw(st.integers(2, 3))]
    links = [(a, b) for a in names for b in names if a != b]
    edges = {me: draw(holder(me, [name for name in names if name != me])) for me in names}
    return system(Machine(dict.fromkeys(names, "has"), edges), links, draw(st.sampled_from(("fifo", "any"))))


@st.composite
def holder(draw: st.DrawFn, me: str, others: list[str]) -> tuple[Edge, ...]:
    """Draw the edges of one of them."""
    edges: list[Edge] = [Edge("lent", "has", f"{you}->{me}", receive="release") for you in others]
    for you in draw(st.lists(st.sampled_from(others), max_size=2, unique=True)):
        asks = f"waits {you}"
        edges.append(Edge("has", asks, f"{me}->{you}", send="request"))
        edges.append(Edge(asks, "both", f"{you}->{me}", receive="grant"))
        releases = draw(st.booleans())
        edges.append(Edge("both", "has", f"{me}->{you}", send="release") if releases else Edge("both", "end"))
        meanwhile = draw(st.sampled_from(("forgets", "notes", "grants")))
        for third in others if meanwhile != "forgets" else ():
            after = f"{asks}, {third} asks"
            edges.append(Edge(asks, after, f"{third}->{me}", receive="request"))
            if meanwhile == "grants":
                edges.append(Edge(after, asks, f"{me}->{third}", send="grant"))
            else:
                edges.append(Edge(after, "both", f"{you}->{me}", receive="grant"))
    for you in (name for name in others if draw(st.booleans())):
        edges.append(Edge("has", f"{you} asked", f"{you}->{me}", receive="request"))
        edges.append(Edge(f"{you} asked", "lent", f"{me}->{you}", send="grant"))
    if draw(st.booleans()):
        edges.append(Edge("has", "end"))
    states = dict.fromkeys(state for edge in edges for state in (edge.source, edge.target) if state != "end")
    known = {(edge.source, edge.channel, edge.receive) for edge in edges}
    words = [(f"{you}->{me}", word) for you in others for word in ("request", "grant", "release")]
    forgotten = [(s, *word) for s in states for word in words if (s, *word) not in known]
    return (*edges, *(Edge(state, state, channel, receive=word) for state, channel, word in forgotten))


@st.composite
def machines(draw: st.DrawFn) -> System:
    """Draw arbitrary state machines."""
    names = HOLDERS[: draw(st.integers(2, 3))]
    links = [(a, b) for a in names for b in names if a != b]
    states = st.sampled_from(("a", "b", "c"))
    edges: dict[str, tuple[Edge, ...]] = {}
    for me in names:
        mine = []
        for _ in range(draw(st.integers(1, 5))):
            kind, you = draw(st.sampled_from(("send", "receive", "receive", "act"))), draw(st.sampled_from(names))
            word, ends = draw(st.sampled_from(("m", "n"))), (draw(states), draw(states))
            if kind == "send" and you != me:
                mine.append(Edge(*ends, f"{me}->{you}", send=word))
            elif kind == "receive" and you != me:
                mine.append(Edge(*ends, f"{you}->{me}", receive=word))
            else:
                mine.append(Edge(*ends))
        edges[me] = tuple(mine)
    return system(Machine(dict.fromkeys(names, "a"), edges), links, draw(st.sampled_from(("fifo", "any"))))


def later(data: st.DataObject, made: System) -> World:
    """Draw a world some steps after the beginning, with messages in flight."""
    world = made.begin()
    for _ in range(data.draw(st.integers(0, 7))):
        if not (after := list(successors(made, world))):
            break
        world = data.draw(st.sampled_from(after))
    return world


def stuck(made: System, world: World) -> tuple[str, ...]:
    """Return the deadlocked processes by the definition."""
    found = waits(made, world.states, world.in_flight())
    assert found is not None
    return found.stuck


def stuck_in_all(made: System, worlds: list[World]) -> tuple[str, ...]:
    """Return by exhaustive search the processes that only wait in every continuation."""
    return tuple(name for name in made.topology.names if all(waits_in(made, world, name) for world in worlds))


def compared(machines: st.SearchStrategy[System], agree: Callable[[set[str], set[str]], bool]) -> None:
    """Compare who is stuck by the definition and by exhaustive search; most examples can be searched, and in some of
    them somebody is stuck."""
    found: list[bool] = []

    @settings(max_examples=60, derandomize=True, database=None)
    @given(st.data())
    def compare(data: st.DataObject) -> None:
        made = data.draw(machines)
        world = later(data, made)
        if (worlds := every(made, world, 600)) is not None:
            told = set(stuck(made, world))
            assert agree(told, set(stuck_in_all(made, worlds)))
            found.append(bool(told))

    compare()
    assert len(found) >= 40 and 5 <= sum(found) < len(found)


def test_stuck_means_stuck_in_every_continuation_and_the_reverse() -> None:
    compared(holders(), set.__eq__)


def test_of_any_machines_nobody_is_called_stuck_who_can_still_get_free() -> None:
    compared(machines(), set.__le__)


# --- small cases ---------------------------------------------------------------------------------------------------

PAIR = [("P", "Q"), ("Q", "P")]
DEADLY = Machine(
    {"P": "waits", "Q": "waits"},
    {
        me: (
            Edge("waits", "asked", f"{you}->{me}", receive="request"),
            Edge("waits", "both", f"{you}->{me}", receive="grant"),
            Edge("asked", "both", f"{you}->{me}", receive="grant"),
            Edge("both", "has", f"{me}->{you}", send="grant"),
        )
        for me, you in PAIR
    },
)
BOTH = {"P": "waits", "Q": "waits"}


def test_a_request_in_flight_frees_nobody_who_only_notes_it_down() -> None:
    made = system(DEADLY, PAIR)
    found = waits(made, BOTH, flight(Q_P=["request"], P_Q=["request"]))
    assert found is not None and found.stuck == ("P", "Q")
    assert [wait.coming for wait in found.waits] == [None, None]


def test_a_grant_behind_a_request_frees_whoever_can_take_both() -> None:
    found = waits(system(DEADLY, PAIR), BOTH, flight(Q_P=["request", "grant"]))
    assert found is not None and found.stuck == ()
    assert found.waits[0] == Wait("P", "Q", "Q->P", ("request", "grant"), "request")


def test_a_grant_behind_what_nobody_can_take_helps_only_without_order() -> None:
    in_flight = flight(Q_P=["hello", "grant"])
    assert deadlocked(system(DEADLY, PAIR), BOTH, in_flight)
    assert not deadlocked(system(DEADLY, PAIR, "any"), BOTH, in_flight)


def test_two_can_be_stuck_while_a_third_goes_on() -> None:
    busy = Machine({**BOTH, "R": "on"}, {**DEADLY.edges, "R": (Edge("on", "off"), Edge("off", "on"))})
    made = system(busy, [*PAIR, ("R", "P")])
    assert stuck(made, made.begin()) == ("P", "Q")


def test_a_process_that_waits_for_one_that_has_finished_is_stuck() -> None:
    lonely = Machine({"P": "waits", "Q": "end"}, {**DEADLY.edges, "Q": ()})
    made = system(lonely, PAIR)
    assert stuck(made, made.begin()) == ("P",)


def test_a_process_without_a_state_is_gone_and_frees_nobody() -> None:
    made = system(DEADLY, PAIR)
    assert waits(made, {"P": "waits"}, {}).stuck == ("P",)  # type: ignore[union-attr]
    assert not deadlocked(made, {"P": "waits"}, flight(Q_P=["grant"]))


def test_programs_that_never_wait_have_no_deadlock() -> None:
    made = System(Topology("PQ", PAIR), Bank({"P": (("", 1),)}, ()), ALGORITHMS["chandy-lamport"])
    assert waits(made, made.begin().states, {}) is None
    assert not deadlocked(made, made.begin().states, {})


@pytest.mark.parametrize(("count", "answer"), [(10, True), (MOST, False)])
def test_a_process_with_too_many_ways_to_receive_counts_as_free(count: int, answer: bool) -> None:
    asked = Machine({"P": "s"}, {"P": (Edge("s", "s", "Q->P", receive="request"),), "Q": ()})
    made = system(asked, PAIR)
    assert deadlocked(made, {"P": "s"}, flight(Q_P=["request"] * count)) is answer
