"""Which worker of pytest runs a test, and in which order they begin."""

from xdist.scheduler import LoadScopeScheduling

JVM = (
    ("tests/pipeline/engine/", "tests/pipeline/stream/"),
    ("tests/pipeline/", "tests/browser/test_inside.py", "tests/browser/test_jobs.py"),
)
"""Where tests start Spark. All of a line share one worker, since a JVM is heavy; two of them are at work at once."""

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
