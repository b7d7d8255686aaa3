"""The verdicts on all snapshots of a sweep, with totals: each was judged or was not, and was right or wrong."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.analysis.sweep_report import UNJUDGED, Group, Reason, Report
from app.web.measure.lab.violations import PARTS, Part, part


@dataclass(frozen=True, slots=True)
class Share:
    """The snapshots of one part, or all: among those judged, all checks ``hold`` or some are ``broken``; ``unjudged``
    counts the others, by reason."""

    part: Part | None
    hold: int
    broken: int
    unjudged: dict[Reason, int]

    @property
    def judged(self) -> int:
        """How many were judged."""
        return self.hold + self.broken

    @property
    def left(self) -> int:
        """How many were not."""
        return sum(self.unjudged.values())

    @property
    def snapshots(self) -> int:
        """All of them."""
        return self.judged + self.left


@dataclass(frozen=True, slots=True)
class Breakdown:
    """The parts that have any snapshot, and the ``whole``."""

    parts: tuple[Share, ...]
    whole: Share


def breakdown(report: Report) -> Breakdown:
    """Return the verdicts on the snapshots of a report."""
    parts = tuple(_share(each, [group for group in report.groups if part(group) == each]) for each in PARTS)
    return Breakdown(tuple(one for one in parts if one.snapshots), _share(None, report.groups))


def _share(part: Part | None, groups: Sequence[Group]) -> Share:
    """Return the verdicts on the snapshots of some groups, without reasons that do not occur."""
    judged = sum(group.judged.get("any", 0) for group in groups)
    broken = sum(group.broken.get("any", 0) for group in groups)
    unjudged = {reason: sum(group.unjudged.get(reason, 0) for group in groups) for reason in UNJUDGED}
    return Share(part, judged - broken, broken, {reason: count for reason, count in unjudged.items() if count})
