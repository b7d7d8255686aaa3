"""The second verifier: whole runs in one task, with arrays.

What Spark distributes are the *names* of files. A task reads the files that one task of the sweep wrote, which hold
whole runs, and judges them with pyarrow and numpy, many runs at a time: no shuffle, no join, and no row goes through
the JVM. Messages are read in pieces; what stays in memory is what crosses a cut.

It shares no judgement with ``app.pipeline.relational``, so that each of the two can be held against the other; only
the form of its answers is the same.

Terms: a *cut* below is the place of a snapshot in a list of all snapshots of these files; an *end* is the place of a
channel of a snapshot in a list of all of them.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from app.core.model import BluecutError
from app.pipeline.tables import Share

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]

ANSWER = "run BIGINT, life SMALLINT, snapshot INT, check STRING, holds BOOLEAN, witness STRING"
ANSWERS = pa.schema(
    {
        "run": pa.int64(),
        "life": pa.int16(),
        "snapshot": pa.int32(),
        "check": pa.string(),
        "holds": pa.bool_(),
        "witness": pa.string(),
    }
)
"""A verdict. ``witness`` is compact JSON, null where the check holds or does not apply; a verdict on the rows of a
life has no snapshot."""

PIECE = 1 << 18
"""Messages that are looked at together: their columns fit into the caches of a processor."""

NEVER = np.int64(1 << 40)
"""The position of an event that did not happen."""

TASKS = 512
"""At most so many tasks; then each has several shares."""


def judged(spark: "SparkSession", shares: Sequence[Share], *, rows: bool = True) -> "DataFrame":
    """The verdicts on all snapshots of these files, and, with ``rows``, on all lives: are the rows of messages those
    of the events?"""
    files = tuple(shares)

    def judge(numbers: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in numbers:
            for number in batch.column(0).to_pylist():
                yield from answers(files[number], rows=rows)

    return spark.range(0, len(files), 1, max(1, min(len(files), TASKS))).mapInArrow(judge, ANSWER)


def answers(share: Share, *, rows: bool = True) -> Iterator[pa.RecordBatch]:
    """The verdicts on the runs of one share."""
    cuts = Cuts.read(share)
    if cuts.size:
        yield from verdicts(share, cuts)
    if rows:
        yield from faithful(share)


# reading


def read(share: Share, kind: str, *columns: str) -> pa.Table:
    """All rows of a kind, with these columns."""
    found = [pq.ParquetFile(file).read(list(columns)) for file in share.of(kind)]
    return pa.concat_tables(found) if found else pa.table({name: pa.array([], pa.int64()) for name in columns})


def pieces(share: Share, kind: str, *columns: str) -> Iterator[pa.RecordBatch]:
    """The rows of a kind, piece by piece."""
    for file in share.of(kind):
        with pq.ParquetFile(file) as opened:
            yield from opened.iter_batches(PIECE, columns=list(columns))


def numbers(column: pa.ChunkedArray | pa.Array, null: int | np.int64 = -1) -> Numbers:
    """A column of integers as an array, ``null`` where it has none."""
    if column.null_count == len(column):
        return np.full(len(column), null, np.int64)
    whole = column.cast(pa.int64())
    return plain(whole.fill_null(int(null)) if whole.null_count else whole)


def flags(column: pa.ChunkedArray | pa.Array, *, null: bool = False) -> Flags:
    """A column of booleans as an array, ``null`` where it has none."""
    if column.null_count == len(column):
        return np.full(len(column), null, bool)
    return plain(column.fill_null(null))


def plain(column: pa.ChunkedArray | pa.Array) -> NDArray[Any]:
    """A column without nulls as an array."""
    made: NDArray[Any] = (
        column.to_numpy() if isinstance(column, pa.ChunkedArray) else column.to_numpy(zero_copy_only=False)
    )
    return made


class Index:
    """Places of rows of integers: equal rows have one place, and places are in the order of the rows.

    Raises BluecutError where the integers lie too far apart for one number to tell the rows from each other.
    """

    def __init__(self, *columns: Numbers) -> None:
        self.lows = [int(column.min()) if len(column) else 0 for column in columns]
        highs = [int(column.max()) if len(column) else 0 for column in columns]
        self.spans = [high - low + 1 for high, low in zip(highs, self.lows, strict=True)]
        bits = sum(span.bit_length() for span in self.spans)
        if bits > 62:
            raise BluecutError("the numbers of runs, snapshots and messages are too far apart: {bits} bits", bits=bits)
        self.keys = np.unique(self.key(columns))
        whole = int(np.prod(self.spans, dtype=object))
        self.table: Numbers | None = None
        if whole <= 8 * len(self.keys) + 65_536:
            self.table = np.full(whole, -1, np.int64)
            self.table[self.keys] = np.arange(len(self.keys))

    def __len__(self) -> int:
        return len(self.keys)

    def key(self, columns: Sequence[Numbers]) -> Numbers:
        """One number for each row, -1 where a column is outside of what the index has."""
        total: Numbers = np.zeros(len(columns[0]), np.int64)
        outside = np.zeros(len(columns[0]), bool)
        for column, low, span in zip(columns, self.lows, self.spans, strict=True):
            moved = column - low if low else column
            if len(moved) and (moved.min() < 0 or moved.max() >= span):
                wrong = (moved < 0) | (moved >= span)
                outside |= wrong
                moved = np.where(wrong, 0, moved)
            total = total * span + moved if span > 1 else total
        if outside.any():
            total[outside] = -1
        return total

    def of(self, *columns: Numbers) -> Numbers:
        """The places of rows, -1 for rows that are not there."""
        key = self.key(columns)
        if not len(self.keys):
            return np.full(len(key), -1, np.int64)
        if self.table is not None:
            return np.where(key < 0, -1, self.table[key]) if len(key) and key.min() < 0 else self.table[key]
        place = np.minimum(np.searchsorted(self.keys, key), len(self.keys) - 1)
        return np.where(self.keys[place] == key, place, -1)


def ragged(counts: Numbers) -> tuple[Numbers, Numbers]:
    """Of lists that lie behind each other: where each begins (and the last ends), and the list of each item."""
    begins = np.concatenate((np.zeros(1, np.int64), np.cumsum(counts)))
    return begins, np.repeat(np.arange(len(counts)), counts)


# who there is, and where they recorded


@dataclass(slots=True)
class Cuts:
    """The snapshots of a share, in the order of run, life and number, and the cut of each at every process.

    ``begins[cut] + process`` is a place in the arrays of the processes: ``position``, ``step`` (-1: none), ``records``,
    ``absent`` (-1: it takes part; 0: a newcomer; 1: gone), ``unusable``.
    """

    size: int
    key: pa.Table
    runs: Index
    lives: Index
    snapshots: Index
    life: Numbers
    decided: Flags
    completed: Flags
    marked: Flags
    conserves: Flags
    begins: Numbers
    position: Numbers
    step: Numbers
    records: Numbers
    absent: Numbers
    unusable: Flags

    @classmethod
    def read(cls, share: Share) -> "Cuts":
        """Read them, and say which snapshots may be judged."""
        run = read(share, "run", "run", "processes", "conserves")
        runs = Index(numbers(run["run"]))
        place = runs.of(numbers(run["run"]))
        processes = np.zeros(len(runs), np.int64)
        processes[place] = numbers(run["processes"], 0)
        conserving = np.zeros(len(runs), bool)
        conserving[place] = flags(run["conserves"])

        seen = read(share, "snapshot", "run", "life", "snapshot", "completed", "aborted", "marked")
        columns = [numbers(seen[name]) for name in ("run", "life", "snapshot")]
        snapshots = Index(*columns)
        lives = Index(*columns[:2])
        order = np.argsort(snapshots.of(*columns), kind="stable")
        seen, columns = seen.take(pa.array(order)), [column[order] for column in columns]
        its_run = runs.of(columns[0])
        if (its_run < 0).any():
            raise BluecutError("run {run} has snapshots, and no row of its own", run=int(columns[0][its_run < 0][0]))
        width = processes[its_run]
        begins, _ = ragged(width)
        size = int(begins[-1])

        cut = read(
            share, "cut", "run", "life", "snapshot", "process", "cut", "step", "records", "part", "absent", "unusable"
        )
        mine = snapshots.of(*(numbers(cut[name]) for name in ("run", "life", "snapshot")))
        process = numbers(cut["process"])
        good = (mine >= 0) & (process >= 0) & (process < width[mine]) if len(snapshots) else np.zeros(len(mine), bool)
        at = begins[mine[good]] + process[good]

        def spread(values: NDArray[Any], empty: int | bool) -> NDArray[Any]:
            whole = np.full(size, empty, values.dtype)
            whole[at] = values[good]
            return whole

        absent = spread(np.where(pc.is_null(cut["absent"]).to_numpy(), -1, flags(cut["absent"]).astype(np.int64)), -1)
        step = spread(numbers(cut["step"]), -1)
        there = spread(flags(cut["part"]), False) | (absent >= 0)
        owner = np.repeat(np.arange(len(width)), width)
        everyone = np.bincount(owner, there, len(width)) >= width
        began = np.bincount(owner, step >= 0, len(width)) > 0
        members = np.bincount(owner, absent != 0, len(width)) > 0
        completed = ~pc.is_null(seen["completed"]).to_numpy()
        given_up = flags(seen["aborted"]) & ~completed
        return cls(
            size=len(seen),
            key=seen.select(["run", "life", "snapshot"]),
            runs=runs,
            lives=lives,
            snapshots=snapshots,
            life=lives.of(*columns[:2]),
            decided=everyone & began & ~given_up,
            completed=completed,
            marked=flags(seen["marked"]),
            conserves=conserving[its_run] & members,
            begins=begins,
            position=spread(numbers(cut["cut"]), -1),
            step=step,
            records=spread(numbers(cut["records"], 0), 0),
            absent=absent,
            unusable=spread(flags(cut["unusable"]), False),
        )

    def turns(self) -> Iterator[Numbers]:
        """By life, its first snapshot, then its second and so on; -1 where it has none."""
        counts = np.bincount(self.life, minlength=len(self.lives))
        first = np.concatenate((np.zeros(1, np.int64), np.cumsum(counts)))[:-1]
        for turn in range(int(counts.max(initial=0))):
            yield np.where(counts > turn, first + turn, -1)


@dataclass(slots=True)
class Ends:
    """The channels of all snapshots: ``begins[cut] + channel`` is a place in these arrays.

    ``known``: is there such a channel? ``source`` and ``target`` are places in the arrays of the processes, ``sent``
    and ``received`` the cut at the two ends, -1 in snapshots that are not judged.
    """

    begins: Numbers
    width: Numbers
    cut: Numbers
    channel: Numbers
    known: Flags
    ordered: Flags
    source: Numbers
    target: Numbers
    sent: Numbers
    received: Numbers

    @classmethod
    def read(cls, share: Share, cuts: Cuts) -> "Ends":
        """Read the channels, and put the cuts to their ends."""
        table = read(share, "channel", "run", "life", "channel", "source", "target", "ordered")
        life = cuts.lives.of(numbers(table["run"]), numbers(table["life"]))
        channel = numbers(table["channel"])
        mine = (life >= 0) & (channel >= 0)
        life, channel = life[mine], channel[mine]
        width: Numbers = np.zeros(len(cuts.lives), np.int64)
        np.maximum.at(width, life, channel + 1)
        firsts, _ = ragged(width)
        at = firsts[life] + channel

        def spread(values: NDArray[Any], empty: int | bool) -> NDArray[Any]:
            whole = np.full(int(firsts[-1]), empty, values.dtype)
            whole[at] = values[mine]
            return whole

        source, target = spread(numbers(table["source"]), -1), spread(numbers(table["target"]), -1)
        ordered = spread(flags(table["ordered"], null=True), True)

        wide = width[cuts.life]
        begins, owner = ragged(wide)
        number = np.arange(len(owner)) - begins[owner]
        of_life = firsts[cuts.life[owner]] + number
        processes = np.diff(cuts.begins)[owner]
        known = (source[of_life] >= 0) & (target[of_life] >= 0)
        known &= (source[of_life] < processes) & (target[of_life] < processes)
        left = np.where(known, cuts.begins[owner] + source[of_life], 0)
        right = np.where(known, cuts.begins[owner] + target[of_life], 0)
        judged = known & cuts.decided[owner]
        return cls(
            begins=begins,
            width=width,
            cut=owner,
            channel=number,
            known=known,
            ordered=ordered[of_life],
            source=left,
            target=right,
            sent=np.where(judged, cuts.position[left], -1) if len(owner) else np.zeros(0, np.int64),
            received=np.where(judged, cuts.position[right], -1) if len(owner) else np.zeros(0, np.int64),
        )


# what crosses a cut


@dataclass(slots=True)
class Crossing:
    """Messages that are sent on one side of a cut and received on the other, and such as the network copied or lost:
    ``end`` is their channel's, ``copied`` the step of it (-1: none), ``later`` whether a copy was made when the sender
    had recorded already."""

    end: Numbers
    message: Numbers
    sent: Numbers
    copied: Numbers
    lost: Flags
    inside: Flags
    arrived: Flags
    later: Flags

    @classmethod
    def read(cls, share: Share, cuts: Cuts, ends: Ends) -> "Crossing":
        """Read all messages once, in pieces, and keep those that matter."""
        found: list[tuple[NDArray[Any], ...]] = []
        turns = list(cuts.turns())
        for piece in pieces(
            share, "message", "run", "life", "message", "channel", "sent", "received", "lost", "copied"
        ):
            found += matters(piece, cuts, ends, turns)
        if not found:
            none, no = np.zeros(0, np.int64), np.zeros(0, bool)
            return cls(none, none, none, none, no, no, no, no)
        end, message, sent, copied, lost, inside, arrived = (np.concatenate(each) for each in zip(*found, strict=True))
        made = cuts.step[ends.source[end]]
        return cls(end, message, sent, copied, lost, inside, arrived, (copied >= 0) & (made >= 0) & (copied > made))


def matters(
    piece: pa.RecordBatch, cuts: Cuts, ends: Ends, turns: Sequence[Numbers]
) -> Iterator[tuple[NDArray[Any], ...]]:
    """Of a piece of the messages those that matter, for the first snapshot of each life, the second and so on."""
    life = cuts.lives.of(numbers(piece["run"]), numbers(piece["life"]))
    channel = numbers(piece["channel"])
    sent, received = numbers(piece["sent"], NEVER), numbers(piece["received"], NEVER)
    lost, copied = flags(piece["lost"]), piece["copied"]
    special = None
    if copied.null_count < len(copied) or lost.any():
        special = lost | ~pc.is_null(copied).to_numpy(zero_copy_only=False)
    good = (life >= 0) & (channel >= 0) & (channel < ends.width[life]) if len(ends.width) else life >= 0
    rows = None
    if not good.all():
        rows = np.flatnonzero(good)
        life, channel, sent, received = life[rows], channel[rows], sent[rows], received[rows]
        special = special[rows] if special is not None else None
    for turn in turns:
        cut = turn[life]
        end = ends.begins[cut] + channel
        if len(turn) and turn.min() < 0:
            there = cut >= 0
            end = np.where(there, end, 0)
            inside, arrived = there & (sent <= ends.sent[end]), there & (received <= ends.received[end])
        else:
            there = None
            inside, arrived = sent <= ends.sent[end], received <= ends.received[end]
        which = inside != arrived
        if special is not None:
            which |= special if there is None else special & there
        chosen = np.flatnonzero(which)
        if special is not None:
            chosen = chosen[ends.known[end[chosen]] & cuts.decided[ends.cut[end[chosen]]]]
        if len(chosen):
            row = pa.array(chosen if rows is None else rows[chosen])
            yield (
                end[chosen],
                numbers(piece["message"].take(row)),
                sent[chosen],
                numbers(copied.take(row)),
                flags(piece["lost"].take(row)),
                inside[chosen],
                arrived[chosen],
            )


@dataclass(slots=True)
class Queues:
    """What was recorded in the channels of snapshots: the end, the place in the queue, the message."""

    end: Numbers
    place: Numbers
    message: Numbers

    @classmethod
    def read(cls, share: Share, cuts: Cuts, ends: Ends) -> "Queues":
        """Read what was recorded in snapshots that are judged."""
        table = read(share, "recorded", "run", "life", "snapshot", "channel", "place", "message")
        cut = cuts.snapshots.of(*(numbers(table[name]) for name in ("run", "life", "snapshot")))
        channel = numbers(table["channel"])
        good = (cut >= 0) & (channel >= 0)
        good[good] = channel[good] < ends.width[cuts.life[cut[good]]]
        end = ends.begins[cut[good]] + channel[good]
        fit = ends.known[end] & cuts.decided[cut[good]]
        return cls(end[fit], numbers(table["place"])[good][fit], numbers(table["message"])[good][fit])


# the checks


def verdicts(share: Share, cuts: Cuts) -> Iterator[pa.RecordBatch]:
    """All verdicts on the snapshots of a share."""
    ends = Ends.read(share, cuts)
    crossing = Crossing.read(share, cuts, ends)
    queues = Queues.read(share, cuts, ends)
    done = cuts.decided & cuts.completed
    yield answer(cuts, "consistent", cuts.decided, orphans(crossing, ends))
    yield answer(cuts, "complete", done, wrong_channels(crossing, queues, cuts, ends))
    yield answer(cuts, "conserved", done & cuts.conserves, unbalanced(share, crossing, queues, cuts, ends))
    yield answer(cuts, "cost", done & cuts.marked, excess(share, cuts, ends))


def answer(cuts: Cuts, check: str, applies: Flags, found: Mapping[int, dict[str, Any]]) -> pa.RecordBatch:
    """The verdicts of one check: ``found`` has the witnesses against it."""
    broken = np.zeros(cuts.size, bool)
    broken[list(found)] = True
    witnesses = [compact(found[cut]) if applies[cut] and cut in found else None for cut in range(cuts.size)]
    columns = [
        *(cuts.key[name].combine_chunks().cast(ANSWERS.field(name).type) for name in ("run", "life", "snapshot")),
        pa.repeat(pa.scalar(check), cuts.size),
        pa.array(~broken, mask=~applies),
        pa.array(witnesses, pa.string()),
    ]
    return pa.RecordBatch.from_arrays(columns, schema=ANSWERS)


def compact(witness: dict[str, Any]) -> str:
    """A witness as compact JSON."""
    return json.dumps(witness, separators=(",", ":"), ensure_ascii=False)


def orphans(crossing: Crossing, ends: Ends) -> dict[int, dict[str, Any]]:
    """I1: by cut, its orphan of the smallest number."""
    which = np.flatnonzero(crossing.arrived & ~crossing.inside)
    cut = ends.cut[crossing.end[which]]
    which = which[np.lexsort((crossing.message[which], cut))]
    cut, first = np.unique(ends.cut[crossing.end[which]], return_index=True)
    return {
        int(one): {
            "fault": "orphan",
            "channel": int(ends.channel[crossing.end[at]]),
            "message": int(crossing.message[at]),
        }
        for one, at in zip(cut, which[first], strict=True)
    }


def wrong_channels(crossing: Crossing, queues: Queues, cuts: Cuts, ends: Ends) -> dict[int, dict[str, Any]]:
    """I2: by cut, its first channel whose recorded state is not what crosses, and what is wrong with it."""
    recorded = Index(queues.end, queues.message)
    owed = crossing.inside & ~crossing.arrived & ~crossing.lost
    owed &= ~crossing.later | (recorded.of(crossing.end, crossing.message) >= 0)
    need = np.flatnonzero(owed)
    copied = crossing.copied[need]
    need = need[np.lexsort((crossing.message[need], copied, crossing.sent[need], copied >= 0, crossing.end[need]))]
    gone = crossing.lost & crossing.inside
    vanished = Index(ends.cut[crossing.end[gone]], crossing.message[gone])
    have = np.flatnonzero(vanished.of(ends.cut[queues.end], queues.message) < 0)
    have = have[np.lexsort((queues.message[have], queues.place[have], queues.end[have]))]

    count = len(ends.cut)
    need_end, need_message = crossing.end[need], crossing.message[need]
    have_end, have_message = queues.end[have], queues.message[have]
    wrong = np.bincount(need_end, minlength=count) != np.bincount(have_end, minlength=count)
    for ordered in (True, False):
        these = ends.ordered == ordered
        left, right = (np.flatnonzero((these & ~wrong)[end]) for end in (need_end, have_end))
        if not ordered:
            left = left[np.lexsort((need_message[left], need_end[left]))]
            right = right[np.lexsort((have_message[right], have_end[right]))]
        wrong[need_end[left][need_message[left] != have_message[right]]] = True
    counts = ends.known & cuts.decided[ends.cut] & (cuts.absent[ends.target] < 0) if count else ends.known
    which = np.flatnonzero(wrong & counts)
    cut, first = np.unique(ends.cut[which], return_index=True)
    found = {}
    for one, end in zip(cut, which[first], strict=True):
        left, right = np.searchsorted(need_end, (end, end + 1)), np.searchsorted(have_end, (end, end + 1))
        what, message = fault(need_message[slice(*left)].tolist(), have_message[slice(*right)].tolist())
        found[int(one)] = {"fault": what, "channel": int(ends.channel[end]), "message": message}
    return found


def fault(need: list[int], have: list[int]) -> tuple[str, int]:
    """What is wrong with a channel, and with which of its messages."""
    there, wanted, times = set(have), set(need), Counter(have)
    for message in need:
        if message not in there:
            return "missing", message
    for message in have:
        if message not in wanted:
            return "extra", message
    return next((("doubled", message) for message in have if times[message] > 1), ("order", have[0]))


def unbalanced(share: Share, crossing: Crossing, queues: Queues, cuts: Cuts, ends: Ends) -> dict[int, dict[str, Any]]:
    """I3: by cut, the first quantity that does not add up, and how much of it is missing."""
    stock = read(share, "stock", "run", "life", "process", "quantity", "amount", "last")
    holding = read(share, "holding", "run", "life", "snapshot", "process", "quantity", "amount")
    worth = Worth.read(share, cuts)
    names = sorted({*words(stock["quantity"]), *words(holding["quantity"]), *worth.names})
    if not names:
        return {}
    total = np.zeros((cuts.size, len(names)), np.int64)

    life, process = cuts.lives.of(numbers(stock["run"]), numbers(stock["life"])), numbers(stock["process"])
    amount, last, quantity = numbers(stock["amount"], 0), numbers(stock["last"], 0), codes(stock["quantity"], names)
    for turn in cuts.turns():
        cut = np.where(life >= 0, turn[life], -1)
        row = np.flatnonzero((cut >= 0) & (process < np.diff(cuts.begins)[cut]))
        at = cuts.begins[cut[row]] + process[row]
        row, at = row[cuts.absent[at] != 0], at[cuts.absent[at] != 0]
        left = (cuts.absent[at] == 1) & ~cuts.unusable[at]
        np.add.at(total, (cut[row], quantity[row]), amount[row] - np.where(left, last[row], 0))

    cut = cuts.snapshots.of(*(numbers(holding[name]) for name in ("run", "life", "snapshot")))
    row = np.flatnonzero(cut >= 0)
    np.subtract.at(total, (cut[row], codes(holding["quantity"], names)[row]), numbers(holding["amount"], 0)[row])

    cut = ends.cut[queues.end]
    worth.add(total, names, cut, cuts.life[cut], queues.message, np.full(len(cut), -1, np.int64))

    cut = ends.cut[crossing.end]
    seen = Index(ends.cut[queues.end], queues.message).of(cut, crossing.message) >= 0
    counts = crossing.inside & ~(crossing.later & ~seen & ~crossing.arrived)
    times = (crossing.copied >= 0).astype(np.int64) - (crossing.lost & ~seen)
    row = np.flatnonzero(counts & (times != 0))
    worth.add(total, names, cut[row], cuts.life[cut[row]], crossing.message[row], times[row])

    broken = np.flatnonzero((total != 0).any(axis=1))
    first = (total[broken] != 0).argmax(axis=1)
    return {
        int(one): {"fault": "amount", "quantity": names[which], "missing": int(total[one, which])}
        for one, which in zip(broken, first, strict=True)
    }


@dataclass(slots=True)
class Worth:
    """What messages are worth, in the order of life and message; several rows where there are several quantities."""

    index: Index
    begins: Numbers
    quantity: NDArray[Any]
    amount: Numbers
    names: tuple[str, ...]

    @classmethod
    def read(cls, share: Share, cuts: Cuts) -> "Worth":
        """Read it, and sort it."""
        table = read(share, "worth", "run", "life", "message", "quantity", "amount")
        life = cuts.lives.of(numbers(table["run"]), numbers(table["life"]))
        message = numbers(table["message"])
        names = tuple(words(table["quantity"]))
        quantity, amount = codes(table["quantity"], names), numbers(table["amount"], 0)
        index = Index(life, message)
        place = index.of(life, message)
        order = np.argsort(place, kind="stable")
        begins, _ = ragged(np.bincount(place, minlength=len(index)))
        return cls(index, begins, quantity[order], amount[order], names)

    def add(
        self, total: NDArray[np.int64], names: list[str], cut: Numbers, life: Numbers, message: Numbers, times: Numbers
    ) -> None:
        """Add the worth of messages, so many times, to the totals of cuts."""
        place = self.index.of(life, message)
        known = np.flatnonzero(place >= 0)
        if not len(known):
            return
        place, cut, times = place[known], cut[known], times[known]
        many = self.begins[place + 1] - self.begins[place]
        starts, owner = ragged(many)
        row = self.begins[place][owner] + np.arange(len(owner)) - starts[owner]
        column = np.array([names.index(name) for name in self.names], np.int64)[self.quantity[row]]
        np.add.at(total, (cut[owner], column), times[owner] * self.amount[row])


def words(column: pa.ChunkedArray) -> list[str]:
    """The different words of a column."""
    return sorted(word for word in pc.unique(column).to_pylist() if isinstance(word, str))


def codes(column: pa.ChunkedArray, names: Sequence[str]) -> Numbers:
    """The places of words in a list."""
    return numbers(pc.index_in(column.cast(pa.string()), pa.array(names, pa.string())), 0)


def excess(share: Share, cuts: Cuts, ends: Ends) -> dict[int, dict[str, Any]]:
    """I5: by cut, the first channel without exactly one marker, else the first process that did not record once."""
    table = read(share, "marker", "run", "life", "snapshot", "channel", "count")
    cut = cuts.snapshots.of(*(numbers(table[name]) for name in ("run", "life", "snapshot")))
    channel = numbers(table["channel"])
    good = (cut >= 0) & (channel >= 0)
    good[good] = channel[good] < ends.width[cuts.life[cut[good]]]
    markers = np.zeros(len(ends.cut), np.int64)
    markers[ends.begins[cut[good]] + channel[good]] = numbers(table["count"], 0)[good]
    aside = (cuts.absent >= 0) | cuts.unusable
    found: dict[int, dict[str, Any]] = {}

    process = np.flatnonzero(~aside & (cuts.records != 1))
    owner = np.repeat(np.arange(cuts.size), np.diff(cuts.begins))
    mine, first = np.unique(owner[process], return_index=True)
    for one, at in zip(mine, process[first], strict=True):
        count = int(cuts.records[at])
        found[int(one)] = {"fault": "records", "process": int(at - cuts.begins[one]), "count": count}

    end = np.flatnonzero(ends.known & (markers != 1))
    end = end[~aside[ends.source[end]] & ~aside[ends.target[end]]]
    mine, first = np.unique(ends.cut[end], return_index=True)
    for one, at in zip(mine, end[first], strict=True):
        found[int(one)] = {"fault": "markers", "channel": int(ends.channel[at]), "count": int(markers[at])}
    return found


# rows of messages against rows of events


def faithful(share: Share) -> Iterator[pa.RecordBatch]:
    """By life: do the rows of messages say the same as the rows of events? Sums of hashes first, in pieces; the rows
    themselves only where the sums differ."""
    channels = read(share, "channel", "run", "life", "channel", "source", "target")
    lives = Index(
        *(numbers(read(share, kind, "run", "life")[name]) for kind in ("process",) for name in ("run", "life"))
    )
    ends = Placed(channels)
    total = np.zeros((len(lives), 2), np.uint64)
    happened = np.zeros(len(lives), bool)
    for piece in pieces(share, "message", "run", "life", "message", "channel", "sent", "received", "copied"):
        for kind, rows in ends.events(piece):
            life = lives.of(rows[0], rows[1])
            add(total[:, 0], happened, life, digest(kind, *rows[2:]))
    for piece in pieces(share, "event", "run", "life", "process", "position", "event", "message"):
        piece = piece.filter(pc.is_valid(piece["message"]))
        life = lives.of(numbers(piece["run"]), numbers(piece["life"]))
        kind = pc.equal(piece["event"], "receive").to_numpy(zero_copy_only=False).astype(np.int64)
        add(total[:, 1], happened, life, digest(kind, *(numbers(piece[n]) for n in ("process", "position", "message"))))
    places = np.flatnonzero(happened)
    if not len(places):
        return
    run, life = divide(lives, places)
    same = total[places, 0] == total[places, 1]
    witnesses = [
        None if good else compact(first_difference(share, ends, int(one), int(other)))
        for good, one, other in zip(same, run, life, strict=True)
    ]
    yield pa.RecordBatch.from_arrays(
        [
            pa.array(run, pa.int64()),
            pa.array(life, pa.int16()),
            pa.nulls(len(places), pa.int32()),
            pa.repeat(pa.scalar("rows"), len(places)),
            pa.array(same),
            pa.array(witnesses, pa.string()),
        ],
        schema=ANSWERS,
    )


def divide(index: Index, places: Numbers) -> tuple[Numbers, Numbers]:
    """The two numbers that an index of two columns has at these places."""
    keys = index.keys[places]
    return keys // index.spans[1] + index.lows[0], keys % index.spans[1] + index.lows[1]


def add(total: NDArray[np.uint64], happened: Flags, life: Numbers, hashes: NDArray[np.uint64]) -> None:
    """Add hashes to the totals of lives; rows of a life lie together, mostly."""
    good = life >= 0
    if not good.all():
        life, hashes = life[good], hashes[good]
    if len(life):
        begins = np.concatenate((np.zeros(1, np.int64), np.flatnonzero(np.diff(life)) + 1))
        np.add.at(total, life[begins], np.add.reduceat(hashes, begins))
        happened[life[begins]] = True


def digest(kind: int | Numbers, process: Numbers, position: Numbers, message: Numbers) -> NDArray[np.uint64]:
    """A hash of each event; overflow is what multiplication modulo 2**64 is for. Source: S. Vigna, splitmix64, 2015."""
    mixed = np.zeros(len(message), np.uint64)
    for column in (process * 2 + kind, position, message):
        mixed = (mixed + column.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(30)
        mixed *= np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(27)
    return mixed


class Placed:
    """Rows of messages as the events that they tell of."""

    def __init__(self, channels: pa.Table) -> None:
        columns = [numbers(channels[name]) for name in ("run", "life", "channel")]
        self.index = Index(*columns)
        place = self.index.of(*columns)
        self.source = np.full(len(self.index) + 1, -1, np.int64)  # the last one is for channels that there are not
        self.target = np.full(len(self.index) + 1, -1, np.int64)
        self.source[place] = numbers(channels["source"])
        self.target[place] = numbers(channels["target"])

    def events(self, piece: pa.RecordBatch) -> Iterator[tuple[int, list[Numbers]]]:
        """The sendings (0) that were the program's, and the receipts (1): run, life, process, position, message."""
        run, life, message = (numbers(piece[name]) for name in ("run", "life", "message"))
        channel = self.index.of(run, life, numbers(piece["channel"]))
        own = pc.is_null(piece["copied"]).to_numpy(zero_copy_only=False)
        for kind, name, process in ((0, "sent", self.source), (1, "received", self.target)):
            position = numbers(piece[name], NEVER)
            there = (position != NEVER) & (own if kind == 0 else True)
            yield kind, [column[there] for column in (run, life, process[channel], position, message)]


