"""The size of a dataflow's checkpoints: the files that are written, deleted, and read to restore.

A checkpoint is written in one of two ways. *Full*: each process writes all its keys every time. *Incremental*: it
writes a base once, then deltas: the keys that have changed since the checkpoint that was the last complete one when it
recorded. A state is assembled from the base and the deltas upon it, in order. What is not kept by key (an offset, a
total, transactions) is small and written whole in every file, so a process without keys writes only bases; what was in
flight in a channel is also written whole, in a file of its own. A process that has nothing writes nothing, and with
increments neither does one whose keys have not changed. After ``base`` files in a row a new base may begin. No program
here deletes keys, so no delta has to list deleted keys.

The upload is deferred: recording is a copy, and the file exists when the process is done. Until a checkpoint is
complete its files belong to it alone: no delta is made upon a checkpoint that may never be complete. The last complete
checkpoints are *retained*. A file lives as long as a retained checkpoint, or one in progress, needs it. An aborted
checkpoint leaves no files; what comes too late for it is not kept. After a rollback to a checkpoint, deltas are made
upon that one, whatever had been complete after it; after a rollback to the beginning, or to a checkpoint whose files
were not retained, all begin with a base.

Whatever is written is read back: when a checkpoint is complete, and when it is restored, what the living files give is
compared with what was recorded, and a difference is an error. Bytes are those of ``app.scenario.state_text``, raw and
after zlib at level 6, file by file; the result of zlib differs a little from one build of it to another. Names of files
and the list of files that belong to a checkpoint, the longer one where increments are used, are left out.

Sources: Apache Flink, documentation of state backends, "Incremental Checkpoints", and the class
IncrementalRemoteKeyedStateHandle; P. Carbone et al., "State Management in Apache Flink", PVLDB 10(12), 2017, section 4.
"""

import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from app.core.model import recorded_state
from app.core.model.notes import Aborted, Completed, Done, Note, Recorded, Restored, Started
from app.core.model.system import System
from app.core.model.value import Frozen
from app.core.model.values import BluecutError, Json, World
from app.programs.dataflow import Dataflow, State
from app.run.run import Run
from app.scenario import state_text
from app.scenario.format import FilesForm

FULL, INCREMENTAL = "full", "incremental"
WAYS = (FULL, INCREMENTAL)
BASE, DELTA, FLIGHT = "base", "delta", "flight"
RUNNING, COMPLETE, ABORTED = "running", "complete", "aborted"
LEVEL = 6
"""The compression level of zlib, up to 9."""

Place: TypeAlias = tuple[int, str]
"""Where a file belongs: a checkpoint, and a process or channel."""


class Unequal(BluecutError):
    """The files of a checkpoint do not restore what was recorded."""


@dataclass(frozen=True)
class File:
    """One file: of ``checkpoint``, written by a process or holding what was in flight in a channel (``of``). A delta is
    made ``upon`` the file that the same process wrote for an earlier checkpoint. ``keys`` and ``records`` count what is
    in it, ``step`` is when it was written."""

    checkpoint: int
    of: str
    kind: str
    upon: int | None
    keys: int
    records: int
    data: bytes
    step: int

    @property
    def place(self) -> Place:
        """Return where it belongs."""
        return self.checkpoint, self.of

    @property
    def raw(self) -> int:
        """Return the bytes as they were written."""
        return len(self.data)

    @cached_property
    def compressed(self) -> int:
        """Return the bytes after compression."""
        return len(zlib.compress(self.data, LEVEL))


class Held(Frozen):
    """A file, the checkpoints that need it now, and the step at which it was deleted, if it was."""

    file: File
    needed: tuple[int, ...]
    deleted: int | None


class Weight(Frozen):
    """One checkpoint. ``fate`` is running, complete or aborted; ``own`` are the files written for it, ``read`` those
    that a restore reads, oldest first (none unless it is retained); ``copied`` are the processes that have recorded and
    not stored yet."""

    number: int
    fate: str
    retained: bool
    own: tuple[File, ...]
    read: tuple[File, ...]
    copied: tuple[str, ...]


