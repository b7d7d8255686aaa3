"""The ledger of a run of a dataflow: how its crashes changed the result, compared with the run without failures.

Three comparisons:

- *state*: what each operator keeps, its value, and how often each item took effect in it;
- *output*: each item that ought to leave the system, with which value, and how often it became visible, or whether it
  still waits in a transaction;
- *work*: how often each operator took an item, also in lives that were undone, compared with how often that counts.

For state and output, one word says what a run shows: ``exactly-once`` where nothing is lost, nothing is there too
often, and every value is right; ``at-least-once`` where something is there too often, ``at-most-once`` where something
is lost, ``neither`` where both happen; ``wrong-values`` where each item is there once, but with values that no run
without failures gives. State and output have separate words, and only where the run is settled: nothing is in flight,
no process is down, every source is read to its end. Before that a missing item may still come. What the algorithm
promises is another matter, see ``app.analysis.promise``.

The run without failures is the one in the same order (see ``app.analysis.failure_free``). Where the result depends on
the order and that run has other values, all orders are tried (see ``app.analysis.possible_results``). State and output
are right together: the same order has to give both. Where there are too many orders to try, ``other-values`` says that
it is not known whether one of the others gives these values.

An item that a transport discarded as known does not count as taken: the operator's program never saw it. A sink keeps
no state of its own; what it holds back is waiting output. A process that is gone for good has kept nothing.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from app.analysis.failure_free import Calm, calm, identified
from app.analysis.possible_results import Result, shown_by
from app.analysis.promise import AT_LEAST, AT_MOST, EXACTLY, NEITHER, OTHER, WRONG, Promise, promise
from app.analysis.reference import Orders, Reference, reference
from app.core.model.notes import Changed, Discarded, Output, Received, Restored, Returned, only
from app.core.model.system import System
from app.core.model.value import Frozen
from app.core.model.values import APP, Deed, Json, World
from app.core.oracle.history import RECEIVE, History
from app.programs.dataflow import COORDINATOR, IDEMPOTENT, SINK, SOURCE, Dataflow, Record
from app.run.run import Run, Step

Arrival: TypeAlias = tuple[str, object]
"""An item at an operator: the channel on which it comes, and its identity."""


class Kept(Frozen):
    """What an operator keeps: ``now`` and, without failures, ``wanted`` in the end; None where it is down. ``possible``
    is what it could also be without failures, ``wanted`` first, where several orders were tried."""

    process: str
    now: Json
    wanted: Json
    equal: bool
    possible: tuple[Json, ...]


class Visible(Frozen):
    """An item at a sink. ``wanted`` is how often it ought to leave, 0 where it ought not to; ``values`` are its visible
    values, one for each time that it is there; ``value`` is the right one, ``possible`` are other right ones;
    ``waiting`` says that it is in a transaction that has not been committed. ``missing`` says that it has not come and
    never will, ``settled`` that what is visible stays as it is."""

    sink: str
    id: str
    wanted: int
    value: Json
    possible: tuple[Json, ...]
    values: tuple[Json, ...]
    waiting: bool
    missing: bool
    settled: bool

    @property
    def times(self) -> int:
        """Return how often it is visible."""
        return len(self.values)

    @property
    def lost(self) -> int:
        """Return how often it is missing for good."""
        return max(0, self.wanted - self.times) if self.missing else 0

    @property
    def doubled(self) -> int:
        """Return how often it is visible in excess."""
        return max(0, self.times - self.wanted)

    @property
    def wrong(self) -> bool:
        """Does it stay visible with another value than it ought to have?"""
        return self.settled and self.wanted > 0 and any(value != self.value for value in self.values)


class Work(Frozen):
    """What a process did. ``taken`` counts the items that it read or took, in all lives, ``again`` those of them that
    it had taken before; ``counted`` how many takings still count, ``wanted`` how many would without failures; ``lost``
    and ``doubled`` how they differ, item by item. ``restarts`` is how often it rolled back."""

    process: str
    role: str
    keeps: bool
    taken: int
    again: int
    counted: int
    wanted: int
    lost: int
    doubled: int
    restarts: int


class Ledger(Frozen):
    """The comparisons after a step. ``settled``: nothing more will come by itself. ``state`` and ``output`` are what
    the run shows, each None where it is not settled or does not exist; ``promise`` is what its algorithm promises.
    ``orders`` is None where the order of this run was enough. ``writes`` counts how often anything became visible or
    was overwritten; ``disorder`` the items that became visible behind a later one of the same source."""

    step: int
    settled: bool
    state: str | None
    output: str | None
    promise: Promise
    orders: Orders | None
    kept: tuple[Kept, ...]
    visible: tuple[Visible, ...]
    work: tuple[Work, ...]
    writes: int
    disorder: int

    @property
    def lost(self) -> int:
        """Return how many items ought to be visible and never will be."""
        return sum(one.lost for one in self.visible)

    @property
    def doubled(self) -> int:
        """Return how many items are visible too often, or ought not to be."""
        return sum(one.doubled for one in self.visible)

    @property
    def waiting(self) -> int:
        """Return how many items wait for a commit."""
        return sum(one.waiting for one in self.visible)

    @property
    def restarts(self) -> int:
        """Return how often processes rolled back; a coordinator has nothing to roll back to."""
        return sum(one.restarts for one in self.work)

    @property
    def again(self) -> int:
        """Return how often an item was read or taken that had been before, by all processes together."""
        return sum(one.again for one in self.work)

    @property
    def reread(self) -> int:
        """Return how many items sources read again."""
        return sum(one.again for one in self.work if one.role == SOURCE)

    @property
    def taken(self) -> int:
        """Return how often the operators took an item, sources and sinks left out."""
        return sum(one.taken for one in self.work if one.role not in (SOURCE, SINK))

    @property
    def counted(self) -> int:
        """Return how many of those takings count."""
        return sum(one.counted for one in self.work if one.role not in (SOURCE, SINK))


def guarantee(lost: int, doubled: int, *, equal: bool = True, known: bool = True) -> str:
    """Return what a run shows, as a word. ``equal``: are all values right? ``known``: would they be wrong in every
    order?"""
    if lost and doubled:
        return NEITHER
    if lost or doubled:
        return AT_MOST if lost else AT_LEAST
    return EXACTLY if equal else WRONG if known else OTHER


def ledger(run: Run, step: int | None = None) -> Ledger | None:
    """Return the ledger after a step, the last where none is given; None where the program is no dataflow."""
    program = run.system.program
    if not isinstance(program, Dataflow):
        return None
    at = len(run.steps) if step is None else step
    return Book(run, program, calm(run), at).ledger()


class Book:
    """The counting for a ledger."""

    def __init__(self, run: Run, program: Dataflow, calm: Calm, step: int) -> None:
        self.run = run
        self.system: System = run.system
        self.program = program
        self.calm = calm
        self.step = step
        self.world: World = run.world(step)
        self.steps: tuple[Step, ...] = run.steps[:step]
        self.history = run.history if step == len(run.steps) else _watched(run, step)
        self.processes = self.system.topology.processes
        self.names = [n for n in self.system.topology.names if self.role(n) != COORDINATOR]
        self.sinks = [n for n in self.names if self.role(n) == SINK]
        self.inner = [n for n in self.names if self.role(n) != SINK]
        self.settled = not calm.full and _settled(self.system, self.world)
        self.counted = self.counting()
        self.shown = self.showing()
        self.against = self.compared()

    def role(self, name: str) -> str:
        """Return the role of a process in the dataflow."""
        return self.program.operator(self.processes[name]).role

    def ledger(self) -> Ledger:
        """Return the whole ledger."""
        kept = tuple(map(self.kept, self.inner))
        visible = tuple(one for name in self.sinks for one in self.visible(name))
        work, orders = self.work(), self.against.orders
        keeping = [one for one in work if one.keeps]
        lost, doubled = sum(one.lost for one in keeping), sum(one.doubled for one in keeping)
        state = guarantee(lost, doubled, equal=all(one.equal for one in kept), known=not orders or orders.state)
        lost, doubled = sum(one.lost for one in visible), sum(one.doubled for one in visible)
        equal = not any(one.wrong for one in visible)
        output = guarantee(lost, doubled, equal=equal, known=not orders or orders.output)
        return Ledger(
            self.step,
            self.settled,
            state if self.settled and keeping else None,
            output if self.settled and self.sinks and not any(one.waiting for one in visible) else None,
            promise(self.run),
            orders,
            kept,
            visible,
            work,
            sum(1 for step in self.steps for _ in only(Output, step.notes)),
            sum(map(self.disorder, self.sinks)),
        )

    def kept(self, name: str) -> Kept:
        """Return the state of a process, and what it would be in the end without failures."""
        ends = [self.program.view(one.states[name]) for one in (self.against.state, *self.against.others)]
        now = self.program.view(self.world.states[name]) if self.present(name) else None
        equal = self.holds(name, self.against.state)
        return Kept(name, now, ends[0], equal, _distinct((ends[0], *(one for one in ends if equal or one != now))))

    def present(self, name: str) -> bool:
        """Is the process up?"""
        return name not in self.world.down and self.world.member(name)

    def holds(self, name: str, result: Result) -> bool:
        """Does a process keep what it does in a result?"""
        return self.present(name) and _held(self.world.states[name]) == _held(result.states[name])

    def compared(self) -> Reference:
        """Return what to compare the run with: a run that may still change, with the one in its own order."""
        own = self.calm.result
        if not self.settled:
            return Reference(own, own)
        shown = frozenset(self.shown.items())
        alike = self.same_taken, lambda one: _named(self.shown) == _named(shown_by(self.calm.case, one.arrivals))
        return reference(self.calm.case, own, shown, self.keeps, self.shows, alike)

    def keeps(self, result: Result) -> bool:
        """Does the run keep the state of a result?"""
        return all(self.holds(name, result) for name in self.inner) and self.same_taken(result)

    def same_taken(self, result: Result) -> bool:
        """Did the same items take effect in all processes that keep anything?"""
        wanted = self.wanted(result)
        keeping = [name for name in self.names if self.program.operator(self.processes[name]).keep]
        return all(self.counted[name] == wanted[name] for name in keeping)

    def shows(self, result: Result) -> bool:
        """Does the run show the output of a result, except for what waits for a commit?"""
        return self.waits or self.shown == shown_by(self.calm.case, result.arrivals)

    @property
    def waits(self) -> bool:
        """Does anything wait for a commit?"""
        states = (self.world.states[name] for name in self.sinks)
        return any(state.open or state.sealed for state in states)

    def showing(self) -> Counter[tuple[str, Record]]:
        """Return what is visible at each sink, and how often."""
        found: Counter[tuple[str, Record]] = Counter()
        for name in self.names:
            found.update((name, one) for one in self.program.visible(self.world.durable.outside.get(name)))
        return found

    def visible(self, sink: str) -> Iterator[Visible]:
        """Yield the items of a sink: those that ought to leave in the order in which they would, then the others."""
        state, show = self.world.states[sink], self.program.show
        wanted = self.leaving(sink, self.against.output)
        others = [self.leaving(sink, one) for one in self.against.others]
        there: dict[str, list[Record]] = {}
        for record in self.program.visible(self.world.durable.outside.get(sink)):
            there.setdefault(record.id, []).append(record)
        operator = self.program.operator(self.processes[sink])
        held_back = (*state.open, *(r for one in state.sealed for r in one.records))
        waiting = () if sink in self.world.down else {r.id for r in held_back}
        for id in dict.fromkeys((*wanted, *there)):
            ought, is_ = wanted.get(id, []), tuple(show(record) for record in there.get(id, ()))
            times = min(len(ought), 1) if operator.sink == IDEMPOTENT else len(ought)
            waits = id in waiting
            missing = self.settled and len(is_) < times and not waits
            value = show(ought[-1]) if ought else None
            ends = (show(one) for each in (wanted, *others) for one in each.get(id, ()))
            may = _distinct(one for one in ends if one == value or one not in is_)
            yield Visible(sink, id, times, value, may, is_, waits, missing, self.settled)

    def leaving(self, sink: str, result: Result) -> dict[str, list[Record]]:
        """Return the items that reach a sink in a result, by their identity."""
        found: dict[str, list[Record]] = {}
        for channel, record in result.arrivals:
            if self.system.topology.channels[channel].target == sink:
                came = self.program.known(channel, record)
                found.setdefault(came.id, []).append(came)
        return found

    def disorder(self, sink: str) -> int:
        """Return how many items of a sink first became visible behind a later one of the same source that took the same
        path."""
        latest: dict[str, int] = {}
        seen: set[str] = set()
        found = 0
        for record in self.program.visible(self.world.durable.outside.get(sink)):
            place = _placed(record.id)
            if record.id in seen or place is None:
                continue
            seen.add(record.id)
            way, number = place
            found += number < latest.get(way, 0)
            latest[way] = max(number, latest.get(way, 0))
        return found

    def work(self) -> tuple[Work, ...]:
        """Return what each process did."""
        taken, counted, wanted = self.taken(), self.counted, self.wanted(self.against.state)
        restarts: Counter[str] = Counter()
        for step in self.steps:
            for note in only(Restored, step.notes):
                restarts.update(name for name, _ in note.states)
            restarts.update(note.process for note in only(Returned, step.notes))
        return tuple(
            Work(
                name,
                self.role(name),
                self.program.operator(self.processes[name]).keep is not None,
                taken[name].total(),
                taken[name].total() - len(taken[name]),
                counted[name].total(),
                wanted[name].total(),
                (wanted[name] - counted[name]).total(),
                (counted[name] - wanted[name]).total(),
                restarts[name],
            )
            for name in self.names
        )

    def taken(self) -> dict[str, Counter[Arrival]]:
        """Return what each process took, in all lives."""
        found: dict[str, Counter[Arrival]] = {name: Counter() for name in self.names}
        offsets = {name: 0 for name in self.names if self.role(name) == SOURCE}
        for step in self.steps:
            thrown = {note.message.id for note in only(Discarded, step.notes)}
            for note in step.notes:
                match note:
                    case Received() if note.message.kind == APP and note.message.id not in thrown:
                        _note_arrival(found, note.process, note.channel, note.message.payload)
                    case Changed() if note.process in offsets:
                        if note.state.offset > offsets[note.process]:
                            self.note_reading(found, note.process, note.state.offset)
                        offsets[note.process] = note.state.offset
                    case Restored():
                        offsets |= {name: state.offset for name, state in note.states if name in offsets}
                    case Returned() if note.process in offsets:
                        offsets[note.process] = note.state.offset
        return found

    def counting(self) -> dict[str, Counter[Arrival]]:
        """Return what still counts of that: nothing at a process that is gone for good."""
        found: dict[str, Counter[Arrival]] = {name: Counter() for name in self.names}
        for event in self.history.events:
            if event.kind == RECEIVE and event.channel is not None and event.message is not None:
                _note_arrival(found, event.process, event.channel, event.message.payload)
            elif event.action.reads and event.channel is None:
                self.note_reading(found, event.process, event.state.offset)
        return {name: one if self.world.member(name) else Counter() for name, one in found.items()}

    def wanted(self, result: Result) -> dict[str, Counter[Arrival]]:
        """Return what would count without failures."""
        found: dict[str, Counter[Arrival]] = {name: Counter() for name in self.names}
        for channel, record in result.arrivals:
            _note_arrival(found, self.system.topology.channels[channel].target, channel, record)
        for name in self.names:
            for offset in range(result.states[name].offset or 0):
                self.note_reading(found, name, offset + 1)
        return found

    def note_reading(self, found: dict[str, Counter[Arrival]], name: str, offset: int) -> None:
        """Note that a source read its item number ``offset``; behind the last one there is only the end."""
        if offset <= len(self.program.operator(self.processes[name]).records):
            found[name][Deed.READ.value, offset] += 1


def _named(shown: Counter[tuple[str, Record]]) -> Counter[tuple[str, str]]:
    """Return what is shown at each sink, by identity alone."""
    return Counter((sink, record.id) for (sink, record), count in shown.items() for _ in range(count))


def _placed(id: str) -> tuple[str, int] | None:
    """Return the place of an item among those of its source that take the same path: (source and path, number); None
    for one that is made of several, or goes round."""
    found = re.fullmatch(r"([\w-]+)\.(\d+)((?:/[\w-]+)*)", id)
    return (found[1] + found[3], int(found[2])) if found else None


def _distinct(values: Iterable[Json]) -> tuple[Json, ...]:
    """Return the values in their order, each once."""
    found: list[Json] = []
    for value in values:
        found += [] if value in found else [value]
    return tuple(found)


def _note_arrival(found: dict[str, Counter[Arrival]], name: str, channel: str, payload: object) -> None:
    """Note that an item arrived; the end of a stream does not count."""
    if isinstance(payload, Record) and name in found:
        found[name][channel, identified(payload)] += 1


def _watched(run: Run, step: int) -> History:
    history = History(run.system.topology.names)
    for each in run.steps[:step]:
        history.watch(each.action, each.notes)
    return history


def _settled(system: System, world: World) -> bool:
    """Is nothing in flight, no process down, nothing left to read or to pass on, and no batch to be finished?"""
    if system.algorithm.DATAFLOW.batches and any(world.snapshots[number].running for number in sorted(world.snapshots)):
        return False
    if world.down or any(m.kind == APP for c in system.topology.channels for m in world.queues.get(c, ())):
        return False
    members = (name for name in system.topology.names if world.member(name))
    return not any(system.program.moves(system.topology.processes[name], world.states[name]) for name in members)


def _held(state: Any) -> Json:
    """Return what a state keeps, whatever the order in which it came."""
    sides = tuple(Counter(record.id for record in side) for side in state.sides)
    return state.offset, state.total, dict(state.table), sides, sorted(state.ended)


# --- a ledger in JSON ---------------------------------------------------------------------------------------------


def summary(book: Ledger) -> Json:
    """Return what ``bluecut run --json`` prints of a ledger."""
    return {
        "settled": book.settled,
        "state": book.state,
        "output": book.output,
        "promise": {"state": book.promise.state, "output": book.promise.output},
        "orders": book.orders and {"results": book.orders.results, "verdict": book.orders.verdict},
        "possible": {one.process: list(one.possible) for one in book.kept if book.settled and not one.equal},
        "lost": book.lost,
        "doubled": book.doubled,
        "waiting": book.waiting,
        "disorder": book.disorder,
        "restarts": book.restarts,
        "reread": book.reread,
        "taken": {one.process: one.taken for one in book.work},
        "counted": {one.process: one.counted for one in book.work},
        "records": list(_records(book.visible)),
    }


def _records(visible: Iterable[Visible]) -> Iterator[Json]:
    """Yield the items of the sinks, with their visible values."""
    for one in visible:
        told = {"sink": one.sink, "id": one.id, "wanted": one.wanted, "times": one.times, "values": list(one.values)}
        more = {"waiting": True} if one.waiting else {"possible": list(one.possible)} if one.wrong else {}
        yield told | more
