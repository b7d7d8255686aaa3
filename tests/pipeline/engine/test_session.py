"""A session: where it runs, its settings; it is quiet, listens on this machine only, and is gone at the end."""

import json
import logging
import os
import signal
import subprocess
import sys
import warnings
from pathlib import Path
from types import SimpleNamespace

import pytest
from pyspark.sql import SparkSession

from app.core.model.values import BluecutError
from app.optional_packages import SPARK
from app.pipeline.engine import packages
from app.pipeline.engine.error_text import Unstopped
from app.pipeline.engine.session import (
    Target,
    because,
    changed,
    delayed,
    jvm,
    path,
    poured,
    session,
    settings,
    target,
    untold,
)
from app.web.shared import subprocesses
from tests.until import until

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("master", "environment", "where"),
    [
        (None, {}, Target(master="local[*]")),
        ("local[2]", {}, Target(master="local[2]")),
        (None, {"SPARK_REMOTE": "sc://there:15002"}, Target(remote="sc://there:15002")),
        ("local[2]", {"SPARK_REMOTE": "sc://there:15002"}, Target(master="local[2]")),
        ("sc://there", {}, Target(remote="sc://there")),
        (None, {"SPARK_REMOTE": "local[2]"}, Target(master="local[2]")),
        (None, {"PYSPARK_GATEWAY_PORT": "4711"}, Target()),
        ("yarn", {"PYSPARK_GATEWAY_PORT": "4711"}, Target(master="yarn")),
    ],
)
def test_where_it_runs_is_what_the_command_says_then_the_environment(
    master: str | None, environment: dict[str, str], where: Target
) -> None:
    assert target(master, environment) == where


@pytest.mark.parametrize(
    ("where", "here"),
    [
        (Target("local[*]"), True),
        (Target("local"), True),
        (Target("local-cluster[2,1,1024]"), True),
        (Target("spark://127.0.0.1:7077"), True),
        (Target("spark://localhost:7077"), True),
        (Target("spark://localhost"), True),
        (Target("local[2, 3]"), True),
        (Target("spark://10.0.0.7:7077"), False),
        (Target("spark://localhost-gw:7077"), False),
        (Target("spark://localhost.example.org:7077"), False),
        (Target("spark://127.0.0.1.example.org"), False),
        (Target("spark://localhost:7077,there:7077"), False),
        (Target("local.example.org"), False),
        (Target("local-cluster"), False),
        (Target("k8s://https://localhost"), False),
        (Target("yarn"), False),
        (Target(remote="sc://127.0.0.1"), False),
        (Target(), False),
    ],
)
def test_only_on_this_machine_does_it_keep_to_this_machine(where: Target, here: bool) -> None:
    told = settings(where, Path("/tmp/x"), shuffle=8, options="-Xa", memory=True)
    assert where.here is here and where.local is (here and (where.master or "").startswith("local"))
    assert (told.get("spark.driver.host") == "127.0.0.1") is here
    assert (told.get("spark.driver.memory") == "2g") is here
    assert told["spark.sql.shuffle.partitions"] == "8" and told["spark.sql.session.timeZone"] == "UTC"


def test_a_server_elsewhere_is_told_only_what_a_client_may_say() -> None:
    told = settings(Target(remote="sc://there"), Path("/tmp/x"), shuffle=None, options="-Xa", memory=True)
    assert told == {"spark.sql.session.timeZone": "UTC", "fs.defaultFS": "file:///"}


def test_tasks_find_this_app_first() -> None:
    assert path({}) == str(ROOT)
    assert path({"PYTHONPATH": f"/a{os.pathsep}{os.pathsep}/b"}) == os.pathsep.join([str(ROOT), "/a", "/b"])


def test_a_jvm_for_a_short_time_compiles_once_and_collects_garbage_in_one_thread() -> None:
    assert jvm(brief=False) == []
    assert jvm(brief=True) == ["-XX:TieredStopAtLevel=1", "-XX:ReservedCodeCacheSize=240m", "-XX:+UseSerialGC"]


