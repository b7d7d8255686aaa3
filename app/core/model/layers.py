"""A graph in layers, as dataflow is drawn: items flow one way, and the links that lead back are known by name.

A layer holds the processes that are equally far along the longest path; the order within a layer keeps crossings of
channels few (Sugiyama, Tagawa, Toda 1981: barycentres, then swaps of neighbours).
"""

from collections.abc import Container, Mapping, Sequence
from itertools import combinations, pairwise
from typing import TypeAlias

SWEEPS = 8
"""How many sweeps, forth and back, improve the order of the layers."""

Link: TypeAlias = tuple[str, str]
Slot: TypeAlias = str | tuple[int, int]
"""A process, or the place that a link keeps free in a layer that it crosses: (the link, the layer)."""


def back_edges(names: Sequence[str], links: Sequence[Link]) -> tuple[Link, ...]:
    """Return the links that lead back to a process on the path to them, in the order of ``links``.

    They are found by depth-first search from the processes without inputs, or from the first where there is none, then
    from those not yet visited, always in the order given; without these links the graph has no cycle (Carbone et al.
    2015, section 4.3).
    """
    outputs: dict[str, list[str]] = {name: [] for name in names}
    for source, target in links:
        outputs[source].append(target)
    fed = frozenset(target for _, target in links)
    found: set[Link] = set()
    met: set[str] = set()
    on_the_way: set[str] = set()
    for root in (*(name for name in names if name not in fed), *names):
        if root in met:
            continue
        met.add(root)
        on_the_way.add(root)
        way = [(root, iter(outputs[root]))]
        while way:
            here, rest = way[-1]
            for target in rest:
                if target in on_the_way:
                    found.add((here, target))
                elif target not in met:
                    met.add(target)
                    on_the_way.add(target)
                    way.append((target, iter(outputs[target])))
                    break
            else:
                on_the_way.remove(here)
                way.pop()
    return tuple(link for link in links if link in found)


def _depths(names: Sequence[str], links: Sequence[Link]) -> dict[str, int]:
    """Return the layer of each process, from 0: the length of the longest path to it; ``links`` have no cycle.

    A process with inputs and no outputs stands in the last layer.
    """
    inputs: dict[str, int] = dict.fromkeys(names, 0)
    outputs: dict[str, list[str]] = {name: [] for name in names}
    for source, target in links:
        inputs[target] += 1
        outputs[source].append(target)
    found = dict.fromkeys(names, 0)
    fed = [name for name in names if inputs[name]]
    ready = [name for name in names if not inputs[name]]
    for name in ready:
        for target in outputs[name]:
            found[target] = max(found[target], found[name] + 1)
            inputs[target] -= 1
            if not inputs[target]:
                ready.append(target)
    last = max(found.values(), default=0)
    return found | {name: last for name in fed if not outputs[name]}


def layered(names: Sequence[str], links: Sequence[Link], back: Sequence[Link]) -> dict[str, tuple[float, float]]:
    """Return where each process is drawn, both coordinates in 0..1: x by its layer, y by its place in the layer.

    The links that lead ``back`` are not in ``links``; they are drawn below, so their ends stand as low as possible. All
    layers are centred, and their places equally far apart; a link that skips layers has a free place, or half a place,
    in each of them.
    """
    layer = _depths(names, links)
    layers: list[list[Slot]] = [[] for _ in range(max(layer.values(), default=0) + 1)]
    above: dict[Slot, list[Slot]] = {}
    below: dict[Slot, list[Slot]] = {}
    low = frozenset(name for link in back for name in link)
    for name in sorted(names, key=low.__contains__):
        layers[layer[name]].append(name)
    for i, (source, target) in enumerate(links):
        kept: list[Slot] = [(i, at) for at in range(layer[source] + 1, layer[target])]
        for slot, at in zip(kept, range(layer[source] + 1, layer[target]), strict=True):
            layers[at].append(slot)
        for a, b in pairwise([source, *kept, target]):
            below.setdefault(a, []).append(b)
            above.setdefault(b, []).append(a)
    ordered = uncrossed(layers, above, below, low)
    fullest = max(sum(slot in layer for slot in each) for each in ordered)
    # A link that passes through takes less room where it would make the picture higher.
    thin = 1.0 if max(map(len, ordered)) <= fullest else 0.5
    tall = [sum(1.0 if slot in layer else thin for slot in each) for each in ordered]
    places: dict[Slot, tuple[float, float]] = {}
    for at, each in enumerate(ordered):
        x = at / (len(ordered) - 1) if len(ordered) > 1 else 0.5
        y = -tall[at] / 2
        for slot in each:
            takes = 1.0 if slot in layer else thin
            places[slot] = (x, 0.5 + (y + takes / 2) / max(tall))
            y += takes
    return {name: places[name] for name in names}


def uncrossed(
    layers: Sequence[Sequence[Slot]],
    above: Mapping[Slot, Sequence[Slot]],
    below: Mapping[Slot, Sequence[Slot]],
    low: Container[Slot],
) -> list[list[Slot]]:
    """Return the layers in the best order found."""
    order = [list(each) for each in layers]
    best, least = [list(each) for each in order], _cost(order, below, low)
    for sweep in range(SWEEPS):
        forth = sweep % 2 == 0
        for at in range(len(order)) if forth else reversed(range(len(order))):
            beside = at - 1 if forth else at + 1
            if 0 <= beside < len(order):
                centred(order[at], order[beside], above if forth else below)
        _swapped(order, below, low)
        found = _cost(order, below, low)
        if found < least:
            best, least = [list(each) for each in order], found
    return best


def centred(layer: list[Slot], beside: Sequence[Slot], neighbours: Mapping[Slot, Sequence[Slot]]) -> None:
    """Sort the layer by the middles of its neighbours; a slot without neighbours stays where it is."""
    place = {slot: (i + 0.5) / len(beside) for i, slot in enumerate(beside)}
    wish = {}
    for i, slot in enumerate(layer):
        near = [place[other] for other in neighbours.get(slot, ())]
        wish[slot] = round(sum(near) / len(near), 9) if near else (i + 0.5) / len(layer)
    layer.sort(key=wish.__getitem__)


def _swapped(order: list[list[Slot]], below: Mapping[Slot, Sequence[Slot]], low: Container[Slot]) -> None:
    """Swap neighbours in a layer wherever that is an improvement."""
    for at, layer in enumerate(order):
        around = order[max(0, at - 1) : at + 2]
        least = _cost(around, below, low)
        for i in range(len(layer) - 1):
            layer[i], layer[i + 1] = layer[i + 1], layer[i]
            found = _cost(around, below, low)
            if found < least:
                least = found
            else:
                layer[i], layer[i + 1] = layer[i + 1], layer[i]


def _cost(
    order: Sequence[Sequence[Slot]], below: Mapping[Slot, Sequence[Slot]], low: Container[Slot]
) -> tuple[int, int]:
    """Return how many links cross, and how far up the ends of links that lead back stand: 0 is at the top."""
    down = sum(i for layer in order for i, slot in enumerate(layer) if slot in low)
    return _crossings(order, below), -down


def _crossings(order: Sequence[Sequence[Slot]], below: Mapping[Slot, Sequence[Slot]]) -> int:
    """Return how many pairs of links between neighbouring layers cross."""
    count = 0
    for upper, lower in pairwise(order):
        place = {slot: i for i, slot in enumerate(lower)}
        ends = [(i, place[to]) for i, slot in enumerate(upper) for to in below.get(slot, ())]
        count += sum((a - c) * (b - d) < 0 for (a, b), (c, d) in combinations(ends, 2))
    return count
