"""From which rows a result beside them, such as verdicts or a report, was made: so that an outdated result is noticed
when there are more rows by now, or others.

``_covers.json`` in the folder says it: by batch, the digest of its rows (null for rows that no sweep made). It is
written last, or together with everything else.
"""

from collections.abc import Iterable
from pathlib import Path

from app.core.model.values import Json
from app.forms.json_shape import mapping
from app.pipeline.rows.atomic_file import keep, read_file

FILE = "_covers.json"


def _digests(batches: Iterable[Path]) -> dict[str, Json]:
    return {batch.name: mapping(read_file(batch / "_batch.json")).get("digest") for batch in batches}


def cover(folder: Path, batches: Iterable[Path], **more: Json) -> None:
    """Write that the folder's content was made from these batches, and what ``more`` says."""
    keep(folder / FILE, {"batches": _digests(batches), **more})


def covered(folder: Path, batches: Iterable[Path]) -> dict[str, object] | None:
    """Return what was written about the folder; None if it was not made from exactly these batches as they are."""
    said = mapping(read_file(folder / FILE))
    return said if said.get("batches") == _digests(batches) else None
