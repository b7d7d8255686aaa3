"""The ledger of a run of a dataflow: what its crashes did to the result, against the run without failures.

Three comparisons, each by the identity of the records (see ``app.simulator.calm`` for the run without failures):

- *state*: what each operator keeps, process by process, and how often each record took effect in it;
- *output*: each record that ought to leave the system, and how often it became visible, or whether it still waits in a
  transaction;
- *work*: how often each operator took a record, also in lives that were undone, against how often that counts.

A guarantee is a word for two of them: ``exactly-once`` where nothing is lost and nothing doubled, ``at-least-once``
where something is doubled, ``at-most-once`` where something is lost, ``neither`` where both happen. It is said of the
state and of the output apart, and only where the run is settled: nothing is on its way, nobody is down, every source is
read to its end. Before that a record that is missing may still come, and one that is doubled stays so.

What an operator did with a record that a transport threw away as known does not count as taking it: its program never
saw it. A sink keeps no state of its own; what it holds back is waiting output.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from app.core.causality import RECEIVE, History
from app.core.model import APP, Json, Move, World
from app.core.notes import Changed, Discarded, Output, Received, Restored, Returned
from app.core.program import READ
from app.core.system import System
from app.programs.dataflow import COORDINATOR, IDEMPOTENT, SINK, SOURCE, Dataflow, Record
from app.simulator.calm import Calm, calm, identified
from app.simulator.run import Run, Step

EXACTLY, AT_LEAST, AT_MOST, NEITHER = "exactly-once", "at-least-once", "at-most-once", "neither"
GUARANTEES = (EXACTLY, AT_LEAST, AT_MOST, NEITHER)

Arrival: TypeAlias = tuple[str, object]
"""A record at an operator: the channel on which it comes, and its identity."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What an operator keeps: ``now`` and, without failures, ``wanted`` in the end; None where it is down."""

    process: str
    now: Json
    wanted: Json
    equal: bool


@dataclass(frozen=True, slots=True)
class Visible:
    """A record at a sink. ``wanted`` is how often it ought to leave, 0 where it ought not to; ``values`` are what is
    visible of it, as often as it is there; ``value`` what ought to; ``waiting`` says that it is in a transaction that
    has not been committed. ``missing`` says that it has not come and never will."""

    sink: str
    id: str
    wanted: int
    value: Json
    values: tuple[Json, ...]
    waiting: bool
    missing: bool

    @property
    def times(self) -> int:
        """How often it is visible."""
        return len(self.values)

    @property
    def lost(self) -> int:
        """How often it is missing for good."""
        return max(0, self.wanted - self.times) if self.missing else 0

    @property
    def doubled(self) -> int:
        """How often it is there too often."""
        return max(0, self.times - self.wanted)


@dataclass(frozen=True, slots=True)
class Work:
    """What a process did. ``taken`` counts the records that it read or took, in all lives, ``again`` those of them that
    it had taken before; ``counted`` how many takings still count, ``wanted`` how many would without failures; ``lost``
    and ``doubled`` how they differ, record by record. ``restarts`` is how often it went back."""

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


@dataclass(frozen=True, slots=True)
class Ledger:
    """The comparisons after a step. ``settled``: nothing more will come by itself. ``writes`` counts how often anything
    became visible or was overwritten; ``disorder`` the records that became visible behind a later one of the same
    source."""

    step: int
    settled: bool
    kept: tuple[Kept, ...]
    visible: tuple[Visible, ...]
    work: tuple[Work, ...]
    writes: int
    disorder: int

    @property
    def lost(self) -> int:
        """Records that ought to be visible and never will be."""
        return sum(one.lost for one in self.visible)

    @property
    def doubled(self) -> int:
        """Records that are visible too often, or ought not to be."""
        return sum(one.doubled for one in self.visible)

    @property
    def waiting(self) -> int:
        """Records that wait for a commit."""
        return sum(one.waiting for one in self.visible)

    @property
    def output(self) -> str | None:
        """The guarantee that the output has kept; None where it is not settled, something waits for a commit, or there
        is no sink."""
        sinks = any(one.role == SINK for one in self.work)
        return guarantee(self.lost, self.doubled) if self.settled and sinks and not self.waiting else None

    @property
    def state(self) -> str | None:
        """The guarantee that the state has kept; None where it is not settled, or nobody keeps any."""
        keeping = [one for one in self.work if one.keeps]
        if not self.settled or not keeping:
            return None
        return guarantee(sum(one.lost for one in keeping), sum(one.doubled for one in keeping))

    @property
    def restarts(self) -> int:
        """How many processes went back, each as often as it did; a coordinator has nothing to go back to."""
        return sum(one.restarts for one in self.work)

    @property
    def reread(self) -> int:
        """Records that a source read again."""
        return sum(one.again for one in self.work if one.role == SOURCE)

    @property
    def taken(self) -> int:
        """How often the operators took a record, sources and sinks left out."""
        return sum(one.taken for one in self.work if one.role not in (SOURCE, SINK))

    @property
    def counted(self) -> int:
        """How many of those takings count."""
        return sum(one.counted for one in self.work if one.role not in (SOURCE, SINK))


