"""Clusters for tests: Spark's own processes on this machine, with workers whose Python knows nothing of this ``app``.

They listen on an address other than the machine's usual one, so that nothing takes them for local. Whatever happens,
all their processes are gone at the end, including those of tasks, which work in folders below the cluster's.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
import venv
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil
import pyspark

from app.pipeline.engine.java import java

PROGRAM = str(Path(__file__).parents[2] / "app" / "__main__.py")
"""``bluecut`` as ``spark-submit`` takes it."""

SPARK = Path(pyspark.__file__).parent
HOST = "127.0.0.2"
PATIENCE = 900
"""Seconds after which a process counts as hung, however busy the machine is."""

ELSEWHERE = "spark.hadoop.fs.defaultFS=hdfs://nowhere.invalid:9000"
"""The file system that paths refer to on a cluster with its own."""

SMALL = ("--conf", "spark.executor.memory=512m", "--conf", ELSEWHERE)
"""The settings of a job for a small worker of such a cluster."""


Process = subprocess.Popen[bytes]


@dataclass(frozen=True, slots=True)
class Cluster:
    """The address of a cluster, and the environment of its users."""

    place: str
    environment: Mapping[str, str]

    def bluecut(self, *words: str, **variables: str) -> "subprocess.CompletedProcess[str]":
        """Run ``bluecut`` on it, from another folder than that of the project."""
        return self.run(sys.executable, PROGRAM, *words, **variables)

    def run(self, *words: str, **variables: str) -> "subprocess.CompletedProcess[str]":
        """Run any command in its environment."""
        return subprocess.run(
            words,
            cwd=self.environment["TMPDIR"],
            env={**self.environment, **variables},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )


def bare(folder: Path) -> str:
    """Return a Python with this one's packages, but without ``app``."""
    venv.create(folder, symlinks=True)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(folder)}))
    # In a folder named by a .pth file, Python finds packages, but ignores .pth files: one would lead to app.
    (packages / "others.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    return str(folder / "bin" / "python")


def environment(folder: Path) -> dict[str, str]:
    """Return the environment of a cluster's processes and users, with temporary files below ``folder``."""
    for name in ("work", "temporary"):
        (folder / name).mkdir(parents=True)
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("SPARK_", "PYSPARK_", "PYTHONPATH"))}
    return kept | {
        "JAVA_HOME": str(java()),
        "PYSPARK_PYTHON": bare(folder / "python"),
        "SPARK_HOME": str(SPARK),
        "SPARK_LOCAL_IP": HOST,
        "SPARK_LOCAL_DIRS": str(folder / "temporary"),
        "SPARK_WORKER_DIR": str(folder / "work"),
        "JDK_JAVA_OPTIONS": f"-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Djava.io.tmpdir={folder / 'temporary'}",
        "TMPDIR": str(folder / "temporary"),
    }


@contextmanager
def standalone(folder: Path) -> Iterator[Cluster]:
    """Run a master, and a worker with two cores."""
    told, spark = environment(folder) | {"SPARK_DAEMON_MEMORY": "256m"}, str(SPARK / "bin" / "spark-class")
    deploy = "org.apache.spark.deploy"
    common = ("--host", HOST, "--port", "0", "--webui-port", "0")
    with swept(folder) as start:
        master = (spark, f"{deploy}.master.Master", *common)
        place = said(*start("master", master, told), r"Starting Spark master at (spark://\S+)")
        worker = (spark, f"{deploy}.worker.Worker", *common, "--cores", "2", "--memory", "512m", place)
        said(*start("worker", worker, told), r"(Successfully registered)")
        yield Cluster(place, told | {"PYSPARK_SUBMIT_ARGS": " ".join((*SMALL, "pyspark-shell"))})


@contextmanager
def connect(folder: Path) -> Iterator[Cluster]:
    """Run a Spark Connect server."""
    told, spark = environment(folder), str(SPARK / "bin" / "spark-submit")
    conf = {
        "spark.connect.grpc.binding.address": "127.0.0.1",  # where the server's own Python looks for it
        "spark.connect.grpc.binding.port": "0",
        "spark.sql.shuffle.partitions": "2",
        "spark.ui.enabled": "false",
    }
    words = (spark, "--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "--master", "local[2]")
    more = ("--conf", ELSEWHERE, *(word for key, value in conf.items() for word in ("--conf", f"{key}={value}")))
    with swept(folder) as start:
        server = start("server", (*words, "--driver-memory", "1g", *more, "spark-internal"), told)
        port = said(*server, r"Spark Connect server started at: \S+:(\d+)")
        yield Cluster(f"sc://localhost:{port}", {key: text for key, text in told.items() if key != "JAVA_HOME"})


def said(process: Process, log: Path, what: str) -> str:
    """Wait until a process writes this to its log; return it."""
    end = time.monotonic() + PATIENCE
    while not (found := re.search(what, log.read_text("utf-8", errors="replace"))):
        lives = process.poll() is None and time.monotonic() < end
        assert lives, log.read_text("utf-8", errors="replace")[-4000:]
        time.sleep(0.05)
    return found[1]


Start = Callable[[str, Sequence[str], Mapping[str, str]], tuple[Process, Path]]
"""Starts a command with an environment, in a folder of this name; returns the process and its log file."""


@contextmanager
def swept(folder: Path) -> Iterator[Start]:
    """End all processes that work below a folder, whatever started them."""
    processes: list[Process] = []

    def start(name: str, words: Sequence[str], told: Mapping[str, str]) -> tuple[Process, Path]:
        (folder / name).mkdir()
        log = folder / name / "log.txt"
        with log.open("w") as file:
            mine = subprocess.Popen(words, cwd=log.parent, env=told, stdin=subprocess.DEVNULL, stdout=file, stderr=file)
        processes.append(mine)
        return mine, log

    try:
        yield start
    finally:
        end = time.monotonic() + 60
        while (there := at_work(folder)) and time.monotonic() < end:
            for process in there:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            time.sleep(0.1)
        for mine in processes:
            mine.wait(60)
        shutil.rmtree(folder / "temporary", ignore_errors=True)
        assert not there, there


def at_work(folder: Path) -> list[int]:
    """Return the processes that work below a folder."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if Path(process.cwd()).is_relative_to(folder):
                found.append(process.pid)
    return found
