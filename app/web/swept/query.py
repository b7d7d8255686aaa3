"""What is asked of a report: which measure, against what, and of which runs. Every value is a query parameter."""

from dataclasses import dataclass, replace
from typing import Literal, get_args
from urllib.parse import urlencode

from app.algorithms.registry import ALGORITHMS
from app.core.system import DISCIPLINES
from app.web.swept.report import AGAINST, MEASURES, Group, Report, Sample

Filter = Literal["algorithm", "topology", "discipline", "size"]
FILTERS: tuple[Filter, ...] = get_args(Filter)
ORDER = {name: place for place, name in enumerate(ALGORITHMS)}


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked. An empty filter leaves every run; a value that nothing has leaves none. ``job`` is the sweep; the
    one that comes with Bluecut where it is empty."""

    measure: str = "duration"
    against: str = "channels"
    algorithm: str = ""
    topology: str = ""
    discipline: str = ""
    size: str = ""
    job: str = ""
    lang: str = ""

    @property
    def filtered(self) -> bool:
        """Are some runs left out?"""
        return any(getattr(self, name) for name in FILTERS)

    def fits(self, group: Group, but: Filter | None = None) -> bool:
        """Is the group asked for? ``but`` names a filter that leaves everything."""
        return all(name == but or not (asked := getattr(self, name)) or asked == value(group, name) for name in FILTERS)

    def groups(self, report: Report) -> tuple[Group, ...]:
        """The groups that are asked for, in the order of the family of algorithms."""
        found = (group for group in report.groups if self.fits(group))
        return tuple(sorted(found, key=lambda group: (place(group.algorithm), group.id)))

    def samples(self, report: Report) -> tuple[tuple[Group, Sample], ...]:
        """The snapshots that are asked for, each with its group, in the same order."""
        known = {group.id: group for group in self.groups(report)}
        turn = {number: at for at, number in enumerate(known)}
        found = sorted((s for s in report.samples if s.group in known), key=lambda sample: turn[sample.group])
        return tuple((known[sample.group], sample) for sample in found)

    def address(self, path: str = "/lab") -> str:
        """Where this is answered; what is usual is left out."""
        usual = Query()
        names = ("job", "measure", "against", *FILTERS, "lang")
        asked = {name: getattr(self, name) for name in names if getattr(self, name) != getattr(usual, name)}
        return path + ("?" + urlencode(asked) if asked else "")

    @property
    def everything(self) -> "Query":
        """The same without filters."""
        return replace(self, algorithm="", topology="", discipline="", size="")


@dataclass(frozen=True, slots=True)
class Option:
    """A value of a filter; ``runs`` would be left."""

    value: str
    runs: int


def options(report: Report, query: Query, name: Filter) -> tuple[Option, ...]:
    """The values of a filter, each with the runs that it would leave, given the other filters."""
    runs: dict[str, int] = {}
    for group in report.groups:
        own = value(group, name)
        runs[own] = runs.get(own, 0) + (group.runs if query.fits(group, but=name) else 0)
    asked = getattr(query, name)
    if asked:
        runs.setdefault(asked, 0)
    return tuple(Option(each, runs[each]) for each in sorted(runs, key=lambda each: rank(name, each)))


def value(group: Group, name: Filter) -> str:
    """What a group has for a filter."""
    return str(group.processes) if name == "size" else str(getattr(group, name))


def rank(name: Filter, value: str) -> tuple[int, str]:
    """The place of a value among those of its filter."""
    if name == "size":
        return (int(value) if value.isdecimal() and len(value) < 9 else 0), value
    if name == "algorithm":
        return place(value), value
    if name == "discipline" and value in DISCIPLINES:
        return DISCIPLINES.index(value), value
    return 0, value


def place(algorithm: str) -> int:
    """The place of an algorithm in the family; unknown ones come last."""
    return ORDER.get(algorithm, len(ORDER))


def measured(report: Report) -> tuple[str, ...]:
    """The measures of which the report has any value."""
    found = {name for group in report.groups for name in group.measures}
    return tuple(name for name in MEASURES if name in found)


def asked(report: Report, query: Query) -> Query:
    """The query with what the report has: another measure, or something else to draw it against, is the usual one."""
    there = measured(report)
    measure = query.measure if query.measure in there else next(iter(there), "duration")
    against = query.against if query.against in AGAINST else AGAINST[0]
    return replace(query, measure=measure, against=against)
