"""A small evaluator of dataflows, which shares nothing with Bluecut except the runs that it judges.

It computes the possible results of a flow without failures, process by process in the order of the graph: a process
processes its inputs in every possible order, and what it sends is a sequence for each output. No channels, no steps, no
identities: items are distinguished by their values. Those of the sources are powers of ``BASE``, so a sum shows, digit
by digit, how often each item is in it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import permutations
from typing import Any, TypeAlias

from app.run.run import Run

BASE = 16
MOST = 4_000
"""The most orders, and the most results, to evaluate."""

Item: TypeAlias = tuple[str, int]
"""The key and the value of an item."""
Items: TypeAlias = tuple[Item, ...]
State: TypeAlias = Any
"""A total, a table as sorted pairs, or the bags of the two sides of a join as sorted pairs."""
Outcome: TypeAlias = tuple[tuple[State, ...], tuple[tuple[tuple[Item, int], ...], ...]]
"""The state of each stateful process, and what each sink shows."""


class TooMany(Exception):
    """There are too many orders to evaluate."""


class Flow:
    """A dataflow without loops as plain values; its processes are named in the direction of the flow."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.names: list[str] = values["topology"]["processes"]
        self.links = [tuple(channel.split("->")) for channel in values["topology"]["channels"]]
        self.does: dict[str, dict[str, Any]] = values["program"]["operators"]
        self.keepers = [name for name in self.names if self.keep(name)]
        self.sinks = [name for name in self.names if "sink" in self.does[name]]

    def keep(self, name: str) -> str | None:
        """Return what a process keeps."""
        return next((one for one in ("sum", "count", "join") if one in self.does[name]), None)

    def outputs(self, name: str) -> list[str]:
        """Return where a process sends to."""
        return [target for source, target in self.links if source == name]

    def tells(self, name: str) -> bool:
        """Does it send what it keeps?"""
        telling = self.does[name].get("emit", "result") == "result"
        return self.keep(name) in ("sum", "count") and telling and bool(self.outputs(name))

    def behind(self, name: str) -> set[str]:
        """Return a process and all that it leads to."""
        return {name}.union(*(self.behind(one) for one in self.outputs(name)))

    def ordered(self, name: str) -> bool:
        """Does the order of its inputs matter to a process?"""
        return any(self.tells(one) for one in self.behind(name))

    @property
    def telling(self) -> bool:
        """Does any process send what it keeps, so that values are no identities?"""
        return any(map(self.tells, self.names))

    @property
    def partings(self) -> bool:
        """Can an item reach one process in two ways?"""
        return any(
            self.behind(one) & self.behind(other)
            for name in self.names
            if "coordinator" not in self.does[name]
            for i, one in enumerate(self.outputs(name))
            for other in self.outputs(name)[:i]
        )

    def outcomes(self, *, shuffled: bool = False) -> set[Outcome]:
        """Return all possible results; ``shuffled``: no channel keeps its order."""
        found: set[tuple[tuple[tuple[str, str, Items], ...], tuple[State, ...], tuple[Any, ...]]] = {((), (), ())}
        for name in self.names:
            after = set()
            for sent, states, shown in found:
                inputs = [(source, items) for source, target, items in sent if target == name]
                rest = tuple(one for one in sent if one[1] != name)
                if "coordinator" in self.does[name]:
                    after.add((sent, states, shown))
                elif "sink" in self.does[name]:
                    came = Counter(item for _, items in inputs for item in items)
                    after.add((rest, states, (*shown, tuple(sorted(came.items())))))
                else:
                    for state, out in self.ways(name, inputs, shuffled):
                        after.add((rest + out, (*states, state) if self.keep(name) else states, shown))
                if len(after) > MOST:
                    raise TooMany
            found = after
        return {(states, shown) for _, states, shown in found}

    def ways(
        self, name: str, inputs: list[tuple[str, Items]], shuffled: bool
    ) -> set[tuple[State, tuple[tuple[str, str, Items], ...]]]:
        """Return what a process can keep and send, over all possible orders of its inputs."""
        does = self.does[name]
        if "source" in does:
            read = [next(iter(one.items())) for one in does["source"]]
            return {(None, self.dealt(name, read))}
        tagged = [[(source, item) for item in items] for source, items in inputs]
        if not self.ordered(name):
            orders: Iterable[tuple[tuple[str, Item], ...]] = [tuple(one for each in tagged for one in each)]
        elif shuffled:
            orders = limited(permutations([one for each in tagged for one in each]))
        else:
            orders = limited(merged(tagged))
        return {self.taken(name, order) for order in orders}

    def taken(self, name: str, order: tuple[tuple[str, Item], ...]) -> tuple[State, tuple[tuple[str, str, Items], ...]]:
        """Return what a process keeps and sends after it has processed items in an order."""
        does, keep = self.does[name], self.keep(name)
        first = next(source for source, target in self.links if target == name)
        table: Counter[str] = Counter()
        sides: tuple[list[Item], list[Item]] = ([], [])
        out: list[Item] = []
        for source, (key, value) in order:
            made = [(key, value)]
            if keep in ("sum", "count"):
                cell = key if does[keep] == "key" else ""
                table[cell] += value if keep == "sum" else 1
                made = [(key, table[cell])] if does.get("emit", "result") == "result" else made
            elif keep == "join":
                mine, other = sides if source == first else sides[::-1]
                mine.append((key, value))
                made = [(key, value + one) for k, one in other if k == key]
            out += [one for one in turned(does, made) if passes(does.get("filter", {}), one[1])]
        state: State = None
        if keep in ("sum", "count"):
            state = tuple(sorted(table.items())) if does[keep] == "key" else table[""]
        elif keep == "join":
            state = tuple(tuple(sorted(side)) for side in sides)
        return state, self.dealt(name, out)

    def dealt(self, name: str, items: list[Item]) -> tuple[tuple[str, str, Items], ...]:
        """Return what is sent where."""
        outputs = self.outputs(name)
        if self.does[name].get("route") != "key":
            return tuple((name, target, tuple(items)) for target in outputs)
        place = {key: sum(key.encode()) % len(outputs) for key, _ in items} if outputs else {}
        return tuple(
            (name, target, tuple(item for item in items if place[item[0]] == i)) for i, target in enumerate(outputs)
        )

    # --- a run --------------------------------------------------------------------------------------------------

    def happened(self, run: Run) -> Outcome:
        """Return what the processes of a run keep in the end, and what its sinks show."""
        program: Any = run.system.program
        states = tuple(self.kept(name, run.end.states[name]) for name in self.keepers)
        outside = run.end.durable.outside
        shown = [Counter((r.key, r.value) for r in program.visible(outside.get(name))) for name in self.sinks]
        return states, tuple(tuple(sorted(one.items())) for one in shown)

    def kept(self, name: str, state: Any) -> State:
        """Return what a process keeps."""
        if self.keep(name) == "join":
            return tuple(tuple(sorted((r.key, r.value) for r in side)) for side in state.sides)
        keep = self.keep(name)
        assert keep is not None
        return tuple(sorted(state.table)) if self.does[name][keep] == "key" else state.total or 0

    def waits(self, run: Run) -> bool:
        """Does a sink hold anything back?"""
        return any(run.end.states[name].open or run.end.states[name].sealed for name in self.sinks)


