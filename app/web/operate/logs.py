"""The log, on standard error: warnings and errors as text with their times, or everything as lines of JSON."""

import json
import logging
import logging.config
import time
from collections.abc import Callable
from typing import Any, Literal, TypeVar

T = TypeVar("T")

Kind = Literal["text", "json"]
KINDS: tuple[Kind, ...] = ("text", "json")


class JsonLines(logging.Formatter):
    """Writes a record as a JSON object: ``time``, ``level``, ``logger``, ``message``, what ``fields`` adds, and the
    ``traceback`` of an exception."""

    def format(self, record: logging.LogRecord) -> str:
        """Return one line."""
        told: dict[str, Any] = {
            "time": _utc(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            told["traceback"] = self.formatException(record.exc_info)
        return json.dumps(told, ensure_ascii=False, default=str)


class TextLines(logging.Formatter):
    """Writes a record as a line that begins with its time in UTC."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802 (logging's name)
        """Return the time of a record."""
        return _utc(record)


def _utc(record: logging.LogRecord) -> str:
    seconds = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
    return f"{seconds}.{int(record.msecs):03d}Z"


def logs(kind: Kind) -> dict[str, Any]:
    """Return the configuration of the log, as ``logging.config`` reads it. Only JSON has a line for each answer."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": JsonLines if kind == "json" else TextLines}},
        "handlers": {"errors": {"class": "logging.StreamHandler", "formatter": "lines"}},
        "root": {"level": "WARNING", "handlers": ["errors"]},
        "loggers": {"bluecut.access": {"level": "INFO" if kind == "json" else "WARNING"}},
    }


def made_with_logs(kind: Kind, make: Callable[[], T]) -> T:
    """Return what ``make`` makes in a worker process, whose errors are written in the same way. Its answers are told by
    the server."""
    logging.config.dictConfig(logs(kind) | {"loggers": {"bluecut.access": {"level": "WARNING"}}})
    return make()
