"""If Spark fails, people read one line."""

import pytest
from py4j.protocol import Py4JNetworkError
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

from app.core.model.values import BluecutError
from app.pipeline.engine import session as module
from app.pipeline.engine.error_text import because, in_one_line
from app.words.error_words import error_text

PYTHON = """An exception was thrown from the Python worker. Please see the stack trace below.
Traceback (most recent call last):
  File "/somewhere/task.py", line 3, in task
ValueError: no such run
"""

LATE = """Python worker failed to connect back.

JVM stacktrace:
org.apache.spark.SparkException
\tat org.apache.spark.api.python.PythonWorkerFactory.createSimpleWorker(PythonWorkerFactory.scala:328)
Caused by: java.net.SocketTimeoutException: Timed out while waiting
\tat org.apache.spark.api.python.PythonWorkerFactory.createSimpleWorker(PythonWorkerFactory.scala:310)
"""

GONE = """<_InactiveRpcError of RPC that terminated with:
\tstatus = StatusCode.UNAVAILABLE
\tdetails = "failed to connect to all addresses; Connection refused"
\tdebug_error_string = "UNKNOWN:failed to connect"
>"""


def test_a_query_that_fails_is_told_in_one_line(spark: SparkSession) -> None:
    with pytest.raises(BluecutError) as caught, in_one_line():
        spark.sql("SELECT raise_error('the file is too short') AS one").collect()
    says = str(caught.value)
    assert says.startswith("Spark failed: [USER_RAISED_EXCEPTION] the file is too short") and "\n" not in says
    assert error_text(caught.value.phrase, "zh").startswith("Spark 失败：[USER_RAISED_EXCEPTION]")


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (Py4JNetworkError("Answer from Java side is empty"), "Spark failed: Answer from Java side is empty"),
        (ConnectionRefusedError(111, "Connection refused"), "Spark failed: [Errno 111] Connection refused"),
        (ConnectionResetError(), "Spark failed: ConnectionResetError"),
        (AnalysisException("no such table\n== SQL ==\nSELECT"), "Spark failed: no such table"),
    ],
)
def test_a_jvm_that_is_gone_is_told_in_one_line_by_the_session(
    monkeypatch: pytest.MonkeyPatch, error: Exception, says: str
) -> None:
    class Stopped:
        stopped = 0

        def stop(self) -> None:
            self.stopped += 1

    spark = Stopped()
    monkeypatch.setattr(module, "started", lambda *told: spark)
    with pytest.raises(BluecutError) as caught, module.session("local[1]", "none"):
        raise error
    assert (str(caught.value), spark.stopped) == (says, 1)


@pytest.mark.parametrize("error", [BluecutError("our own"), KeyboardInterrupt(), ZeroDivisionError("our mistake")])
def test_all_else_passes_as_it_is(error: BaseException) -> None:
    with pytest.raises(type(error)) as caught, in_one_line():
        raise error
    assert caught.value is error


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (PYTHON, "ValueError: no such run"),
        ("org.apache.spark.SparkException: Job aborted\n\tat org.apache.spark.X.y(X.scala:1)", "Job aborted"),
        ("[STREAM_FAILED] Query [id = 1, runId = 2] terminated with exception: the disk is full", "the disk is full"),
        (LATE, "Python worker failed to connect back."),
        (GONE, "failed to connect to all addresses; Connection refused"),
        ("x" * 900, "x" * 500),
    ],
)
def test_the_reason_is_what_says_most(text: str, says: str) -> None:
    assert because(RuntimeError(text)) == says
