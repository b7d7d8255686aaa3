"""Which pytest worker runs a test, and in which order tests begin."""

from xdist.scheduler import LoadScopeScheduling

JVM = (
    (
        "tests/pipeline/engine/test_cluster.py",
        "tests/pipeline/engine/test_java.py",
        "tests/pipeline/stream/test_stream_killed.py",
        "tests/pipeline/external/test_command.py",
        "tests/pipeline/demo_query/test_query.py",
        "tests/pipeline/sweep/test_sweep_killed.py",
        "tests/browser/test_inside.py",
        "tests/browser/test_jobs.py",
    ),
    ("tests/pipeline/",),
)
"""Tests that start Spark. Each line shares one worker, since a JVM is heavy. Tests that start their own JVM, and mostly
wait for it, are in the first line; the others share one session. All other tests run on whichever worker is free."""

LONG = ("tests/house/test_source.py", "tests/web/test_openapi.py")
"""Files with long tests."""

SLOW = (*JVM, LONG, ("tests/browser/",), ("tests/properties/",))
"""The tests that begin first, in this order: all would wait for a long file that begins late."""


class ByFile(LoadScopeScheduling):  # type: ignore[misc]
    """Hands out whole files, whose tests share fixtures, and keeps those that start Spark together.

    (The mark ``xdist_group`` of pytest-xdist 3.8 silently has no effect with pytest 9.2.)
    """

    def _split_scope(self, nodeid: str) -> str:
        return next((line[0] for line in JVM if nodeid.startswith(line)), nodeid.partition("::")[0])


def turn(nodeid: str) -> int:
    """Return when a test begins: smaller numbers first."""
    return next((at for at, where in enumerate(SLOW) if nodeid.startswith(where)), len(SLOW))
