"""The query of a report: which measure, against what, and of which runs. Every value is a query parameter.

By default, every algorithm is shown on channels with exactly the order that it requires: other orders are other
experiments, with their own filter.
"""

from typing import Annotated, Literal, get_args
from urllib.parse import urlencode

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from app.algorithms.registry import ALGORITHMS
from app.analysis.sweep_report import MEASURES, OF_RUNS, Group, Report, Sample
from app.core.model.system import DISCIPLINES, STRENGTH, suffices
from app.forms.whole_number import whole_number
from app.web.measure.lab.report import AGAINST
from app.words.catalogues import LANGUAGES

Filter = Literal["algorithm", "topology", "discipline", "size"]
FILTERS: tuple[Filter, ...] = get_args(Filter)
REQUIRED, WEAKER, ALL = "", "weaker", "all"
"""The values of the filter of orders besides an order: what each algorithm requires, anything weaker, everything."""

ORDER = {name: place for place, name in enumerate(ALGORITHMS)}


Word = Annotated[str, StringConstraints(max_length=40)]
Language = Annotated[Word, AfterValidator(lambda given: given if given in LANGUAGES else "")]


class Query(BaseModel):
    """What is asked. An empty filter leaves every run, except ``discipline``, which leaves those with the order that
    their algorithm requires (see ``usual``); an unknown value leaves none. ``job`` is the sweep, see
    ``app.web.measure.lab.routes``."""

    model_config = ConfigDict(frozen=True)

    job: Annotated[Word, Field(description="a sweep that was started here, or shipped")] = ""
    measure: Annotated[Word, Field(description=f"one of {', '.join(MEASURES)}")] = "controls"
    against: Annotated[Word, Field(description=f"one of {', '.join(AGAINST)}")] = "channels"
    algorithm: Annotated[Word, Field(description="only runs of this algorithm")] = ""
    topology: Annotated[Word, Field(description="only runs on graphs of this shape")] = ""
    discipline: Annotated[Word, Field(description="only runs with this order of delivery, or weaker, or all")] = (
        REQUIRED
    )
    size: Annotated[Word, Field(description="only runs with so many processes")] = ""
    lang: Annotated[Language, Field(description="en or zh")] = ""

    @property
    def filtered(self) -> bool:
        """Is anything left out besides other orders?"""
        return self != self.unfiltered()

    def fits(self, group: Group, orders: dict[str, str], but: Filter | None = None) -> bool:
        """Is the group asked for? ``orders`` is what ``usual`` says; ``but`` names a filter to ignore."""
        plain = (name for name in FILTERS if name not in ("discipline", but))
        if not all(not (asked := getattr(self, name)) or asked == _value(group, name) for name in plain):
            return False
        return but == "discipline" or _passes_orders(group, self.discipline, orders)

    def groups(self, report: Report) -> tuple[Group, ...]:
        """Return the groups asked for, in the order of the family of algorithms."""
        orders = usual(report)
        found = (group for group in report.groups if self.fits(group, orders))
        return tuple(sorted(found, key=lambda group: (place(group.algorithm), _rank("discipline", group.discipline))))

    def rows(self, report: Report) -> dict[tuple[str, str], list[Group]]:
        """Return the same by algorithm and order, which share a row, or a panel."""
        found: dict[tuple[str, str], list[Group]] = {}
        for group in self.groups(report):
            found.setdefault((group.algorithm, group.discipline), []).append(group)
        return found

    def samples(self, report: Report) -> tuple[tuple[Group, Sample], ...]:
        """Return the snapshots asked for, each with its group, in the same order."""
        known = {group.id: group for group in self.groups(report)}
        turn = {number: at for at, number in enumerate(known)}
        found = sorted((s for s in report.samples if s.group in known), key=lambda sample: turn[sample.group])
        return tuple((known[sample.group], sample) for sample in found)

    def samples_by_group(self, report: Report) -> dict[int, list[Sample]]:
        """Return the same by the ids of their groups."""
        found: dict[int, list[Sample]] = {}
        for group, sample in self.samples(report):
            found.setdefault(group.id, []).append(sample)
        return found

    def points(self, report: Report) -> tuple[tuple[Group, Sample, int], ...]:
        """Return the same with the measured values to draw, without those of snapshots that were never complete."""
        found = ((group, sample, sample.value(self.measure)) for group, sample in self.samples(report))
        return tuple(
            (group, sample, value)
            for group, sample, value in found
            if value is not None and (self.measure in OF_RUNS or sample.duration is not None)
        )

    def address(self, path: str = "/lab") -> str:
        """Return the address of this query, without default values."""
        asked = self.model_dump(exclude_defaults=True)
        return path + ("?" + urlencode(asked) if asked else "")

    def unfiltered(self, discipline: str = REQUIRED) -> "Query":
        """Return the same without filters but that of orders."""
        return self.model_copy(update={"algorithm": "", "topology": "", "discipline": discipline, "size": ""})

    def ordered(self, discipline: str) -> "Query":
        """Return the same with another filter of orders."""
        return self.model_copy(update={"discipline": discipline})