def turned(does: dict[str, Any], made: list[Item]) -> list[Item]:
    """Return the items as a map leaves them."""
    times, plus = does.get("map", {}).get("times", 1), does.get("map", {}).get("plus", 0)
    return [(key, value * times + plus) for key, value in made]


def passes(form: dict[str, int], value: int) -> bool:
    """Does a filter let a value through?"""
    if "modulo" in form and value % form["modulo"] != form.get("remainder", 0):
        return False
    return form.get("above", value - 1) < value < form.get("below", value + 1)


def merged(inputs: list[list[tuple[str, Item]]]) -> Iterator[tuple[tuple[str, Item], ...]]:
    """Yield all ways to merge sequences into one."""
    left = [one for one in inputs if one]
    if not left:
        yield ()
    for i, one in enumerate(left):
        for rest in merged([*left[:i], one[1:], *left[i + 1 :]]):
            yield (one[0], *rest)


def limited(orders: Iterable[tuple[tuple[str, Item], ...]]) -> Iterator[tuple[tuple[str, Item], ...]]:
    """Yield the orders. Raises TooMany."""
    for i, order in enumerate(orders):
        if i == MOST:
            raise TooMany
        yield order


# --- verdicts ----------------------------------------------------------------------------------------------------


def word(lost: bool, doubled: bool) -> str:
    """Return the word for whether something is lost, or there too often."""
    if lost and doubled:
        return "neither"
    return "at-most-once" if lost else "at-least-once" if doubled else "exactly-once"


def digits(value: int) -> Counter[int]:
    """Return how often each item is in a sum."""
    found: Counter[int] = Counter()
    place = 0
    while value:
        value, found[place] = divmod(value, BASE)
        place += 1
    return +found


def amounts(state: State) -> Counter[Any]:
    """Return what is in a state, item by item."""
    if isinstance(state, int):
        return digits(state)
    found: Counter[Any] = Counter()
    for i, one in enumerate(state):
        if isinstance(one, tuple) and one and isinstance(one[0], str):
            found.update({(one[0], place): count for place, count in digits(one[1]).items()})
        else:
            found.update((i, item) for item in one)
    return found


def compared(got: Iterable[Counter[Any]], wanted: Iterable[Counter[Any]]) -> str:
    """Return the word that compares ``got`` with ``wanted``."""
    pairs = list(zip(got, wanted, strict=True))
    return word(any(want - have for have, want in pairs), any(have - want for have, want in pairs))