def weighs(system: System) -> bool:
    """Does a run of the system write checkpoints?"""
    return isinstance(system.program, Dataflow) and system.algorithm.RECOVERY.way in ("rollback", "retry")


def stores(run: Run, step: int | None = None) -> "tuple[Store, ...] | None":
    """Return the files after a step, the last where none is given, full and incremental; None where the program is no
    dataflow, or no process rolls back to a checkpoint. Raises Unequal."""
    if not weighs(run.system):
        return None
    return tuple(store(run, way, step) for way in WAYS)


def store(run: Run, way: str, step: int | None = None) -> "Store":
    """Return the files after a step, the last where none is given, written in one way. Raises Unequal."""
    made = Store(run, way)
    for each in run.steps[:step]:
        made.watch(each.notes, run.world(each.number), each.number)
    return made


class Store:
    """The files that are written and deleted while the steps of a run go by, in one ``way``, with the last ``retain``
    complete checkpoints retained and a new base after ``base`` files in a row.

    ``files`` are all ever written, ``deleted`` says at which step some of them went. ``lapsed`` are the checkpoints to
    which the run rolled back although their files had been deleted, ``reads`` how many files, with how many bytes, were
    read to assemble each checkpoint when it was completed. ``latest`` is the complete checkpoint upon which deltas are
    made, ``read`` what was assembled last, by process, with its last file.
    """

    def __init__(self, run: Run, way: str) -> None:
        form = run.scenario.form.files or FilesForm()
        self.system = run.system
        self.way, self.retain, self.base = way, form.retain, form.base
        self.files: dict[Place, File] = {}
        self.deleted: dict[Place, int] = {}
        self.fates: dict[int, str] = {}
        self.retained: list[int] = []
        self.latest: int | None = None
        self.upon: dict[int, dict[str, int | None]] = {}
        self.tips: dict[Place, int | None] = {}
        self.states: dict[Place, State] = {}
        self.chains: dict[Place, tuple[Place, ...]] = {}
        self.flights: dict[int, list[str]] = {}
        self.reads: list[tuple[int, int, int]] = []
        self.read: dict[str, tuple[Place | None, dict[state_text.Key, object]]] = {}
        self.lapsed: list[int] = []

    # --- what happens --------------------------------------------------------------------------------------------

    def watch(self, notes: Iterable[Note], world: World, step: int) -> None:
        """Go through one step."""
        for note in notes:
            match note:
                case Started():
                    self.fates.setdefault(note.snapshot, RUNNING)
                case Recorded():
                    upon = self.latest if self.way == INCREMENTAL else None
                    self.upon.setdefault(note.snapshot, {})[note.process] = upon
                case Done() if self.fates.get(note.snapshot) == RUNNING:
                    self.write(note.snapshot, note.process, world, step)
                    self.sweep(step)
                case Completed():
                    self.complete(note.snapshot, world, step)
                case Aborted():
                    self.fates[note.snapshot] = ABORTED
                    self.retained = [number for number in self.retained if number != note.snapshot]
                    self.sweep(step)
                case Restored():
                    self.restored(note.snapshot, world)

    def write(self, number: int, name: str, world: World, step: int) -> None:
        """Write the part of a process: a base, a delta, or nothing."""
        part = recorded_state.part(self.system, world, name, number)
        if part is None:
            return
        place = number, name
        keys, others = state_text.keyed(part.state), state_text.rest(part.state)
        kind, changed, tip = BASE, keys, self.before(number, name) if keys else None
        if tip is not None:
            before = self.states[tip, name]
            known = state_text.keyed(before)
            kind, changed = DELTA, {k: v for k, v in keys.items() if k not in known or known[k] != v}
            same = not changed and others == state_text.rest(before)
        else:
            same = part.state == state_text.NOTHING
        self.tips[place] = tip
        self.states[place] = part.state
        if not same:
            data = state_text.written(changed, others)
            self.add(File(number, name, kind, tip, len(changed), 0, data, step))
            self.tips[place] = number
            self.chains[place] = (*(self.chains[tip, name] if tip is not None else ()), place)
        for channel, messages in part.channels:
            if messages:
                data = state_text.written_flight(messages)
                self.add(File(number, channel, FLIGHT, None, 0, len(messages), data, step))
                self.flights.setdefault(number, []).append(channel)

    def add(self, file: File) -> None:
        """Add a file."""
        self.files[file.place] = file

    def before(self, number: int, name: str) -> int | None:
        """Return the checkpoint upon whose file of this process the next one is to be made; None where a base
        begins."""
        upon = self.upon.get(number, {}).get(name)
        tip = self.tips.get((upon, name)) if upon is not None else None
        if upon is None or tip is None or (self.base and len(self.chain(upon, name)) >= self.base):
            return None
        return tip

    def complete(self, number: int, world: World, step: int) -> None:
        """Complete a checkpoint: all parts are stored, deltas are made upon it now, and the oldest one retained
        goes."""
        self.fates[number] = COMPLETE
        self.retained = sorted([*self.retained, number])[-self.retain :]
        self.latest = self.retained[-1]
        self.compare(number, world, fresh=False)
        needs = list(self.needs(number))
        self.reads.append((number, len(needs), sum(self.files[place].raw for place in needs)))
        self.sweep(step)

    def restored(self, number: int, world: World) -> None:
        """Roll back: the files must exist, and restore what was recorded."""
        self.latest = number if number in self.retained else None
        if self.latest is not None:
            self.compare(number, world)
        elif number:
            self.lapsed.append(number)

    def sweep(self, step: int) -> None:
        """Delete the files that no checkpoint needs."""
        needed = {place for number in self.needing for place in self.needs(number)}
        self.deleted |= {place: step for place in self.files if place not in self.deleted and place not in needed}

    @property
    def needing(self) -> tuple[int, ...]:
        """Return the checkpoints that need their files: those retained, and those in progress."""
        return *self.retained, *(number for number, fate in self.fates.items() if fate == RUNNING)

    # --- which files exist -------------------------------------------------------------------------------------------

    def chain(self, number: int, name: str) -> tuple[Place, ...]:
        """Return the files from which the part of a process is assembled, the base first."""
        tip = self.tips[number, name]
        return () if tip is None else self.chains[tip, name]

    def needs(self, number: int) -> Iterator[Place]:
        """Yield the files that a checkpoint needs; while it is in progress also those upon which it will be made."""
        for name, upon in self.upon.get(number, {}).items():
            if (number, name) in self.tips:
                yield from self.chain(number, name)
            elif upon is not None:
                yield from self.chain(upon, name)
        yield from ((number, channel) for channel in self.flights.get(number, ()))

    def data(self, place: Place, number: int) -> bytes:
        """Return the content of a file that exists. Raises Unequal."""
        if place not in self.files or place in self.deleted:
            raise Unequal(
                "checkpoint {snapshot} needs a file of {process} that was deleted", snapshot=number, process=place[1]
            )
        return self.files[place].data

    def state(self, number: int, name: str, *, fresh: bool) -> State:
        """Return the part of a process, assembled from its files: all of them read again (``fresh``), or only those
        upon what was assembled last, with the same result. Raises Unequal."""
        chain = self.chain(number, name)
        data = [self.data(place, number) for place in chain]
        known, before = self.read.get(name, (None, {}))
        start = chain.index(known) + 1 if not fresh and known in chain[:-1] else 0
        keys = dict(before) if start else {}
        others: state_text.Rest = {}
        for each in data[start:]:
            changed, others = state_text.read(each)
            keys |= changed
        self.read[name] = (chain[-1] if chain else None, keys)
        return state_text.state(keys, others)

    def compare(self, number: int, world: World, *, fresh: bool = True) -> None:
        """Compare what the files restore with what was recorded. Raises Unequal."""
        parts = recorded_state.parts(self.system, world, number)
        for name, part in parts.items():
            if self.state(number, name, fresh=fresh) != part.state:
                raise _unequal(number, name)
        flights = self.flights.get(number, ())
        for channel, messages in recorded_state.channels(self.system, parts).items():
            data = self.data((number, channel), number) if channel in flights else b"[]"
            if state_text.read_flight(data) != tuple((one.payload, one.tag) for one in messages):
                raise _unequal(number, channel)

    # --- what is told of them --------------------------------------------------------------------------------------

    @property
    def held(self) -> tuple[Held, ...]:
        """Return all files ever written."""
        needs = {number: list(self.needs(number)) for number in sorted(self.needing)}
        return tuple(
            Held(file, tuple(n for n, places in needs.items() if place in places), self.deleted.get(place))
            for place, file in self.files.items()
        )

    @property
    def living(self) -> tuple[Held, ...]:
        """Return the files that exist."""
        return tuple(one for one in self.held if one.deleted is None)

    @property
    def written(self) -> tuple[File, ...]:
        """Return the files of all completed checkpoints."""
        done = [number for number, _, _ in self.reads]
        return tuple(file for file in self.files.values() if file.checkpoint in done)

    @property
    def wasted(self) -> tuple[File, ...]:
        """Return the files of checkpoints that were aborted before they were complete."""
        done = [number for number, _, _ in self.reads]
        lost = [number for number, fate in self.fates.items() if fate == ABORTED and number not in done]
        return tuple(file for file in self.files.values() if file.checkpoint in lost)

    @property
    def weights(self) -> tuple[Weight, ...]:
        """Return all checkpoints, in their order."""
        return tuple(map(self.weight, sorted(self.fates)))

    def weight(self, number: int) -> Weight:
        """Return the size of one checkpoint."""
        fate, retained = self.fates[number], number in self.retained
        own = tuple(file for file in self.files.values() if file.checkpoint == number)
        read = tuple(self.files[place] for place in self.needs(number)) if retained else ()
        copied = tuple(name for name in self.upon.get(number, ()) if (number, name) not in self.tips)
        return Weight(number, fate, retained, own, read, copied if fate == RUNNING else ())


