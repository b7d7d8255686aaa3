"""What Spark says where it fails, in one line for people."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from app.core.model import BluecutError

LONGEST = 500
"""How many characters of a reason are told."""

STREAM = " terminated with exception: "
"""What comes before it are the ids of a streaming query."""


@contextmanager
def in_one_line() -> Iterator[None]:
    """Raises BluecutError with the reason where Spark gives up meanwhile, or cannot be reached any more."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError, ConnectionError) as error:
        raise BluecutError("Spark gave up: {reason}", reason=because(error)) from error


def because(error: Exception) -> str:
    """Why Spark gave up, in one line without the JVM's names of exceptions; where a task's Python failed, the last that
    it said."""
    said = [line.strip() for line in str(error).splitlines() if line.strip() and not line.startswith(("\tat ", "JVM "))]
    wrong = [line for line in said if re.match(r"[\w.$]+(Error|Exception): ", line)]
    details = re.findall(r'^details = "(.+)"$', "\n".join(said), re.MULTILINE)  # of a Connect server that is gone
    reason = [type(error).__name__, *said[:1], *details[:1], *wrong[-1:]][-1]
    reason = reason.partition(STREAM)[2] or reason
    return re.sub(r"^([\w$]+\.)+[\w$]+(Exception|Error): ", "", reason)[:LONGEST]