def guarantee(lost: int, doubled: int) -> str:
    """What has been kept, as a word."""
    if lost and doubled:
        return NEITHER
    return AT_MOST if lost else AT_LEAST if doubled else EXACTLY


def ledger(run: Run, step: int | None = None) -> Ledger | None:
    """The ledger after a step, the last where none is given; None where the program is no dataflow."""
    program = run.system.program
    if not isinstance(program, Dataflow):
        return None
    at = len(run.steps) if step is None else step
    return Book(run, program, calm(run), at).ledger()


class Book:
    """Where the counting for a ledger is done."""

    def __init__(self, run: Run, program: Dataflow, calm: Calm, step: int) -> None:
        self.system: System = run.system
        self.program = program
        self.calm = calm
        self.step = step
        self.world: World = run.world(step)
        self.steps: tuple[Step, ...] = run.steps[:step]
        self.history = run.history if step == len(run.steps) else watched(run, step)
        self.processes = self.system.topology.processes
        self.names = [n for n in self.system.topology.names if self.role(n) != COORDINATOR]
        self.settled = not calm.full and settled(self.system, self.world)

    def role(self, name: str) -> str:
        """What part a process has in the dataflow."""
        return self.program.operator(self.processes[name]).role

    def ledger(self) -> Ledger:
        """All of it."""
        return Ledger(
            self.step,
            self.settled,
            tuple(self.kept(name) for name in self.names if self.role(name) != SINK),
            tuple(one for name in self.names if self.role(name) == SINK for one in self.visible(name)),
            self.work(),
            sum(isinstance(note, Output) for step in self.steps for note in step.notes),
            sum(self.disorder(name) for name in self.names if self.role(name) == SINK),
        )

    def kept(self, name: str) -> Kept:
        """The state of a process, and what it would be in the end without failures."""
        wanted = self.calm.world.states[name]
        if name in self.world.down or not self.world.member(name):
            return Kept(name, None, self.program.view(wanted), False)
        now = self.world.states[name]
        return Kept(name, self.program.view(now), self.program.view(wanted), held(now) == held(wanted))

    def visible(self, sink: str) -> Iterator[Visible]:
        """The records of a sink: those that ought to leave in the order in which they would, then the others."""
        state, show = self.world.states[sink], self.program.show
        wanted: dict[str, list[Record]] = {}
        for channel, message in self.calm.received:
            if self.system.topology.channels[channel].target == sink and isinstance(message.payload, Record):
                wanted.setdefault(message.payload.id, []).append(message.payload)
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
            yield Visible(sink, id, times, show(ought[-1]) if ought else None, is_, waits, missing)

    def disorder(self, sink: str) -> int:
        """How many records of a sink became visible for the first time behind a later one of the same source."""
        latest: dict[str, int] = {}
        seen: set[str] = set()
        found = 0
        for record in self.program.visible(self.world.durable.outside.get(sink)):
            source, _, number = record.id.partition(".")
            if record.id in seen or not number.isdigit():
                continue
            seen.add(record.id)
            found += int(number) < latest.get(source, 0)
            latest[source] = max(int(number), latest.get(source, 0))
        return found

    def work(self) -> tuple[Work, ...]:
        """What each process did."""
        taken, counted, wanted = self.taken(), self.counted(), self.wanted()
        restarts: Counter[str] = Counter()
        for step in self.steps:
            for note in step.notes:
                if isinstance(note, Restored):
                    restarts.update(name for name, _ in note.states)
                elif isinstance(note, Returned):
                    restarts[note.process] += 1
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
        """What each process took, in all lives."""
        found: dict[str, Counter[Arrival]] = {name: Counter() for name in self.names}
        offsets = {name: 0 for name in self.names if self.role(name) == SOURCE}
        for step in self.steps:
            thrown = {note.message.id for note in step.notes if isinstance(note, Discarded)}
            for note in step.notes:
                if isinstance(note, Received) and note.message.kind == APP and note.message.id not in thrown:
                    note_arrival(found, note.process, note.channel, note.message.payload)
                elif isinstance(note, Changed) and note.process in offsets:
                    if note.state.offset > offsets[note.process]:
                        self.note_reading(found, note.process, note.state.offset)
                    offsets[note.process] = note.state.offset
                elif isinstance(note, Restored | Returned):
                    states = note.states if isinstance(note, Restored) else ((note.process, note.state),)
                    offsets |= {name: state.offset for name, state in states if name in offsets}
        return found

    def counted(self) -> dict[str, Counter[Arrival]]:
        """What still counts of that."""
        found: dict[str, Counter[Arrival]] = {name: Counter() for name in self.names}
        for event in self.history.events:
            if event.kind == RECEIVE and event.channel is not None and event.message is not None:
                note_arrival(found, event.process, event.channel, event.message.payload)
            elif isinstance(event.action, Move) and event.action.detail == READ and event.channel is None:
                self.note_reading(found, event.process, event.state.offset)
        return found

    def wanted(self) -> dict[str, Counter[Arrival]]:
        """What would count without failures."""
        found: dict[str, Counter[Arrival]] = {name: Counter() for name in self.names}
        for channel, message in self.calm.received:
            note_arrival(found, self.system.topology.channels[channel].target, channel, message.payload)
        for name in self.names:
            for offset in range(self.calm.world.states[name].offset or 0):
                self.note_reading(found, name, offset + 1)
        return found

    def note_reading(self, found: dict[str, Counter[Arrival]], name: str, offset: int) -> None:
        """A source read its record number ``offset``; behind the last one there is only the end."""
        if offset <= len(self.program.operator(self.processes[name]).records):
            found[name][READ, offset] += 1


