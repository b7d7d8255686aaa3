"""Dataflow: items stream from sources through operators to sinks.

A source is a log of items and an offset into it, so it can be read again from any offset. An operator takes an item and
passes on the results at once, on all its outputs or on the one that the item's key names. A sink lets items leave the
system: as they come (plain), under their identity, so that an item that comes twice is there once (idempotent), or in
transactions that become visible when a snapshot is complete (transactional). Where an engine runs batch by batch, every
sink writes a batch at once, and one that knows batches by number (batch) replaces what it wrote under the same number
before; other engines give it no number, and it acts as a plain one.

An item's identity consists of its source, its offset and, where paths that have parted meet again, the path that it has
taken: an item read again is the same item, and two results of one item are never confused. Where an output is full, the
rest waits, and the operator takes nothing more.

Sources: P. Carbone et al., "Lightweight Asynchronous Snapshots for Distributed Dataflows", 2015, section 3 (streaming
model); P. Carbone et al., "State Management in Apache Flink", PVLDB 10(12), 2017, section 3; the transactional sink is
the two-phase commit of Flink's TwoPhaseCommitSinkFunction (2017).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, TypeAlias

from msgspec.structs import replace

from app.core.model.commit_log import Logs
from app.core.model.topology import Topology, source_of, target_of
from app.core.model.value import Value
from app.core.model.values import END, Deed, End, Json, Move, Process, Refused

NAME = "dataflow"

COORDINATOR, SOURCE, OPERATOR, SINK = "coordinator", "source", "operator", "sink"
PLAIN, IDEMPOTENT, TRANSACTIONAL, BATCH = "plain", "idempotent", "transactional", "batch"
LARGEST = 10**15
"""The largest value, and its negative the smallest: a value that goes round a loop could otherwise grow without end."""
LONGEST = 1_000
"""The most characters of an identity written in full: joining an item with itself makes it twice as long each time."""


class Record(Value):
    """An item. ``id`` says where it comes from: ``s1.3`` is the third of source s1, ``s1.3+s2.1`` what a join made of
    two, ``s1.3~1`` the same one turn later in a loop, ``s1.3/m`` what m made of it, where another path leads to the
    same process. Its value stops growing at LARGEST."""

    id: str
    value: int
    key: str | None = None


class Transaction(Value):
    """The items that leave the system together. ``number`` is unique in a run: ``2`` is the second, ``3.2`` one that
    was prepared after the system had rolled back twice."""

    number: str
    records: tuple[Record, ...]


class Expired(Value):
    """A transaction that the world outside has discarded."""

    transaction: Transaction


class Batch(Value):
    """The items of one batch, which leave the system together; ``number`` is the same when it is run again."""

    number: str
    records: tuple[Record, ...]


Payload: TypeAlias = Record | End


class Operator(Value):
    """What a process does.

    ``role`` is coordinator, source, operator or sink. A source has ``records``, and with ``ends`` announces its end
    after the last. An operator keeps nothing, or a ``sum`` or a ``count`` (``keep``), of all items or (``keyed``) by
    their keys, or joins its first two inputs by key (``keep`` is ``join``). It passes on the item, or (``result``) what
    it keeps; the value is multiplied by ``times``, and ``plus`` is added; it is passed on if it is more than ``above``
    and less than ``below`` and (``modulo`` of m and r) leaves r when divided by m. ``route`` is ``all`` outputs or the
    one that the ``key`` names. ``sink`` is plain, idempotent, transactional or batch. The world outside discards a
    transaction that is prepared and not committed by the time that ``timeout`` more items have reached the sink (None:
    it waits). A coordinator takes at most ``batch`` items of each source into one batch, or all that are available
    (None).
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


