"""Where Spark runs, and the single session of a command.

Nothing here or in the pipeline uses more than the DataFrame API, so the same command runs on this machine
(``local[*]``), on a standalone cluster (``--master spark://…``), by ``spark-submit``, and as a client of Spark Connect
(``SPARK_REMOTE=sc://…``), where this machine needs no Java.

Tasks import ``app``. With a local master they find it on their own: their Python is this one, and their path leads to
this ``app``. Everywhere else the session sends it along: workers need a Python of the same minor version with the
packages that Bluecut depends on, and never run another version of ``app``.

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
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from app.core.model.value import Frozen
from app.core.model.values import BluecutError, Phrase
from app.paths import HERE
from app.pipeline.engine.error_text import Unstopped, in_one_line
from app.pipeline.engine.error_text import because as because_of
from app.pipeline.engine.java import java
from app.pipeline.engine.packages import needed, packed
from app.pipeline.engine.probe import answering
from app.pipeline.engine.temp_folder import JAVA, scratch

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LOOPBACK = "127.0.0.1"
SUBMITTED = "PYSPARK_GATEWAY_PORT"
"""``spark-submit`` sets this variable when it has already started the JVM."""

LOCAL = r"local(\[.*\])?|local-cluster\[.*\]"
"""Masters whose tasks run on this machine: in Spark's single process, or in processes that it starts for them."""

HERE_ALONE = r"spark://(127\.0\.0\.1|localhost)(:\d+)?"
"""A master on this machine, without a standby elsewhere."""

RETRIES = 5
"""How often a Connect server that no longer answers is asked again: half a minute in all."""

MEMORY = "2g"
"""The memory of the driver's JVM, which also works if the master is local; $SPARK_DRIVER_MEMORY overrides it."""


class Target(Frozen):
    """Where to run: a master or the address of a Spark Connect server, or neither under ``spark-submit``."""

    master: str | None = None
    remote: str | None = None

    @property
    def local(self) -> bool:
        """Do all tasks run on this machine and in this Python?"""
        return self.master is not None and bool(re.fullmatch(LOCAL, self.master))

    @property
    def here(self) -> bool:
        """Are all of Spark's processes on this machine?"""
        return self.master is not None and (self.local or bool(re.fullmatch(HERE_ALONE, self.master)))


def target(master: str | None, environment: Mapping[str, str]) -> Target:
    """Return the target: from ``--master``, else $SPARK_REMOTE, else ``spark-submit``, else all cores here."""
    chosen = master or environment.get("SPARK_REMOTE") or (None if SUBMITTED in environment else "local[*]")
    return Target(remote=chosen) if chosen and chosen.startswith("sc://") else Target(master=chosen)


def settings(where: Target, folder: Path, *, shuffle: int | None, options: str, memory: bool) -> dict[str, str]:
    """Return Spark's settings. ``folder`` takes its temporary files, ``shuffle`` is the number of partitions after a
    shuffle, ``options`` are those of the JVM; without ``memory``, the JVM's memory is set elsewhere."""
    told = {"spark.sql.session.timeZone": "UTC", "fs.defaultFS": "file:///"}  # a path means a folder on this machine
    if shuffle is not None:
        told["spark.sql.shuffle.partitions"] = str(shuffle)
    if where.remote:
        return told
    told |= {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.sql.codegen.cache.maxEntries": "1000",  # one query of the verifier needs more than the default 100
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
    """Return the Python path of the tasks: this ``app`` before all others."""
    return os.pathsep.join([str(HERE.parent), *filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))])


@contextmanager
def session(
    master: str | None, name: str, *, shuffle: int | None = None, brief: bool = False
) -> Iterator["SparkSession"]:
    """Provide a Spark session, stopped at the end.

    ``master`` is that of the command (None: see ``target``), ``name`` the application's, ``shuffle`` the number of
    partitions after a shuffle, and ``brief`` skips the optimising compiler, for work of some seconds. The JVM logs to a
    temporary file, or appends to the file $BLUECUT_SPARK_LOG; nothing goes to stdout or stderr.

    The first session of a process fixes memory and options, since all its sessions share one JVM, which lives as long
    as the process. Raises BluecutError if packages or Java are missing, if Spark does not start, or if it fails
    meanwhile. If the work is done and Spark then does not stop, that is a warning of the category Unstopped, no error.
    """
    needed()
    where = target(master, os.environ)
    answering(where.remote or where.master or "")
    folder, options = scratch(), ""
    variables: dict[str, str | None] = {"SPARK_REMOTE": None}  # the builder takes either a master or this
    if not where.remote and SUBMITTED not in os.environ:
        options = " ".join((*jvm(brief=brief), f'"-Djava.io.tmpdir={folder / JAVA}"'))
        variables |= {"JAVA_HOME": str(java())}
    if where.here:
        variables |= {"SPARK_LOCAL_IP": LOOPBACK, "PYSPARK_PYTHON": os.environ.get("PYSPARK_PYTHON", sys.executable)}
    with changed(variables), untold():
        memory = "SPARK_DRIVER_MEMORY" not in os.environ
        chosen = settings(where, folder, shuffle=shuffle, options=options, memory=memory)
        spark = None
        try:
            with delayed(java=not where.remote and SUBMITTED not in os.environ):
                spark = started(where, name, folder, chosen)
            with in_one_line():
                if not where.local:
                    spark.addArtifacts(str(packed(folder)), pyfile=True)
                yield spark
        except BaseException:
            if spark is not None:
                stopped(spark)  # report why the work ended, not why its Java does not answer
            raise
        if wrong := stopped(spark):
            says = Phrase("everything is done, but Spark does not stop properly: {reason}", reason=wrong)
            warnings.warn(Unstopped(says), stacklevel=3)


