"""Small files that are whole or not there at all, whatever happens meanwhile."""

import json
import os
from pathlib import Path

from app.core.model import BluecutError, Json


def keep(file: Path, values: Json) -> None:
    """Write JSON in place of what the file held; whoever reads it finds the one or the other.

    Raises BluecutError where it cannot be written.
    """
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        with beside.open("w", encoding="utf-8") as made:
            made.write(json.dumps(values, ensure_ascii=False, indent=1) + "\n")
            made.flush()
            os.fsync(made.fileno())
        beside.replace(file)
    except OSError as error:
        raise BluecutError("{file}: cannot be written: {reason}", file=file, reason=str(error.strerror)) from None


def kept(file: Path) -> Json:
    """What a file holds; None where there is none. Raises BluecutError where it is not what ``keep`` wrote."""
    try:
        return json.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise BluecutError("{file}: cannot be read: {reason}", file=file, reason=str(reason)) from None
