"""Is everything there that was written? A missing file takes its rows with it, and a verifier finds nothing wrong with
the rest."""

from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from app.core.model.values import BluecutError
from app.forms.json_shape import mapping
from app.pipeline.rows.atomic_file import read_file
from app.pipeline.rows.schema import KINDS
from app.pipeline.sweep.manifest import stored


def check_complete(batches: Iterable[Path]) -> None:
    """Raise BluecutError for the first batch that does not have as many rows of each kind as its ``_batch.json`` says.
    Batches without one, which no sweep made, are not checked."""
    for batch in batches:
        values = read_file(batch / "_batch.json")
        if values is None:
            continue
        said = mapping(values).get("rows")
        if not isinstance(said, dict):
            raise BluecutError("{file}: this does not say how many rows there are", file=batch / "_batch.json")
        for kind in KINDS:
            found, expected = _counted(batch, kind), said.get(kind, 0)
            if found != expected:
                raise BluecutError(
                    "{file}: there are {found} rows of the kind {kind}, and {expected} were written; delete this folder"
                    " and sweep again",
                    file=batch,
                    found=found,
                    kind=kind,
                    expected=expected,
                )


def _counted(batch: Path, kind: str) -> int:
    """Return how many rows of a kind a batch has, by its files. Raises BluecutError if one cannot be read."""
    total = 0
    for file in sorted((batch / f"kind={kind}").glob("*.parquet")):
        try:
            total += int(pq.read_metadata(file).num_rows)
        except (OSError, pa.ArrowException) as error:
            reason = " ".join(str(error).split())[:200]
            raise BluecutError("{file}: cannot be read: {reason}", file=file, reason=reason) from None
    return total


def wanted(directory: Path) -> int | None:
    """Return how many runs the sweep in a folder should have, None if no sweep made the rows. Raises
    BluecutError for rows of another version."""
    plan = stored(directory)
    runs = plan.get("runs") if plan else None
    return runs if isinstance(runs, int) else None
