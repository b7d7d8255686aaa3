"""How often each check was broken, by algorithm: correct algorithms with and without the order that they require, and
deliberately broken ones; and the totals of these parts."""

from collections.abc import Sequence
from typing import Literal

from app.algorithms.registry import ALGORITHMS
from app.analysis.sweep_report import UNJUDGED, Group, Reason, Report, Sample
from app.core.model.algorithm import Kind
from app.core.model.value import Frozen
from app.core.oracle.checks import ROW_CHECKS
from app.web.measure.lab.labels import algorithm, link, order
from app.web.measure.lab.query import Query, enough

Part = Literal["right", "exposed", "wrong"]
PARTS: tuple[Part, ...] = ("right", "exposed", "wrong")

COLUMNS = (*ROW_CHECKS, "any")


class Rate(Frozen):
    """Of ``judged`` snapshots, ``broken`` broke the check. ``url`` leads to one of them, or, if there is none, to one
    that satisfies it; None if the report has no such sample."""

    judged: int
    broken: int
    url: str | None

    @property
    def share(self) -> float:
        """In percent; 0 if none was judged."""
        return 100 * self.broken / self.judged if self.judged else 0.0


class Row(Frozen):
    """An algorithm on channels of one order: its rates, one for each of COLUMNS."""

    name: str
    order: str
    rates: tuple[Rate, ...]
    private: bool
    """Does each process save independently, so that there is no snapshot?"""


def part(group: Group) -> Part:
    """Is the algorithm correct, and do the channels of this group keep the order that it requires?"""
    rules = ALGORITHMS.get(group.algorithm)
    if rules is None or rules.WRONG is not None:
        return "wrong"
    return "right" if enough(group.algorithm, group.discipline) else "exposed"


def rates(report: Report, query: Query, language: str) -> dict[Part, tuple[Row, ...]]:
    """Return, by part, the rates of every algorithm in the query; empty parts are left out."""
    groups: dict[Part, dict[tuple[str, str], list[Group]]] = {each: {} for each in PARTS}
    for group in query.groups(report):
        groups[part(group)].setdefault((group.algorithm, group.discipline), []).append(group)
    samples = query.samples_by_group(report)
    return {
        each: tuple(_row(those, samples, query, language) for those in rows.values())
        for each, rows in groups.items()
        if rows
    }


def _row(groups: list[Group], samples: dict[int, list[Sample]], query: Query, language: str) -> Row:
    """Return the rates of one algorithm on channels of one order."""
    first = groups[0]
    there = [(group, sample) for group in groups for sample in samples.get(group.id, [])]
    return Row(
        algorithm(first.algorithm, language),
        order(first.algorithm, first.discipline, language),
        tuple(_rate(check, groups, there, query) for check in COLUMNS),
        first.algorithm in ALGORITHMS and ALGORITHMS[first.algorithm].KIND is Kind.PRIVATE,
    )


def _rate(check: str, groups: list[Group], samples: list[tuple[Group, Sample]], query: Query) -> Rate:
    """Return how often one check was broken."""
    judged = sum(group.judged.get(check, 0) for group in groups)
    broken = sum(group.broken.get(check, 0) for group in groups)
    shown = next(
        (one for one in samples if one[1].snapshot is not None and _breaks(one[1], check) == bool(broken)), None
    )
    return Rate(judged, broken, link(*shown, query) if shown and judged else None)


def _breaks(sample: Sample, check: str) -> bool:
    return bool(sample.broken) if check == "any" else check in sample.broken


class Share(Frozen):
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


class Breakdown(Frozen):
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
