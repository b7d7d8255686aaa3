"""Which worker of pytest runs a test: any, but for those of the pipeline, which all share one worker and its JVM."""

from xdist.scheduler import LoadScopeScheduling

PIPELINE = "tests/pipeline/"


class OneJvm(LoadScopeScheduling):  # type: ignore[misc]
    """Hands tests out one by one, and those of the pipeline together and first, since a JVM is heavy.

    (The mark ``xdist_group`` of pytest-xdist 3.8 has no effect with pytest 9.2, without a word.)
    """

    def _split_scope(self, nodeid: str) -> str:
        return PIPELINE if nodeid.startswith(PIPELINE) else nodeid
