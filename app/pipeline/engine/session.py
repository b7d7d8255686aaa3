"""Where Spark runs, and the one session that a command has.

Nothing here or in the pipeline uses more than the DataFrame API, so the same command runs on this machine
(``local[*]``), on a standalone cluster (``--master spark://…``), by ``spark-submit``, and as a client of Spark Connect
(``SPARK_REMOTE=sc://…``), where this machine needs no Java.

Tasks import ``app``. Where the master is local they find it by themselves: their Python is this one, and their path
leads to this ``app``. Everywhere else the session brings it along: workers need a Python of the same minor version with
the packages that Bluecut stands on, and never run another version of ``app``.

References
----------
Apache Spark 4.3, Spark Configuration; Spark Connect Overview, 2026.
"""

import logging
import os
import re
import signal
import sys
import threading
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.core.model import BluecutError, Phrase
from app.pipeline.engine.answering import answering
from app.pipeline.engine.archive import archive
from app.pipeline.engine.failure import because as because_of
from app.pipeline.engine.failure import in_one_line
from app.pipeline.engine.java import java
from app.pipeline.engine.packages import needed, packed
from app.pipeline.engine.scratch import JAVA, scratch
from app.pipeline.engine.unstopped import Unstopped
from app.places import HERE

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LOOPBACK = "127.0.0.1"
SUBMITTED = "PYSPARK_GATEWAY_PORT"
"""``spark-submit`` says by this variable that it has started the JVM already."""

LOCAL = r"local(\[.*\])?|local-cluster\[.*\]"
"""Masters whose tasks run on this machine: in Spark's one process, or in processes that it starts for them."""

HERE_ALONE = r"spark://(127\.0\.0\.1|localhost)(:\d+)?"
"""A master that is on this machine, and none elsewhere for when it is gone."""

RETRIES = 5
"""How often a Connect server is asked again that does not answer any more: it takes half a minute in all."""

MEMORY = "2g"
"""Of the JVM that drives, and works where the master is local; $SPARK_DRIVER_MEMORY says otherwise."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where to run: a master or the address of a Spark Connect server, or neither under ``spark-submit``."""

    master: str | None = None
    remote: str | None = None

    @property
    def local(self) -> bool:
        """Do tasks run on this machine and in this Python, whoever else is there?"""
        return self.master is not None and bool(re.fullmatch(LOCAL, self.master))

    @property
    def here(self) -> bool:
        """Are all of Spark's processes on this machine?"""
        return self.master is not None and (self.local or bool(re.fullmatch(HERE_ALONE, self.master)))


def target(master: str | None, environment: Mapping[str, str]) -> Target:
    """Where ``--master`` says, else where $SPARK_REMOTE says, else where ``spark-submit`` says, else all cores here."""
    chosen = master or environment.get("SPARK_REMOTE") or (None if SUBMITTED in environment else "local[*]")
    return Target(remote=chosen) if chosen and chosen.startswith("sc://") else Target(master=chosen)


def settings(where: Target, folder: Path, *, shuffle: int | None, options: str, memory: bool) -> dict[str, str]:
    """What Spark is told. ``folder`` takes its temporary files, ``shuffle`` is the number of partitions after a
    shuffle, ``options`` are those of the JVM, and without ``memory`` the JVM has as much as it is told elsewhere."""
    told = {"spark.sql.session.timeZone": "UTC", "fs.defaultFS": "file:///"}  # a path is one of this machine's folders
    if shuffle is not None:
        told["spark.sql.shuffle.partitions"] = str(shuffle)
    if where.remote:
        return told
    told |= {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.sql.codegen.cache.maxEntries": "1000",  # a question of the verifier alone takes more than the usual 100
    }
    if options:
        told["spark.driver.defaultJavaOptions"] = options
    if where.here:
        told |= {
            "spark.driver.host": LOOPBACK,
            "spark.driver.bindAddress": LOOPBACK,
            "spark.local.dir": str(folder / "local"),
            "spark.executorEnv.PYTHONPATH": path(os.environ),
        }
        if memory:
            told["spark.driver.memory"] = MEMORY
    return told


def path(environment: Mapping[str, str]) -> str:
    """The Python path of the tasks: this ``app`` before all others."""
    return os.pathsep.join([str(HERE.parent), *filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))])


@contextmanager
def session(
    master: str | None, name: str, *, shuffle: int | None = None, brief: bool = False
) -> Iterator["SparkSession"]:
    """A Spark session, stopped at the end.

    ``master`` is that of the command (None: see ``target``), ``name`` the application's, ``shuffle`` the number of
    partitions after a shuffle, and ``brief`` spares the optimising compiler, for work of some seconds. All that the JVM
    logs goes into a temporary file, or to the end of the file $BLUECUT_SPARK_LOG, and nothing to stdout or stderr.

    Memory and options are those of the first session of a process, since they share one JVM, which lives as long as it.
    Raises BluecutError where packages or Java are missing, where Spark does not start, and where it gives up meanwhile.
    Where the work is done and Spark then does not stop, that is a warning of the category Unstopped, and no error.
    """
    needed()
    where = target(master, os.environ)
    answering(where.remote or where.master or "")
    folder, options = scratch(), ""
    variables: dict[str, str | None] = {"SPARK_REMOTE": None}  # the builder wants a master or a remote address
    if not where.remote and SUBMITTED not in os.environ:
        used = java()
        options = " ".join((*jvm(archive(used), brief=brief), f'"-Djava.io.tmpdir={folder / JAVA}"'))
        variables |= {"JAVA_HOME": str(used.home)}
    if where.here:
        variables |= {"SPARK_LOCAL_IP": LOOPBACK, "PYSPARK_PYTHON": os.environ.get("PYSPARK_PYTHON", sys.executable)}
    with changed(variables), untold():
        memory = "SPARK_DRIVER_MEMORY" not in os.environ
        spark = started(where, name, folder, settings(where, folder, shuffle=shuffle, options=options, memory=memory))
        try:
            with in_one_line():
                if not where.local:
                    spark.addArtifacts(str(packed(folder)), pyfile=True)
                yield spark
        except BaseException:
            stopped(spark)  # why the work has ended is to be told, not why its Java does not answer
            raise
        if wrong := stopped(spark):
            says = Phrase("all is done, but Spark does not stop as it should: {reason}", reason=wrong)
            warnings.warn(Unstopped(says), stacklevel=3)


