"""Compare rows of messages with rows of events, on whole files: do they say the same?"""

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from app.compact_json import compact
from app.pipeline.rows.tables import Share
from app.pipeline.verify.arrays.columns import NEVER, Flags, Index, Numbers, numbers, pieces, read
from app.pipeline.verify.verdict_schema import ANSWERS


def faithful(share: Share) -> Iterator[pa.RecordBatch]:
    """Yield for each life: do the rows of messages say the same as the rows of events? Compare sums of hashes first, in
    pieces; the rows themselves only if the sums differ."""
    lived = read(share, "process", "run", "life")
    lives = Index(numbers(lived["run"]), numbers(lived["life"]))
    total = np.zeros((len(lives), 2), np.uint64)
    happened = np.zeros(len(lives), bool)
    for side, kind, (run, life, *rows) in _events(share):
        _add(total[:, side], happened, lives.of(run, life), _digest(kind, *rows))
    places = np.flatnonzero(happened)
    if not len(places):
        return
    run, life = _divide(lives, places)
    same = total[places, 0] == total[places, 1]
    witnesses = [
        None if good else compact(_first_difference(share, int(one), int(other)))
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


def _events(share: Share) -> Iterator[tuple[int, int | Numbers, list[Numbers]]]:
    """Yield the events of the program, piece by piece: first as rows of messages imply them (0), then as rows of events
    say them (1); which of them are receives (1); and run, life, process, position, message."""
    ends = Placed(read(share, "channel", "run", "life", "channel", "source", "target"))
    for piece in pieces(share, "message", "run", "life", "message", "channel", "sent", "received", "copied"):
        for kind, rows in ends.events(piece):
            yield 0, kind, rows
    columns = ("run", "life", "process", "position", "message")
    for piece in pieces(share, "event", *columns, "event"):
        piece = piece.filter(pc.is_valid(piece["message"]))
        receives = pc.equal(piece["event"], "receive").to_numpy(zero_copy_only=False).astype(np.int64)
        yield 1, receives, [numbers(piece[name]) for name in columns]


def _divide(index: Index, places: Numbers) -> tuple[Numbers, Numbers]:
    """Return the two numbers that an index of two columns has at these places."""
    keys = index.keys[places]
    return keys // index.spans[1] + index.lows[0], keys % index.spans[1] + index.lows[1]


def _add(total: NDArray[np.uint64], happened: Flags, life: Numbers, hashes: NDArray[np.uint64]) -> None:
    """Add hashes to the totals of lives; rows of a life mostly lie together."""
    good = life >= 0
    if not good.all():
        life, hashes = life[good], hashes[good]
    if len(life):
        begins = np.concatenate((np.zeros(1, np.int64), np.flatnonzero(np.diff(life)) + 1))
        np.add.at(total, life[begins], np.add.reduceat(hashes, begins))
        happened[life[begins]] = True


def _digest(kind: int | Numbers, process: Numbers, position: Numbers, message: Numbers) -> NDArray[np.uint64]:
    """Return a hash of each event; overflow is intended, modulo 2**64. Source: S. Vigna, splitmix64, 2015."""
    mixed = np.zeros(len(message), np.uint64)
    for column in (process * 2 + kind, position, message):
        mixed = (mixed + column.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(30)
        mixed *= np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(27)
    return mixed


class Placed:
    """Rows of messages as the events that they imply."""

    def __init__(self, channels: pa.Table) -> None:
        columns = [numbers(channels[name]) for name in ("run", "life", "channel")]
        self.index = Index(*columns)
        place = self.index.of(*columns)
        self.source = np.full(len(self.index) + 1, -1, np.int64)  # the last one is for unknown channels
        self.target = np.full(len(self.index) + 1, -1, np.int64)
        self.source[place] = numbers(channels["source"])
        self.target[place] = numbers(channels["target"])

    def events(self, piece: pa.RecordBatch) -> Iterator[tuple[int, list[Numbers]]]:
        """Yield the program's own sends (0), and the receives (1): run, life, process, position, message."""
        run, life, message = (numbers(piece[name]) for name in ("run", "life", "message"))
        channel = self.index.of(run, life, numbers(piece["channel"]))
        own = pc.is_null(piece["copied"]).to_numpy(zero_copy_only=False)
        for kind, name, process in ((0, "sent", self.source), (1, "received", self.target)):
            position = numbers(piece[name], NEVER)
            there = (position != NEVER) & (own if kind == 0 else True)
            yield kind, [column[there] for column in (run, life, process[channel], position, message)]


def _first_difference(share: Share, run: int, life: int) -> dict[str, object]:
    """Return where the rows of a life differ: the event of the smallest process and position."""
    told: Counter[tuple[int, ...]] = Counter()
    for side, kind, (runs, lives, *rows) in _events(share):
        mine = (runs == run) & (lives == life)
        events = zip(*(column[mine].tolist() for column in (*rows, np.full(len(mine), kind))), strict=True)
        (told.subtract if side else told.update)(events)
    process, position, message, _ = min((event for event, count in told.items() if count), default=(-1, -1, -1, -1))
    return {"fault": "rows", "process": process, "position": position, "message": message}
