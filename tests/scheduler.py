"""Which worker of pytest runs a test, and in which order they begin."""

from xdist.scheduler import LoadScopeScheduling

JVM = ("tests/pipeline/", "tests/browser/test_inside.py", "tests/browser/test_jobs.py")
"""Where tests start Spark. They all share one worker, since a JVM is heavy."""

SLOW = (*JVM, "tests/browser/")
"""What begins first, in this order: a long file that begins late would be waited for."""


class ByFile(LoadScopeScheduling):  # type: ignore[misc]
    """Hands out whole files, whose tests share what they look at, and those that start Spark together.

    (The mark ``xdist_group`` of pytest-xdist 3.8 has no effect with pytest 9.2, without a word.)
    """

    def _split_scope(self, nodeid: str) -> str:
        return JVM[0] if nodeid.startswith(JVM) else nodeid.partition("::")[0]


def turn(nodeid: str) -> int:
    """Where a test begins: a smaller number before a larger."""
    return next((at for at, where in enumerate(SLOW) if nodeid.startswith(where)), len(SLOW))
