"""Why Spark fails, in one line for people."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from app.core.model.values import BluecutError, Phrase

LONGEST = 500
"""How many characters of a reason are reported."""

STREAM = " terminated with exception: "
"""The text before it is the ids of a streaming query."""


@contextmanager
def in_one_line() -> Iterator[None]:
    """Raise BluecutError with the reason if Spark fails meanwhile, or can no longer be reached."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError, ConnectionError) as error:
        raise BluecutError("Spark failed: {reason}", reason=because(error)) from error


def because(error: Exception) -> str:
    """Return why Spark failed, in one line without the JVM's exception names; if a task's Python failed, its last
    line."""
    said = [line.strip() for line in str(error).splitlines() if line.strip() and not line.startswith(("\tat ", "JVM "))]
    wrong = [line for line in said if re.match(r"[\w.$]+(Error|Exception): ", line)]
    details = re.findall(r'^details = "(.+)"$', "\n".join(said), re.MULTILINE)  # of a Connect server that is gone
    reason = [type(error).__name__, *said[:1], *details[:1], *wrong[-1:]][-1]
    reason = reason.partition(STREAM)[2] or reason
    return re.sub(r"^([\w$]+\.)+[\w$]+(Exception|Error): ", "", reason)[:LONGEST]


class Unstopped(UserWarning):
    """The work is done, and Spark does not stop as it should; ``phrase`` says why."""

    def __init__(self, phrase: Phrase) -> None:
        super().__init__(str(phrase))
        self.phrase = phrase
