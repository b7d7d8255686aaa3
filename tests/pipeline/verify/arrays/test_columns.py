"""Rows of integers as arrays: their order, and which ones exist."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from app.pipeline.verify.arrays.columns import NEVER, Index, arranged, codes, distinct, pieces, positions, stretches

FAR = 1 << 40


@pytest.mark.parametrize("scale", [1, FAR], ids=["one number a row", "column by column"])
def test_rows_are_arranged_by_their_columns_from_the_first_to_the_last(scale: int) -> None:
    draw = np.random.default_rng(7)
    columns = [draw.integers(-3, 4, 200) * scale for _ in range(3)]
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    order = arranged(*columns).tolist()
    assert sorted(order) == list(range(200)) and [rows[place] for place in order] == sorted(rows)


def test_flags_are_arranged_and_nothing_is_in_order() -> None:
    assert arranged(np.array([True, False, True]), np.array([1, 5, 0])).tolist() == [1, 2, 0]
    assert arranged(np.zeros(0, np.int64)).tolist() == []


def test_different_numbers_are_in_order_whether_the_list_was_or_not() -> None:
    assert distinct(np.array([3, 1, 3, 2])).tolist() == [1, 2, 3]
    assert distinct(np.array([1, 1, 2])).tolist() == [1, 2]
    assert distinct(np.zeros(0, np.int64)).tolist() == []


def test_a_stretch_ends_where_any_column_changes() -> None:
    begins, many = stretches(np.array([1, 1, 2, 2, 2]), np.array([0, 0, 0, 1, 1]))
    assert begins.tolist() == [0, 2, 3] and many.tolist() == [2, 1, 2]


def test_an_index_finds_rows_and_knows_which_are_not_there() -> None:
    index = Index(np.array([5, 5, 9]), np.array([0, 2, 1]))
    assert index.of(np.array([9, 5, 5, 7]), np.array([1, 2, 1, 0])).tolist() == [2, 1, -1, -1]


def test_pieces_are_what_the_file_holds_though_columns_with_one_value_are_not_decoded(tmp_path: Path) -> None:
    columns: dict[str, list[object]] = {
        "one": [1, 1, 1, 1],
        "same": [7, 7, 7, 7],
        "none": [None, None, None, None],
        "by group": [1, 1, 2, 2],
        "or null": [3, None, 3, 3],
        "half null": [None, None, 4, 4],
        "flag": [False, False, False, False],
        "word": ["a", "a", "a", "a"],
    }
    typed = {name: pa.array(each, pa.int32() if name == "none" else None) for name, each in columns.items()}
    pq.write_table(pa.table(typed), tmp_path / "x.parquet", row_group_size=2)
    share = {"message": [str(tmp_path / "x.parquet")]}
    found = pa.Table.from_batches(pieces(share, "message", *columns))
    assert found.to_pydict() == columns and found.schema == pa.table(typed).schema


def test_a_column_with_one_value_is_not_decoded_unless_it_is_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    columns = {"first": [1, 1], "same": [7, 7], "none": pa.nulls(2, pa.int32()), "varied": [1, 2], "word": ["a", "a"]}
    pq.write_table(pa.table(columns), tmp_path / "x.parquet")
    decoded: list[str] = []
    whole = pq.ParquetFile.iter_batches

    def watched(file: pq.ParquetFile, size: int, *, columns: list[str], use_threads: bool) -> Iterator[pa.RecordBatch]:
        decoded.extend(columns)
        found: Iterator[pa.RecordBatch] = whole(file, size, columns=columns, use_threads=use_threads)
        return found

    monkeypatch.setattr(pq.ParquetFile, "iter_batches", watched)
    (piece,) = pieces({"message": [str(tmp_path / "x.parquet")]}, "message", *columns)
    assert decoded == ["first", "varied", "word"] and piece.num_rows == 2


def test_a_word_that_is_not_in_the_list_counts_as_the_first() -> None:
    assert codes(pa.chunked_array([["b", None], ["a", "c"]]), ["a", "b"]).tolist() == [1, 0, 0, 0]


def test_a_position_that_there_is_not_comes_after_every_other() -> None:
    found = positions(pa.array([7, None, 2**31 - 2], pa.int32()))
    assert found.dtype == np.int32 and found.tolist() == [7, int(NEVER), 2**31 - 2] and found.argmax() == 1
