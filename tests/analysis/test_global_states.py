"""The global states of a run: those it went through, those it recorded, and a way through each."""

from collections.abc import Iterable, Mapping
from itertools import pairwise

import pytest

from app.analysis.global_states import hindrance, inside, moments, passage, route, snapshot, spine, taken, world
from app.core.model import recorded_state
from app.core.model.values import Message
from app.core.oracle.lattice import Lattice
from app.core.oracle.replay import Replay
from app.run.run import Run, record
from app.scenario.library import LIBRARY
from tests.tiny import run


def of(name: str) -> tuple[Run, Lattice]:
    """Return the author's run of a scenario, and its lattice."""
    made = record(LIBRARY.scenario(name))
    return made, Lattice(made.history)


def test_the_run_goes_through_one_state_after_each_event() -> None:
    made, lattice = of("state-that-never-was")
    assert spine(made, lattice) == ((0, 0), (1, 0), (1, 1), (2, 1), (2, 2))
    assert moments(made, lattice) == {(0, 0): 0, (1, 0): 2, (1, 1): 3, (2, 1): 4, (2, 2): 7}


def test_the_recorded_state_is_none_of_them_and_theorem_one_goes_through_it() -> None:
    made, lattice = of("state-that-never-was")
    (seen,) = taken(made, lattice)
    assert (seen.cut, seen.consistent, seen.exact) == ((0, 1), True, True)
    assert seen.cut not in moments(made, lattice)
    assert seen.passage == ((0, 0), (0, 1), (1, 1), (2, 1))


@pytest.mark.parametrize("name", ["state-that-never-was", "three-banks", "complete", "slow-marker", "random-twelve"])
def test_the_path_through_the_recorded_state_is_legal(name: str) -> None:
    """Each of its states can be reached by an order that the oracle replays; each is the one before and one event."""
    made, lattice = of(name)
    for seen in taken(made, lattice):
        recording = made.history.recordings[seen.number]
        assert seen.cut in seen.passage
        assert all(later in lattice.after(earlier) for earlier, later in pairwise(seen.passage))
        assert seen.passage[0] in moments(made, lattice) and seen.passage[-1] in moments(made, lattice)
        order, boundary = made.history.reordered(recording.cut)
        replay = Replay(made.system, made.history)
        for at, event in enumerate(order):
            if at == boundary:
                recorded = recorded_state.parts(made.system, made.end, seen.number)
                assert replay.states == {process: part.state for process, part in recorded.items()}
            assert replay.happen(event) is None


@pytest.mark.parametrize("name", ["state-that-never-was", "three-banks", "complete", "lossy-network"])
def test_the_world_of_every_state_is_what_its_events_make(name: str) -> None:
    made, lattice = of(name)
    for level in lattice.levels().levels:
        for cut in level:
            there, replay = world(made, lattice, cut), Replay(made.system, made.history)
            for event in inside(made, lattice, cut):
                assert replay.happen(event) is None
            assert dict(there.states) == replay.states
            lost = made.history.lost
            waiting = {c: [m.id for m in q if not lost(m.identity)] for c, q in replay.queues.items()}
            assert {c: [m.id for m in q] for c, q in there.queues.items()} == {c: q for c, q in waiting.items() if q}


def test_the_world_of_a_state_that_the_run_was_in_is_that_of_the_run() -> None:
    made, lattice = of("widget-trade")
    for cut, number in moments(made, lattice).items():
        there, then = world(made, lattice, cut), made.world(number)
        assert (there.states, there.in_flight()) == (then.states, then.in_flight())


def test_after_going_back_what_no_checkpoint_recorded_is_in_no_channel() -> None:
    """The item in the loop is in no state and in no log, so the rollback of step 16 forgets it."""
    made, lattice = of("loop-forgotten")
    assert sorted(moments(made, lattice).values()) == [0, 1, 2, 5, *range(17, len(made.steps) + 1)]
    for cut, number in moments(made, lattice).items():
        then = in_channels(made.world(number).in_flight())
        stays = {c: [i for i in ids if not made.history.lost(i)] for c, ids in then.items()}
        assert in_channels(world(made, lattice, cut).in_flight()) == {c: ids for c, ids in stays.items() if ids}


