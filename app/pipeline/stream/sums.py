"""A run whose rows have all arrived, in numbers."""

from collections.abc import Iterable
from dataclasses import dataclass

from app.pipeline.stream.channels import Wrong, wrong
from app.pipeline.stream.orphans import Known, Snapshot


@dataclass(frozen=True, slots=True)
class Sums:
    """A run in numbers. ``judged`` counts the snapshots whose cut can be judged; ``inconsistent`` those with orphans
    and ``complete`` the others with wrong channels; ``differs`` those with another verdict by the simulator. The
    last two count those that fail a check according to the simulator."""

    messages: int
    snapshots: int
    judged: int
    inconsistent: int
    differs: int
    complete: int
    conserved: int
    cost: int


def sums(known: Known, channels: Iterable[Wrong] | None = None) -> Sums:
    """Return the numbers of a complete run. ``channels`` are its wrong ones, if already found."""
    judged = known.judged()
    orphaned = {(one.life, one.snapshot) for one in known.orphans()}
    misheard = {(one.life, one.snapshot) for one in (wrong(known) if channels is None else channels)}

    def same(one: Snapshot) -> bool:
        key = (one.life, one.snapshot)
        consistent = None if key not in judged else key not in orphaned
        complete = None if key not in judged or not one.done or key in orphaned else key not in misheard
        return one.consistent is consistent and one.complete is complete

    return Sums(
        messages=known.about.messages if known.about else 0,
        snapshots=len(known.snapshots),
        judged=len(judged),
        inconsistent=len(orphaned),
        differs=sum(not same(one) for one in known.snapshots),
        complete=len(misheard),
        conserved=sum(one.conserved is False for one in known.snapshots),
        cost=sum(one.cost is False for one in known.snapshots),
    )