def test_variables_are_put_back() -> None:
    with changed({"BLUECUT_ONE": "1"}), changed({"BLUECUT_ONE": None, "BLUECUT_TWO": "2"}):
        assert "BLUECUT_ONE" not in os.environ and os.environ["BLUECUT_TWO"] == "2"
    assert not {"BLUECUT_ONE", "BLUECUT_TWO"} & set(os.environ)


def test_what_a_process_prints_is_poured_into_a_file_and_then_no_longer(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log.txt"
    with poured(log):
        subprocess.run(["sh", "-c", "echo out; echo err >&2"], check=True)
    subprocess.run(["sh", "-c", "echo after"], check=True)
    assert log.read_text("utf-8") == "out\nerr\n"
    assert tuple(capfd.readouterr()) == ("after\n", "")
    with pytest.raises(BluecutError, match="cannot be written"), poured(tmp_path / "none" / "log.txt"):
        pass


def test_of_a_connection_that_breaks_nothing_is_logged(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger(), "filters", [])  # a session of other tests may be open
    monkeypatch.setattr(logging.getLogger("py4j"), "propagate", True)
    said = logging.StreamHandler(sys.stderr)  # the root logger has one as soon as Py4J has used it
    logging.getLogger().addHandler(said)
    own = logging.getLogger("py4j.clientserver")
    try:
        with untold():
            own.error("Exception occurred while shutting down connection")
        own.error("again as before")
    finally:
        logging.getLogger().removeHandler(said)
    assert capsys.readouterr().err == "again as before\n"


def test_the_reason_is_what_the_jvm_said(tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    assert because(RuntimeError("gateway\nexited"), log) == "gateway"
    log.write_text("Error: Could not reserve memory\nbye\n", "utf-8")
    assert because(RuntimeError("gateway"), log) == "Error: Could not reserve memory"


def test_a_package_that_is_missing_is_told_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspark", None)
    monkeypatch.setattr(packages, "SPARK", (*SPARK, "nothing_such"))
    with (
        pytest.raises(BluecutError, match=r"are missing: pyspark, nothing_such; .*'pyspark\[connect\]==4\.3\.0' '"),
        session(None, "none"),
    ):
        pass


@pytest.mark.parametrize("reason", [KeyboardInterrupt, BluecutError, SystemExit])
def test_what_ends_the_work_is_told_and_not_that_spark_cannot_stop_any_more(
    monkeypatch: pytest.MonkeyPatch, reason: type[BaseException]
) -> None:
    stopped = []

    def stop() -> None:
        stopped.append("asked")
        raise ConnectionRefusedError("Java has gone")

    monkeypatch.setattr("app.pipeline.engine.session.started", lambda *told: SimpleNamespace(stop=stop))
    with pytest.raises(reason, match="enough"), session("local[1]", "none"):
        raise reason("enough")
    assert stopped == ["asked"]


def test_work_that_is_done_stays_done_where_spark_does_not_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop() -> None:
        warnings.warn("Unable to cleanly shutdown", RuntimeWarning, stacklevel=1)
        raise ConnectionRefusedError("Java has gone")

    monkeypatch.setattr("app.pipeline.engine.session.started", lambda *told: SimpleNamespace(stop=stop))
    with pytest.warns(Unstopped) as told, session("local[1]", "none"):
        pass
    assert [str(one.message) for one in told] == ["everything is done, but Spark does not stop properly: Java has gone"]


def test_the_session_of_the_tests_is_told_what_it_should_be(spark: SparkSession) -> None:
    assert spark.conf.get("spark.sql.session.timeZone") == "UTC"
    assert spark.conf.get("spark.sql.shuffle.partitions") == "2"
    assert spark.sql("SELECT hour(timestamp_seconds(0)) AS hour").first()[0] == 0  # type: ignore[index]


PROGRAM = """
import json, os, signal, sys, warnings
from pathlib import Path
import psutil
from app.core.model.values import BluecutError
from app.pipeline.engine.session import session
from tests.pipeline.workload import warm

def family():
    mine = psutil.Process()
    return [mine, *mine.children(recursive=True)]

def heard():
    return sorted({each.laddr.ip for one in family() for each in one.net_connections() if each.status == "LISTEN"})

told = {}
try:
    with session("nonsense", "none"):
        pass
except BluecutError as error:
    told["wrong"] = str(error)
with session("local[2]", "first", shuffle=2, brief=True) as spark:
    told["groups"] = warm(spark)
    told["heard"] = heard()
    told["folders"] = [entry.name for entry in Path(os.environ["TMPDIR"]).glob("bluecut-spark-*")]
    told["jvm"] = [one.pid for one in family() if one.name() == "java"]
with session("local[1]", "second", shuffle=3) as spark:
    told["second"] = [spark.conf.get("spark.sql.shuffle.partitions"), spark.range(5).count()]
    told["handler"] = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    try:
        spark.range(1).selectExpr("id + 'a'").where("nonsense = 1")
    except Exception as error:
        told["mistake"] = type(error).__name__
with warnings.catch_warnings(record=True) as found, session("local[1]", "third") as spark:
    told["third"] = spark.range(3).count()
    for pid in told["jvm"]:
        os.kill(pid, signal.SIGKILL)
told["warned"] = [str(one.message) for one in found]
print(json.dumps(told))
"""


@pytest.mark.slow
def test_a_session_is_quiet_heard_here_only_and_leaves_nothing_behind(tmp_path: Path) -> None:
    for folder in ("temporary", "work"):
        (tmp_path / folder).mkdir()
    environment = {key: value for key, value in os.environ.items() if key not in ("SPARK_REMOTE", "BLUECUT_SPARK_LOG")}
    environment |= {"TMPDIR": str(tmp_path / "temporary"), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=tmp_path / "work",
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert (done.returncode, done.stderr, done.stdout.count("\n")) == (0, "", 1)
    told = json.loads(done.stdout)
    assert told["wrong"].startswith("Spark does not start at nonsense: Master must either be yarn or start with ")
    assert told["groups"] == 7 and told["second"] == ["3", 5]
    assert told["handler"] and told["mistake"] == "AnalysisException"
    assert told["third"] == 3 and len(told["warned"]) == 1
    assert told["warned"][0].startswith("everything is done, but Spark does not stop properly: ")
    assert told["heard"] and set(told["heard"]) <= {"127.0.0.1", "::ffff:127.0.0.1"}
    assert len(told["folders"]) == 1 and list((tmp_path / "temporary").glob("bluecut-spark-*")) == []
    assert len(told["jvm"]) == 1
    assert list((tmp_path / "work").iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_is_handled_after_the_start_and_a_second_one_at_once(number: signal.Signals) -> None:
    def interrupted(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    def start(what: str, signals: int) -> None:
        with delayed():
            for _ in range(signals):
                signal.raise_signal(number)
            begun.append(what)

    before = signal.signal(number, interrupted)
    begun: list[str] = []
    try:
        with pytest.raises(KeyboardInterrupt):
            start("to its end", signals=1)
        with pytest.raises(KeyboardInterrupt):
            start("never", signals=2)
        assert begun == ["to its end"]
        assert signal.getsignal(number) is interrupted
    finally:
        signal.signal(number, before)


@pytest.mark.slow
def test_no_java_is_left_by_a_command_that_is_stopped_while_it_starts(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from app.cli.main import main; main()", "sweep"]
    command += [str(ROOT / "scenarios" / "sweeps" / "small.yaml"), "-o", str(tmp_path / "small")]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, start_new_session=True) as sweep:
        started = ["pgrep", "-s", str(sweep.pid), "-f", "SparkSubmit"]
        until(lambda: subprocess.run(started, check=False, stdout=subprocess.DEVNULL).returncode == 0)
        sweep.terminate()
        _, said = sweep.communicate()
        assert (sweep.returncode, said.splitlines()[-1]) == (
            143,
            "bluecut: stopped before the end; what is complete is kept",
        )
        until(lambda: not subprocesses.session(sweep.pid))
