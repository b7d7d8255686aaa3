"""The query that visitors kill: killed between its sinks and the commit log, it makes the same batch again."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from app.pipeline.demo_query.numbered_source import MOST, Reader, lines
from app.pipeline.demo_query.query import KEYS, Life, appended, producing, record
from app.web.measure.spark.batch_log import Tape
from app.web.measure.spark.query_process import Watched
from app.web.shared import subprocesses
from tests.until import lives, until

pytestmark = pytest.mark.usefixtures("patient")


def totals(tapes: tuple[Tape, ...]) -> tuple[tuple[str, int, int], ...]:
    """Return count and sum by key of all committed items, from the logs themselves."""
    read = [record for tape in tapes for record in tape.records[: tape.committed]]
    values = {key: [record.value for record in read if record.key == key] for key in KEYS}
    return tuple((key, len(each), sum(each)) for key, each in values.items())


def java_of(leader: int) -> int:
    """Return the process of a query's JVM."""
    found = []
    for each in subprocesses.session(leader):
        with suppress(psutil.NoSuchProcess):  # it has ended meanwhile
            found += [each.pid] if each.name() == "java" else []
    (java,) = found
    return java


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    """Yield a query with shorter pauses and three batches."""
    query = Watched(tmp_path / "spark", ("--before", "0.2", "--hold", "1.5", "--batches", "3"))
    yield query
    query.close()


@pytest.mark.slow
def test_killed_between_sink_and_commit_it_makes_the_same_batch_again(watched: Watched, tmp_path: Path) -> None:
    folder = tmp_path / "spark"
    assert watched.start()
    until(lambda: (folder / "checkpoint" / "commits" / "0").is_file())
    first = watched.pid
    assert first is not None
    assert len(subprocesses.session(first)) > 2  # Python, its JVM and workers
    members = subprocesses.session(first)
    assert watched.aim()
    until(lambda: watched.look()[0] == "killed")
    until(lambda: not any(lives(each.pid) for each in members))

    tail = watched.look()[1].tail
    assert tail is not None and tail.exact is not None and not tail.again
    logged = (folder / "checkpoint" / "offsets" / str(tail.number)).read_bytes()
    assert not (folder / "checkpoint" / "commits" / str(tail.number)).exists()

    assert watched.restart()
    until(lambda: watched.look()[0] == "ended")
    _, found = watched.look()
    assert found.tail is None and [epoch.number for epoch in found.epochs] == [0, 1, 2]
    assert (folder / "checkpoint" / "offsets" / str(tail.number)).read_bytes() == logged
    (again,) = found.repeated
    assert again.number == tail.number and again.exact == tail.exact and again.life == 2
    assert [writing.life for writing in again.plain] == [1, 2]
    assert again.doubled == len(tail.exact) > 0

    # After each batch, even across the crash, Spark's state data source agrees with the sink.
    assert all(epoch.stored is not None and epoch.agrees for epoch in found.epochs)
    assert found.epochs[-1].totals == totals(found.tapes)

    exact = [cell for epoch in found.epochs for cell in epoch.exact or ()]
    assert len(exact) == len(set(exact)) == sum(tape.committed for tape in found.tapes)  # each item once
    assert all(epoch.sums is not None and epoch.sums[0] == epoch.sums[1] for epoch in found.epochs)
    assert len(found.lives) == 2 and len({pid for _, pid in found.lives}) == 2
    log = (folder / "log.txt").read_text()
    assert "Traceback" not in log


@pytest.mark.slow
def test_where_java_alone_is_killed_it_says_so_leaves_and_goes_on_when_it_is_started_again(
    watched: Watched, tmp_path: Path
) -> None:
    folder = tmp_path / "spark"
    assert watched.start()
    until(lambda: (folder / "checkpoint" / "commits" / "0").is_file())
    leader = watched.pid
    assert leader is not None
    os.kill(java_of(leader), signal.SIGKILL)
    until(lambda: watched.look()[0] == "failed" and not subprocesses.session(leader))
    mistake = watched.look()[1].now["mistake"]
    assert mistake["template"] == "the Java that Spark runs on is gone, with status {status}"
    assert mistake["fields"] == {"status": -signal.SIGKILL}
    assert not any("Traceback" in line or line.startswith(" ") for line in subprocesses.last_lines(folder))

    assert watched.restart()
    until(lambda: watched.look()[0] in ("waiting", "planned", "written"))
    second = watched.pid
    assert second is not None and second != leader
    os.kill(second, signal.SIGTERM)
    until(lambda: watched.look()[0] == "failed" and not subprocesses.session(second))
    assert watched.look()[1].now["mistake"]["template"] == "its process was ended, but not from this page"
    assert "Traceback" not in (folder / "log.txt").read_text()
    assert not list((folder / "tmp").iterdir())


