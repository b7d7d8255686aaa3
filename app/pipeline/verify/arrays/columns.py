"""Columns of files as arrays, and an index of rows of integers."""

from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from app.core.model.values import BluecutError
from app.pipeline.rows.tables import Share

Numbers = NDArray[np.int64]
Positions = NDArray[np.int32]
Flags = NDArray[np.bool_]

PIECE = 1 << 18
"""How many messages are processed together: their columns fit into a processor's caches."""

NEVER = np.int32((1 << 31) - 1)
"""The position of an event that did not happen."""


def read(share: Share, kind: str, *columns: str) -> pa.Table:
    """Return all rows of a kind, with these columns."""
    found = [pq.ParquetFile(file).read(list(columns), use_threads=False) for file in share.get(kind, ())]
    return pa.concat_tables(found) if found else pa.table({name: pa.array([], pa.int64()) for name in columns})


def pieces(share: Share, kind: str, *columns: str) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a kind, piece by piece. A column that has one value, as the file itself says, is not decoded;
    the first is."""
    for file in share.get(kind, ()):
        with pq.ParquetFile(file) as opened:
            same = {name: value for name in columns[1:] if (value := _only_value(opened, name)) is not None}
            varied = [name for name in columns if name not in same]
            for piece in opened.iter_batches(PIECE, columns=varied, use_threads=False):
                arrays = [
                    _repeated(same[name]).slice(0, len(piece)) if name in same else piece[name] for name in columns
                ]
                yield pa.RecordBatch.from_arrays(arrays, list(columns))


@lru_cache(maxsize=64)
def _repeated(value: pa.Scalar) -> pa.Array:
    """Return a value as often as a piece has rows."""
    return pa.repeat(value, PIECE)


def _only_value(file: pq.ParquetFile, column: str) -> pa.Scalar | None:
    """Return the value of a column of integers or booleans that has only one, which may be null; otherwise None."""
    place = file.schema_arrow.get_field_index(column)
    if place < 0 or pa.types.is_string(file.schema_arrow.field(place).type):
        return None
    values = set()
    for group in range(file.num_row_groups):
        told = file.metadata.row_group(group).column(place).statistics
        if told is None or not told.has_null_count:
            return None
        if told.num_values and (told.null_count or not told.has_min_max or told.min != told.max):
            return None
        values.add(told.min if told.num_values else None)
    return pa.scalar(*values, file.schema_arrow.field(place).type) if len(values) == 1 else None


def numbers(column: pa.ChunkedArray | pa.Array, null: int | np.integer = -1) -> Numbers:
    """Return a column of integers as an array, with ``null`` for nulls."""
    return _filled(column, null, pa.int64())


def positions(column: pa.ChunkedArray | pa.Array) -> Positions:
    """Return a column of positions as an array, as narrow as they are in files, with NEVER for nulls."""
    return _filled(column, NEVER, pa.int32())


def _filled(column: pa.ChunkedArray | pa.Array, null: int | np.integer, kind: pa.DataType) -> NDArray[Any]:
    if column.null_count == len(column):
        return np.full(len(column), null, kind.to_pandas_dtype())
    whole = column if column.type == kind else column.cast(kind)
    return _plain(whole.fill_null(int(null)) if whole.null_count else whole)


def flags(column: pa.ChunkedArray | pa.Array, *, null: bool = False) -> Flags:
    """Return a column of booleans as an array, with ``null`` for nulls."""
    if column.null_count == len(column):
        return np.full(len(column), null, bool)
    return _plain(column.fill_null(null) if column.null_count else column)


def _plain(column: pa.ChunkedArray | pa.Array) -> NDArray[Any]:
    made: NDArray[Any] = (
        column.to_numpy() if isinstance(column, pa.ChunkedArray) else column.to_numpy(zero_copy_only=False)
    )
    return made


class Index:
    """Places of rows of integers: equal rows share a place, and places are in the order of the rows.

    Raises BluecutError if the integers lie too far apart for one number to distinguish the rows.
    """

    def __init__(self, *columns: Numbers) -> None:
        self.lows = [int(column.min()) if len(column) else 0 for column in columns]
        highs = [int(column.max()) if len(column) else 0 for column in columns]
        self.spans = [high - low + 1 for high, low in zip(highs, self.lows, strict=True)]
        bits = sum(span.bit_length() for span in self.spans)
        if bits > 62:
            raise BluecutError("the numbers of runs, snapshots and messages are too far apart: {bits} bits", bits=bits)
        self.keys = distinct(self.key(columns))
        whole = int(np.prod(self.spans, dtype=object))
        self.table: Numbers | None = None
        if whole <= 8 * len(self.keys) + 65_536:
            self.table = np.full(whole, -1, np.int64)
            self.table[self.keys] = np.arange(len(self.keys))

    def __len__(self) -> int:
        return len(self.keys)

    def key(self, columns: Sequence[Numbers]) -> Numbers:
        """Return one number for each row, -1 if a column is outside the index's range."""
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
        """Return the places of rows, -1 for rows that are not in the index."""
        key = self.key(columns)
        if not len(self.keys):
            return np.full(len(key), -1, np.int64)
        if self.table is not None:
            return np.where(key < 0, -1, self.table[key]) if len(key) and key.min() < 0 else self.table[key]
        place = np.minimum(np.searchsorted(self.keys, key), len(self.keys) - 1)
        return np.where(self.keys[place] == key, place, -1)


def distinct(values: Numbers) -> Numbers:
    """Return the distinct numbers in order; most lists are already sorted."""
    if not (values[1:] >= values[:-1]).all():
        values = np.sort(values)
    return values[np.concatenate((np.ones(1, bool), values[1:] != values[:-1]))] if len(values) else values


def arranged(*columns: Numbers | Flags) -> Numbers:
    """Return the order of rows, sorted by the first column first; equal rows may come in any order."""
    total: Numbers = np.zeros(len(columns[0]), np.int64)
    room = 1 << 62
    for column in columns if len(total) else ():
        low, high = int(column.min()), int(column.max())
        room //= high - low + 1
        if not room:  # one number does not distinguish the rows: sort column by column, which takes longer
            return np.lexsort(columns[::-1])
        total = total * (high - low + 1) + (column.astype(np.int64) - low) if high > low else total
    return np.argsort(total)


def stretches(*columns: Numbers | Positions) -> tuple[Numbers, Numbers]:
    """Return where each stretch of equal rows begins, and how long it is: the rows of a life mostly lie together."""
    changes = reduce(np.logical_or, (column[1:] != column[:-1] for column in columns))
    begins = np.concatenate((np.zeros(1, np.int64), np.flatnonzero(changes) + 1))
    return begins, np.diff(np.append(begins, len(columns[0])))


def ragged(counts: Numbers) -> tuple[Numbers, Numbers]:
    """Return for concatenated lists where each begins (and the last ends), and the list of each element."""
    begins = np.concatenate((np.zeros(1, np.int64), np.cumsum(counts)))
    return begins, np.repeat(np.arange(len(counts)), counts)


def words(column: pa.ChunkedArray) -> list[str]:
    """Return the distinct words of a column."""
    return sorted(word for word in pc.unique(column).to_pylist() if isinstance(word, str))


def codes(column: pa.ChunkedArray, names: Sequence[str]) -> Numbers:
    """Return the places of words in a list."""
    return numbers(pc.index_in(column.cast(pa.string()), pa.array(names, pa.string())), 0)
