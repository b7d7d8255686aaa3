"""Small files that are complete or absent, whatever happens meanwhile."""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import fields

from app.core.model.values import BluecutError, Json

S = TypeVar("S", bound=Struct)


def keep(file: Path, values: Json) -> None:
    """Replace a file's content by JSON. Raises BluecutError if it cannot be written."""
    replace_content(file, f"{json.dumps(values, ensure_ascii=False, indent=1)}\n".encode())


def replace_content(file: Path, content: bytes) -> None:
    """Replace a file's content; a reader finds either the old or the new one.

    Raises BluecutError if it cannot be written.
    """
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        with beside.open("wb") as made:
            made.write(content)
            made.flush()
            os.fsync(made.fileno())
        beside.replace(file)
    except OSError as error:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise BluecutError("{file}: cannot be written: {reason}", file=file, reason=str(error.strerror)) from None


def read_file(file: Path) -> Json:
    """Return a file's content; None if there is no file. Raises BluecutError if it is not what ``keep`` wrote."""
    try:
        return json.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise BluecutError("{file}: cannot be read: {reason}", file=file, reason=str(reason)) from None


def formed(kind: type[S], values: Json, file: Path) -> S:
    """Return a file's content as the value whose fields it names.

    Raises BluecutError with the fields that are missing, unknown, or of another type: a number is not a text.
    """
    named = {field.name: field for field in fields(kind)}
    if not isinstance(values, dict):
        wrong = list(named)
    else:
        wrong = [
            *(name for name, field in named.items() if name not in values and field.required),
            *(name for name in values if name not in named),
            *(name for name, value in values.items() if name in named and _alien(named[name].type, value)),
        ]
    if wrong:
        raise BluecutError("{file}: damaged; missing, unknown or wrong: {fields}", file=file, fields=tuple(wrong))
    return kind(**values)


def _alien(wanted: object, value: Json) -> bool:
    """Does the value have another type? Only whole numbers and texts are checked."""
    return wanted in (int, str) and type(value) is not wanted
