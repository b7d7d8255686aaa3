"""A checkpoint of Spark Structured Streaming is read as files, whole or damaged."""

import json
from pathlib import Path

import pytest

from app.core.model.values import BluecutError
from app.formats.spark_checkpoint import Flaw, Input, Offset, Restart, checkpoint

SETTINGS = {"spark.sql.shuffle.partitions": "2"}


def put(directory: Path, file: str, *lines: str) -> Path:
    """Return a file of these lines, without a line break at its end, as Spark writes them."""
    path = directory / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines), "utf-8")
    return path


def planned(directory: Path, batch: int, *offsets: str, watermark: int = 0) -> Path:
    metadata = {"batchWatermarkMs": watermark, "batchTimestampMs": 1_795_294_095_387, "conf": SETTINGS}
    return put(directory, f"offsets/{batch}", "v1", json.dumps(metadata), *offsets)


def done(directory: Path, batch: int, watermark: int = 0) -> Path:
    return put(directory, f"commits/{batch}", "v1", json.dumps({"nextBatchWatermarkMs": watermark}))


def three(directory: Path, committed: int = 3) -> Path:
    """Write three batches over two logs, ``committed`` of which are done."""
    put(directory, "metadata", '{"id":"8a71cfd7"}')
    (directory / "commits").mkdir()
    for batch in range(3):
        planned(directory, batch, json.dumps({"p.jsonl": 10 * batch + 10}), "-" if batch == 0 else str(batch))
        if batch < committed:
            done(directory, batch)
    return directory


def test_what_the_logs_say_of_each_batch(tmp_path: Path) -> None:
    found = checkpoint(three(tmp_path))
    assert (found.query, found.flaws) == ("8a71cfd7", ())
    first, second, _ = found.batches
    assert first.intent is not None and second.intent is not None
    assert first.intent.offsets == (Offset("0", {"p.jsonl": 10}), Offset("1", None))
    assert second.intent.offsets == (Offset("0", {"p.jsonl": 20}), Offset("1", 1))
    assert first.intent.settings == (("spark.sql.shuffle.partitions", "2"),)
    assert (first.intent.at, first.inputs) == (1_795_294_095_387, ())


def test_after_a_batch_that_is_done_the_next_is_planned(tmp_path: Path) -> None:
    assert checkpoint(three(tmp_path)).restart == Restart("plan", 3)


def test_a_batch_that_is_not_done_is_run_again(tmp_path: Path) -> None:
    found = checkpoint(three(tmp_path, committed=2))
    assert (found.restart, found.flaws) == (Restart("rerun", 2), ())
    assert [batch.committed for batch in found.batches] == [True, True, False]


def test_where_nothing_was_written_yet_batch_0_is_planned(tmp_path: Path) -> None:
    put(tmp_path, "metadata", '{"id":"8a71cfd7"}')
    for name in ("offsets", "commits"):
        (tmp_path / name).mkdir()
    found = checkpoint(tmp_path)
    assert (found.restart, found.batches, found.flaws) == (Restart("begin", 0), (), ())


def test_watermarks_are_told(tmp_path: Path) -> None:
    put(tmp_path, "metadata", '{"id":"x"}')
    planned(tmp_path, 0, "5", watermark=1000)
    done(tmp_path, 0, watermark=2000)
    (batch,) = checkpoint(tmp_path).batches
    assert batch.intent is not None and batch.commit is not None
    assert (batch.intent.watermark, batch.commit.watermark) == (1000, 2000)


def test_the_second_version_names_its_sources_and_its_states(tmp_path: Path) -> None:
    put(tmp_path, "metadata", '{"id":"x"}')
    put(tmp_path, "offsets/0", "v2", '{"batchWatermarkMs":0,"batchTimestampMs":1}', 'orders:{"a":{"0":1}}', "users:-")
    put(tmp_path, "commits/0", "v2", '{"nextBatchWatermarkMs":0,"stateUniqueIds":{"0":[["ab"],["cd"]]}}')
    found = checkpoint(tmp_path)
    (batch,) = found.batches
    assert batch.intent is not None and batch.commit is not None and found.flaws == ()
    assert batch.intent.offsets == (Offset("orders", {"a": {"0": 1}}), Offset("users", None))
    assert batch.commit.ids == {"0": [["ab"], ["cd"]]}