def in_channels(queues: Mapping[str, Iterable[Message]]) -> dict[str, list[int]]:
    """By channel, which messages there are."""
    return {channel: sorted(m.identity for m in queue) for channel, queue in queues.items()}


def test_what_crosses_the_last_cut_of_a_run_is_what_is_in_flight_at_its_end() -> None:
    differing = []
    for scenario in LIBRARY.scenarios():
        made = record(scenario)
        if in_channels(made.history.crossing(made.history.counts)) != in_channels(made.end.in_flight()):
            differing.append(scenario.name)
    assert differing == []


def test_a_run_can_be_sent_through_any_state_that_a_person_can_choose() -> None:
    made, lattice = of("state-that-never-was")
    for level in lattice.levels().levels:
        for cut in level:
            key = route(made, lattice, cut)
            assert key is not None
            again = record(made.scenario, key)
            there, then = world(made, lattice, cut), again.world(sum(cut))
            assert there.states == then.states
            assert {c: [m.payload for m in q] for c, q in there.in_flight().items()} == {
                c: [m.payload for m in q] for c, q in then.in_flight().items()
            }
            assert again.end.states == made.end.states


def test_there_is_no_way_where_the_script_says_what_nobody_can_choose() -> None:
    made, lattice = of("blue-figure")
    assert route(made, lattice, lattice.top) is None and hindrance(made, lattice, lattice.top) == "script"


def test_there_is_no_way_where_the_network_repeats_a_message() -> None:
    made = run("""
        topology: {processes: [P, Q], channels: [P->Q, Q->P]}
        program: {kind: bank, accounts: {P: 10, Q: 5}}
        script:
          - send: {on: P->Q, message: 3}
          - duplicate: P->Q
          - deliver: P->Q
          - deliver: P->Q
    """)
    lattice = Lattice(made.history)
    assert made.history.twins and lattice.top == (1, 2)
    assert route(made, lattice, lattice.top) is None and hindrance(made, lattice, lattice.top) == "network"


def test_there_is_no_way_longer_than_a_key_can_say() -> None:
    made = run("""
        topology: {processes: [p, q], channels: [p->q, q->p]}
        program: {kind: token, holders: {p: 1}}
        schedule: {kind: seeded, seed: 1, moves: 600}
    """)
    lattice = Lattice(made.history)
    assert sum(lattice.top) == 1_200
    assert route(made, lattice, lattice.top) is None and hindrance(made, lattice, lattice.top) == "long"
    assert route(made, lattice, (300, 300)) is not None


def test_an_inconsistent_cut_is_no_state_and_one_with_wrong_channels_is_not_the_recorded_one() -> None:
    made, lattice = of("photographs-two")
    assert [(seen.consistent, seen.exact, seen.passage) for seen in taken(made, lattice)] == [(False, False, ())]
    made, lattice = of("phantom-photographs")
    assert [(seen.consistent, seen.exact) for seen in taken(made, lattice)] == [(True, False)]


def test_where_the_system_went_back_only_what_stayed_has_happened() -> None:
    made, lattice = of("barriers-wait")
    cuts = spine(made, lattice)
    assert made.history.lives and len(cuts) == len(made.history.events) + 1
    assert all(
        made.world(number).states == world(made, lattice, cut).states for cut, number in moments(made, lattice).items()
    )
    assert route(made, lattice, cuts[1]) is None and hindrance(made, lattice, cuts[1]) == "back"


def test_a_snapshot_without_an_event_meanwhile_is_one_state() -> None:
    made, lattice = of("phantom-termination")
    (seen,) = [snapshot(made, lattice, one) for number, one in made.history.recordings.items() if number == 2]
    assert passage(made, lattice, made.history.recordings[2]) == seen.passage == ((1, 2),)


@pytest.mark.parametrize("name", ["state-that-never-was", "complete", "random-twelve"])
def test_the_passage_is_a_part_of_the_order_of_theorem_one(name: str) -> None:
    made, lattice = of(name)
    for seen in taken(made, lattice):
        order, _ = made.history.reordered(made.history.recordings[seen.number].cut)
        cuts = [lattice.bottom]
        for event in order:
            cuts.append(lattice.cut(lattice.named(cuts[-1]) | {event.process: event.index}))
        first = sum(seen.passage[0])
        assert tuple(cuts[first : first + len(seen.passage)]) == seen.passage
