"""Rows as Arrow: how a task writes them, and how they are read from a file without Spark."""

from collections.abc import Iterable

import pyarrow as pa

from app.pipeline.rows.from_run import Rows
from app.pipeline.rows.schema import KINDS, ddl

ARROW = {"STRING": pa.string(), "BOOLEAN": pa.bool_(), "SMALLINT": pa.int16(), "INT": pa.int32(), "BIGINT": pa.int64()}


def columns(ddl: str) -> pa.Schema:
    """Return columns that are given in the notation of Spark."""
    return pa.schema([(name.strip("`"), ARROW[kind]) for name, kind in map(str.split, ddl.split(", "))])


def schema(kind: str) -> pa.Schema:
    """Return the columns in a file of one kind."""
    return columns(ddl(kind))


def gathered(traces: Iterable[Rows]) -> dict[str, pa.Table]:
    """Return by kind the rows of runs, with the columns of the kind; kinds without rows are left out."""
    found: Rows = {kind: [] for kind in KINDS}
    for rows in traces:
        for kind, each in rows.items():
            found[kind] += each
    return {kind: table(kind, rows) for kind, rows in found.items() if rows}


def table(kind: str, rows: list[dict[str, object]]) -> pa.Table:
    """Return rows of one kind, with the columns of the kind; a value that a row does not have is null."""
    fields = schema(kind)
    return pa.table([pa.array([row.get(field.name) for row in rows], field.type) for field in fields], schema=fields)
