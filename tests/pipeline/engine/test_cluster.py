"""The same code on a cluster: workers whose Python has no ``app``, and folders that are not the project's.

Standalone, ``spark-submit`` and Spark Connect are Spark's own, in separate processes; a sweep there has the same digest
as here.
"""

import json
import socket
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from app.core.model.values import BluecutError
from app.pipeline.engine.packages import packed
from app.pipeline.engine.probe import answering
from app.pipeline.rows.atomic_file import read_file
from app.pipeline.sweep.spec import load_spec
from app.pipeline.sweep.sweep import sweep
from app.scenario.library import LIBRARY
from app.words.error_words import error_text
from tests.cli.command import bluecut
from tests.pipeline.cluster import PROGRAM, SMALL, Cluster, bare, connect, standalone

TINY = """
parts:
  - scenarios: [token-late]
  - {topologies: [ring], sizes: [3], algorithms: [chandy-lamport, late-marker], moves: 4, intervals: [4], seeds: 2}
"""
RUNS = 5


@pytest.fixture(scope="module")
def spec(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of the spec."""
    file = tmp_path_factory.mktemp("spec") / "my.yaml"
    file.write_text(TINY, "utf-8")
    return file


@pytest.fixture(scope="module")
def digest(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the digest of the sweep made here."""
    return sweep(spark, load_spec(TINY, "my.yaml"), tmp_path_factory.mktemp("here")).digest


@pytest.fixture(scope="module")
def workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Yield a master and a worker."""
    with standalone(tmp_path_factory.mktemp("standalone")) as cluster:
        yield cluster


def swept(out: Path, done: "subprocess.CompletedProcess[str]") -> str:
    """Return the digest of a successful sweep."""
    assert (done.returncode, done.stdout.count("\n") > 1) == (0, True), done.stderr[-2000:]
    said = read_file(out / "manifest.json")
    assert said["complete"] and said["digest"] in done.stdout
    return str(said["digest"])


@pytest.mark.slow
def test_a_master_and_its_workers_come_to_the_same_rows_and_find_them_right(
    workers: Cluster, spec: Path, digest: str, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    done = workers.bluecut("sweep", str(spec), "-o", str(out), "--report", "--brief", "--master", workers.place)
    assert swept(out, done) == digest
    report = read_file(out / "report.json")
    assert (report["runs"], report["verdicts"]["by"], report["verdicts"]["disagree"]) == (RUNS, "verifiers", 0)


@pytest.mark.slow
def test_spark_submit_runs_the_file_of_the_command_on_them(
    workers: Cluster, spec: Path, digest: str, tmp_path: Path
) -> None:
    submit = f"{workers.environment['SPARK_HOME']}/bin/spark-submit"
    command = (submit, *SMALL, "--master", workers.place, PROGRAM, "sweep", str(spec), "-o", str(tmp_path / "out"))
    assert swept(tmp_path / "out", workers.run(*command)) == digest


@pytest.mark.slow
def test_spark_submit_hands_the_exit_status_on(workers: Cluster, tmp_path: Path) -> None:
    submit = f"{workers.environment['SPARK_HOME']}/bin/spark-submit"
    done = workers.run(submit, "--master", "local[1]", PROGRAM, "measure", str(tmp_path))
    assert (done.returncode, done.stdout.count("\n")) == (2, 1)  # it sends what Python says on stderr to stdout
    assert "this is not the folder of a sweep" in done.stdout


@pytest.mark.slow
def test_a_client_of_spark_connect_comes_to_the_same_rows_and_follows_them(
    spec: Path, digest: str, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    with connect(tmp_path / "cluster") as server:
        there = {"SPARK_REMOTE": server.place}
        assert swept(out, server.bluecut("sweep", str(spec), "-o", str(out), **there)) == digest
        stream = server.bluecut("stream", str(out), "--once", **there)
        assert stream.returncode == 0 and f"runs: {RUNS}" in stream.stdout, stream.stderr
        opened = server.bluecut("checkpoint", str(out), "--json", **there)
    assert opened.returncode == 0, opened.stderr
    told = json.loads(opened.stdout)
    assert [(one["runs"], one["differ"], one["mistake"]) for one in told["checks"]] == [(0, 0, None)]
    assert told["state"] and all(one["mistake"] is None for one in told["state"])


@pytest.mark.slow
def test_workers_import_app_from_the_archive_and_find_its_scenarios(tmp_path: Path) -> None:
    file = packed(tmp_path)
    assert {Path(name).suffix for name in zipfile.ZipFile(file).namelist()} == {".py", ".yaml"}  # nothing compiled
    program = "import app, sys; from app.scenario.library import LIBRARY; print(app.__file__, *LIBRARY.names())"
    for _ in range(2):
        done = subprocess.run(
            [bare(tmp_path / "python"), "-c", program],
            cwd=tmp_path,
            env={"PYTHONPATH": str(file)},
            capture_output=True,
            text=True,
            timeout=600,
            check=True,
        )
        place, *names = done.stdout.split()
        assert place == f"{file}/app/__init__.py" and tuple(names) == LIBRARY.names()
    assert {path.name for path in tmp_path.iterdir()} == {"bluecut.zip", "bluecut.zip.unpacked", "python"}


@pytest.fixture
def silent() -> Iterator[int]:
    """Yield the port of a server that accepts connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.fixture
def closed() -> int:
    """Return a port where nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@pytest.mark.parametrize(
    ("place", "says"),
    [
        ("sc://localhost:{closed}", "nobody answers at sc://localhost:{closed}: Connection refused"),
        ("sc://localhost:{silent}", "sc://localhost:{silent} answers, but is not a Spark Connect server"),
        ("sc://localhost:{silent}/x", "Spark does not start at sc://localhost:{silent}/x: [INVALID_CONNECT_URL]"),
        ("sc://localhost:x", "Spark does not start at sc://localhost:x: Port could not be cast"),
        ("spark://localhost:{closed}", "nobody answers at spark://localhost:{closed}: Connection refused"),
        ("spark://", "nobody answers at spark://: "),
        ("spark://localhost:x", "nobody answers at spark://localhost:x: Port could not be cast"),
    ],
)
def test_where_nobody_answers_it_is_told_at_once(silent: int, closed: int, place: str, says: str) -> None:
    with pytest.raises(BluecutError) as caught:
        answering(place.format(silent=silent, closed=closed), patience=0.5)
    assert str(caught.value).startswith(says.format(silent=silent, closed=closed))
    assert "\n" not in str(caught.value)


def test_one_of_several_masters_is_enough_and_other_places_are_left_to_spark(silent: int, closed: int) -> None:
    answering(f"spark://localhost:{closed},localhost:{silent}")
    for place in ("local[2]", "yarn", "k8s://https://localhost", ""):
        answering(place)


@pytest.mark.parametrize(
    ("lang", "says"),
    [
        ("en", "{place} answers, but is not a Spark Connect server"),
        ("zh", "{place} 有应答，但不是 Spark Connect 服务器"),
    ],
)
def test_who_answers_and_is_no_connect_server_is_told_so_in_either_language(silent: int, lang: str, says: str) -> None:
    place = f"sc://localhost:{silent}"
    with pytest.raises(BluecutError) as caught:
        answering(place, patience=0.5)
    assert error_text(caught.value.phrase, lang) == says.format(place=place)


def test_the_command_tells_it_in_one_line(closed: int, spec: Path, tmp_path: Path) -> None:
    done = bluecut("sweep", str(spec), "-o", str(tmp_path / "out"), "--master", f"sc://localhost:{closed}")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert done.err == f"bluecut: nobody answers at sc://localhost:{closed}: Connection refused\n"
    (tmp_path / "rows" / "batch=00000").mkdir(parents=True)
    done = bluecut("verify", str(tmp_path), "--master", f"spark://localhost:{closed}", "--lang", "zh")
    assert done.code == 2
