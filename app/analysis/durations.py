"""How long things lasted in a run in virtual time, and what its crashes cost. Times are ticks.

Everything is read from the notes of the run and from what was recorded; no algorithm reports it.

- A checkpoint lasts from its start until it is complete. A process aligns from the first input that it blocks for the
  checkpoint until it takes from all of them again; what waits in those inputs then has waited.
- An item is in progress from the tick in which its source first reads it until it first becomes visible at a sink; one
  that is made of two, such as by a join, from the later of them.
- A crash undoes work: items that a process had read or taken and must take again. The result is whole again when
  every process has taken as many as before the crash.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from app.analysis.cost import size
from app.core.model.notes import (
    Acked,
    Blocked,
    Completed,
    Deferred,
    Discarded,
    Down,
    Note,
    Output,
    Received,
    Recorded,
    Restored,
    Returned,
    Started,
    Stored,
    Unblocked,
    only,
    readers,
)
from app.core.model.recorded_state import channels, parts
from app.core.model.value import Frozen
from app.core.model.values import APP
from app.programs.dataflow import Dataflow, Record, origins
from app.run.run import Run, Step


@dataclass(slots=True)
class Checkpoint:
    """One checkpoint. ``completed`` is None where it never was. ``aligning`` says by process for how long it aligned;
    ``waited`` items stood in blocked inputs when those were taken from again. ``in_flight`` items were stored with the
    states, ``size`` bytes in all; ``uploading`` is the longest time that storing took a process. ``blocked`` and
    ``uploads`` say by process when its input was blocked, and when its upload began."""

    number: int
    started: int
    completed: int | None = None
    aligning: dict[str, int] = field(default_factory=dict)
    waited: int = 0
    in_flight: int = 0
    size: int = 0
    uploading: int = 0
    blocked: dict[str, int] = field(default_factory=dict)
    uploads: dict[str, int] = field(default_factory=dict)

    @property
    def lasts(self) -> int | None:
        """Return the time from its start to its completion."""
        return None if self.completed is None else self.completed - self.started

    @property
    def longest(self) -> int:
        """Return the longest time that a process aligned."""
        return max(self.aligning.values(), default=0)


@dataclass(slots=True)
class Outage:
    """A crash, with those that came before it was over. All crashed processes were ``back`` at that time, and by
    ``whole`` the result was as far as before; None where it never was. ``gone_back`` processes rolled back. ``wanted``
    is how many items each process had taken when it began."""

    at: int
    wanted: dict[str, int]
    back: int | None = None
    whole: int | None = None
    gone_back: int = 0

    @property
    def lasts(self) -> int | None:
        """Return the time from the crash until the result was whole again."""
        return None if self.whole is None else self.whole - self.at


class Durations(Frozen):
    """A whole run. ``visible`` is when each item first became visible, ``latency`` how long each was in progress.
    ``crowd`` is the largest number of items in channels at a time. ``full``: the run stopped at a limit."""

    checkpoints: tuple[Checkpoint, ...]
    outages: tuple[Outage, ...]
    visible: tuple[int, ...]
    latency: tuple[int, ...]
    crowd: int
    full: bool

    @property
    def records(self) -> int:
        """Return how many items became visible."""
        return len(self.visible)

    @property
    def over(self) -> int:
        """Return when the last item became visible."""
        return max(self.visible, default=0)

    @property
    def complete(self) -> tuple[Checkpoint, ...]:
        """Return the completed checkpoints."""
        return tuple(one for one in self.checkpoints if one.completed is not None)

    @property
    def throughput(self) -> float:
        """Return how many items became visible per tick."""
        return self.records / self.over if self.over else 0.0

    @property
    def mean_latency(self) -> float | None:
        """Return how long an item was in progress, on average; None where none became visible."""
        return sum(self.latency) / len(self.latency) if self.latency else None


def durations(run: Run) -> Durations:
    """Return the durations in a run of a dataflow in virtual time. Raises ValueError for any other run."""
    program = run.system.program
    if not isinstance(program, Dataflow) or any(step.at is None for step in run.steps):
        raise ValueError(f"{run.scenario.name} is no dataflow in virtual time")
    return Clock(run, program).read()


class Clock:
    """A pass through a run, step by step."""

    def __init__(self, run: Run, program: Dataflow) -> None:
        self.run = run
        self.program = program
        self.checkpoints: dict[int, Checkpoint] = {}
        self.outages: list[Outage] = []
        self.taken: dict[str, int] = dict.fromkeys(run.system.topology.names, 0)
        self.marks: dict[tuple[str, str, int], int] = {}
        self.born: dict[str, int] = {}
        self.seen: dict[str, int] = {}
        self.crowd = 0

    def read(self) -> Durations:
        """Go through all steps."""
        for step in self.run.steps:
            self.look(step)
        for one in self.checkpoints.values():
            self.weigh(one)
        latency = tuple(time - born for id, time in self.seen.items() if (born := self.birth(id)) is not None)
        return Durations(
            tuple(one for _, one in sorted(self.checkpoints.items())),
            tuple(self.outages),
            tuple(sorted(self.seen.values())),
            latency,
            self.crowd,
            self.run.full,
        )

    def birth(self, id: str) -> int | None:
        """Return when an item was first read, or the later of those from which it is made."""
        return max((self.born[one] for one in origins(id) if one in self.born), default=None)

    def look(self, step: Step) -> None:
        """Go through one step."""
        at = step.at or 0
        action = step.action
        reads = readers(action, step.notes)
        if reads:
            self.reading(reads[0], len(reads), step)
        thrown = {note.message.id for note in only(Discarded, step.notes)}
        for note in step.notes:
            if isinstance(note, Received):
                taken = note.message.kind == APP and note.message.id not in thrown
                self.taken[note.process] += taken and isinstance(note.message.payload, Record)
            else:
                self.checkpointing(note, step, at)
                self.crashing(note, step, at)
        for outage in self.outages:
            whole = outage.back is not None and outage.whole is None
            if whole and all(self.taken[name] >= count for name, count in outage.wanted.items()):
                outage.whole = at
        waiting = sum(sum(m.kind == APP for m in queue) for queue in self.run.world(step.number).queues.values())
        self.crowd = max(self.crowd, waiting)

    def reading(self, name: str, count: int, step: Step) -> None:
        """Note that a source has read up to ``count`` items; after the last there is only the end."""
        records = self.program.operators[name].records
        offset = self.run.world(step.number).states[name].offset or 0
        for record in records[offset - count : offset]:
            self.taken[name] += 1
            self.born.setdefault(record.id, step.at or 0)

    def checkpointing(self, note: Note, step: Step, at: int) -> None:
        """Take from a note what it says about a checkpoint, or about what became visible."""
        match note:
            case Output():
                for record in _records_of(note.payload):
                    self.seen.setdefault(record.id, at)
            case Started():
                self.checkpoints.setdefault(note.snapshot, Checkpoint(note.snapshot, at))
            case Recorded():
                self.marks["snapshot", note.process, note.snapshot] = self.taken[note.process]
            case Deferred():
                if note.what.word == "upload" and note.what.number in self.checkpoints:
                    self.checkpoints[note.what.number].uploads[note.process] = at
            case Blocked() | Unblocked() | Acked() | Completed() if note.snapshot in self.checkpoints:
                self.within(self.checkpoints[note.snapshot], note, step, at)

    def within(self, one: Checkpoint, note: Blocked | Unblocked | Acked | Completed, step: Step, at: int) -> None:
        """Take from a note what it says about a checkpoint in progress."""
        match note:
            case Blocked():
                one.blocked.setdefault(note.process, at)
            case Unblocked():
                one.aligning[note.process] = at - one.blocked[note.process]
                one.waited += sum(m.kind == APP for m in self.run.world(step.number).queues.get(note.channel, ()))
            case Acked():
                if note.process in one.uploads:
                    one.uploading = max(one.uploading, at - one.uploads[note.process])
            case _:
                one.completed = at

    def crashing(self, note: Note, step: Step, at: int) -> None:
        """Take from a note what it says about crashes, and about what was stored against them."""
        match note:
            case Stored():
                self.marks["saved", note.process, note.saved] = self.taken[note.process]
            case Down():
                if not self.outages or self.outages[-1].back is not None:
                    self.outages.append(Outage(at, dict(self.taken)))
            case Restored():
                names = [
                    name for name, _ in note.states if name not in note.kept and name != self.run.system.topology.root
                ]
                self.go_back({name: self.marks.get(("snapshot", name, note.snapshot), 0) for name in names}, step, at)
            case Returned():
                self.go_back({note.process: self.marks.get(("saved", note.process, note.saved), 0)}, step, at)

    def go_back(self, counts: Mapping[str, int], step: Step, at: int) -> None:
        """Set processes back to what they had taken when they recorded."""
        self.taken.update(counts)
        if self.outages:
            outage = self.outages[-1]
            outage.gone_back += len(counts)
            if not self.run.world(step.number).down and outage.back is None:
                outage.back = at

    def weigh(self, one: Checkpoint) -> None:
        """Note what a checkpoint that was completed has stored in the end."""
        system = self.run.system
        recorded = parts(system, self.run.end, one.number) if one.completed is not None else {}
        logged = [m for messages in channels(system, recorded).values() for m in messages]
        one.in_flight = len(logged)
        one.size = sum(size(system.program.view(part.state)) for part in recorded.values())
        one.size += sum(size(system.program.show(message.payload)) for message in logged)


def _records_of(payload: object) -> Iterator[Record]:
    """Yield the items that leave together: one, a transaction, or a batch."""
    if isinstance(payload, Record):
        yield payload
    else:
        yield from getattr(payload, "records", ())
