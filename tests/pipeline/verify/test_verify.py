"""A sweep is verified: disagreements, and violations of what should hold, are reported with their address."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace
from pyspark.sql import SparkSession

from app.cli.verify import lines
from app.pipeline.rows.from_run import Origin, Rows, trace
from app.pipeline.rows.tables import batches, escaped
from app.pipeline.verify.verify import Verified, first, known, turns, verify
from app.run.run import record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from tests.pipeline.faults import FAULTS, planted
from tests.pipeline.stored import numbered, sound, stored

LIKE = {"url": "/run/x?seed=3", "scenario": "drawn", "steps": 9}


def flipped() -> Rows:
    """Return a correct run whose simulator says that it is not."""
    rows = sound()
    rows["snapshot"][0]["verdict_channels"] = False
    return rows


@pytest.fixture(scope="module")
def found(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> tuple[Verified, Path]:
    """Return the verdicts on a right run, one of each fault, one whose simulator is wrong, and two real ones, in two
    batches; the folder has a name that Spark and Hive read otherwise."""
    directory = tmp_path_factory.mktemp("sweep") / "rows" / "batch=7" / "kind=x" / "a[1] {b}"
    runs = [numbered(sound(), 0, **LIKE)]
    runs += [numbered(planted(fault), run, **LIKE) for run, fault in enumerate(FAULTS, 1)]
    runs += [numbered(flipped(), 20, **LIKE)]
    late = record(LIBRARY.scenario("blue-figure"), RunKey(algorithm="late-marker"))
    runs += [trace(late, Origin(21, "/run/blue-figure?algorithm=late-marker", scenario="drawn"))]
    runs += [trace(record(LIBRARY.scenario("token-late")), Origin(22, "/run/token-late", scenario="drawn"))]
    later = stored(directory.with_name("later"), runs[-2:])
    stored(directory, runs[:-2])
    (later / "rows" / "batch=00000").rename(directory / "rows" / "batch=00001")
    return verify(spark, directory), directory


def test_each_fault_is_told_with_its_address_step_and_witness(found: tuple[Verified, Path]) -> None:
    told = {case.run: case for case in (*found[0].surprising, *found[0].disagreeing)}
    names = {0: {"channel": "a->b", "process": "a"}, 1: {"channel": "b->a", "process": "b"}}
    for run, (check, witness) in enumerate(FAULTS.values(), 1):
        case = next(c for c in (*found[0].surprising, *found[0].disagreeing) if c.run == run and c.check == check)
        named = {key: names[value][key] if key in ("channel", "process") else value for key, value in witness.items()}
        assert (case.holds, case.local, case.witness) == (False, False, named)
        assert case.url == "/run/x?seed=3" + ("" if check == "rows" else "&step=8")
    assert 0 not in told


def test_a_simulator_that_says_otherwise_is_a_disagreement(found: tuple[Verified, Path]) -> None:
    (case,) = (case for case in found[0].disagreeing if case.run == 20)
    assert (case.check, case.holds, case.local, case.simulated) == ("channels", True, True, False)
    assert case.url == "/run/x?seed=3&step=8"
    assert not found[0].fine
    alone = replace(found[0], disagreeing=(case,))
    assert (
        "  Chandy–Lamport, fifo, channels: holds by relations, holds by whole files, broken by the simulator"
        " (snapshot 1, step 8)\n    /run/x?seed=3&step=8\n"
    ) in "\n".join(lines(alone, "en"))
    assert "模拟器判定为不成立（快照 1，第 8 步）\n    /run/x?seed=3&step=8\n" in "\n".join(lines(alone, "zh"))


@pytest.mark.slow
def test_batches_that_are_judged_in_turns_get_the_same_verdicts(
    spark: SparkSession, found: tuple[Verified, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    there = list(batches(found[1]))
    assert turns(spark, there) == [there]
    monkeypatch.setattr("app.pipeline.verify.verify.ENDS", 4)
    assert turns(spark, there) == [[there[0]], [there[1]]]
    assert verify(spark, found[1]) == found[0]


def test_what_breaks_a_known_broken_variant_is_a_finding(found: tuple[Verified, Path]) -> None:
    late = [count for count in found[0].counts if count.algorithm == "late-marker" and count.check == "consistent"]
    assert [(count.known, count.broken) for count in late] == [(True, sum(count.broken for count in late))]
    assert {case.run for case in found[0].surprising} <= set(range(1, 21))


def test_the_verdicts_are_kept_as_parquet(spark: SparkSession, found: tuple[Verified, Path]) -> None:
    kept = spark.read.parquet(escaped(str(found[1] / "verdicts")))
    rows = kept.where("run = 1 AND check = 'consistent'").collect()
    assert [(row["holds"], row["local"], row["simulated"], row["agree"]) for row in rows] == [
        (False, False, True, False)
    ]
    assert json.loads(rows[0]["witness"]) == {"fault": "orphan", "channel": 0, "message": 0}
    assert not (found[1] / "verdicts.part").exists()


def test_the_first_are_told_and_the_first_of_each_algorithm_and_check(spark: SparkSession) -> None:
    cases: list[tuple[int, str, str | None]] = [(run, "consistent", "late-marker") for run in range(30)]
    cases += [(29, "channels", "late-marker"), (25, "consistent", None), (27, "consistent", None)]
    rows = [
        (run, 0, 1, check, False, None, True, False, None, 1, "/run/x", algorithm, "fifo", "x", False)
        for run, check, algorithm in cases
    ]
    types = "run long, life short, snapshot int, check string, holds boolean, witness string, agree boolean, "
    types += "local boolean, simulated boolean, step int, url string, algorithm string, discipline string, "
    told = first(spark.createDataFrame(rows, types + "scenario string, faulty boolean"))
    assert [(case.run, case.check, case.algorithm) for case in told] == [
        *((run, "consistent", "late-marker") for run in range(20)),
        (25, "consistent", None),
        (29, "channels", "late-marker"),
    ]


def test_what_is_written_is_plain(found: tuple[Verified, Path]) -> None:
    told = json.loads(json.dumps(found[0].written()))
    assert (told["runs"], told["snapshots"], told["planned"], told["fine"]) == (14, 14, None, False)
    assert {"algorithm", "check", "known", "holds", "broken", "open", "discipline"} == set(told["counts"][0])
    assert replace(found[0], disagreements=0, unexpected=0).fine


@pytest.mark.parametrize(
    ("algorithm", "discipline", "scenario", "faulty", "surprise"),
    [
        ("chandy-lamport", "fifo", "bank-3", False, True),
        ("chandy-lamport", "causal", "bank-3", False, True),
        ("chandy-lamport", "any", "bank-3", False, False),
        ("chandy-lamport", "fifo", "bank-3", True, False),
        ("sequenced", "any", "bank-3", True, True),
        ("lai-yang", "any", "bank-3", False, True),
        ("late-marker", "fifo", "bank-3", False, False),
        ("chandy-lamport", "fifo", "blue-figure", False, False),
        (None, "fifo", "blue-figure", None, True),
    ],
)
def test_a_broken_snapshot_is_a_surprise_if_nothing_explains_it(
    algorithm: str | None, discipline: str, scenario: str, faulty: bool | None, surprise: bool
) -> None:
    assert known(algorithm, discipline, scenario, faulty) is not surprise
