"""The lattice of global states: the consistent cuts of a history, each reached from another by one more event.

A cut is written as how many events of each process it contains, in the scenario's order. Every other cut is a future of
the empty cut; every path to the full cut is an order in which the same events could have happened.

Sources: F. Mattern, "Virtual Time and Global States of Distributed Systems", 1989 (consistent cuts form a lattice); R.
Cooper, K. Marzullo, "Consistent Detection of Global Predicates", 1991 (its levels).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from math import prod
from operator import sub
from typing import TypeAlias

from app.core.oracle.history import NEVER, RECEIVE, History

Cut: TypeAlias = tuple[int, ...]
"""How many events of each process, in the scenario's order."""

MOST = 20_000
"""The most states counted."""
LOOKS = 400_000
"""The most states times processes examined; with many processes this allows fewer states than MOST."""


@dataclass(frozen=True, slots=True)
class Levels:
    """States by their number of events. ``whole``: these are all the states; ``orders``, only then: how many paths lead
    from the first to the last; ``first`` is the number of events of the first level."""

    levels: tuple[tuple[Cut, ...], ...]
    whole: bool
    orders: int | None = None
    first: int = 0

    @property
    def count(self) -> int:
        """Return how many states there are."""
        return sum(map(len, self.levels))


class Lattice:
    """The consistent cuts of ``history``. ``needs`` has, for each event by process and place, the sending that must
    also be inside, as (process, index), or None."""

    def __init__(self, history: History) -> None:
        self.names = history.names
        self.place = {name: i for i, name in enumerate(self.names)}
        self.needs: tuple[list[tuple[int, int] | None], ...] = tuple([] for _ in self.names)
        for event in history.events:
            need = None
            if event.kind == RECEIVE and event.message is not None:
                identity = event.message.identity
                send = None if identity in history.undone else history.sends.get(identity)
                need = (self.place[send.process], send.index) if send else (0, NEVER)
            self.needs[self.place[event.process]].append(need)

    @property
    def bottom(self) -> Cut:
        """Return the empty cut."""
        return (0,) * len(self.names)

    @property
    def top(self) -> Cut:
        """Return the cut with all events."""
        return tuple(map(len, self.needs))

    @property
    def cuts(self) -> int:
        """Return how many cuts there are, consistent or not."""
        return prod(count + 1 for count in self.top)

    @property
    def most(self) -> int:
        """Return how many states are counted at most."""
        return min(MOST, LOOKS // max(1, len(self.names)))

    def cut(self, counts: Mapping[str, int]) -> Cut:
        """Return a cut given by process, with no events of a process that is not named."""
        return tuple(counts.get(name, 0) for name in self.names)

    def named(self, cut: Cut) -> dict[str, int]:
        """Return a cut by process."""
        return dict(zip(self.names, cut, strict=True))

    def consistent(self, cut: Cut) -> bool:
        """Is it a state: no more events than the run has, and no receipt inside without its sending?"""
        if len(cut) != len(self.names) or not all(0 <= c <= len(n) for c, n in zip(cut, self.needs, strict=True)):
            return False
        inside = (need for count, needs in zip(cut, self.needs, strict=True) for need in needs[:count])
        return all(need is None or cut[need[0]] >= need[1] for need in inside)

    def possible(self, cut: Cut, p: int) -> bool:
        """Can the next event of the process at place ``p`` happen in a state?"""
        if cut[p] == len(self.needs[p]):
            return False
        need = self.needs[p][cut[p]]
        return need is None or cut[need[0]] >= need[1]

    def ready(self, cut: Cut) -> Iterator[int]:
        """Yield the places of the processes whose next event can happen in a state."""
        for p, (at, needs) in enumerate(zip(cut, self.needs, strict=True)):
            if at < len(needs) and ((need := needs[at]) is None or cut[need[0]] >= need[1]):  # as in ``possible``
                yield p

    def after(self, cut: Cut) -> Iterator[Cut]:
        """Yield the states that one more event leads to, by process."""
        return (larger(cut, p) for p in self.ready(cut))

    def before(self, cut: Cut) -> Iterator[Cut]:
        """Yield the states that are one event smaller than a state, by process."""
        needed = {need for count, needs in zip(cut, self.needs, strict=True) for need in needs[:count]}
        for p, count in enumerate(cut):
            if count and (p, count) not in needed:
                yield (*cut[:p], count - 1, *cut[p + 1 :])

    def least(self, wanted: Mapping[int, int]) -> Cut:
        """Return the smallest state that contains the wanted number of events of these processes, by place. They must
        be possible."""
        cut = [0] * len(self.names)
        left = list(wanted.items())
        while left:
            p, upto = left.pop()
            needs = self.needs[p][cut[p] : upto]
            left.extend(need for need in needs if need is not None and cut[need[0]] < need[1])
            cut[p] = max(cut[p], upto)
        return tuple(cut)

    def path(self, start: Cut, end: Cut) -> tuple[Cut, ...]:
        """Return states from ``start`` to the larger ``end``, each with one more event, both ends included."""
        cuts = [start]
        while cuts[-1] != end:
            more = self.after(cuts[-1])
            cuts.append(next(cut for cut in more if all(a <= b for a, b in zip(cut, end, strict=True))))
        return tuple(cuts)

    def levels(self, most: int | None = None) -> Levels:
        """Return all states, level by level, or those found before there were more than ``most`` (None:
        ``self.most``)."""
        limit = self.most if most is None else most
        ways: dict[Cut, int] = {self.bottom: 1}
        found: list[tuple[Cut, ...]] = []
        count = 0
        while ways:
            if count + len(ways) > limit:
                kept = tuple(sorted(ways)[: limit - count])
                return Levels((*found, kept) if kept else tuple(found), whole=False)
            found.append(tuple(sorted(ways)))
            count += len(ways)
            beyond: dict[Cut, int] = {}
            for cut, number in ways.items():
                for other in self.after(cut):
                    beyond[other] = beyond.get(other, 0) + number
                if count + len(beyond) > limit:
                    break
            if not beyond:
                return Levels(tuple(found), whole=True, orders=sum(ways.values()))
            ways = beyond
        raise AssertionError("a lattice has a bottom")  # pragma: no cover

    def sample(self, spine: Sequence[Cut], wanted: Iterable[Cut], first: int, last: int, wide: int) -> Levels:
        """Return, of the levels ``first`` to ``last``, the ``spine`` (a path, from the bottom), the ``wanted`` states,
        and up to ``wide`` states per level that differ least from the spine. The same history gives the same result."""
        must: dict[int, set[Cut]] = {}
        for cut in wanted:
            must.setdefault(sum(cut), set()).add(cut)
        found: list[tuple[Cut, ...]] = []
        for level, here in enumerate(spine[first : last + 1], first):
            kept = {here} | must.get(level, set())
            near: dict[Cut, int] = {}
            for cut in found[-1] if found else ():
                far = apart(cut, here)
                near |= {larger(cut, p): far + (1 if cut[p] >= here[p] else -1) for p in self.ready(cut)}
            rest = nsmallest(wide - len(kept), near.keys() - kept, key=lambda cut: (near[cut], cut))
            found.append(tuple(sorted([*kept, *rest])))
        return Levels(tuple(found), whole=False, first=first)


def larger(cut: Cut, p: int) -> Cut:
    """Return the cut with one more event of the process at place ``p``."""
    return (*cut[:p], cut[p] + 1, *cut[p + 1 :])


def apart(one: Cut, two: Cut) -> int:
    """Return how many events are in only one of two cuts."""
    return sum(map(abs, map(sub, one, two)))


def above(history: History, cut: Mapping[str, int]) -> dict[str, int] | None:
    """Return the smallest consistent cut that contains ``cut``, with everything that its events know of. None where a
    message inside has a sending that was removed: no event that can be added sends it."""
    grown = {name: cut.get(name, 0) for name in history.names}
    for name in history.names:
        if clock := history.clocks.get((name, cut.get(name, 0))):
            grown = {other: max(grown[other], known) for other, known in zip(history.names, clock, strict=True)}
    return None if history.orphans(grown) else grown


def below(history: History, cut: Mapping[str, int]) -> dict[str, int]:
    """Return the largest consistent cut inside ``cut``: remove events that know of others outside it until none are
    left."""
    shrunk = {name: cut.get(name, 0) for name in history.names}
    for event in history.events:  # an event that received something whose sending was removed can never be inside
        if event.kind == RECEIVE and event.message and event.message.identity in history.undone:
            shrunk[event.process] = min(shrunk[event.process], event.index - 1)
    again = True
    while again:
        again = False
        for name in history.names:
            while shrunk[name] and any(
                known > shrunk[other]
                for other, known in zip(history.names, history.clocks[name, shrunk[name]], strict=True)
            ):
                shrunk[name] -= 1
                again = True
    return shrunk