def test_the_third_version_of_a_commit_is_read(tmp_path: Path) -> None:
    put(tmp_path, "metadata", '{"id":"x"}')
    planned(tmp_path, 0, "5")
    put(tmp_path, "commits/0", "v3", '{"nextBatchWatermarkMs":7,"sinkMetadataMap":{"out":{"sinkName":"out"}}}')
    (batch,) = checkpoint(tmp_path).batches
    assert batch.commit is not None and batch.commit.watermark == 7


def listed(directory: Path, file: str, **paths: int) -> Path:
    """Return a file of the log of source 0: paths and the batch of the source each is in."""
    lines = (json.dumps({"path": f"file:///{p}", "timestamp": 7, "batchId": b}) for p, b in paths.items())
    return put(directory, f"sources/0/{file}", "v1", *lines)


def filed(directory: Path) -> Path:
    """Three batches over files; the second had no new one."""
    put(directory, "metadata", '{"id":"x"}')
    for batch, upto in enumerate((0, 0, 2)):
        planned(directory, batch, json.dumps({"logOffset": upto}))
        done(directory, batch)
    listed(directory, "0", a=0, b=0)
    listed(directory, "1", c=1)
    listed(directory, "2", d=2)
    return directory


def test_a_file_source_has_a_log_of_its_own(tmp_path: Path) -> None:
    found = checkpoint(filed(tmp_path))
    names = [[file.path[-1] for _, files in batch.inputs for file in files or ()] for batch in found.batches]
    assert names == [["a", "b"], [], ["c", "d"]]
    assert found.batches[0].inputs == (("0", (Input("file:///a", 7), Input("file:///b", 7))),)
    assert [file.path[-1] for file in found.until(found.batches[2]) or ()] == ["a", "b", "c", "d"]


def test_a_compact_file_stands_for_all_before_it(tmp_path: Path) -> None:
    filed(tmp_path)
    listed(tmp_path, "2.compact", a=0, b=0, c=1, d=2)
    for number in (0, 1, 2):
        (tmp_path / "sources/0" / str(number)).unlink()
    found = checkpoint(tmp_path)
    assert found.flaws == ()
    assert [file.path[-1] for file in found.until(found.batches[2]) or ()] == ["a", "b", "c", "d"]


def test_a_file_of_that_log_that_is_gone_is_missed(tmp_path: Path) -> None:
    filed(tmp_path)
    (tmp_path / "sources/0/2").unlink()
    found = checkpoint(tmp_path)
    assert (found.flaws, found.restart) == ((Flaw("sources/0/2", "missing", "2"),), Restart("stuck", 2))
    assert found.batches[2].inputs == (("0", None),) and found.until(found.batches[2]) is None


def state(directory: Path, *versions: int) -> Path:
    """Return one stateful operator with two partitions that have these versions."""
    store = {"storeName": "default", "numColsPrefixKey": 0, "numPartitions": 2}
    variables = json.dumps({"stateVariables": [{"stateName": "rows", "stateVariableType": "ValueState"}]})
    told = {"operatorInfo": {"operatorId": 0, "operatorName": "transform"}, "stateStoreInfo": [store]}
    put(directory, "state/0/_metadata/v2/0", "v2", json.dumps(told | {"operatorPropertiesJson": variables}))
    for partition in (0, 1):
        for version in versions:
            put(directory, f"state/0/{partition}/{version}.zip", "12345")
    return directory