def stopped(spark: "SparkSession") -> str | None:
    """Stop Spark; what is wrong where it does not, None where it does."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        try:
            spark.stop()
        except Exception as error:
            return because_of(error)
    return next((str(one.message) for one in found if one.category is RuntimeWarning), None)


def jvm(archived: Path | None, *, brief: bool) -> list[str]:
    """The options of the JVM."""
    found = [f'"-XX:SharedArchiveFile={archived}"'] if archived else []
    # Without the second compiler Java has room for less than a fifth of the code, which a sweep with a report can fill.
    return [*found, "-XX:TieredStopAtLevel=1", "-XX:ReservedCodeCacheSize=240m"] if brief else found


def started(where: Target, name: str, folder: Path, told: Mapping[str, str]) -> "SparkSession":
    """Start. Raises BluecutError with Spark's own reason where that fails."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException
    from pyspark.logger import PySparkLogger
    from pyspark.sql import SparkSession

    for told_twice in ("DataFrameQueryContextLogger", "SQLQueryContextLogger"):  # on stderr, with all of Java's stack
        PySparkLogger.getLogger(told_twice).setLevel(logging.CRITICAL)
    builder = SparkSession.builder.appName(name)
    for key, value in told.items():
        builder = builder.config(key, value)
    if where.remote:
        builder = builder.remote(where.remote)
    elif where.master:
        builder = builder.master(where.master)
    log = Path(os.environ.get("BLUECUT_SPARK_LOG") or folder / "log.txt")
    try:
        with poured(log), uninterrupted():
            spark = builder.getOrCreate()
        if where.remote:
            from pyspark.sql.connect.client.retries import DefaultPolicy

            warnings.filterwarnings("ignore", r"\[RETRIES_EXCEEDED\]")  # it is told as an error
            spark.client.set_retry_policies([DefaultPolicy(max_retries=RETRIES)])
        return spark
    except (Py4JError, PySparkException) as error:
        raise BluecutError(
            "Spark does not start at {place}: {reason}",
            place=where.remote or where.master or "spark-submit",
            reason=because(error, log),
        ) from None


def because(error: Exception, log: Path) -> str:
    """Why Spark does not start, in one line: the Java exception's, or the last that its JVM said."""
    thrown = getattr(error, "java_exception", None)
    if thrown is not None:
        return plain(str(thrown).splitlines()[0])
    said = log.read_text("utf-8", errors="replace").strip().splitlines() if log.is_file() else []
    wrong = [line for line in said if re.search(r"error|exception|invalid|unrecognized", line, re.IGNORECASE)]
    return plain([*(str(error).splitlines() or [type(error).__name__])[:1], *said[-1:], *wrong[:1]][-1])


def plain(line: str) -> str:
    """A line of the JVM without the name of the exception, and no longer than one can read."""
    return re.sub(r'^(Exception in thread "[^"]*" )?([\w.$]+(Exception|Error): )?', "", line)[:500]


@contextmanager
def changed(variables: Mapping[str, str | None]) -> Iterator[None]:
    """Set environment variables (None: take them away) and put them back at the end."""
    before = {key: os.environ.get(key) for key in variables}

    def put(values: Mapping[str, str | None]) -> None:
        for key, value in values.items():
            if value is None:
                os.environ.pop(key, None)
            else:
                os.environ[key] = value

    put(variables)
    try:
        yield
    finally:
        put(before)


@contextmanager
def untold() -> Iterator[None]:
    """That a connection to the JVM breaks is an exception, and told as such: not on stderr, too, with all its stack.

    Py4J complains to the root logger, which has a handler from then on, and to loggers of its own below it."""

    def other(entry: logging.LogRecord) -> bool:
        return "py4j" not in Path(entry.pathname).parts

    root, own = logging.getLogger(), logging.getLogger("py4j")
    before = own.propagate
    root.addFilter(other)
    own.propagate = False
    try:
        yield
    finally:
        root.removeFilter(other)
        own.propagate = before


@contextmanager
def uninterrupted() -> Iterator[None]:
    """What Ctrl-C does stays as it was before: Spark would have it ask the JVM first, which may be gone."""
    before = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, before)


@contextmanager
def poured(log: Path) -> Iterator[None]:
    """What processes that are started meanwhile print, goes to the end of a file, as long as they live.

    Spark passes its own stdout and stderr on to the JVM, which warns there of things that concern nobody: modules, host
    names, native libraries. Raises BluecutError where the file cannot be written.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    except OSError as error:
        raise BluecutError("{file}: cannot be written: {reason}", file=log, reason=str(error.strerror)) from None
    kept = [(number, os.dup(number)) for number in (1, 2)]
    try:
        for number in (1, 2):
            os.dup2(file, number)
        yield
    finally:
        for number, copy in kept:
            os.dup2(copy, number)
            os.close(copy)
        os.close(file)
