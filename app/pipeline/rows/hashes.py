"""Hashes of rows: the same as Spark's ``xxhash64`` of all columns, computed from Arrow without Spark.

A row's hash starts with its kind and takes in the columns of ``COLUMNS`` one after another, except the address; a null
counts as ``-``, -1 or the lowest long, depending on its column's type.

References
----------
Y. Collet, xxHash fast digest algorithm, 2012–: XXH64. Apache Spark 4.3, ``XxHash64Function``.
"""

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from app.pipeline.rows.schema import COLUMNS, KINDS

Words = NDArray[np.uint64]

SEED = 42
"""Spark's."""

P1, P2, P3, P4, P5 = map(
    np.uint64,
    (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5),
)
LOWEST = -(1 << 63)
LOW = np.uint64(0xFFFFFFFF)


def sums(kind: str, rows: pa.Table) -> tuple[int, int]:
    """Return the sum of the lower and that of the upper 32 bits of the hashes of rows of one kind."""
    hashed = hashes(kind, rows)
    return int((hashed & LOW).sum()), int((hashed >> np.uint64(32)).sum())


def hashes(kind: str, rows: pa.Table) -> Words:
    """Return the hash of each row of one kind."""
    hashed = _words(np.full(len(rows), SEED, np.uint64), kind.encode())
    known = set(KINDS[kind])
    for column in COLUMNS[1:]:
        if column.name == "url":
            continue
        values = rows[column.name] if column.name in known else None
        if column.type == "string":
            hashed = _strings(hashed, values)
        elif column.type == "boolean":
            hashed = _int(hashed, _numbers(values, -1))
        else:
            hashed = _long(hashed, _numbers(values, LOWEST))
    return hashed


def _numbers(values: pa.ChunkedArray | None, null: int) -> Words:
    """Return integers or booleans as words, one for all if they are all null."""
    if values is None or values.null_count == len(values):
        return _word(null % (1 << 64))
    found: NDArray[np.int64] = values.cast(pa.int64()).fill_null(null).to_numpy()
    return found.view(np.uint64)


def _strings(hashed: Words, values: pa.ChunkedArray | None) -> Words:
    """Take in a column of texts, one distinct text after another: there are few."""
    if values is None or values.null_count == len(values):
        return _words(hashed, b"-")
    taken = np.empty_like(hashed)
    coded = values.fill_null("-").combine_chunks().dictionary_encode()
    places = coded.indices.to_numpy()
    for place, text in enumerate(coded.dictionary.to_pylist()):
        mine = places == place
        taken[mine] = _words(hashed[mine], text.encode())
    return taken


def _turned(word: Words, by: int) -> Words:
    return (word << np.uint64(by)) | (word >> np.uint64(64 - by))


def _ended(hashed: Words) -> Words:
    hashed = hashed ^ (hashed >> np.uint64(33))
    hashed *= P2
    hashed ^= hashed >> np.uint64(29)
    hashed *= P3
    hashed ^= hashed >> np.uint64(32)
    return hashed


def _eight(hashed: Words, value: Words) -> Words:
    return _turned(hashed ^ _turned(value * P2, 31) * P1, 27) * P1 + P4


def _four(hashed: Words, value: Words) -> Words:
    return _turned(hashed ^ (value & LOW) * P1, 23) * P2 + P3


def _long(seed: Words, value: Words) -> Words:
    return _ended(_eight(seed + P5 + np.uint64(8), value))


def _int(seed: Words, value: Words) -> Words:
    return _ended(_four(seed + P5 + np.uint64(4), value))


def _words(seed: Words, text: bytes) -> Words:
    """Take in one text, the same for all rows."""
    blocks = len(text) // 32 * 32
    if blocks:
        ways = [seed + P1 + P2, seed + P2, seed, seed - P1]
        for at in range(0, blocks, 8):
            way = at // 8 % 4
            ways[way] = _turned(ways[way] + _number(text[at : at + 8]) * P2, 31) * P1
        hashed = _turned(ways[0], 1) + _turned(ways[1], 7) + _turned(ways[2], 12) + _turned(ways[3], 18)
        for one in ways:
            hashed = (hashed ^ _turned(one * P2, 31) * P1) * P1 + P4
    else:
        hashed = seed + P5
    hashed = hashed + np.uint64(len(text))
    rest = text[blocks:]
    while len(rest) >= 8:
        hashed, rest = _eight(hashed, _number(rest[:8])), rest[8:]
    if len(rest) >= 4:
        hashed, rest = _four(hashed, _number(rest[:4])), rest[4:]
    for byte in rest:
        hashed = _turned(hashed ^ _word(byte) * P5, 11) * P1
    return _ended(hashed)


def _number(text: bytes) -> Words:
    return _word(int.from_bytes(text, "little"))


def _word(value: int) -> Words:
    """Return one word for all rows. It is an array, since numpy warns of a single number that overflows."""
    return np.array([value], np.uint64)
