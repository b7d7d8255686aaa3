"""Streaming queries: where they store their state, and how they are started again when Spark did not wait for its
Python.

Spark gives a Python process that it starts for a query ten seconds, which a busy machine exceeds. No batch is lost or
doubled by that: Spark fails before it hands the batch on.

References
----------
Apache Spark 4.3, ``PythonWorkerFactory.createSimpleWorker``.
"""

from collections.abc import Callable

ROCKS = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
"""The state store that stores state by name; the default one cannot."""

LATE = "Python worker failed to connect back"
"""Spark's message if a Python process that it started is silent for ten seconds."""

STARTS = 20
"""How often a query is started at most."""


def patiently(run: Callable[[], None]) -> None:
    """Run a query to its end; run it again if Spark did not wait for its Python. Raises PySparkException."""
    from pyspark.errors import PySparkException

    for more in reversed(range(STARTS)):
        try:
            run()
            return
        except PySparkException as error:
            if not more or LATE not in str(error):
                raise