def note_arrival(found: dict[str, Counter[Arrival]], name: str, channel: str, payload: Any) -> None:
    """A record arrived; the end of a stream is none."""
    if isinstance(payload, Record) and name in found:
        found[name][channel, identified(payload)] += 1


def watched(run: Run, step: int) -> History:
    """The history as it was after a step."""
    history = History(run.system.topology.names)
    for each in run.steps[:step]:
        history.watch(each.action, each.notes)
    return history


def settled(system: System, world: World) -> bool:
    """Is nothing on its way, nobody down, nothing left to read or to pass on?"""
    if world.down or any(m.kind == APP for c in system.topology.channels for m in world.queues.get(c, ())):
        return False
    members = (name for name in system.topology.names if world.member(name))
    return not any(system.program.moves(system.topology.processes[name], world.states[name]) for name in members)


def held(state: Any) -> Json:
    """What a state keeps, whatever the order in which it came."""
    sides = tuple(Counter(record.id for record in side) for side in state.sides)
    return state.offset, state.total, dict(state.table), sides, sorted(state.ended)


# --- a ledger in JSON ---------------------------------------------------------------------------------------------


def summary(book: Ledger) -> Json:
    """What ``bluecut run --json`` prints of a ledger."""
    return {
        "settled": book.settled,
        "state": book.state,
        "output": book.output,
        "lost": book.lost,
        "doubled": book.doubled,
        "waiting": book.waiting,
        "disorder": book.disorder,
        "restarts": book.restarts,
        "reread": book.reread,
        "taken": {one.process: one.taken for one in book.work},
        "counted": {one.process: one.counted for one in book.work},
        "records": list(records(book.visible)),
    }


def records(visible: Iterable[Visible]) -> Iterator[Json]:
    """The records of the sinks, with what is visible of each."""
    for one in visible:
        told = {"sink": one.sink, "id": one.id, "wanted": one.wanted, "times": one.times, "values": list(one.values)}
        yield told | ({"waiting": True} if one.waiting else {})
