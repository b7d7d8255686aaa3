"""The lattice of global states, against all cuts of tiny histories."""

from collections.abc import Iterator
from itertools import pairwise, product

import pytest

from app.core.oracle.lattice import Cut, Lattice, above, apart, below
from app.run.run import record
from app.scenario.library import LIBRARY
from tests.tiny import run

NEVER_WAS = record(LIBRARY.scenario("state-that-never-was")).history
APART = """
    topology: {processes: [p, q, r], channels: [p->q]}
    program: {kind: variables, values: {p: {x: 0}, q: {y: 0}, r: {z: 0}}}
    script: [{change: {process: p, set: {x: 1}}}, {change: {process: q, set: {y: 1}}},
      {change: {process: r, set: {z: 1}}}]
"""


def test_the_papers_example_has_seven_states_of_nine_cuts_and_four_orders() -> None:
    lattice = Lattice(NEVER_WAS)
    found = lattice.levels()
    assert found.levels == (((0, 0),), ((0, 1), (1, 0)), ((1, 1),), ((1, 2), (2, 1)), ((2, 2),))
    assert (found.count, lattice.cuts, found.orders, found.whole, found.first) == (7, 9, 4, True, 0)


def test_where_nobody_says_anything_every_cut_is_a_state_and_every_order_is_possible() -> None:
    found = Lattice(run(APART).history).levels()
    assert (found.count, found.orders) == (8, 6)
    assert [len(level) for level in found.levels] == [1, 3, 3, 1]


def test_a_token_that_goes_round_leaves_no_choice() -> None:
    lattice = Lattice(record(LIBRARY.scenario("token-back")).history)
    assert lattice.levels().levels == (((0, 0),), ((1, 0),), ((1, 1),), ((1, 2),), ((2, 2),))
    assert lattice.cuts == 9


@pytest.mark.parametrize(
    "name", ["state-that-never-was", "three-banks", "complete", "slow-marker", "non-fifo-doubled", "marker-doubled"]
)
def test_the_states_are_the_cuts_that_are_consistent(name: str) -> None:
    history = record(LIBRARY.scenario(name)).history
    lattice = Lattice(history)
    every = list(product(*(range(count + 1) for count in lattice.top)))
    consistent = [cut for cut in every if history.consistent(lattice.named(cut))]
    assert len(every) == lattice.cuts
    assert sorted(cut for level in lattice.levels().levels for cut in level) == consistent
    assert [cut for cut in every if lattice.consistent(cut)] == consistent


@pytest.mark.parametrize("name", ["state-that-never-was", "complete", "low-watermark"])
def test_one_event_less_is_the_way_back_of_one_event_more(name: str) -> None:
    lattice = Lattice(record(LIBRARY.scenario(name)).history)
    every = [cut for level in lattice.levels().levels for cut in level]
    forth = sorted((cut, other) for cut in every for other in lattice.after(cut))
    assert forth == sorted((other, cut) for cut in every for other in lattice.before(cut))


def test_a_cut_of_another_shape_or_beyond_the_end_is_no_state() -> None:
    lattice = Lattice(NEVER_WAS)
    assert lattice.cut({}) == lattice.bottom and lattice.cut({"q": 2}) == (0, 2)
    assert not lattice.consistent((1,)) and not lattice.consistent((3, 2)) and not lattice.consistent((-1, 0))


def test_the_least_state_contains_what_an_event_needs_and_nothing_else() -> None:
    lattice = Lattice(NEVER_WAS)
    assert lattice.least({0: 2}) == (2, 1)
    assert lattice.least({1: 2}) == (1, 2)
    assert lattice.least({0: 1, 1: 2}) == (1, 2)


def test_a_search_stops_at_its_bound_and_says_so() -> None:
    lattice = Lattice(record(LIBRARY.scenario("complete")).history)
    assert lattice.levels(30) == lattice.levels() and lattice.levels().count == 30
    cut_short = lattice.levels(29)
    assert (cut_short.count, cut_short.whole, cut_short.orders) == (29, False, None)


def test_many_processes_make_the_bound_lower() -> None:
    hundred = run("topology: {ring: 100}\nprogram: {kind: token, holders: {P1: 1}}")
    assert Lattice(hundred.history).most == 4_000
    assert Lattice(NEVER_WAS).most == 20_000


