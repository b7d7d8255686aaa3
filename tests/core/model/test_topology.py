"""Graphs: order, reachability, routes, places."""

import math
from itertools import combinations, pairwise

import networkx as nx
import pytest

from app.core.model.topology import Topology, around, channel_name, named, source_of, target_of
from app.core.model.values import BluecutError, Process

DIAMOND = Topology("abcd", [("a", "c"), ("a", "b"), ("b", "d"), ("c", "d"), ("d", "a")])


def test_a_process_knows_its_channels_in_the_order_given() -> None:
    assert DIAMOND.processes["a"] == Process("a", ("d->a",), ("a->c", "a->b"), ("a", "b", "c", "d"), back=("d->a",))
    assert DIAMOND.processes["d"].inputs == ("b->d", "c->d")
    assert list(DIAMOND.channels) == ["a->c", "a->b", "b->d", "c->d", "d->a"]


@pytest.mark.parametrize(
    ("names", "links", "says"),
    [
        ("aa", [], "a process is named twice"),
        ("ab", [("a", "z")], "a->z names z, which is not a process; known: a, b"),
        ("ab", [("a", "a")], "a->a ends where it starts"),
        ("ab", [("a", "b"), ("a", "b")], "a->b is given twice"),
        ("abcdefghij", [("a", "z")], r"known: a, b, c, d, e, f, g, h, … \(10 in all\)"),
    ],
)
def test_a_graph_that_cannot_be_is_refused_with_what_is_wrong(
    names: str, links: list[tuple[str, str]], says: str
) -> None:
    with pytest.raises(BluecutError, match=says):
        Topology(names, links)


def test_who_cannot_be_reached() -> None:
    chain = Topology("abc", named("chain", list("abc")))
    assert chain.unreachable("a") == ()
    assert chain.unreachable("b") == ("a",)
    assert chain.unreachable("cb") == ("a",)
    assert chain.unreachable("ca") == ()


def test_a_graph_is_strong_where_a_path_leads_from_each_to_every_other() -> None:
    assert DIAMOND.strong
    assert not Topology("abc", named("chain", list("abc"))).strong
    assert Topology("a", []).strong


def test_a_route_is_shortest_and_among_equals_the_first_given() -> None:
    assert DIAMOND.next_channel("a", "d") == "a->c"
    assert DIAMOND.next_channel("d", "b") == "d->a"
    assert DIAMOND.next_channel("d", "d") is None
    assert Topology("ab", [("a", "b")]).next_channel("b", "a") is None


@pytest.mark.parametrize(
    ("shape", "links"),
    [
        ("chain", ["a->b", "b->c"]),
        ("ring", ["a->b", "b->c", "c->a"]),
        ("star", ["a->b", "b->a", "a->c", "c->a"]),
        ("complete", ["a->b", "a->c", "b->a", "b->c", "c->a", "c->b"]),
    ],
)
def test_named_shapes(shape: str, links: list[str]) -> None:
    assert [f"{a}->{b}" for a, b in named(shape, list("abc"))] == links
    assert named(shape, ["a"]) == []


def test_a_shape_that_there_is_not_is_answered_with_those_that_there_are() -> None:
    with pytest.raises(BluecutError, match="one of chain, ring, star, complete, random"):
        named("torus", ["a"])


@pytest.mark.parametrize("size", [2, 3, 12, 50])
@pytest.mark.parametrize("degree", [1, 2, 3])
def test_a_random_graph_is_strongly_connected_and_about_as_dense_as_asked(size: int, degree: int) -> None:
    names = [f"P{i}" for i in range(size)]
    for seed in range(5):
        links = named("random", names, seed=seed, degree=degree)
        assert links == named("random", names, seed=seed, degree=degree)
        assert nx.is_strongly_connected(Topology(names, links).graph)
        assert size <= len(links) <= size * min(degree, size - 1)


def test_the_links_of_a_random_graph_are_spread_over_all_processes() -> None:
    names = [f"P{i}" for i in range(60)]
    topology = Topology(names, named("random", names, seed=1, degree=3))
    degrees = [len(process.outputs) for process in topology.processes.values()]
    assert abs(sum(degrees[:30]) - sum(degrees[30:])) < 40


