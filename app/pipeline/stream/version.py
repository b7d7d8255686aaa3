"""In which form a stream keeps what it knows: its state, its tables, and what it reads.

Spark goes on from any checkpoint whose columns fit, and trips over any other, in words of its own. So
``DIR/stream/version.json``, written when a checkpoint begins, says ``version``, a number, and ``form``, a digest of all
columns.
"""

import json
from hashlib import sha256
from pathlib import Path

from app.core.model import BluecutError, Json
from app.pipeline.rows.kept import keep, kept
from app.pipeline.stream.followed import checkpoint

VERSION = 1
"""Another one for each change of what the columns mean. That there are others shows by itself."""

FILE = "version.json"


def begun(directory: Path) -> bool:
    """Is there a checkpoint to go on from?"""
    return (checkpoint(directory) / "offsets").is_dir()


def version() -> Json:
    """What the file says of a checkpoint that begins now."""
    from app.pipeline.stream.following import ABOUT, COLUMNS, STATE
    from app.pipeline.stream.orphans import NEEDED

    kinds = {kind: list(columns) for kind, columns in NEEDED.items()}
    form = [COLUMNS, ABOUT, {name: columns for name, (_, columns) in STATE.items()}, kinds]
    return {"version": VERSION, "form": sha256(json.dumps(form).encode()).hexdigest()[:16]}


def numbered(directory: Path) -> None:
    """Say in which form the checkpoint is that begins now."""
    keep(directory / "stream" / FILE, version())


def same(directory: Path) -> None:
    """Raises BluecutError where there is a checkpoint of another version, or of one that did not say so."""
    if begun(directory) and kept(directory / "stream" / FILE) != version():
        raise BluecutError(
            "{file}: its stream was begun by another version of Bluecut; delete {folder} and follow again",
            file=directory,
            folder=directory / "stream",
        )