def _unequal(number: int, name: str) -> Unequal:
    """Return the mistake that must never happen."""
    return Unequal(
        "the files of checkpoint {snapshot} do not give what was recorded of {process}", snapshot=number, process=name
    )


# --- in JSON ------------------------------------------------------------------------------------------------------


def summary(found: tuple[Store, ...]) -> Json:
    """Return what ``bluecut run --json`` prints about files. ``kept`` names, by process or channel, the checkpoints
    whose files exist; ``reads`` has, for each completed checkpoint, how many files and bytes a restore reads."""
    return {"retain": found[0].retain, "base": found[0].base, **{one.way: _way(one) for one in found}}


def _way(store: Store) -> Json:
    kept: dict[str, list[int]] = {}
    for one in store.living:
        kept.setdefault(one.file.of, []).append(one.file.checkpoint)
    return {
        **total(store.written),
        "wasted": total(store.wasted),
        "kept": kept,
        "lapsed": list(store.lapsed),
        "reads": {str(number): {"files": files, "raw": raw} for number, files, raw in store.reads},
        "checkpoints": [
            {"id": one.number, "fate": one.fate, "retained": one.retained, **total(one.own)} for one in store.weights
        ],
    }


def total(files: Iterable[File]) -> dict[str, int]:
    """Return the numbers of files, keys, items in flight and bytes."""
    every = list(files)
    return {
        "files": len(every),
        "keys": sum(file.keys for file in every),
        "records": sum(file.records for file in every),
        "raw": sum(file.raw for file in every),
        "compressed": sum(file.compressed for file in every),
    }