def test_a_random_graph_has_as_many_channels_as_its_degree_allows() -> None:
    names = [f"P{i}" for i in range(10)]
    assert len(named("random", names, seed=1, degree=1)) == 10, "only the ring"
    assert len(named("random", names, seed=1, degree=9)) >= 80
    assert named("random", names, seed=1, degree=20) == named("random", names, seed=1, degree=9)


@pytest.mark.parametrize("shape", ["chain", "ring", "star", "complete", "random"])
@pytest.mark.parametrize("size", [1, 2, 3, 6, 7, 12, 13, 40, 200])
def test_no_two_processes_are_drawn_on_each_other(shape: str, size: int) -> None:
    if shape == "complete" and size > 40:
        size = 41
    names = [f"P{i}" for i in range(size)]
    places = Topology(names, named(shape, names, seed=3)).layout
    assert sorted(places) == sorted(names)
    assert all(-1e-9 <= x <= 1 + 1e-9 and -1e-9 <= y <= 1 + 1e-9 for x, y in places.values())
    apart = min((math.dist(places[a], places[b]) for a in names for b in names if a < b), default=1)
    assert apart > 0.5 / max(size, 2)


def test_two_stand_side_by_side_and_a_hub_in_the_middle() -> None:
    assert Topology("ab", named("ring", ["a", "b"])).layout == {"a": (0.0, 0.5), "b": (1.0, 0.5)}
    assert Topology("abcd", named("star", list("abcd"))).layout["a"] == (0.5, 0.5)
    assert Topology("abc", named("chain", list("abc"))).layout["b"] == (0.5, 0.5)


def rows(names: str, columns: int) -> list[tuple[str, str]]:
    """Return the channels of processes in rows and columns: each to the one on its right and to the one below it."""
    beside = [(a, b) for i, (a, b) in enumerate(pairwise(names), 1) if i % columns]
    return [*beside, *zip(names, names[columns:], strict=False)]


def test_what_is_named_row_by_row_stands_in_rows_and_columns() -> None:
    nine = Topology("abcdefghi", rows("abcdefghi", 3)).layout
    assert [nine[name] for name in "aceg"] == [(0.0, 0.0), (1.0, 0.0), (0.5, 0.5), (0.0, 1.0)]
    six = Topology("abcdef", rows("abcdef", 3)).layout
    assert [six[name] for name in "abcdef"] == [(0.0, 0.0), (0.5, 0.0), (1.0, 0.0), (0.0, 1.0), (0.5, 1.0), (1.0, 1.0)]
    more = Topology("abcdef", [*rows("abcdef", 3), ("a", "f")])
    assert [more.layout[name] for name in more.names] != [six[name] for name in "abcdef"]
    assert Topology("abcd", rows("abcd", 2)).layout["a"] == Topology("abcd", named("ring", list("abcd"))).layout["a"]


def test_rows_of_many_are_centred_each_a_little_beside_the_next() -> None:
    names = [f"P{i}" for i in range(13)]
    rows: dict[float, list[float]] = {}
    for x, y in Topology(names, named("ring", names)).layout.values():
        rows.setdefault(y, []).append(6 * x - 3)
    assert sorted(rows) == pytest.approx([1 / 6, 3 / 6, 5 / 6])
    assert [len(rows[y]) for y in sorted(rows)] == [6, 6, 1]
    assert [sum(rows[y]) / len(rows[y]) for y in sorted(rows)] == pytest.approx([-0.25, 0.25, -0.25])


def test_a_few_stand_on_a_circle_in_order_the_first_at_the_top() -> None:
    places = Topology("abcd", named("ring", list("abcd"))).layout
    assert list(places.values()) == [pytest.approx(at) for at in ((0.5, 0), (1, 0.5), (0.5, 1), (0, 0.5))]


def test_the_name_of_a_channel_says_where_it_comes_from_and_where_it_leads() -> None:
    name = channel_name("p", "q")
    assert (name, source_of(name), target_of(name)) == ("p->q", "p", "q")


def flow(text: str) -> Topology:
    """Return a graph in layers from "a>b b>c": the processes in the order in which they are first named."""
    links = [(a, b) for a, _, b in (each.partition(">") for each in text.split())]
    return Topology(dict.fromkeys(name for link in links for name in link), links, layers=True)


