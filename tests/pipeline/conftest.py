"""One Spark session for all tests that need one.

A JVM is heavy, so all tests of this folder run on one worker of pytest: see ``tests.scheduler``.
"""

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from app.pipeline.engine.session import session


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """Yield a session on two cores of this machine, with two partitions after a shuffle."""
    with session("local[2]", "bluecut tests", shuffle=2, brief=True) as started:
        yield started