class State(Value):
    """What an operator has. ``offset`` counts the items that a source has read; ``total`` and ``table`` (by key) are
    what a sum or count keeps, ``sides`` the items of a join's inputs; ``open`` are those of the present transaction,
    ``sealed`` the prepared ones, oldest first, ``transactions`` how many were prepared (or batches written); ``ended``
    are the inputs that have ended. ``pending`` is what is still to be passed on, as (channel, or None for out of the
    system, payload). ``logs`` are those of a coordinator that writes some."""

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
    """``operators`` by process; a process that is not named passes items on. ``back`` are the channels that close a
    loop, ``meeting`` those on which results of one item meet again. ``logs``: does the coordinator write logs?
    ``batches``: do sinks write batch by batch?"""

    operators: Mapping[str, Operator]
    back: tuple[str, ...] = ()
    meeting: frozenset[str] = frozenset()
    logs: bool = False
    batches: bool = False

    NAME = NAME
    EAGER = True
    REFUSES = False

    @classmethod
    def on(cls, topology: Topology, operators: Mapping[str, Operator]) -> "Dataflow":
        """Return the dataflow on a graph. A process that sends each item on all its outputs makes several of one."""
        roles = {name: operators.get(name, PASSING) for name in topology.names}
        splitters = [name for name, one in roles.items() if one.role in (SOURCE, OPERATOR) and one.route == "all"]
        return cls(operators, topology.back_edges, frozenset(topology.reconvergent(splitters)))

    def operator(self, process: Process) -> Operator:
        """Return what the process does."""
        return self.operators.get(process.name, PASSING)

    def start(self, process: Process) -> State:
        """Return a state with nothing read or kept."""
        operator = self.operator(process)
        sums = operator.keep in ("sum", "count") and not operator.keyed
        if operator.role == COORDINATOR and self.logs:
            return State(logs=Logs(self.available(process), operator.batch))
        return State(offset=0 if operator.role == SOURCE else None, total=0 if sums else None)

    def available(self, process: Process) -> tuple[tuple[str, int], ...]:
        """Return how much there is to read, by source, as the coordinator knows it."""
        sources = ((name, self.operators[name]) for name in map(target_of, process.outputs))
        return tuple((name, len(one.records) + one.ends) for name, one in sources)

    def moves(self, process: Process, state: State) -> tuple[Move, ...]:
        """Return the move that passes on what is pending; else, for a source, the one that reads the next item."""
        if move := self.urge(process, state):
            return (move,)
        return (Move(process.name, None, None, Deed.READ),) if self.unread(process, state) else ()

    def unread(self, process: Process, state: State) -> bool:
        """Has a source more to read?"""
        operator = self.operator(process)
        return state.offset is not None and state.offset < len(operator.records) + operator.ends

    def urge(self, process: Process, state: State) -> Move | None:
        """Return the move for the first of what is pending."""
        if not state.pending:
            return None
        channel, payload = state.pending[0]
        if channel is not None:
            return Move(process.name, channel, payload)
        return Move(process.name, None, payload, Deed.EXPIRE if isinstance(payload, Expired) else Deed.OUT)

    def act(self, process: Process, state: State, move: Move) -> State:
        """Read, pass on what is pending, prepare a transaction, or commit. Raises Refused where that is impossible."""
        if move.channel is not None or move.detail in (Deed.OUT, Deed.EXPIRE):
            if not state.pending or state.pending[0] != (move.channel, move.payload):
                raise Refused("{process} has nothing of that kind to send now", process=process.name)
            return replace(state, pending=state.pending[1:])
        if move.detail == Deed.SEAL:
            return self.seal(process, state, move.payload)
        if move.detail == Deed.COMMIT:
            return self.commit(process, state, move.payload)
        if move.detail == Deed.WRITE:
            return self.write(process, state)
        if move.detail == Deed.LOG and state.logs is not None:
            return replace(state, logs=state.logs.written(*move.payload))
        at, records = state.offset, self.operator(process).records
        if move.detail != Deed.READ or at is None or not self.unread(process, state):
            raise Refused("{process} has no further item to read", process=process.name)
        return self.pass_on(process, replace(state, offset=at + 1), records[at] if at < len(records) else END)

    def refuses(self, process: Process, state: State, channel: str, payload: Payload) -> bool:
        """Return False: nothing is ever refused."""
        return False

    def receive(
        self, process: Process, state: State, channel: str, payload: Payload, detail: str | None = None
    ) -> State:
        """Process an item: keep what is to be kept, and make pending what is passed on."""
        operator = self.operator(process)
        if isinstance(payload, End):
            return self.end(process, replace(state, ended=(*state.ended, channel)))
        payload = self.known(channel, payload)
        if operator.role == SINK:
            if operator.sink == TRANSACTIONAL or self.batches:
                return self.wait(operator, replace(state, open=(*state.open, payload)))
            return replace(state, pending=(*state.pending, (None, payload)))
        state, records = self.keep(process, operator, state, channel, payload)
        for record in records:
            turned = replace(record, value=_bounded(record.value * operator.times + operator.plus))
            if _passes(operator, turned.value):
                state = self.pass_on(process, state, turned)
        return state

    def keep(
        self, process: Process, operator: Operator, state: State, channel: str, record: Record
    ) -> tuple[State, tuple[Record, ...]]:
        """Return the state with the item in it, and what is to be passed on."""
        if operator.keep is None:
            return state, (record,)
        if operator.keep == "join":
            return self.join(process, state, channel, record)
        more = record.value if operator.keep == "sum" else 1
        if operator.keyed:
            table, key = dict(state.table), record.key or ""
            now = table[key] = _bounded(table.get(key, 0) + more)
            state = replace(state, table=tuple(table.items()))
        else:
            now = _bounded((state.total or 0) + more)
            state = replace(state, total=now)
        return state, (replace(record, value=now) if operator.result else record,)

    def join(self, process: Process, state: State, channel: str, record: Record) -> tuple[State, tuple[Record, ...]]:
        """Pass on each pair of the two inputs with the same key once, with the sum of their values."""
        left, right = state.sides
        if process.inputs.index(channel) == 0:
            sides, pairs = ((*left, record), right), [(record, one) for one in right]
        else:
            sides, pairs = (left, (*right, record)), [(one, record) for one in left]
        made = (
            Record(_short(f"{a.id}+{b.id}"), _bounded(a.value + b.value), a.key) for a, b in pairs if a.key == b.key
        )
        return replace(state, sides=sides), tuple(made)

    def pass_on(self, process: Process, state: State, payload: Payload) -> State:
        """Make an item, or the end, pending on its outputs."""
        outputs = process.outputs
        if self.operator(process).route == "key" and isinstance(payload, Record) and outputs:
            outputs = (outputs[place(payload.key or payload.id, len(outputs))],)
        more = tuple((c, _looped(payload) if c in self.back else payload) for c in outputs)
        return replace(state, pending=(*state.pending, *more))

    def known(self, channel: str, record: Record) -> Record:
        """Return an item as its receiver knows it: where paths meet, it names the one that it has taken."""
        if channel not in self.meeting:
            return record
        return replace(record, id=_short(f"{_single(record.id)}/{source_of(channel)}"))

    def end(self, process: Process, state: State) -> State:
        """Note the end of one more input; after the last, the outputs end too. A loop never ends: what goes round in it
        could still leave it."""
        open_ = [c for c in process.inputs if c not in state.ended and not self.controls(c)]
        if open_:
            return state
        ends = tuple((c, END) for c in process.outputs)
        return replace(state, pending=(*state.pending, *ends))

    def controls(self, channel: str) -> bool:
        """Does the channel come from the coordinator? No item ever does."""
        source = self.operators.get(source_of(channel))
        return source is not None and source.role == COORDINATOR

    def seal(self, process: Process, state: State, life: int) -> State:
        """Prepare the present transaction; the next begins. Its number is unique, also among lives that were undone:
        what those made visible stays so."""
        if not state.open:
            return state
        count = state.transactions + 1
        number = f"{life + 1}.{count}" if life else str(count)
        return replace(state, open=(), sealed=(*state.sealed, Transaction(number, state.open)), transactions=count)

    def write(self, process: Process, state: State) -> State:
        """Let the batch go out, under a number that is the same in every life; a transaction is prepared instead."""
        if not state.open or self.operator(process).sink == TRANSACTIONAL:
            return state
        count = state.transactions + 1
        batch = (None, Batch(str(count), state.open))
        return replace(state, open=(), transactions=count, pending=(*state.pending, batch))

    def wait(self, operator: Operator, state: State) -> State:
        """Count one more item: what has been prepared for too long is discarded outside."""
        since = len(state.open) + sum(len(one.records) for one in state.sealed[1:])
        if operator.timeout is None or not state.sealed or since < operator.timeout:
            return state
        oldest, *rest = state.sealed
        return replace(state, sealed=tuple(rest), pending=(*state.pending, (None, Expired(oldest))))

    def commit(self, process: Process, state: State, recorded: State) -> State:
        """Let what was prepared by the time of ``recorded`` leave the system, unless it has already."""
        ready = [one for one in state.sealed if one in recorded.sealed]
        if not ready:
            return state
        rest = tuple(one for one in state.sealed if one not in ready)
        return replace(state, sealed=rest, pending=(*state.pending, *((None, one) for one in ready)))

    def publish(self, process: Process, outside: tuple[object, ...] | None, payload: Any) -> tuple[Any, ...]:
        """Return what has left so far: items in the order in which they became visible, and the numbers of finished
        transactions. An idempotent sink has each identity once; a finished transaction, visible or discarded, is not
        made visible again. A sink that knows batches by number replaces one that is written again."""
        out: tuple[Any, ...] = outside or ()
        match payload:
            case Expired():
                return (*out, payload.transaction.number)
            case Batch():
                if self.operator(process).sink == BATCH:
                    return _in_place(out, payload)
                for record in payload.records:
                    out = self.publish(process, out, record)
                return out
            case Transaction():
                return out if payload.number in out else (*out, *payload.records, payload.number)
        if self.operator(process).sink == IDEMPOTENT and any(one.id == payload.id for one in out):
            return tuple(payload if one.id == payload.id else one for one in out)
        return (*out, payload)

    def overwrites(self, process: Process) -> bool:
        """Does the sink replace an item, or a batch, that has the same identity, or number?"""
        sink = self.operator(process).sink
        return sink == IDEMPOTENT or (sink == BATCH and self.batches)

    def held(self, state: State) -> int:
        """Return how many items a state holds: the cost of making it anew."""
        left, right = state.sides
        return len(state.pending) + len(state.open) + len(left) + len(right) + len(state.table)

    def visible(self, outside: tuple[object, ...] | None) -> tuple[Record, ...]:
        """Return the items among what has left; the rest are the numbers of transactions."""
        return tuple(one for one in outside or () if isinstance(one, Record))

    def hand_over(self, process: Process, state: State) -> Move | None:
        """Return None: no process takes over an operator's part."""
        return None

    def view(self, state: State) -> Json:
        """Return the offset of a source or the total of an operator as a number; more than that by name; nothing as "".

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

    def show(self, payload: object) -> Json:
        """Return an item as its value, with the key where it has one; a transaction or a batch as the list of its
        items."""
        match payload:
            case Record():
                return payload.value if payload.key is None else f"{payload.key}:{payload.value}"
            case Expired():
                return self.show(payload.transaction)
            case Transaction() | Batch():
                return [self.show(r) for r in payload.records]
        return str(payload)

    def amounts(self, state: State) -> None:
        """Return None: nothing is conserved."""
        return

    def worth(self, payload: object) -> dict[str, int]:
        """Return no amounts: nothing is conserved."""
        return {}

    def stable(self, states: Mapping[str, object], channels: Mapping[str, tuple[object, ...]]) -> None:
        """Return None: there is no stable property."""
        return


PASSING = Operator()


def _in_place(outside: tuple[object, ...], batch: Batch) -> tuple[Any, ...]:
    """Return what has left, with ``batch`` in the place of one with the same number, or at the end."""
    if batch.number not in outside:
        return (*outside, *batch.records, batch.number)
    found: tuple[Any, ...] = ()
    block: tuple[Any, ...] = ()
    for one in outside:
        block = (*block, one)
        if isinstance(one, str):
            found, block = (*found, *((*batch.records, one) if one == batch.number else block)), ()
    return found


def _passes(operator: Operator, value: int) -> bool:
    if operator.above is not None and value <= operator.above:
        return False
    if operator.below is not None and value >= operator.below:
        return False
    return operator.modulo is None or value % operator.modulo[0] == operator.modulo[1]


def place(key: str, count: int) -> int:
    """Return which of ``count`` outputs a key names: always the same."""
    return sum(key.encode()) % count


def _looped(payload: Payload) -> Payload:
    """Return the item one turn later."""
    if isinstance(payload, End):
        return payload
    name, _, turn = payload.id.rpartition("~")
    id = f"{name}~{int(turn) + 1}" if name and turn.isdecimal() else f"{_single(payload.id)}~1"
    return replace(payload, id=_short(id))


def _single(id: str) -> str:
    """Return an identity to which something can be added: that of a joined item in brackets."""
    return f"({id})" if "+" in id else id


def _short(id: str) -> str:
    """Return an identity that is not too long: of a longer one the beginning, and a digest."""
    return id if len(id) <= LONGEST else f"{id[:40]}…{blake2b(id.encode(), digest_size=8).hexdigest()}"


def origins(id: str) -> list[str]:
    """Return the items of sources from which an item was made."""
    return re.findall(r"[\w-]+\.\d+", id)


def _bounded(value: int) -> int:
    """Return the value, limited to LARGEST and its negative."""
    return max(-LARGEST, min(LARGEST, value))
