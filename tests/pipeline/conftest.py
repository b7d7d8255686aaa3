"""One Spark session for all tests that need one.

A JVM is heavy, so all tests of this folder run on one worker of pytest: see ``tests.scheduler``.
"""

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from app.pipeline.engine.session import session

INTERPRETED = {"spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"}
"""Spark compiles no Java for its plans, which takes longer than a few rows do."""


@pytest.fixture(scope="session")
def spark(request: pytest.FixtureRequest) -> Iterator[SparkSession]:
    """Yield a session on two cores of this machine, with two partitions after a shuffle. By day it interprets its
    plans, by night it compiles them, as it does outside the tests."""
    by_day = request.config.option.markexpr == "not slow"
    with session("local[2]", "bluecut tests", shuffle=2, brief=True) as started:
        for name, value in INTERPRETED.items() if by_day else ():
            started.conf.set(name, value)
        yield started
