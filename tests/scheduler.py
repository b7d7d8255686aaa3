"""Which worker of pytest runs a test, and in which order they begin."""

from xdist.scheduler import LoadScopeScheduling

JVM = (
    (
        "tests/pipeline/engine/test_cluster.py",
        "tests/pipeline/engine/test_java.py",
        "tests/pipeline/stream/test_stream_killed.py",
    ),
    (
        "tests/pipeline/foreign/test_command.py",
        "tests/pipeline/inside/test_query.py",
        "tests/pipeline/sweep/test_sweep_killed.py",
        "tests/browser/test_inside.py",
        "tests/browser/test_jobs.py",
    ),
    ("tests/pipeline/",),
)
"""Where tests start Spark. All of a line share one worker, since a JVM is heavy; three of them are at work at once.
Those that start their own, and mostly wait for it, are in the first two lines; the last shares one session. All other
tests take the fourth worker, and the others when their lines are done."""

SLOW = (*JVM, ("tests/browser/",))
"""What begins first, in this order: a long file that begins late would be waited for."""


class ByFile(LoadScopeScheduling):  # type: ignore[misc]
    """Hands out whole files, whose tests share what they look at, and those that start Spark together.

    (The mark ``xdist_group`` of pytest-xdist 3.8 has no effect with pytest 9.2, without a word.)
    """

    def _split_scope(self, nodeid: str) -> str:
        return next((line[0] for line in JVM if nodeid.startswith(line)), nodeid.partition("::")[0])


def turn(nodeid: str) -> int:
    """Where a test begins: a smaller number before a larger."""
    return next((at for at, where in enumerate(SLOW) if nodeid.startswith(where)), len(SLOW))