def test_a_state_has_versions_by_partition(tmp_path: Path) -> None:
    found = checkpoint(state(three(tmp_path), 1, 2, 3))
    (operator,) = found.operators
    assert (operator.number, operator.name, operator.variables) == (0, "transform", (("rows", "ValueState"),))
    assert [(store.name, store.partitions) for store in operator.stores] == [("default", 2)]
    assert [(one.number, one.versions, one.files, one.bytes) for one in operator.partitions] == [
        (0, (1, 2, 3), 3, 15),
        (1, (1, 2, 3), 3, 15),
    ]
    assert found.flaws == ()


def test_the_state_after_the_last_batch_that_is_done_is_missed_where_it_is_gone(tmp_path: Path) -> None:
    found = checkpoint(state(three(tmp_path), 1, 2))
    assert found.flaws == (Flaw("state/0/0/3", "missing", "2"), Flaw("state/0/1/3", "missing", "2"))


@pytest.mark.parametrize(
    ("file", "text", "flaw", "restart"),
    [
        ("offsets/2", "", Flaw("offsets/2", "empty"), Restart("stuck", 2)),
        ("offsets/1", "", Flaw("offsets/1", "empty"), Restart("stuck", 2)),
        ("offsets/0", "", Flaw("offsets/0", "empty"), Restart("plan", 3)),
        ("offsets/2", "v9\n{}\n5", Flaw("offsets/2", "version", "v9"), Restart("stuck", 2)),
        ("offsets/2", "v1\n{half", Flaw("offsets/2", "content", "{half"), Restart("stuck", 2)),
        ("offsets/2", "v2\n{}\nno colon", Flaw("offsets/2", "content", "{}\nno colon"), Restart("stuck", 2)),
        ("commits/2", "", Flaw("commits/2", "empty"), Restart("stuck", 2)),
        ("commits/2", "v1\n[]", Flaw("commits/2", "content", "[]"), Restart("stuck", 2)),
        ("metadata", "{}", Flaw("metadata", "content", "{}"), Restart("stuck", 2)),
    ],
)
def test_a_file_that_cannot_be_understood_is_told(
    file: str, text: str, flaw: Flaw, restart: Restart, tmp_path: Path
) -> None:
    (three(tmp_path) / file).write_text(text)
    found = checkpoint(tmp_path)
    assert (found.flaws, found.restart) == ((flaw,), restart)


def test_bytes_that_are_no_text_are_told(tmp_path: Path) -> None:
    (three(tmp_path) / "offsets/2").write_bytes(b"\xff\xfe")
    (flaw,) = checkpoint(tmp_path).flaws
    assert (flaw.file, flaw.why) == ("offsets/2", "unreadable")


def test_a_number_between_others_is_missed(tmp_path: Path) -> None:
    three(tmp_path)
    (tmp_path / "offsets/1").unlink()
    (tmp_path / "commits/1").unlink()
    found = checkpoint(tmp_path)
    assert found.flaws == (Flaw("offsets/1", "gap"), Flaw("commits/1", "gap"))
    assert found.restart == Restart("stuck", 2)


def test_a_commit_that_nobody_intended_is_told(tmp_path: Path) -> None:
    (three(tmp_path) / "offsets/2").unlink()
    found = checkpoint(tmp_path)
    assert found.flaws == (Flaw("offsets/2", "missing"),) and found.batches[2].intent is None
    assert found.restart == Restart("stuck", 1)


def test_a_query_that_has_run_needs_its_id(tmp_path: Path) -> None:
    (three(tmp_path) / "metadata").unlink()
    found = checkpoint(tmp_path)
    assert (found.flaws, found.restart) == ((Flaw("metadata", "missing"),), Restart("stuck", 2))


def test_a_directory_that_is_no_checkpoint_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BluecutError, match="there is no such directory"):
        checkpoint(tmp_path / "none")
    (tmp_path / "file").touch()
    with pytest.raises(BluecutError, match="file: a file; give the folder of a checkpoint"):
        checkpoint(tmp_path / "file")
    with pytest.raises(BluecutError, match="not a checkpoint of Spark Structured Streaming"):
        checkpoint(tmp_path)
