"""The snapshots of files as arrays: their cuts, the ends of their channels, what crosses and what was recorded.

Terms: a *cut* is the place of a snapshot in a list of all snapshots of these files; an *end* is the place of a channel
of a snapshot in a list of all of them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from app.core.model.values import BluecutError
from app.pipeline.rows.tables import Share
from app.pipeline.verify.arrays.columns import (
    Flags,
    Index,
    Numbers,
    Positions,
    codes,
    flags,
    numbers,
    pieces,
    positions,
    ragged,
    read,
    stretches,
    words,
)


@dataclass(slots=True)
class Cuts:
    """The snapshots of a share, ordered by run, life and number, and the cut of each at every process.

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
    position: Positions
    step: Numbers
    records: Numbers
    absent: Numbers
    unusable: Flags

    @classmethod
    def read(cls, share: Share) -> "Cuts":
        """Read them, and say which snapshots may be judged."""
        runs, processes, conserving = _runs(share)
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

        spread = partial(_spread, size, at, good)
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
            position=spread(numbers(cut["cut"]), -1).astype(np.int32),
            step=step,
            records=spread(numbers(cut["records"], 0), 0),
            absent=absent,
            unusable=spread(flags(cut["unusable"]), False),
        )

    def turns(self) -> Iterator[Numbers]:
        """Yield for all lives the first snapshot, then the second and so on; -1 for a life without one."""
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
    sent: Positions
    received: Positions

    @classmethod
    def read(cls, share: Share, cuts: Cuts) -> "Ends":
        """Read the channels, with the cuts at their ends."""
        table = read(share, "channel", "run", "life", "channel", "source", "target", "ordered")
        life = cuts.lives.of(numbers(table["run"]), numbers(table["life"]))
        channel = numbers(table["channel"])
        mine = (life >= 0) & (channel >= 0)
        life, channel = life[mine], channel[mine]
        width: Numbers = np.zeros(len(cuts.lives), np.int64)
        np.maximum.at(width, life, channel + 1)
        firsts, _ = ragged(width)
        at = firsts[life] + channel

        spread = partial(_spread, int(firsts[-1]), at, mine)
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
            sent=np.where(judged, cuts.position[left], -1) if len(owner) else np.zeros(0, np.int32),
            received=np.where(judged, cuts.position[right], -1) if len(owner) else np.zeros(0, np.int32),
        )

    def of(self, cuts: Cuts, table: pa.Table) -> tuple[Numbers, Flags, Numbers]:
        """Return the snapshot of each row, -1 without one; which rows have a channel of it; and the places of those."""
        cut = cuts.snapshots.of(*(numbers(table[name]) for name in ("run", "life", "snapshot")))
        channel = numbers(table["channel"])
        good = (cut >= 0) & (channel >= 0)
        good[good] = channel[good] < self.width[cuts.life[cut[good]]]
        return cut, good, self.begins[cut[good]] + channel[good]


def _spread(size: int, at: Numbers, which: Flags, values: NDArray[Any], empty: int | bool) -> NDArray[Any]:
    """Return an array in which ``which`` of the values are ``at`` their places, and the others are ``empty``."""
    whole = np.full(size, empty, values.dtype)
    whole[at] = values[which]
    return whole


def _runs(share: Share) -> tuple[Index, Numbers, Flags]:
    """Return the runs, and of each how many processes it has and whether it conserves anything."""
    run = read(share, "run", "run", "processes", "conserves")
    runs = Index(numbers(run["run"]))
    place = runs.of(numbers(run["run"]))
    processes = np.zeros(len(runs), np.int64)
    processes[place] = numbers(run["processes"], 0)
    conserving = np.zeros(len(runs), bool)
    conserving[place] = flags(run["conserves"])
    return runs, processes, conserving


@dataclass(slots=True)
class Crossing:
    """Messages that are sent on one side of a cut and received on the other, and those that the network copied or lost:
    ``end`` is that of their channel, ``copied`` the step of the copying (-1: none), ``later`` whether a copy was made
    after the sender had recorded."""

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
            found += _matters(piece, cuts, ends, turns)
        if not found:
            none, no = np.zeros(0, np.int64), np.zeros(0, bool)
            return cls(none, none, none, none, no, no, no, no)
        end, message, sent, copied, lost, inside, arrived = (np.concatenate(each) for each in zip(*found, strict=True))
        made = cuts.step[ends.source[end]]
        return cls(end, message, sent, copied, lost, inside, arrived, (copied >= 0) & (made >= 0) & (copied > made))


def _matters(
    piece: pa.RecordBatch, cuts: Cuts, ends: Ends, turns: Sequence[Numbers]
) -> Iterator[tuple[NDArray[Any], ...]]:
    """Yield the messages of a piece that matter, for the first snapshot of each life, the second and so on."""
    run, of_run = numbers(piece["run"]), positions(piece["life"])
    begins, many = stretches(run, of_run)
    life = cuts.lives.of(run[begins], of_run[begins].astype(np.int64))
    wide = np.where(life >= 0, ends.width[life], 0) if len(ends.width) else np.zeros(len(life), np.int64)
    channel = positions(piece["channel"])
    if wide.min() <= channel.max() or channel.min() < 0:  # rare: are there messages on channels that do not exist?
        known = (channel >= 0) & (channel < np.repeat(wide, many))
        if not known.all():
            if known.any():
                yield from _matters(piece.filter(pa.array(known)), cuts, ends, turns)
            return
    sent, received = positions(piece["sent"]), positions(piece["received"])
    copied, losses = piece["copied"], piece["lost"].true_count
    lost = flags(piece["lost"]) if losses else np.zeros(len(piece), bool)
    special = None
    if copied.null_count < len(copied) or losses:
        special = lost | ~pc.is_null(copied).to_numpy(zero_copy_only=False)
    for turn in turns:
        cut = turn[life]
        end = np.repeat(np.where(cut < 0, 0, ends.begins[cut]), many) + channel
        # all places are inside, and "wrap" is how numpy takes them fastest
        inside, arrived = sent <= ends.sent.take(end, mode="wrap"), received <= ends.received.take(end, mode="wrap")
        which = inside != arrived if special is None else (inside != arrived) | special
        if cut.min() < 0:
            which &= np.repeat(cut >= 0, many)
        chosen = np.flatnonzero(which)
        if special is not None:
            chosen = chosen[ends.known[end[chosen]] & cuts.decided[ends.cut[end[chosen]]]]
        if len(chosen):
            row = pa.array(chosen)
            yield (
                end[chosen],
                numbers(piece["message"].take(row)),
                sent[chosen],
                numbers(copied.take(row)),
                lost[chosen],
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
        cut, good, end = ends.of(cuts, table)
        fit = ends.known[end] & cuts.decided[cut[good]]
        return cls(end[fit], numbers(table["place"])[good][fit], numbers(table["message"])[good][fit])


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
        """Read and sort the worth of messages."""
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
        """Add the worth of messages, ``times`` times, to the totals of cuts."""
        place = self.index.of(life, message)
        known = np.flatnonzero(place >= 0)
        if not len(known):
            return
        place, cut, times = place[known], cut[known], times[known]
        many = self.begins[place + 1] - self.begins[place]
        starts, owner = ragged(many)
        row = self.begins[place][owner] + np.arange(len(owner)) - starts[owner]
        column = np.array([names.index(name) for name in self.names], np.int64)[self.quantity[row]]
        np.add.at(total.reshape(-1), cut[owner] * len(names) + column, times[owner] * self.amount[row])
