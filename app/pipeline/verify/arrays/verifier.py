"""The second verifier: whole runs in one task, with arrays.

Spark distributes only the *names* of files. A task reads the files that one task of the sweep wrote, which hold whole
runs, and judges them with pyarrow and numpy, many runs at a time: no shuffle, no join, and no row goes through the JVM.
Messages are read in pieces; only what crosses a cut stays in memory.

It shares no judgement with ``app.pipeline.verify.relational``, so that the two can be compared; only the form of the
answers is the same.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from app.compact_json import compact
from app.core.oracle.checks import ROW_CHECKS
from app.pipeline.rows.channel_fault import fault
from app.pipeline.rows.tables import Share
from app.pipeline.verify.arrays.columns import Flags, Index, arranged, codes, numbers, read, words
from app.pipeline.verify.arrays.cuts import Crossing, Cuts, Ends, Queues, Worth
from app.pipeline.verify.arrays.row_consistency import faithful
from app.pipeline.verify.verdict_schema import ANSWER, ANSWERS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_KEPT = 16 << 20
"""Once so many bytes have been freed, the C library keeps smaller arrays for the next ones, where it would give each
back to the system, which has to clear its pages again: a fifteenth of the time."""


def judged(spark: "SparkSession", shares: Sequence[Share], *, rows: bool = True) -> "DataFrame":
    """Return the verdicts on all snapshots of these files, and, with ``rows``, on all lives: do the rows of messages
    match those of events? There are as many tasks as Spark has cores, since starting one takes a tenth of a second."""
    files = tuple(shares)

    def judge(numbers: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        np.empty(_KEPT, np.uint8)  # and freed at once
        for batch in numbers:
            for number in batch.column(0).to_pylist():
                yield from answers(files[number], rows=rows)

    return spark.range(len(files)).mapInArrow(judge, ANSWER)


def answers(share: Share, *, rows: bool = True) -> Iterator[pa.RecordBatch]:
    """Yield the verdicts on the runs of one share."""
    cuts = Cuts.read(share)
    if cuts.size:
        yield from _verdicts(share, cuts)
    if rows:
        yield from faithful(share)


def _verdicts(share: Share, cuts: Cuts) -> Iterator[pa.RecordBatch]:
    ends = Ends.read(share, cuts)
    crossing = Crossing.read(share, cuts, ends)
    queues = Queues.read(share, cuts, ends)
    done = cuts.decided & cuts.completed
    orphaned = _orphans(crossing, ends)
    consistent = np.ones(cuts.size, bool)
    consistent[list(orphaned)] = False
    found = {
        "consistent": (cuts.decided, orphaned),
        "channels": (done & consistent, _wrong_channels(crossing, queues, cuts, ends)),
        "conserved": (done & cuts.conserves, _unbalanced(share, crossing, queues, cuts, ends)),
        "cost": (done & cuts.marked, _excess(share, cuts, ends)),
    }
    for check in ROW_CHECKS:
        yield _answer(cuts, check, *found[check])


def _answer(cuts: Cuts, check: str, applies: Flags, found: Mapping[int, dict[str, object]]) -> pa.RecordBatch:
    """Return the verdicts of one check: ``found`` has the witnesses against it."""
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


def _orphans(crossing: Crossing, ends: Ends) -> dict[int, dict[str, object]]:
    """Return for I1, by cut, the orphan with the smallest number."""
    which = np.flatnonzero(crossing.arrived & ~crossing.inside)
    cut = ends.cut[crossing.end[which]]
    which = which[arranged(cut, crossing.message[which], crossing.end[which])]
    cut, first = np.unique(ends.cut[crossing.end[which]], return_index=True)
    return {
        int(one): {
            "fault": "orphan",
            "channel": int(ends.channel[crossing.end[at]]),
            "message": int(crossing.message[at]),
        }
        for one, at in zip(cut, which[first], strict=True)
    }


def _wrong_channels(crossing: Crossing, queues: Queues, cuts: Cuts, ends: Ends) -> dict[int, dict[str, object]]:
    """Return for I2, by cut, the first channel whose recorded state is not what crosses, and what is wrong with it."""
    owed = crossing.inside & ~crossing.arrived & ~crossing.lost
    if len(late := np.flatnonzero(owed & crossing.later)):
        owed[late] = Index(queues.end, queues.message).of(crossing.end[late], crossing.message[late]) >= 0
    need = np.flatnonzero(owed)
    copied = crossing.copied[need]
    need = need[arranged(crossing.end[need], copied >= 0, crossing.sent[need], copied, crossing.message[need])]
    gone = crossing.lost & crossing.inside
    vanished = Index(ends.cut[crossing.end[gone]], crossing.message[gone])
    have = np.flatnonzero(vanished.of(ends.cut[queues.end], queues.message) < 0)
    have = have[arranged(queues.end[have], queues.place[have], queues.message[have])]

    count = len(ends.cut)
    need_end, need_message = crossing.end[need], crossing.message[need]
    have_end, have_message = queues.end[have], queues.message[have]
    wrong = np.bincount(need_end, minlength=count) != np.bincount(have_end, minlength=count)
    for ordered in (True, False):
        these = ends.ordered == ordered
        left, right = (np.flatnonzero((these & ~wrong)[end]) for end in (need_end, have_end))
        if not ordered:
            left = left[arranged(need_end[left], need_message[left])]
            right = right[arranged(have_end[right], have_message[right])]
        wrong[need_end[left][need_message[left] != have_message[right]]] = True
    which = np.flatnonzero(wrong)  # none of them belongs to a cut that is not judged, or is no channel
    which = which[cuts.absent[ends.target[which]] < 0]
    cut, first = np.unique(ends.cut[which], return_index=True)
    found = {}
    for one, end in zip(cut, which[first], strict=True):
        left, right = np.searchsorted(need_end, (end, end + 1)), np.searchsorted(have_end, (end, end + 1))
        what, message = fault(need_message[slice(*left)].tolist(), have_message[slice(*right)].tolist())
        found[int(one)] = {"fault": what, "channel": int(ends.channel[end]), "message": message}
    return found


def _unbalanced(
    share: Share, crossing: Crossing, queues: Queues, cuts: Cuts, ends: Ends
) -> dict[int, dict[str, object]]:
    """Return for I3, by cut, the first quantity that does not add up, and how much of it is missing."""
    stock = read(share, "stock", "run", "life", "process", "quantity", "amount", "last")
    holding = read(share, "holding", "run", "life", "snapshot", "process", "quantity", "amount")
    worth = Worth.read(share, cuts)
    names = sorted({*words(stock["quantity"]), *words(holding["quantity"]), *worth.names})
    if not names:
        return {}
    total = np.zeros((cuts.size, len(names)), np.int64)
    flat = total.reshape(-1)  # numpy adds at one index much faster than at two

    life, process = cuts.lives.of(numbers(stock["run"]), numbers(stock["life"])), numbers(stock["process"])
    amount, last, quantity = numbers(stock["amount"], 0), numbers(stock["last"], 0), codes(stock["quantity"], names)
    for turn in cuts.turns():
        cut = np.where(life >= 0, turn[life], -1)
        row = np.flatnonzero((cut >= 0) & (process < np.diff(cuts.begins)[cut]))
        at = cuts.begins[cut[row]] + process[row]
        row, at = row[cuts.absent[at] != 0], at[cuts.absent[at] != 0]
        left = (cuts.absent[at] == 1) & ~cuts.unusable[at]
        np.add.at(flat, cut[row] * len(names) + quantity[row], amount[row] - np.where(left, last[row], 0))

    cut = cuts.snapshots.of(*(numbers(holding[name]) for name in ("run", "life", "snapshot")))
    row = np.flatnonzero(cut >= 0)
    at = cut[row] * len(names) + codes(holding["quantity"], names)[row]
    np.subtract.at(flat, at, numbers(holding["amount"], 0)[row])

    cut = ends.cut[queues.end]
    worth.add(total, names, cut, cuts.life[cut], queues.message, np.full(len(cut), -1, np.int64))

    row = np.flatnonzero(crossing.inside & ((crossing.copied >= 0) | crossing.lost))  # by the network: mostly none
    if len(row):
        cut, message = ends.cut[crossing.end[row]], crossing.message[row]
        seen = Index(ends.cut[queues.end], queues.message).of(cut, message) >= 0
        times = (crossing.copied[row] >= 0).astype(np.int64) - (crossing.lost[row] & ~seen)
        times[crossing.later[row] & ~seen & ~crossing.arrived[row]] = 0
        worth.add(total, names, cut, cuts.life[cut], message, times)

    broken = np.flatnonzero((total != 0).any(axis=1))
    first = (total[broken] != 0).argmax(axis=1)
    return {
        int(one): {"fault": "amount", "quantity": names[which], "missing": int(total[one, which])}
        for one, which in zip(broken, first, strict=True)
    }


def _excess(share: Share, cuts: Cuts, ends: Ends) -> dict[int, dict[str, object]]:
    """Return for I5, by cut, the first channel without exactly one marker, else the first process that did not record
    exactly once."""
    table = read(share, "marker", "run", "life", "snapshot", "channel", "count")
    _, good, end = ends.of(cuts, table)
    markers = np.zeros(len(ends.cut), np.int64)
    markers[end] = numbers(table["count"], 0)[good]
    aside = (cuts.absent >= 0) | cuts.unusable
    found: dict[int, dict[str, object]] = {}

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
