"""What became of all snapshots of a sweep, so that it adds up: each was judged or was not, and was right or wrong."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.web.swept.broken import PARTS, Part, part
from app.web.swept.report import UNJUDGED, Group, Reason, Report


@dataclass(frozen=True, slots=True)
class Share:
    """So many snapshots of one part, or of all: of those that were judged, all checks ``hold`` or some are ``broken``;
    ``unjudged`` has the others, by the reason."""

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
    """What became of the snapshots of a report."""
    parts = tuple(share(each, [group for group in report.groups if part(group) == each]) for each in PARTS)
    return Breakdown(tuple(one for one in parts if one.snapshots), share(None, report.groups))


def share(part: Part | None, groups: Sequence[Group]) -> Share:
    """What became of the snapshots of some groups; reasons that nothing has are left out."""
    judged = sum(group.judged.get("any", 0) for group in groups)
    broken = sum(group.broken.get("any", 0) for group in groups)
    unjudged = {reason: sum(group.unjudged.get(reason, 0) for group in groups) for reason in UNJUDGED}
    return Share(part, judged - broken, broken, {reason: count for reason, count in unjudged.items() if count})
