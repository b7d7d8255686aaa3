"""The graph: processes, one-way channels, reachability, and where each process is drawn.

The only module that uses networkx.
"""

import itertools
import math
from collections.abc import Iterable
from functools import cached_property, reduce
from operator import or_

import networkx as nx

from app.core.model.layers import back_edges, layered
from app.core.model.ring_order import least_crossed
from app.core.model.values import BluecutError, Channel, Phrase, Process


def channel_name(source: str, target: str) -> str:
    """Return the name of the channel from ``source`` to ``target``."""
    return f"{source}->{target}"


def source_of(channel: str) -> str:
    """Return the process that sends on the channel."""
    return channel.partition("->")[0]


def target_of(channel: str) -> str:
    """Return the process to which the channel leads."""
    return channel.partition("->")[2]


class Topology:
    """A directed graph with a fixed order of processes and channels.

    Parameters: the names of the processes, and (source, target) pairs, both in the order used everywhere; and whether
    it is drawn in ``layers``, as dataflow is. Raises BluecutError for a channel that is given twice, leads from a
    process to itself or names no process.
    """

    def __init__(self, names: Iterable[str], links: Iterable[tuple[str, str]], *, layers: bool = False) -> None:
        self.names = tuple(names)
        self.layers = layers
        known = set(self.names)
        if len(known) != len(self.names):
            raise BluecutError("a process is named twice; give each its own name")
        self.channels: dict[str, Channel] = {}
        inputs: dict[str, list[str]] = {name: [] for name in self.names}
        outputs: dict[str, list[str]] = {name: [] for name in self.names}
        for source, target in links:
            name = channel_name(source, target)
            for end in (source, target):
                if end not in known:
                    raise BluecutError(
                        "channel {channel} names {end}, which is not a process; known: {known}",
                        channel=name,
                        end=end,
                        known=shortened(self.names),
                    )
            if source == target:
                raise BluecutError(
                    "channel {channel} ends where it starts; connect two different processes", channel=name
                )
            if name in self.channels:
                raise BluecutError(
                    "channel {channel} is given twice; one channel leads from a process to another", channel=name
                )
            self.channels[name] = Channel(name, source, target)
            outputs[source].append(name)
            inputs[target].append(name)
        back = set(self.back_edges)
        self.processes = {
            n: Process(n, tuple(inputs[n]), tuple(outputs[n]), self.names, tuple(c for c in inputs[n] if c in back))
            for n in self.names
        }
        self.senders = {c.name: self.processes[c.source] for c in self.channels.values()}
        self.receivers = {c.name: self.processes[c.target] for c in self.channels.values()}
        self.process_order = {name: i for i, name in enumerate(self.names)}
        self.channel_order = {name: i for i, name in enumerate(self.channels)}
        self._routes: dict[tuple[str, tuple[str, ...]], dict[str, str]] = {}

    @cached_property
    def graph(self) -> "nx.DiGraph[str]":
        """Return the same graph as a networkx value."""
        graph: nx.DiGraph[str] = nx.DiGraph()
        graph.add_nodes_from(self.names)
        graph.add_edges_from((c.source, c.target) for c in self.channels.values())
        return graph

    @cached_property
    def both_ways(self) -> bool:
        """Has every channel one in the other direction?"""
        return all(channel_name(c.target, c.source) in self.channels for c in self.channels.values())

    @cached_property
    def complete(self) -> bool:
        """Has every process a channel to every other?"""
        return len(self.channels) == len(self.names) * (len(self.names) - 1)

    @cached_property
    def strong(self) -> bool:
        """Does a path lead from every process to every other?"""
        return bool(nx.is_strongly_connected(self.graph))

    @cached_property
    def diameter(self) -> int | None:
        """Return the longest of all shortest paths, in channels; None where some process does not reach another."""
        return int(nx.diameter(self.graph)) if self.strong else None

    @cached_property
    def root(self) -> str | None:
        """Return the one process without inputs from which a path leads to every other, or None."""
        roots = [name for name in self.names if not self.processes[name].inputs]
        return roots[0] if len(roots) == 1 and not self.unreachable(roots) else None

    @cached_property
    def back_edges(self) -> tuple[str, ...]:
        """Return the channels without which there is no cycle, in the scenario's order; see
        ``app.core.model.layers``."""
        links = [(c.source, c.target) for c in self.channels.values()]
        return tuple(channel_name(*link) for link in back_edges(self.names, links))

    def unreachable(self, initiators: Iterable[str], away: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Return the processes to which no path leads from any of ``initiators``, except those that are ``away``."""
        graph = self._without(away)
        reached = {one for one in initiators if one not in away}
        for initiator in tuple(reached):
            reached |= nx.descendants(graph, initiator)
        return tuple(name for name in self.names if name not in reached and name not in away)

    def reconvergent(self, splitters: Iterable[str]) -> tuple[str, ...]:
        """Return the channels on which paths meet again that parted at one of ``splitters``: two or more channels into
        the same process, reached from there through different outputs."""
        bit = {name: 1 << i for i, name in enumerate(self.names)}
        senders = {n: sum(bit[source_of(c)] for c in p.inputs) for n, p in self.processes.items() if len(p.inputs) > 1}
        reach, before = bit, dict[str, int]()
        while reach != before:
            before, reach = reach, dict(reach)
            for channel in reversed(self.channels.values()):
                reach[channel.source] |= reach[channel.target]
        found = dict.fromkeys(self.names, 0)
        for name in splitters:
            targets = [target_of(channel) for channel in self.processes[name].outputs]
            for end in senders if len(targets) > 1 else ():
                ways = [(reach[t] | (bit[name] if t == end else 0)) & senders[end] for t in targets]
                met = [way for way in ways if way]
                union = reduce(or_, met, 0)
                if len(met) > 1 and union.bit_count() > 1:
                    found[end] |= union
        return tuple(c.name for c in self.channels.values() if found[c.target] & bit[c.source])

    def next_channel(self, process: str, target: str, away: tuple[str, ...] = ()) -> str | None:
        """Return the first channel of a shortest path from ``process`` to ``target``, or None.

        Among several shortest paths, choose the one whose channels come first in the scenario's order. No path leads
        through processes that are ``away``.
        """
        if target in away:
            return None
        if (target, away) not in self._routes:
            self._routes[target, away] = self._routes_to(target, away)
        return self._routes[target, away].get(process)

    def _without(self, away: tuple[str, ...]) -> "nx.DiGraph[str]":
        graph: nx.DiGraph[str] = nx.restricted_view(self.graph, away, ()) if away else self.graph  # type: ignore[assignment]
        return graph

    def _routes_to(self, target: str, away: tuple[str, ...]) -> dict[str, str]:
        distance = dict(nx.single_target_shortest_path_length(self._without(away), target))
        routes: dict[str, str] = {}
        for channel in self.channels.values():
            source = channel.source
            here, there = distance.get(source), distance.get(channel.target)
            if here is not None and there is not None and there == here - 1:
                routes.setdefault(source, channel.name)
        return routes

    @cached_property
    def layout(self) -> dict[str, tuple[float, float]]:
        """Return where each process is drawn, both coordinates in 0..1, x to the right and y down.

        A chain is a line, a star has its hub in the middle, what is named row by row stands in rows and columns, up to
        twelve others stand on a circle, so that few channels cross; more keep the neighbourhoods of a force-directed
        layout but stand on a grid, so that no two ever overlap. A graph in layers flows from left to right, ignoring
        back-edges.
        """
        n = len(self.names)
        if n == 1:
            return {self.names[0]: (0.5, 0.5)}
        if self.layers:
            back = [(c.source, c.target) for c in self.channels.values() if c.name in self.back_edges]
            onward = [(c.source, c.target) for c in self.channels.values() if c.name not in self.back_edges]
            return layered(self.names, onward, back)
        line = self._line()
        if line is not None:
            return {name: (i / (n - 1), 0.5) for i, name in enumerate(line)}
        columns = self._columns()
        if columns is not None:
            across, down = columns - 1, n // columns - 1
            return {name: (i % columns / across, i // columns / down) for i, name in enumerate(self.names)}
        if n > 12:
            return self._grid()
        hub = self._hub()
        links = tuple((c.source, c.target) for c in self.channels.values() if hub not in (c.source, c.target))
        rim = least_crossed(tuple(name for name in self.names if name != hub), links)
        places = {name: around(i, len(rim)) for i, name in enumerate(rim)}
        if hub is not None:
            places[hub] = (0.5, 0.5)
        return places

    def _line(self) -> list[str] | None:
        """Return the processes from one end to the other, where the graph is a path."""
        if len(self.names) > 6:
            return None
        plain = self.graph.to_undirected()
        ends = [name for name in self.names if plain.degree(name) == 1]
        if len(ends) != 2 or not nx.is_tree(plain):
            return None
        return list(nx.shortest_path(plain, ends[0], ends[1]))

    def _columns(self) -> int | None:
        """Return the number of columns, where the processes are named row by row and linked to their neighbours."""
        n, place = len(self.names), self.process_order
        linked = {frozenset((place[c.source], place[c.target])) for c in self.channels.values()}
        for columns in range(3, n // 2 + 1) if n <= 12 else ():
            ends = nx.grid_2d_graph(n // columns, columns).edges if n % columns == 0 else ()
            if linked == {frozenset(row * columns + column for row, column in pair) for pair in ends}:
                return columns
        return None

    def _hub(self) -> str | None:
        """Return the one process that every channel touches, if there are at least three others."""
        if len(self.names) < 4:
            return None
        first = next(iter(self.channels.values()), None)
        for hub in (first.source, first.target) if first else ():
            if all(hub in (c.source, c.target) for c in self.channels.values()):
                return hub
        return None

    def _grid(self) -> dict[str, tuple[float, float]]:
        n = len(self.names)
        columns = math.ceil(math.sqrt(2 * n))
        spring = nx.spring_layout(self.graph, seed=1, iterations=60)
        by_height = sorted(self.names, key=lambda name: (round(float(spring[name][1]), 6), self.process_order[name]))
        rows = [by_height[i : i + columns] for i in range(0, n, columns)]
        places: dict[str, tuple[float, float]] = {}
        for r, row in enumerate(rows):
            row.sort(key=lambda name: (round(float(spring[name][0]), 6), self.process_order[name]))
            shift = 0.25 if r % 2 else -0.25
            for c, name in enumerate(row):
                x = (c + 0.5 + shift + (columns - len(row)) / 2) / columns
                places[name] = (x, (r + 0.5) / len(rows))
        return places


def around(i: int, n: int) -> tuple[float, float]:
    """Return the i-th of ``n`` places on a circle, the first at the top (for two: left and right)."""
    angle = 2 * math.pi * i / n - (math.pi if n == 2 else math.pi / 2)
    return 0.5 + 0.5 * math.cos(angle), 0.5 + 0.5 * math.sin(angle)


def shortened(names: Iterable[str], most: int = 8) -> Phrase | tuple[str, ...]:
    """Return the names for a mistake that lists them, shortened where there are many."""
    all_names = tuple(names)
    if len(all_names) <= most:
        return all_names
    return Phrase("{names}, … ({count} in all)", names=all_names[:most], count=len(all_names))


def named(shape: str, names: list[str], *, seed: int = 0, degree: int = 2) -> list[tuple[str, str]]:
    """Return the links of a well-known graph over ``names``.

    ``chain`` and ``ring`` go one way; ``star`` (the first is the hub) and ``complete`` go both ways; ``random`` is
    strongly connected: a ring, plus links drawn uniformly so that a process has about ``degree`` outputs. Raises
    BluecutError for an unknown shape.
    """
    n = len(names)
    if shape == "chain":
        return list(itertools.pairwise(names))
    if shape == "ring":
        return [(names[i], names[(i + 1) % n]) for i in range(n)] if n > 1 else []
    if shape == "star":
        return [link for name in names[1:] for link in ((names[0], name), (name, names[0]))]
    if shape == "complete":
        return [(a, b) for a in names for b in names if a != b]
    if shape == "random":
        return _random(names, seed, degree)
    raise BluecutError("unknown shape {shape}; one of chain, ring, star, complete, random", shape=shape)


def _random(names: list[str], seed: int, degree: int) -> list[tuple[str, str]]:
    n = len(names)
    if n < 2:
        return []
    ring = {(i, (i + 1) % n) for i in range(n)}
    drawn = nx.gnm_random_graph(n, (min(degree, n - 1) - 1) * n, seed=seed, directed=True)
    return [(names[a], names[b]) for a, b in sorted(ring | set(drawn.edges()))]