def test_a_large_lattice_is_searched_no_further_than_its_bound() -> None:
    lattice = Lattice(record(LIBRARY.scenario("random-twelve")).history)
    found = lattice.levels()
    assert (found.count, found.whole) == (20_000, False)


class Counted(Lattice):
    """Counts the states that it has looked at."""

    looked = 0

    def after(self, cut: Cut) -> Iterator[Cut]:
        for other in super().after(cut):
            self.looked += 1
            yield other


def test_of_a_wide_level_no_more_is_looked_at_than_may_be_kept() -> None:
    """Twelve events that do not depend on each other have 1, 12, 66 and 220 states after 0, 1, 2 and 3 of them."""
    names = ", ".join(f"P{i}" for i in range(12))
    script = ", ".join(f"{{change: {{process: P{i}, set: {{x: 1}}}}}}" for i in range(12))
    values = ", ".join(f"P{i}: {{x: 0}}" for i in range(12))
    apart = (
        f"topology: {{processes: [{names}], channels: [P0->P1]}}\nprogram: {{kind: variables, values: {{{values}}}}}"
    )
    lattice = Counted(run(f"{apart}\nscript: [{script}]").history)
    assert lattice.levels(100).count == 100
    assert lattice.looked == 12 + 12 * 11 + 3 * 10


def test_a_sample_has_the_spine_what_is_wanted_and_only_states() -> None:
    run_ = record(LIBRARY.scenario("random-twelve"))
    lattice = Lattice(run_.history)
    spine = [lattice.bottom]
    for event in run_.history.events:
        spine.append(lattice.cut(lattice.named(spine[-1]) | {event.process: event.index}))
    wanted = lattice.cut(run_.history.recordings[1].cut)
    found = lattice.sample(spine, [wanted], sum(wanted) - 9, sum(wanted) + 9, 6)
    shown = [cut for level in found.levels for cut in level]
    assert all(lattice.consistent(cut) for cut in shown) and wanted in shown
    assert set(spine[sum(wanted) - 9 : sum(wanted) + 10]) <= set(shown)
    assert max(map(len, found.levels)) == 6 and len(found.levels) == 19
    assert not found.whole
    assert found.first == sum(wanted) - 9 and {sum(cut) for cut in found.levels[0]} == {found.first}
    assert found == lattice.sample(spine, [wanted], sum(wanted) - 9, sum(wanted) + 9, 6)


def test_two_cuts_are_as_far_apart_as_events_differ() -> None:
    assert apart((2, 1, 0), (1, 1, 3)) == 4


@pytest.mark.parametrize("name", ["state-that-never-was", "three-banks", "complete"])
def test_a_path_leads_from_state_to_state_by_one_event_each(name: str) -> None:
    lattice = Lattice(record(LIBRARY.scenario(name)).history)
    every = [cut for level in lattice.levels().levels for cut in level]
    for end in every[:: max(1, len(every) // 20)]:
        path = lattice.path(lattice.bottom, end)
        assert (path[0], path[-1], len(path)) == (lattice.bottom, end, sum(end) + 1)
        assert all(later in lattice.after(cut) for cut, later in pairwise(path))
    assert lattice.path(lattice.top, lattice.top) == (lattice.top,)


def test_an_event_is_possible_in_a_state_if_the_state_with_it_is_one() -> None:
    lattice = Lattice(NEVER_WAS)
    for level in lattice.levels().levels:
        for cut in level:
            after = set(lattice.after(cut))
            for p in range(len(cut)):
                assert lattice.possible(cut, p) == ((*cut[:p], cut[p] + 1, *cut[p + 1 :]) in after)


@pytest.mark.parametrize("name", ["state-that-never-was", "three-banks", "complete", "queue"])
def test_the_least_state_with_an_event_is_the_nearest_consistent_cut(name: str) -> None:
    history = record(LIBRARY.scenario(name)).history
    lattice = Lattice(history)
    for place, process in enumerate(history.names):
        for count in range(history.counts[process] + 1):
            assert lattice.named(lattice.least({place: count})) == above(history, {process: count})


def test_of_a_process_that_a_cut_does_not_name_nothing_is_inside() -> None:
    history = run(APART).history
    assert below(history, {"p": 1}) == {"p": 1, "q": 0, "r": 0}
