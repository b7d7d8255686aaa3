"""One Spark session for all tests that ask for one.

A JVM is heavy, so all these tests run one after the other on one worker of pytest: whoever asks for ``spark`` is put
into one group, which ``--dist loadgroup`` keeps together. A test that starts a JVM of its own, in another process,
joins the group by ``@pytest.mark.xdist_group("spark")``.
"""

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from app.pipeline.session import session


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Before xdist reads the groups."""
    for item in items:
        if "spark" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("spark"))


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """A session on two cores of this machine, with two partitions after a shuffle."""
    with session("local[2]", "bluecut tests", shuffle=2, brief=True) as started:
        yield started
