"""Dataflow: records stream from sources through operators to sinks.

A source is a log of records and an offset into it, so it can be read again from any offset. An operator takes a record
and passes on what follows from it, at once, on all its outputs or on the one that the record's key names. A sink lets
records leave the system: as they come (plain), under their identity, so that the same record twice is there once
(idempotent), or in transactions that become visible when a snapshot is complete (transactional). Where an engine runs
batch by batch, every sink writes a batch at once, and one that knows batches by their numbers (batch) puts it in the
place of what it wrote under the same number before; other engines give it no number, and it is a plain one.

A record has an identity that it owes to its source and offset alone: the same record read again is the same record.
Where an output is full, the rest waits, and the operator takes nothing more.

Sources: P. Carbone et al., "Lightweight Asynchronous Snapshots for Distributed Dataflows", 2015, section 3 (streaming
model); P. Carbone et al., "State Management in Apache Flink", PVLDB 10(12), 2017, section 3; the transactional sink is
the two-phase commit of Flink's TwoPhaseCommitSinkFunction (2017).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from app.core.logs import LOG, WRITE, Logs
from app.core.model import END, End, Json, Move, Process, Refused
from app.core.program import COMMIT, EXPIRE, OUT, READ, SEAL
from app.core.topology import source_of, target_of

NAME = "dataflow"

COORDINATOR, SOURCE, OPERATOR, SINK = "coordinator", "source", "operator", "sink"
PLAIN, IDEMPOTENT, TRANSACTIONAL, BATCH = "plain", "idempotent", "transactional", "batch"
LARGEST = 10**15
"""No value is larger, and none smaller than its negative: what goes round in a loop could grow without end."""


@dataclass(frozen=True, slots=True)
class Record:
    """A record. ``id`` says where it comes from: ``s1.3`` is the third of source s1, ``s1.3+s2.1`` what a join made of
    two, ``s1.3~1`` the same one turn later in a loop. Its value stops growing at LARGEST."""

    id: str
    value: int
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Transaction:
    """The records that leave the system together. ``number`` is one that it shares with no other in a run: ``2`` is the
    second, ``3.2`` one that was prepared after the system had gone back twice."""

    number: str
    records: tuple[Record, ...]


@dataclass(frozen=True, slots=True)
class Expired:
    """A transaction that the world outside has given up."""

    transaction: Transaction


@dataclass(frozen=True, slots=True)
class Batch:
    """The records of one batch, which leave the system together; ``number`` is the same when it is run again."""

    number: str
    records: tuple[Record, ...]


Payload: TypeAlias = Record | End


@dataclass(frozen=True, slots=True)
class Operator:
    """What a process does.

    ``role`` is coordinator, source, operator or sink. A source has ``records``, and with ``ends`` says so after the
    last. An operator keeps nothing, or a ``sum`` or a ``count`` (``keep``), of all records or (``keyed``) by their
    keys, or joins its first two inputs by key (``keep`` is ``join``). What goes on is the record, or (``result``) what
    is kept; its value is multiplied by ``times``, ``plus`` is added; it goes on if it is more than ``above`` and less
    than ``below`` and (``modulo`` of m and r) leaves r when divided by m. ``route`` is ``all`` outputs or the one that
    the ``key`` names. ``sink`` is plain, idempotent, transactional or batch. The world outside gives up a transaction
    that is prepared and not committed by the time that ``timeout`` more records have come to the sink (None: it waits).
    A coordinator takes at most ``batch`` records of each source into one batch, all that there are where it is None.
    """

    role: str = OPERATOR
    records: tuple[Record, ...] = ()
    ends: bool = False
    keep: str | None = None
    keyed: bool = False
    result: bool = False
    times: int = 1
    plus: int = 0
    above: int | None = None
    below: int | None = None
    modulo: tuple[int, int] | None = None
    route: str = "all"
    sink: str = PLAIN
    timeout: int | None = None
    batch: int | None = None


@dataclass(frozen=True, slots=True)
class State:
    """What an operator has. ``offset`` counts the records that a source has read; ``total`` and ``table`` (by key) are
    what a sum or count keeps, ``sides`` the records of a join's inputs; ``open`` are those of the transaction under
    way, ``sealed`` the prepared ones, oldest first, ``transactions`` how many were prepared (or batches written);
    ``ended`` are the inputs that have ended. ``pending`` is what is still to go on, as (channel, or None for out of the
    system, payload). ``logs`` are those of a coordinator that writes some.
    """

    offset: int | None = None
    total: int | None = None
    table: tuple[tuple[str, int], ...] = ()
    sides: tuple[tuple[Record, ...], tuple[Record, ...]] = ((), ())
    open: tuple[Record, ...] = ()
    sealed: tuple[Transaction, ...] = ()
    transactions: int = 0
    ended: tuple[str, ...] = ()
    pending: tuple[tuple[str | None, Any], ...] = ()
    logs: Logs | None = None


@dataclass(frozen=True)
class Dataflow:
    """``operators`` by process; a process that is not named passes records on. ``back`` are the channels that close a
    loop. ``logs``: does the coordinator write logs? ``batches``: do sinks write batch by batch?"""

    operators: Mapping[str, Operator]
    back: tuple[str, ...] = ()
    logs: bool = False
    batches: bool = False

    NAME = NAME
    EAGER = True

    def operator(self, process: Process) -> Operator:
        """What the process does."""
        return self.operators.get(process.name, PASSING)

    def start(self, process: Process) -> State:
        """Nothing read, nothing kept."""
        operator = self.operator(process)
        sums = operator.keep in ("sum", "count") and not operator.keyed
        if operator.role == COORDINATOR and self.logs:
            return State(logs=Logs(self.available(process), operator.batch))
        return State(offset=0 if operator.role == SOURCE else None, total=0 if sums else None)

    def available(self, process: Process) -> tuple[tuple[str, int], ...]:
        """How much there is to read, by source, as the coordinator knows it."""
        sources = ((name, self.operators[name]) for name in map(target_of, process.outputs))
        return tuple((name, len(one.records) + one.ends) for name, one in sources)

    def moves(self, process: Process, state: State) -> tuple[Move, ...]:
        """Go on with what is pending; else, for a source, read the next record."""
        if move := self.urge(process, state):
            return (move,)
        return (Move(process.name, None, None, READ),) if self.unread(process, state) else ()

    def unread(self, process: Process, state: State) -> bool:
        """Has a source more to read?"""
        operator = self.operator(process)
        return state.offset is not None and state.offset < len(operator.records) + operator.ends

    def urge(self, process: Process, state: State) -> Move | None:
        """The first of what is pending."""
        if not state.pending:
            return None
        channel, payload = state.pending[0]
        if channel is not None:
            return Move(process.name, channel, payload)
        return Move(process.name, None, payload, EXPIRE if isinstance(payload, Expired) else OUT)

    def act(self, process: Process, state: State, move: Move) -> State:
        """Read, go on with what is pending, prepare a transaction, or commit. Raises Refused where it is impossible."""
        if move.channel is not None or move.detail in (OUT, EXPIRE):
            if not state.pending or state.pending[0] != (move.channel, move.payload):
                raise Refused("{process} has nothing of that kind to send now", process=process.name)
            return replace(state, pending=state.pending[1:])
        if move.detail == SEAL:
            return self.seal(process, state, move.payload)
        if move.detail == COMMIT:
            return self.commit(process, state, move.payload)
        if move.detail == WRITE:
            return self.write(process, state)
        if move.detail == LOG and state.logs is not None:
            return replace(state, logs=state.logs.written(*move.payload))
        at, records = state.offset, self.operator(process).records
        if move.detail != READ or at is None or not self.unread(process, state):
            raise Refused("{process} has no further record to read", process=process.name)
        return self.pass_on(process, replace(state, offset=at + 1), records[at] if at < len(records) else END)

    def refuses(self, process: Process, state: State, channel: str, payload: Payload) -> bool:
        """Nothing is ever refused."""
        return False

    def receive(self, process: Process, state: State, channel: str, payload: Payload, detail: Any = None) -> State:
        """Take a record in: keep what is to be kept, and make pending what goes on."""
        operator = self.operator(process)
        if isinstance(payload, End):
            return self.end(process, replace(state, ended=(*state.ended, channel)))
        if operator.role == SINK:
            if operator.sink == TRANSACTIONAL or self.batches:
                return self.wait(operator, replace(state, open=(*state.open, payload)))
            return replace(state, pending=(*state.pending, (None, payload)))
        state, records = self.keep(process, operator, state, channel, payload)
        for record in records:
            turned = replace(record, value=bounded(record.value * operator.times + operator.plus))
            if passes(operator, turned.value):
                state = self.pass_on(process, state, turned)
        return state

    def keep(
        self, process: Process, operator: Operator, state: State, channel: str, record: Record
    ) -> tuple[State, tuple[Record, ...]]:
        """The state with the record in it, and what is to go on."""
        if operator.keep is None:
            return state, (record,)
        if operator.keep == "join":
            return self.join(process, state, channel, record)
        more = record.value if operator.keep == "sum" else 1
        if operator.keyed:
            table, key = dict(state.table), record.key or ""
            now = table[key] = bounded(table.get(key, 0) + more)
            state = replace(state, table=tuple(table.items()))
        else:
            now = bounded((state.total or 0) + more)
            state = replace(state, total=now)
        return state, (replace(record, value=now) if operator.result else record,)

    def join(self, process: Process, state: State, channel: str, record: Record) -> tuple[State, tuple[Record, ...]]:
        """Each pair of the two inputs with the same key goes on once, with the sum of their values."""
        left, right = state.sides
        if process.inputs.index(channel) == 0:
            sides, pairs = ((*left, record), right), [(record, one) for one in right]
        else:
            sides, pairs = (left, (*right, record)), [(one, record) for one in left]
        made = tuple(Record(f"{a.id}+{b.id}", bounded(a.value + b.value), a.key) for a, b in pairs if a.key == b.key)
        return replace(state, sides=sides), made

    def pass_on(self, process: Process, state: State, payload: Payload) -> State:
        """Make a record, or the end, pending on the outputs where it goes."""
        outputs = process.outputs
        if self.operator(process).route == "key" and isinstance(payload, Record) and outputs:
            outputs = (outputs[place(payload.key or payload.id, len(outputs))],)
        more = tuple((c, looped(payload) if c in self.back else payload) for c in outputs)
        return replace(state, pending=(*state.pending, *more))

    def end(self, process: Process, state: State) -> State:
        """One more input has ended; after the last, the outputs end too. A loop never ends: what goes round in it could
        still come out."""
        open_ = [c for c in process.inputs if c not in state.ended and not self.controls(c)]
        if open_:
            return state
        ends = tuple((c, END) for c in process.outputs)
        return replace(state, pending=(*state.pending, *ends))

    def controls(self, channel: str) -> bool:
        """Does the channel come from the coordinator? No record ever does."""
        source = self.operators.get(source_of(channel))
        return source is not None and source.role == COORDINATOR

    def seal(self, process: Process, state: State, life: int) -> State:
        """The transaction under way is prepared; the next begins. Its number is one that it shares with no other, also
        none of a life that was undone: what those made visible stays so."""
        if not state.open:
            return state
        count = state.transactions + 1
        number = f"{life + 1}.{count}" if life else str(count)
        return replace(state, open=(), sealed=(*state.sealed, Transaction(number, state.open)), transactions=count)

    def write(self, process: Process, state: State) -> State:
        """The batch goes out, under a number that is the same in every life; a transaction is prepared instead."""
        if not state.open or self.operator(process).sink == TRANSACTIONAL:
            return state
        count = state.transactions + 1
        batch = (None, Batch(str(count), state.open))
        return replace(state, open=(), transactions=count, pending=(*state.pending, batch))

    def wait(self, operator: Operator, state: State) -> State:
        """One more record has come: what has been prepared for too long is given up outside."""
        since = len(state.open) + sum(len(one.records) for one in state.sealed[1:])
        if operator.timeout is None or not state.sealed or since < operator.timeout:
            return state
        oldest, *rest = state.sealed
        return replace(state, sealed=tuple(rest), pending=(*state.pending, (None, Expired(oldest))))

    def commit(self, process: Process, state: State, recorded: State) -> State:
        """What was prepared by the time of ``recorded`` leaves the system, unless it has already."""
        ready = [one for one in state.sealed if one in recorded.sealed]
        if not ready:
            return state
        rest = tuple(one for one in state.sealed if one not in ready)
        return replace(state, sealed=rest, pending=(*state.pending, *((None, one) for one in ready)))

    def publish(self, process: Process, outside: Any, payload: Any) -> tuple[Any, ...]:
        """What has left so far: records in the order in which they became visible, and the numbers of the transactions
        that are over. An idempotent sink has each identity once; a transaction that is over, visible or given up, is
        not made visible any more. A sink that knows batches by their numbers writes one again in its place."""
        out: tuple[Any, ...] = outside or ()
        if isinstance(payload, Expired):
            return (*out, payload.transaction.number)
        if isinstance(payload, Batch):
            if self.operator(process).sink == BATCH:
                return in_place(out, payload)
            for record in payload.records:
                out = self.publish(process, out, record)
            return out
        if isinstance(payload, Transaction):
            return out if payload.number in out else (*out, *payload.records, payload.number)
        if self.operator(process).sink == IDEMPOTENT and any(one.id == payload.id for one in out):
            return tuple(payload if one.id == payload.id else one for one in out)
        return (*out, payload)

    def held(self, state: State) -> int:
        """How many records a state holds: what it costs to make it anew."""
        left, right = state.sides
        return len(state.pending) + len(state.open) + len(left) + len(right) + len(state.table)

    def visible(self, outside: Any) -> tuple[Record, ...]:
        """The records among what has left; the rest are the numbers of transactions."""
        return tuple(one for one in outside or () if isinstance(one, Record))

    def hand_over(self, process: Process, state: State) -> Move | None:
        """Nobody takes an operator's part over."""
        return None

    def view(self, state: State) -> Json:
        """The offset of a source or the total of an operator as a number; more than that by name; nothing as "".

        Names: ``offset``, ``total``, the keys of a table, ``sides``, ``open``, ``sealed``, ``ended``, ``pending``, and
        the numbers of a coordinator's batches.
        """
        shown: dict[str, Json] = {}
        if state.offset is not None:
            shown["offset"] = state.offset
        if state.total is not None:
            shown["total"] = state.total
        shown |= dict(state.table)
        if any(state.sides):
            shown["sides"] = [[self.show(r) for r in side] for side in state.sides]
        if state.open:
            shown["open"] = [self.show(r) for r in state.open]
        if state.sealed:
            shown["sealed"] = {one.number: self.show(one) for one in state.sealed}
        if state.logs is not None:
            shown |= state.logs.view()
        if state.ended:
            shown["ended"] = list(state.ended)
        if state.pending:
            shown["pending"] = [self.show(payload) for _, payload in state.pending]
        if set(shown) <= {"offset", "total"} and len(shown) < 2:
            return next(iter(shown.values()), "")
        return shown

    def show(self, payload: Any) -> Json:
        """A record as its value, with the key where it has one; a transaction or a batch as the list of its records."""
        if isinstance(payload, Record):
            return payload.value if payload.key is None else f"{payload.key}:{payload.value}"
        if isinstance(payload, Expired):
            return self.show(payload.transaction)
        if isinstance(payload, Transaction | Batch):
            return [self.show(r) for r in payload.records]
        return str(payload)

    def amounts(self, state: State) -> None:
        """Nothing is conserved."""
        return

    def worth(self, payload: Any) -> dict[str, int]:
        """Nothing that is conserved."""
        return {}

    def stable(self, states: Mapping[str, Any], channels: Mapping[str, tuple[Any, ...]]) -> None:
        """No stable property."""
        return


