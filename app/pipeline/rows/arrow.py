"""Rows as Arrow: how a task hands them to Spark, and how they are read from a file without Spark."""

from collections.abc import Iterable, Iterator

import pyarrow as pa

from app.pipeline.rows.from_run import Rows
from app.pipeline.rows.schema import COLUMNS, KINDS, TYPES

ARROW = {"string": pa.string(), "boolean": pa.bool_(), "short": pa.int16(), "int": pa.int32(), "long": pa.int64()}

SCHEMA = pa.schema([pa.field(column.name, ARROW[column.type]) for column in COLUMNS])
"""All columns of all kinds, in order."""


def schema(kind: str) -> pa.Schema:
    """Return the columns in a file of one kind."""
    return pa.schema([pa.field(name, ARROW[TYPES[name]]) for name in KINDS[kind]])


def batches(traces: Iterable[Rows]) -> Iterator[pa.RecordBatch]:
    """Yield the rows of runs, one kind after another, as batches of the whole schema."""
    gathered: Rows = {kind: [] for kind in KINDS}
    for rows in traces:
        for kind, each in rows.items():
            gathered[kind] += each
    for kind, each in gathered.items():
        if each:
            yield batch(kind, each)


def batch(kind: str, rows: list[dict[str, object]]) -> pa.RecordBatch:
    """Return rows of one kind as a batch of the whole schema; the columns of other kinds are null."""
    known = set(KINDS[kind])
    columns = []
    for field in SCHEMA:
        if field.name == "kind":
            columns.append(pa.repeat(pa.scalar(kind, field.type), len(rows)))
        elif field.name in known:
            columns.append(pa.array([row.get(field.name) for row in rows], field.type))
        else:
            columns.append(pa.nulls(len(rows), field.type))
    return pa.RecordBatch.from_arrays(columns, schema=SCHEMA)
