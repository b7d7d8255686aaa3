"""The verifier in Spark SQL: single relations on tiny tables, and the whole on faults, scenarios and drawn rows."""

import re
from collections import Counter
from collections.abc import Iterable
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.testing import assertDataFrameEqual

from app.paths import HERE
from app.pipeline.rows.from_run import Origin, trace
from app.pipeline.rows.tables import batches, tables
from app.pipeline.verify import relational
from app.run.run import record
from app.scenario.library import LIBRARY
from tests.pipeline.drawn import drawn
from tests.pipeline.faults import FAULTS, planted
from tests.pipeline.stored import Key, Verdict, filed, numbered, sound, stored

CROSSING = (
    "run BIGINT, life SMALLINT, snapshot INT, channel INT, message BIGINT, sent INT, copied INT, "
    "lost BOOLEAN, sent_inside BOOLEAN, received_inside BOOLEAN, later BOOLEAN"
)
RECORDED = "run BIGINT, life SMALLINT, snapshot INT, channel INT, place INT, message BIGINT"
ENDS = (
    "run BIGINT, life SMALLINT, snapshot INT, channel INT, ordered BOOLEAN, "
    "source_cut INT, source_step INT, target_cut INT, counts BOOLEAN"
)
FINDING = "run BIGINT, life SMALLINT, snapshot INT, check STRING, witness STRING"


def made(spark: SparkSession, rows: Iterable[tuple[object, ...]], columns: str) -> DataFrame:
    return spark.createDataFrame(list(rows), columns)


def judged(spark: SparkSession, directory: Path) -> dict[Key, Verdict]:
    with relational.judged(tables(spark, batches(directory))) as found:
        return {
            (row["run"], row["life"], row["snapshot"], row["check"]): (row["holds"], row["witness"])
            for row in found.collect()
        }


@pytest.mark.slow
def test_a_message_crosses_a_cut_if_it_is_inside_at_one_end_alone(spark: SparkSession) -> None:
    message = made(
        spark,
        [(0, 0, 0, 0, 1, 1, False, None), (0, 0, 1, 0, 2, 2, False, None), (0, 0, 2, 0, 3, 1, False, None)],
        "run BIGINT, life SMALLINT, message BIGINT, channel INT, sent INT, received INT, lost BOOLEAN, copied INT",
    )
    ends = made(spark, [(0, 0, 1, 0, True, 2, 3, 1, True)], ENDS)
    assertDataFrameEqual(
        relational.crossings(message, ends),
        made(
            spark,
            [
                (0, 0, 1, 0, 1, 2, None, False, True, False, False),
                (0, 0, 1, 0, 2, 3, None, False, False, True, False),
            ],
            CROSSING,
        ),
    )


def test_an_orphan_is_received_inside_and_not_sent_inside(spark: SparkSession) -> None:
    crossing = made(
        spark,
        [
            (0, 0, 1, 0, 7, 3, None, False, False, True, False),
            (0, 0, 1, 1, 5, 4, None, False, False, True, False),
            (0, 0, 2, 0, 1, 2, None, False, True, False, False),
        ],
        CROSSING,
    )
    witness = '{"fault":"orphan","channel":1,"message":5}'
    assertDataFrameEqual(relational.orphans(crossing), made(spark, [(0, 0, 1, "consistent", witness)], FINDING))


def test_a_channel_holds_what_crosses_in_order_or_as_a_bag(spark: SparkSession) -> None:
    crossing = made(
        spark,
        [
            (0, 0, snapshot, channel, message, message + 1, None, False, True, False, False)
            for snapshot in (1, 2)
            for channel, message in ((0, 0), (0, 1), (1, 2))
        ],
        CROSSING,
    )
    recorded = made(
        spark,
        [(0, 0, 1, 0, 0, 1), (0, 0, 1, 0, 1, 0), (0, 0, 1, 1, 0, 2), (0, 0, 2, 0, 0, 1), (0, 0, 2, 0, 1, 0)],
        RECORDED,
    )
    ends = made(
        spark,
        [(0, 0, snapshot, channel, snapshot == 1, 9, 9, 0, True) for snapshot in (1, 2) for channel in (0, 1)],
        ENDS,
    )
    assertDataFrameEqual(
        relational.wrong_channels(crossing, recorded, ends),
        made(
            spark,
            [
                (0, 0, 1, "channels", '{"fault":"order","channel":0,"message":1}'),
                (0, 0, 2, "channels", '{"fault":"missing","channel":1,"message":2}'),
            ],
            FINDING,
        ),
    )


@pytest.mark.slow
def test_the_plan_partitions_by_run_alone_and_has_the_operators_of_the_docs(
    spark: SparkSession, tmp_path: Path
) -> None:
    with (
        relational.judged(tables(spark, batches(stored(tmp_path, [sound()]))), rows=False) as found,
        redirect_stdout(StringIO()) as plan,
    ):
        found.explain("formatted")
    docs = (HERE.parent / "docs" / "pipeline.md").read_text("utf-8")
    told = {name: int(count) for name, count in re.findall(r"^\| `(\w+)` \| (\d+) \|$", docs, re.MULTILINE)}
    there = Counter(re.findall(r"^\(\d+\) (\w+)", plan.getvalue(), re.MULTILINE))
    assert told and told == {name: there[name] for name in told}
    assert set(re.findall(r"\b\w+partitioning\(\w+", plan.getvalue())) == {"hashpartitioning(run"}


def test_a_short_trace_is_one_partition() -> None:
    part = relational.PART
    sizes = [relational.parts(size) for size in (0, part - 1, 3 * part, 1 << 40)]
    assert sizes == [1, 1, 3, relational.PARTS]


@pytest.mark.slow
def test_no_stage_has_more_partitions_than_asked_for(spark: SparkSession, tmp_path: Path) -> None:
    kinds = tables(spark, batches(stored(tmp_path, [sound()])))
    with relational.judged(kinds, most=1) as found, redirect_stdout(StringIO()) as plan:
        found.explain()
    shuffled = re.findall(r"hashpartitioning\(.*?, (\d+)\)", plan.getvalue())
    assert shuffled and set(shuffled) == {"1"}


@pytest.mark.slow
def test_spark_is_told_as_before_when_the_judging_is_over_or_fails(spark: SparkSession, tmp_path: Path) -> None:
    def told() -> list[str | None]:
        return [spark.conf.get(name) for name in relational.PLANNED]

    before, kinds = told(), tables(spark, batches(stored(tmp_path, [sound()])))
    with relational.judged(kinds):
        assert told() != before and spark.conf.get("spark.sql.adaptive.enabled") == "false"
    assert told() == before
    with pytest.raises(PySparkException), relational.judged({**kinds, "event": kinds["run"]}):
        raise AssertionError
    assert told() == before


@pytest.mark.slow
def test_faults_scenarios_and_drawn_rows_are_judged_as_whole_files_are(spark: SparkSession, tmp_path: Path) -> None:
    faults = [planted(fault) for fault in FAULTS]
    scenarios = [trace(record(LIBRARY.scenario(name)), Origin(0, f"/run/{name}")) for name in LIBRARY.names()]
    random = [drawn(seed) for seed in range(300)]
    runs = [numbered(rows, run) for run, rows in enumerate([sound(), *faults, *scenarios, *random])]
    directory = stored(tmp_path, runs)
    found = judged(spark, directory)
    assert found == filed(directory)
    assert len(found) > 1_000 and sum(holds is False for holds, _ in found.values()) > 300
