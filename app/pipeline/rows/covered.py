"""Which rows something was made of that lies beside them, such as verdicts or a report: so that nobody takes it for
what it is not, when there are more rows by now, or others.

``_covers.json`` in the folder says it: by batch, the digest of its rows (null for rows that no sweep has made). It
comes into the folder last, or together with all the rest.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from app.core.model import Json
from app.pipeline.rows.kept import keep, kept

FILE = "_covers.json"


def digests(batches: Iterable[Path]) -> dict[str, Json]:
    """By batch, the digest of its rows."""
    found: dict[str, Json] = {}
    for batch in batches:
        said = kept(batch / "_batch.json")
        found[batch.name] = said.get("digest") if isinstance(said, dict) else None
    return found


def cover(folder: Path, batches: Iterable[Path], **more: Json) -> None:
    """Say that what is in the folder was made of these batches, and what else is to be known of it."""
    keep(folder / FILE, {"batches": digests(batches), **more})


def covered(folder: Path, batches: Iterable[Path]) -> dict[str, Any] | None:
    """What was said of the folder; None where it was not made of just these batches as they are."""
    said = kept(folder / FILE)
    return said if isinstance(said, dict) and said.get("batches") == digests(batches) else None
