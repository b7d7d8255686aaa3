"""The form in which a stream stores what it knows: its state, its tables, and what it reads.

Spark continues from any checkpoint whose columns fit, and fails on any other with its own message. So
``DIR/stream/version.json``, written when a checkpoint begins, has ``version``, a number, and ``form``, a digest of all
columns.
"""

import json
from hashlib import sha256
from pathlib import Path

from app.core.model.values import BluecutError, Json
from app.pipeline.rows.atomic_file import keep, read_file
from app.pipeline.stream.results import checkpoint

VERSION = 1
"""Grows when the meaning of the columns changes. Other columns are detected automatically."""

FILE = "version.json"


def begun(directory: Path) -> bool:
    """Is there a checkpoint to continue from?"""
    return (checkpoint(directory) / "offsets").is_dir()


def version() -> Json:
    """Return what the file says about a checkpoint that begins now."""
    from app.pipeline.stream.orphans import NEEDED
    from app.pipeline.stream.stateful import ABOUT, COLUMNS, STATE

    kinds = {kind: list(columns) for kind, columns in NEEDED.items()}
    form = [COLUMNS, ABOUT, {name: columns for name, (_, columns) in STATE.items()}, kinds]
    return {"version": VERSION, "form": sha256(json.dumps(form).encode()).hexdigest()[:16]}


def numbered(directory: Path) -> None:
    """Write the form of the checkpoint that begins now."""
    keep(directory / "stream" / FILE, version())


def same(directory: Path) -> None:
    """Raise BluecutError if there is a checkpoint of another version, or of one that did not write its version."""
    if begun(directory) and read_file(directory / "stream" / FILE) != version():
        raise BluecutError(
            "{file}: its stream was begun by another version of Bluecut; delete {folder} and follow again",
            file=directory,
            folder=directory / "stream",
        )