def first_difference(share: Share, ends: Placed, run: int, life: int) -> dict[str, Any]:
    """Where the rows of a life differ: the event of the smallest process and position."""
    told: Counter[tuple[int, ...]] = Counter()
    for piece in pieces(share, "message", "run", "life", "message", "channel", "sent", "received", "copied"):
        for kind, rows in ends.events(of_life(piece, run, life)):
            told.update((*row, kind) for row in zip(*(column.tolist() for column in rows[2:]), strict=True))
    for piece in pieces(share, "event", "run", "life", "process", "position", "event", "message"):
        mine = of_life(piece.filter(pc.is_valid(piece["message"])), run, life)
        kind = pc.equal(mine["event"], "receive").to_numpy(zero_copy_only=False).astype(np.int64)
        columns = [*(numbers(mine[name]) for name in ("process", "position", "message")), kind]
        told.subtract(zip(*(column.tolist() for column in columns), strict=True))
    process, position, message, _ = min((event for event, count in told.items() if count), default=(-1, -1, -1, -1))
    return {"fault": "rows", "process": process, "position": position, "message": message}


def of_life(piece: pa.RecordBatch, run: int, life: int) -> pa.RecordBatch:
    """The rows of one life."""
    return piece.filter(pc.and_(pc.equal(piece["run"], run), pc.equal(piece["life"], life)))