LOOP = "J>s s>H H>T T>H"
TWO_SOURCES = "J>s1 J>s2 s1>sum s2>sum sum>out"


@pytest.mark.parametrize(
    ("text", "back"),
    [
        (TWO_SOURCES, ()),
        (LOOP, ("T->H",)),
        ("a>b b>c c>a c>b", ("c->a", "c->b")),
        ("a>b a>c c>b b>d d>c", ("c->b",)),
        ("s>a a>b b>a t>c c>d d>c", ("b->a", "d->c")),
        ("s>a b>a a>b", ("b->a",)),
    ],
)
def test_what_leads_back_is_found_depth_first_from_those_without_inputs(text: str, back: tuple[str, ...]) -> None:
    assert flow(text).back_edges == back


def test_without_back_edges_a_graph_has_no_cycle() -> None:
    for seed in range(20):
        names = [f"P{i}" for i in range(9)]
        topology = Topology(names, named("random", names, seed=seed, degree=3))
        assert topology.back_edges
        onward = topology.graph.copy()
        onward.remove_edges_from([(source_of(c), target_of(c)) for c in topology.back_edges])
        assert nx.is_directed_acyclic_graph(onward)


def test_layers_follow_the_longest_path_and_who_has_no_outputs_stands_last() -> None:
    places = flow("J>s J>t s>map map>join t>join join>out t>dropped").layout
    assert {name: round(x * 4) for name, (x, _) in places.items()} == {
        "J": 0,
        "s": 1,
        "t": 1,
        "map": 2,
        "join": 3,
        "out": 4,
        "dropped": 4,
    }


def test_what_leads_back_starts_and_ends_low_where_no_channel_crosses_for_it() -> None:
    places = flow("J>s s>H H>T T>H H>out").layout
    assert places["T"][0] == places["out"][0] == 1
    assert places["T"][1] > places["out"][1]


def test_a_chain_is_a_line_while_it_has_room_for_its_names() -> None:
    six, seven = (
        {y for _, y in Topology(names, named("chain", [*names])).layout.values()} for names in ("abcdef", "abcdefg")
    )
    assert six == {0.5} and len(seven) > 1


def test_a_chain_in_layers_is_a_line_and_a_loop_too() -> None:
    assert flow("a>b b>c").layout == {"a": (0.0, 0.5), "b": (0.5, 0.5), "c": (1.0, 0.5)}
    assert {y for _, y in flow(LOOP).layout.values()} == {0.5}
    assert [y for _, y in flow(TWO_SOURCES).layout.values()] == [0.5, 0.25, 0.75, 0.5, 0.5]


@pytest.mark.parametrize(
    ("text", "height"),
    [
        ("a>b b>c a>c", 1 / 3),  # one and a half places: a whole one would make the picture higher
        ("a>b b>c b>d a>d", 1 / 4),  # two, as in the next layer
    ],
)
def test_a_channel_that_passes_a_layer_takes_a_place_where_there_is_one(text: str, height: float) -> None:
    _, y = flow(text).layout["b"]
    assert min(y, 1 - y) == pytest.approx(height)


@pytest.mark.parametrize(
    ("text", "least"),
    [
        ("J>a J>b J>c a>z b>y c>x x>o y>o z>o", 0),
        ("J>a J>b a>c b>d c>e d>f e>o f>o J>g g>o", 0),
        ("a>d a>e b>d b>f c>e c>f d>g e>h f>i", 2),
        ("a2>b1 a0>b3 b1>c3 a0>b0 b3>c4 a1>b2 b3>c2 b2>c3 b3>c0 b2>c1 b0>c4", 0),  # needs the middles of neighbours
        ("a0>b1 a3>b1 a1>b1 a3>b2 a2>b0 a0>b0", 0),  # needs swaps
        ("a0>b0 a3>b1 a2>b2 a1>b1 a1>b0 a2>b0", 0),  # of the last two, too
    ],
)
def test_channels_cross_as_little_as_they_must(text: str, least: int) -> None:
    topology = flow(text)
    places = topology.layout
    lines = [(places[c.source], places[c.target]) for c in topology.channels.values()]
    crossed = sum(
        a[0] == c[0] and b[0] == d[0] and (a[1] - c[1]) * (b[1] - d[1]) < 0
        for i, (a, b) in enumerate(lines)
        for c, d in lines[i + 1 :]
    )
    assert crossed == least


