"""What is in the folder of a sweep, and which parts are complete.

::

    DIR/sweep.json                      the plan
    DIR/rows/batch=00000/_batch.json    what the batch holds
    DIR/rows/batch=00000/kind=run/part-00000-….zstd.parquet
    DIR/manifest.json                   what is complete
    DIR/progress.json                   how far the work is
    DIR/pending/                        a batch that is being made; it is never read
    DIR/lock                            held by the command that sweeps, verifies or measures

A batch in ``rows`` is complete: it was made elsewhere, and renamed when nothing was missing.
"""

from pathlib import Path

from msgspec import to_builtins

from app.core.model.value import Frozen
from app.core.model.values import BluecutError, Json
from app.forms.json_shape import mapping
from app.pipeline.rows.atomic_file import formed, keep, read_file
from app.pipeline.rows.schema import VERSION
from app.scenario.run_key import ENGINE

WORD = 2**64
"""A digest is two numbers below this, each the sum of one half of the hashes of all rows."""


class Plan(Frozen):
    """The plan of a sweep: its spec as plain values, a text that identifies the runs, how many there are, and how many
    a batch has."""

    spec: Json
    grid: str
    runs: int
    batch: int
    version: int = VERSION
    engine: int = ENGINE

    @property
    def batches(self) -> int:
        """Return how many batches there are."""
        return -(-self.runs // self.batch)

    def bounds(self, number: int) -> tuple[int, int]:
        """Return the first run of a batch, and the first after it."""
        return number * self.batch, min(self.runs, (number + 1) * self.batch)


class Batch(Frozen):
    """A complete batch: its number, its first run, how many runs, rows of each kind and snapshots it has, how many of
    these are broken according to the simulator, and the digest of its rows."""

    batch: int
    first: int
    runs: int
    rows: dict[str, int]
    snapshots: int
    broken: int
    digest: str


class Manifest(Frozen):
    """The complete part of a sweep."""

    plan: Plan
    batches: tuple[Batch, ...] = ()

    @property
    def done(self) -> int:
        """Return how many runs are complete."""
        return sum(batch.runs for batch in self.batches)

    @property
    def complete(self) -> bool:
        """Are all runs complete?"""
        return self.done == self.plan.runs

    @property
    def snapshots(self) -> int:
        """Return how many snapshots they have."""
        return sum(batch.snapshots for batch in self.batches)

    @property
    def broken(self) -> int:
        """Return how many of them fail a check, according to the simulator."""
        return sum(batch.broken for batch in self.batches)

    @property
    def rows(self) -> dict[str, int]:
        """Return how many rows of each kind there are."""
        total: dict[str, int] = {}
        for batch in self.batches:
            for kind, count in batch.rows.items():
                total[kind] = total.get(kind, 0) + count
        return total

    @property
    def digest(self) -> str:
        """Return a text that is equal for two sweeps with the same rows, whatever their order and their division into
        batches and files. Addresses are ignored: two machines may pack the same scenario differently."""
        high, low = (sum(int(one.digest[half], 16) for one in self.batches) for half in (slice(16), slice(16, None)))
        return digest(low, high)

    def written(self) -> Json:
        """Return the manifest as plain values."""
        return {
            "version": self.plan.version,
            "runs": self.plan.runs,
            "done": self.done,
            "complete": self.complete,
            "snapshots": self.snapshots,
            "broken": self.broken,
            "rows": self.rows,
            "digest": self.digest,
            "batches": to_builtins(self.batches),
        }


def digest(low: int, high: int) -> str:
    """Return two sums of halves of hashes as text."""
    return f"{high % WORD:016x}{low % WORD:016x}"


def stored(directory: Path) -> dict[str, Json] | None:
    """Return the plan of the sweep in a folder as plain values, None if there is none. Raises BluecutError if its rows
    are of another version."""
    values = read_file(directory / "sweep.json")
    if values is None:
        return None
    if (plan := mapping(values)).get("version") != VERSION:
        raise _outdated(directory)
    return plan


def _outdated(directory: Path) -> BluecutError:
    """Return the error for a sweep of another version."""
    return BluecutError("{file}: made by another version of Bluecut; sweep again into another folder", file=directory)


def plan(directory: Path) -> Plan:
    """Return the plan of the sweep in a folder. Raises BluecutError if there is none, or if it is damaged or of another
    version."""
    values = stored(directory)
    if values is None:
        raise BluecutError("{file}: there is no sweep; make one with bluecut sweep SPEC.yaml -o {file}", file=directory)
    if values.get("engine") != ENGINE:
        raise _outdated(directory)
    return formed(Plan, values, directory / "sweep.json")


def write_plan(directory: Path, made: Plan) -> None:
    """Write the plan."""
    keep(directory / "sweep.json", to_builtins(made))


def manifest(directory: Path) -> Manifest:
    """Return what is complete, as found in ``rows``. Raises BluecutError if there is no sweep, or if it is damaged."""
    made = plan(directory)
    batches = []
    for folder in complete_batches(directory):
        values = read_file(folder / "_batch.json")
        if values is None:
            raise BluecutError("{file}: _batch.json is missing; delete this folder and sweep again", file=folder)
        batches.append(formed(Batch, values, folder / "_batch.json"))
    return Manifest(made, tuple(batches))


def write_manifest(directory: Path, made: Manifest) -> None:
    """Write what is complete."""
    keep(directory / "manifest.json", made.written())


def complete_batches(directory: Path) -> tuple[Path, ...]:
    """Return the folders of the complete batches, in order."""
    return tuple(sorted((directory / "rows").glob("batch=[0-9]*")))


def rows(directory: Path, number: int) -> Path:
    """Return the folder of a batch."""
    return directory / "rows" / f"batch={number:05}"
