"""A running count and sum by key, as state that a query keeps from batch to batch.

References
----------
Apache Spark 4.3, Structured Streaming: transformWithState, 2026.
"""

from collections.abc import Iterator
from typing import Any

from pyspark.sql import Row
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle


class Totals(StatefulProcessor):
    """Gives each row of a key the ``count`` and the ``sum`` of all rows of the key up to it."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Open the state of a key, called ``total``."""
        self.total = handle.getValueState("total", "count int, sum int")

    def handleInputRows(self, key: Any, rows: Iterator[Any], timerValues: object) -> Iterator[Row]:
        """Yield the rows of a key in a batch, where they have any order."""
        count, total = self.total.get() or (0, 0)
        for row in sorted(rows, key=lambda row: (row.log, row.n)):
            count, total = count + 1, total + row.value
            yield Row(log=row.log, n=row.n, key=key[0], value=row.value, count=count, sum=total)
        self.total.update((count, total))

    def close(self) -> None:
        """Close nothing: nothing is held open."""
