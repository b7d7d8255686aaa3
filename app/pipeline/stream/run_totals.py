"""A run whose rows have all arrived, in numbers."""

from collections.abc import Iterable
from dataclasses import dataclass

from app.core.oracle.checks import ROW_CHECKS
from app.pipeline.stream.channels import Wrong, wrong
from app.pipeline.stream.orphans import Known, Snapshot
from app.pipeline.stream.results import BROKEN


@dataclass(frozen=True, slots=True)
class Sums:
    """A run in numbers. ``judged`` counts the snapshots whose cut can be judged; ``broken``, by check, those that fail
    it: those with orphans, the others with wrong channels, and what the simulator says on the other checks; ``differs``
    those with another verdict by the simulator on the first two."""

    messages: int
    snapshots: int
    judged: int
    differs: int
    broken: dict[str, int]

    def row(self) -> dict[str, object]:
        """Return the numbers by column."""
        plain = {name: getattr(self, name) for name in ("messages", "snapshots", "judged", "differs")}
        return plain | {BROKEN[check]: count for check, count in self.broken.items()}


def sums(known: Known, channels: Iterable[Wrong] | None = None) -> Sums:
    """Return the numbers of a complete run. ``channels`` are its wrong ones, if already found."""
    judged = known.judged()
    orphaned = {(one.life, one.snapshot) for one in known.orphans()}
    misheard = {(one.life, one.snapshot) for one in (wrong(known) if channels is None else channels)}

    def same(one: Snapshot) -> bool:
        key = (one.life, one.snapshot)
        consistent = None if key not in judged else key not in orphaned
        exact = None if key not in judged or not one.done or key in orphaned else key not in misheard
        return one.verdict("consistent") is consistent and one.verdict("channels") is exact

    own = {"consistent": len(orphaned), "channels": len(misheard)}
    simulated = {check: sum(one.verdict(check) is False for one in known.snapshots) for check in ROW_CHECKS}
    return Sums(
        messages=known.about.messages if known.about else 0,
        snapshots=len(known.snapshots),
        judged=len(judged),
        differs=sum(not same(one) for one in known.snapshots),
        broken=simulated | own,
    )