def options(report: Report, query: Query, name: Filter) -> dict[str, int]:
    """Return, by the values of a filter, how many runs each would leave, given the other filters."""
    runs: dict[str, int] = {}
    orders = usual(report)
    for group in report.groups:
        for own in (REQUIRED, WEAKER, group.discipline, ALL) if name == "discipline" else (_value(group, name),):
            left = query.fits(group, orders, name) and (name != "discipline" or _passes_orders(group, own, orders))
            runs[own] = runs.get(own, 0) + (group.runs if left else 0)
    asked = getattr(query, name)
    if asked:
        runs.setdefault(asked, 0)
    return {each: runs[each] for each in sorted(runs, key=lambda each: _rank(name, each))}


def _value(group: Group, name: Filter) -> str:
    return str(group.processes) if name == "size" else str(getattr(group, name))


def _rank(name: Filter, value: str) -> tuple[int, str]:
    """Return the position of a value among those of its filter."""
    if name == "size":
        return whole_number(value, digits=8) or 0, value
    if name == "algorithm":
        return place(value), value
    if name == "discipline":
        known = (REQUIRED, WEAKER, *DISCIPLINES, ALL)
        return (known.index(value) if value in known else len(known)), value
    return 0, value


def enough(algorithm: str, discipline: str) -> bool:
    """Does this order suffice for the algorithm? Yes, if the algorithm is unknown."""
    rules = ALGORITHMS.get(algorithm)
    return rules is None or suffices(discipline, rules.REQUIRES)


def usual(report: Report) -> dict[str, str]:
    """Return, by algorithm, the order in which it is shown by default: the one that it requires. If there are no runs
    with it, it is one that suffices, or else the strongest available."""
    there: dict[str, set[str]] = {}
    for group in report.groups:
        there.setdefault(group.algorithm, set()).add(group.discipline)
    found: dict[str, str] = {}
    for name, orders in there.items():
        rules = ALGORITHMS.get(name)
        strongest = sorted(orders, key=lambda order: _rank("discipline", order))
        weakest = [order for order in STRENGTH if order in orders and enough(name, order)]
        found[name] = rules.REQUIRES if rules and rules.REQUIRES in orders else (weakest or strongest)[0]
    return found


def _passes_orders(group: Group, asked: str, orders: dict[str, str]) -> bool:
    if asked == REQUIRED:
        return orders[group.algorithm] == group.discipline
    if asked == WEAKER:
        return not enough(group.algorithm, group.discipline)
    return asked in (ALL, group.discipline)


def place(algorithm: str) -> int:
    """Return the position of an algorithm in the family; unknown ones come last."""
    return ORDER.get(algorithm, len(ORDER))


def measured(report: Report) -> tuple[str, ...]:
    """Return the measures for which the report has any value."""
    found = {name for group in report.groups for name in group.measures}
    return tuple(name for name in MEASURES if name in found)


def adapted(report: Report, query: Query) -> Query:
    """Return the query adapted to the report: a measure, or a quantity to draw it against, that the report lacks
    becomes the default."""
    there = measured(report)
    usual = Query().measure
    measure = next((name for name in (query.measure, usual, *there) if name in there), usual)
    against = query.against if query.against in AGAINST else AGAINST[0]
    return query.model_copy(update={"measure": measure, "against": against})
