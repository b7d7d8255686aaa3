"""The key with which this server signs answers: 32 random bytes in its data folder, made when they are first needed."""

import logging
import os
import secrets
from contextlib import suppress
from pathlib import Path

from starlette.requests import Request

from app.web.base.store import Unkept

FILE = "assignments.key"
BYTES = 32

logger = logging.getLogger("bluecut")


def server_key(request: Request) -> bytes:
    """Return the key. Raises Unkept if there is none and none can be written."""
    folder: Path = request.app.state.data
    file = folder / FILE
    try:
        if not file.is_file():
            _make(file)
        found = file.read_bytes()
        if len(found) == BYTES:
            return found
        logger.warning("%s is not a key of %d bytes", file, BYTES)
    except OSError as error:
        logger.warning("no key in %s: %s", file, error)
    raise Unkept("assignments need a data folder ($BLUECUT_DATA) with a key that can be read; this one has none")


def _make(file: Path) -> None:
    """Write a key that is whole from the first moment, and never another's: of several processes, one is first."""
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(f"{FILE}.{secrets.token_hex(8)}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            out.write(secrets.token_bytes(BYTES))
            out.flush()
            os.fsync(out.fileno())
        with suppress(FileExistsError):
            os.link(draft, file)
    finally:
        draft.unlink(missing_ok=True)