@pytest.mark.slow
def test_a_python_that_is_late_is_started_again(
    watched: Watched, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    late, asked = tmp_path / "late", tmp_path / "asked"
    late.write_text(
        f"""#!/bin/sh
case "$*" in *pyspark.sql.streaming*)
  echo "$*" >> {asked}
  [ "$(wc -l < {asked})" = 1 ] && sleep 12
esac
exec {sys.executable} "$@"
"""
    )
    late.chmod(0o755)
    monkeypatch.setenv("PYSPARK_PYTHON", str(late))
    assert watched.start()
    until((tmp_path / "spark" / "checkpoint" / "commits" / "0").is_file)
    first, second, *_ = asked.read_text().splitlines()
    assert first == second  # the same process, once late
    found = watched.look()[1]
    assert len(found.lives) == 1 and found.epochs[0].doubled == 0


# --- without Spark -------------------------------------------------------------------------------------------------


def test_an_offset_counts_the_whole_records_of_each_log(tmp_path: Path) -> None:
    reader = Reader(tmp_path)
    assert reader.initialOffset() == {"P": 0, "Q": 0}
    assert reader.latestOffset({"P": 0, "Q": 0}, reader.getDefaultReadLimit()) == {"P": 0, "Q": 0}
    appended(tmp_path / "P.jsonl", [record("P", n) for n in range(1, 6)])
    appended(tmp_path / "Q.jsonl", [record("Q", 1)])
    with (tmp_path / "Q.jsonl").open("a") as log:
        log.write('{"n": 2, "key"')
    assert reader.latestOffset({"P": 0, "Q": 0}, reader.getDefaultReadLimit()) == {"P": MOST["P"], "Q": 1}
    assert reader.latestOffset({"P": 3, "Q": 1}, reader.getDefaultReadLimit()) == {"P": 5, "Q": 1}
    (part,) = reader.partitions({"P": 3, "Q": 1}, {"P": 5, "Q": 1})
    assert [(row[0], row[1]) for row in reader.read(part)] == [("P", 4), ("P", 5)]


def test_the_sink_by_number_replaces_and_the_plain_one_appends(tmp_path: Path) -> None:
    rows = [{"log": "P", "n": 1, "key": "a", "value": 5, "count": 1, "sum": 5}]
    for life in (1, 2):
        one = Life(tmp_path, life, 70 + life)
        one.by_number(0, rows)
        one.plainly(0, rows)
    assert json.loads((tmp_path / "exact" / "0" / "rows.json").read_text()) == {"life": 2, "pid": 72, "rows": rows}
    plain = [json.loads(line) for line in (tmp_path / "plain.jsonl").read_text().splitlines()]
    assert [(row["life"], row["log"], row["n"]) for row in plain] == [(1, "P", 1), (2, "P", 1)]


def test_a_line_that_a_kill_left_unfinished_stays_alone(tmp_path: Path) -> None:
    sink = tmp_path / "plain.jsonl"
    sink.write_text('{"n": 1}\n{"n":')
    appended(sink, [{"n": 2}])
    assert sink.read_text() == '{"n": 1}\n{"n":\n{"n": 2}\n'


def test_a_record_that_a_kill_left_unfinished_is_written_again_and_counted_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.pipeline.demo_query.query.PACE", 0)
    (tmp_path / "P.jsonl").write_text(json.dumps(record("P", 1)) + "\n" + '{"n": 2, "k')
    (tmp_path / "Q.jsonl").write_text('{"n"')
    producing(tmp_path, 2, threading.Event())
    for log, most in MOST.items():
        assert [json.loads(line) for line in lines(tmp_path, log)] == [record(log, n) for n in range(1, 2 * most + 1)]


def test_a_batch_that_is_committed_is_said_to_be_so_and_one_that_is_not_is_not(tmp_path: Path) -> None:
    one = Life(tmp_path, 1, 71)
    commits = tmp_path / "checkpoint" / "commits"
    commits.mkdir(parents=True)
    (commits / "0").touch()
    one.now("written", 1)
    one.rest()
    assert json.loads((tmp_path / "now.json").read_text())["stage"] == "written"
    (commits / "1").touch()
    one.rest()
    assert json.loads((tmp_path / "now.json").read_text())["stage"] == "waiting"


def test_what_is_being_done_says_since_when_and_until_when_and_nothing_follows_the_end(tmp_path: Path) -> None:
    one = Life(tmp_path, 1, 71, ends=5_000.0)
    one.now("written", 3, rest=4.0)
    told = json.loads((tmp_path / "now.json").read_text())
    assert told["until"] - told["at"] == pytest.approx(4.0) and told["ends"] == 5_000.0
    one.now("failed", mistake={"template": "gone", "fields": {}})
    one.now("written", 4)  # a batch still at work in Python when Java is gone
    told = json.loads((tmp_path / "now.json").read_text())
    assert (told["stage"], told["until"]) == ("failed", None)


def test_without_spark_it_says_what_to_install_and_leaves(tmp_path: Path) -> None:
    begin = "import sys; sys.modules['pyspark'] = None"
    code = f"{begin}; from app.pipeline.demo_query.query import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "")
    now = json.loads((tmp_path / "now.json").read_text())
    assert now["stage"] == "failed"
    assert now["mistake"]["fields"]["missing"] == ["pyspark"]