def test_among_orders_that_are_equally_good_the_one_given_stays() -> None:
    places = Topology(["a", "b", "c", "d", "e"], [("a", "e"), ("d", "e")], layers=True).layout
    assert [places[name][1] for name in "abcd"] == [0.125, 0.375, 0.625, 0.875]


@pytest.mark.parametrize("size", [2, 3, 5, 8, 12, 13, 21, 30])
@pytest.mark.parametrize("degree", [1, 2, 3])
def test_no_two_processes_of_a_graph_in_layers_are_drawn_on_each_other(size: int, degree: int) -> None:
    names = [f"P{i}" for i in range(size)]
    for seed in range(3):
        links = named("random", names, seed=seed, degree=degree)
        places = Topology(names, links, layers=True).layout
        if not seed:
            assert places == Topology(names, links, layers=True).layout
        assert len(set(places.values())) == size
        assert all(0 <= x <= 1 and 0 < y < 1 for x, y in places.values())


@pytest.mark.parametrize(
    ("text", "splitters", "found"),
    [
        ("s>a s>b a>u b>u u>out", "s", "a->u b->u"),
        ("s>a s>b a>u b>u u>out", "abu", ""),  # s sends each item one way only
        ("s>a s>u a>u", "s", "s->u a->u"),
        ("s>a t>b a>u b>u", "stab", ""),  # what meets comes from elsewhere
        ("s>a s>x a>b a>c b>u c>u", "s", ""),  # what is copied to a goes on from there one way only
        ("s>a s>b a>out b>end", "sab", ""),
        ("s>a s>b a>c b>c c>u t>u", "s", "a->c b->c"),  # what met at c comes to u by one channel
        ("s>a s>b a>c b>c c>d c>e d>f e>f", "s", "a->c b->c d->f e->f"),  # what met at c goes two ways again
        ("s>a s>b a>u b>u t>u", "st", "a->u b->u"),
        ("s>H H>T T>H H>out", "sHT", ""),  # a loop is no second way
        ("s>H H>T T>H H>out T>out", "sHT", "H->out T->out"),
        ("s>H H>T H>U T>H U>H", "sHTU", "T->H U->H"),
    ],
)
def test_channels_on_which_paths_meet_that_have_parted_are_found(text: str, splitters: str, found: str) -> None:
    links = [(a, b) for a, _, b in (each.partition(">") for each in text.split())]
    graph = Topology(dict.fromkeys(name for link in links for name in link), links)
    assert sorted(graph.reconvergent(splitters)) == sorted(found.split())


def test_on_a_circle_processes_stand_so_that_few_channels_cross() -> None:
    links = rows("ABCDEFGHI", 3)
    assert crossings(Topology("IABCDEFGH", links)) == 3  # not named row by row
    assert crossings(Topology("ABCDEFGHI", links)) == 0


def test_where_few_fewer_would_cross_they_keep_their_order() -> None:
    links = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "e"), ("a", "c"), ("b", "d"), ("a", "d"), ("c", "e"), ("b", "e")]
    topology = Topology("abcde", [*links, ("e", "a")])
    assert crossings(topology) == 5
    assert [topology.layout[name] for name in "abcde"] == [around(i, 5) for i in range(5)]


def crossings(topology: Topology) -> int:
    """Count the pairs of channels that cross, pairs of processes counting once."""
    links = sorted({tuple(sorted((c.source, c.target))) for c in topology.channels.values()})
    sides = [tuple(map(topology.layout.__getitem__, link)) for link in links]
    return sum(_crosses(*one, *two) and _crosses(*two, *one) for one, two in combinations(sides, 2))


Place = tuple[float, float]


def _crosses(a: Place, b: Place, c: Place, d: Place) -> bool:
    """Do two places lie on different sides of a line?"""

    def side(p: Place) -> float:
        return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])

    return side(c) * side(d) < -1e-9