PASSING = Operator()


def in_place(outside: tuple[Any, ...], batch: Batch) -> tuple[Any, ...]:
    """What has left, after ``batch`` was written where one of its number had been, or at the end."""
    if batch.number not in outside:
        return (*outside, *batch.records, batch.number)
    found: tuple[Any, ...] = ()
    block: tuple[Any, ...] = ()
    for one in outside:
        block = (*block, one)
        if isinstance(one, str):
            found, block = (*found, *((*batch.records, one) if one == batch.number else block)), ()
    return found


def passes(operator: Operator, value: int) -> bool:
    """Does a value go on?"""
    if operator.above is not None and value <= operator.above:
        return False
    if operator.below is not None and value >= operator.below:
        return False
    return operator.modulo is None or value % operator.modulo[0] == operator.modulo[1]


def place(key: str, count: int) -> int:
    """Which of ``count`` outputs a key names: always the same."""
    return sum(key.encode()) % count


def looped(payload: Payload) -> Payload:
    """The record one turn later."""
    if isinstance(payload, End):
        return payload
    name, _, turn = payload.id.rpartition("~")
    if name and turn.isdecimal():
        return replace(payload, id=f"{name}~{int(turn) + 1}")
    return replace(payload, id=f"({payload.id})~1" if "+" in payload.id else f"{payload.id}~1")


def bounded(value: int) -> int:
    """The value, or the largest that there is."""
    return max(-LARGEST, min(LARGEST, value))
