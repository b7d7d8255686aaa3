"""Hashes of rows: those of Spark."""

import pytest
from pyspark.sql import Column, SparkSession
from pyspark.sql import functions as F

from app.pipeline.rows.arrow import table
from app.pipeline.rows.hashes import LOWEST, hashes
from app.pipeline.rows.schema import COLUMNS, KINDS
from tests.often import some

TEXTS = ("", "a", "abc", "late", "bluecut", "eight by", "中文 and more", "x" * 31, "y" * 32, "z" * 37, "zyx" * 40, None)


@pytest.mark.parametrize("kind", some(KINDS, 4))
def test_rows_have_the_hashes_that_spark_gives_them(kind: str, spark: SparkSession) -> None:
    values: dict[str, tuple[object, ...]] = {
        "string": TEXTS,
        "boolean": (True, False, None),
        "short": (0, 3, None),
        "int": (-1, 7, None, 1 << 30),
    }
    values["long"] = (0, (1 << 62) + 3, None, -5)
    of = {column.name: values[column.type] for column in COLUMNS}
    rows: list[dict[str, object]] = [{name: of[name][at % len(of[name])] for name in KINDS[kind]} for at in range(13)]
    told: list[Column] = [F.lit(kind)]
    for column in COLUMNS[1:]:
        there = F.col(column.name) if column.name in KINDS[kind] else F.lit(None)
        if column.name != "url":
            cast, null = {"string": ("string", "-"), "boolean": ("int", -1)}.get(column.type, ("bigint", LOWEST))
            told.append(F.coalesce(there.cast(cast), F.lit(null).cast(cast)))
    found = spark.createDataFrame(table(kind, rows)).select(F.xxhash64(*told)).collect()
    assert hashes(kind, table(kind, rows)).view("int64").tolist() == [row[0] for row in found]