def stopped(spark: "SparkSession") -> str | None:
    """Stop Spark; return what is wrong if it does not stop, otherwise None."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        try:
            spark.stop()
        except Exception as error:
            return because_of(error)
    return next((str(one.message) for one in found if one.category is RuntimeWarning), None)


def jvm(*, brief: bool) -> list[str]:
    """Return the options of the JVM."""
    # Without the second compiler, Java has room for less than a fifth of the code; a sweep with a report can fill it.
    # Collecting garbage in one thread takes a tenth less processor time while that little happens.
    return ["-XX:TieredStopAtLevel=1", "-XX:ReservedCodeCacheSize=240m", "-XX:+UseSerialGC"] if brief else []


def started(where: Target, name: str, folder: Path, told: Mapping[str, str]) -> "SparkSession":
    """Start Spark. Raises BluecutError with Spark's own reason if that fails."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException
    from pyspark.logger import PySparkLogger
    from pyspark.sql import SparkSession

    for told_twice in ("DataFrameQueryContextLogger", "SQLQueryContextLogger"):  # on stderr, too, with Java's stack
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
        with poured(log):
            spark = builder.getOrCreate()
        if where.remote:
            from pyspark.sql.connect.client.retries import DefaultPolicy

            warnings.filterwarnings("ignore", r"\[RETRIES_EXCEEDED\]")  # it is reported as an error
            spark.client.set_retry_policies([DefaultPolicy(max_retries=RETRIES)])
        return spark
    except (Py4JError, PySparkException) as error:
        raise BluecutError(
            "Spark does not start at {place}: {reason}",
            place=where.remote or where.master or "spark-submit",
            reason=because(error, log),
        ) from None


def because(error: Exception, log: Path) -> str:
    """Return why Spark does not start, in one line: that of the Java exception, or the last one of its JVM."""
    thrown = getattr(error, "java_exception", None)
    if thrown is not None:
        return _plain(str(thrown).splitlines()[0])
    said = log.read_text("utf-8", errors="replace").strip().splitlines() if log.is_file() else []
    wrong = [line for line in said if re.search(r"error|exception|invalid|unrecognized", line, re.IGNORECASE)]
    return _plain([*(str(error).splitlines() or [type(error).__name__])[:1], *said[-1:], *wrong[:1]][-1])


def _plain(line: str) -> str:
    """Return a line of the JVM without the exception's name, cut to a readable length."""
    return re.sub(r'^(Exception in thread "[^"]*" )?([\w.$]+(Exception|Error): )?', "", line)[:500]


@contextmanager
def changed(variables: Mapping[str, str | None]) -> Iterator[None]:
    """Set environment variables (None: remove them) and restore them at the end."""
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
    """Silence Py4J when its connection to the JVM breaks: the exception is enough, without a stack on stderr.

    Py4J logs to the root logger, which has a handler from then on, and to its own loggers below it."""

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
def delayed(*, java: bool = True) -> Iterator[None]:
    """Put off Ctrl-C and SIGTERM to the end; a second one acts at once. A JVM that is abandoned while it starts never
    exits. Where no ``java`` starts, nothing is put off.

    At the end the handlers are those from before: Spark's own would ask the JVM first, which may be gone.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) or signal.SIG_DFL for number in (signal.SIGTERM, signal.SIGINT)}
    arrived: list[int] = []

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    def handle(number: int, frame: FrameType | None) -> None:
        arrived.append(number)
        if len(arrived) == 2:
            arrived.clear()
            restore()
            signal.raise_signal(number)

    try:
        for number, handler in before.items():
            if java and handler is not signal.SIG_IGN:
                signal.signal(number, handle)
        yield
    finally:
        restore()
        if arrived:
            signal.raise_signal(arrived[0])


@contextmanager
def poured(log: Path) -> Iterator[None]:
    """Append to a file what processes started meanwhile print, as long as they live.

    Spark passes its own stdout and stderr on to the JVM, which prints irrelevant warnings there: modules, host names,
    native libraries. Raises BluecutError if the file cannot be written.
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
