"""The things in a report, and its title, in the words of a language."""

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from app.algorithms.registry import ALGORITHMS
from app.analysis.sweep_report import Group, Report, Sample
from app.core.model.values import Json
from app.forms.json_shape import mapping
from app.pictures.chart import Axis, Number, Scale, four_digits
from app.web.measure.lab.query import Query, enough, place
from app.words.catalogues import JOIN, catalogue, word

BETWEEN = " · "
DECADES = 100
"""If the largest value is more than so many times the smallest, the scale is logarithmic."""

NAMED = 3
"""The most algorithms and graphs in a title; the others are only counted."""

LONGEST = 120
"""The most characters of a title."""


def called(family: str, value: str, language: str, **fields: Json) -> str:
    """Return the name of a value, by the beginning of its key; an unknown one stays as it is."""
    key = family + value
    return word(key, language, **fields) if key in catalogue(language) else value


def algorithm(name: str, language: str) -> str:
    """Return an algorithm's name."""
    return called("algorithm.", name, language)


def topology(name: str, language: str) -> str:
    """Return the shape of a graph; for a random one also its degree, and the seed that drew it, if the name has it:
    ``random-2`` and ``random-2-5`` are graphs of degree 2, drawn with the default seed and with 5."""
    shape, *numbers = name.split("-", 2)
    told = called("sweep.topology.", shape, language)
    if not numbers:
        return told
    degree, *seed = numbers
    if not seed:
        return word("lab.degree", language, graph=told, degree=degree)
    return word("lab.degree.seed", language, graph=told, degree=degree, seed=seed[0])


def graph(group: Group, language: str) -> str:
    """Return the graph of a group: its shape, and how many processes it has."""
    shape = group.topology.partition("-")[0]
    told = called("lab.graph.", shape, language, count=group.processes)
    return told if told != shape else f"{shape} {group.processes}"


def order(name: str, discipline: str, language: str) -> str:
    """Return the order of an algorithm's channels; and, if it is weaker than required, a remark on that."""
    told = called("lab.order.", discipline, language)
    return told if enough(name, discipline) else word("lab.order.weaker", language, order=told)


def named(group: Group, language: str) -> str:
    """Return the algorithm of a group and, on a second line, the order of its channels."""
    return f"{algorithm(group.algorithm, language)}\n{order(group.algorithm, group.discipline, language)}"


def scale(values: Iterable[Number]) -> Scale:
    """Return a scale on which all of these are distinguishable."""
    found = [value for value in values if value > 0]
    least, most = min(found, default=1), max(found, default=1)
    if most <= DECADES * least:
        return "linear"
    return "log" if all(value > 0 for value in values) else "symlog"


def axis(measure: str, language: str, values: Iterable[Number] = ()) -> Axis:
    """Return the scale of a measure with these values; if it is logarithmic, the unit says so."""
    unit, kind = word(f"lab.unit.{measure}", language), scale(tuple(values))
    if kind != "linear":
        unit = word(f"lab.unit.{kind}", language, unit=unit)
    return Axis(word(f"lab.measure.{measure}", language), unit, kind)


def check(name: str, language: str) -> str:
    """Return the name of a check; an unknown one stays as it is."""
    key = f"check.{name}.name"
    return word(key, language) if key in catalogue(language) else name


def settings(group: Group, language: str) -> str:
    """Return the settings of a group's runs."""
    told = [graph(group, language), order(group.algorithm, group.discipline, language)]
    if group.interval is not None:
        told.append(word("lab.batch" if batched(group) else "lab.every", language, interval=group.interval))
    return BETWEEN.join(told)


def batched(group: Group) -> bool:
    """Does the algorithm run batches? Then an interval is in items, otherwise in ticks."""
    rules = ALGORITHMS.get(group.algorithm)
    return rules is not None and rules.DATAFLOW.logs


def sample_line(group: Group, sample: Sample, measure: str, value: Number, language: str) -> str:
    """Return a snapshot in one line: its algorithm, where it was taken, what was measured, and what it breaks."""
    weak = not enough(group.algorithm, group.discipline)
    said = word(
        "lab.point.weaker" if weak else "lab.point",
        language,
        algorithm=algorithm(group.algorithm, language),
        graph=graph(group, language),
        order=called("lab.order.", group.discipline, language),
        amount=word(f"lab.amount.{measure}", language, value=three_digits(value)),
        run=sample.run,
    )
    checks = JOIN[language].join(check(name, language) for name in sample.broken)
    return said + BETWEEN + word("lab.breaks", language, checks=checks) if checks else said


def link(group: Group, sample: Sample, query: Query) -> str:
    """Return the address of the snapshot with its checks, in the language that the visitor's address names."""
    url = sample.at(group)
    if query.lang:
        url += f"{'&' if '?' in url else '?'}lang={query.lang}"
    return url if sample.snapshot is None else f"{url}#checks-{sample.snapshot}"


def three_digits(value: Number) -> str:
    """Return a number with three significant digits; a whole one with all its digits."""
    short = rounded(value)
    return (four_digits(int(short)) if short == int(short) else f"{short:.3g}").replace("-", "−")


def rounded(value: Number) -> Number:
    """Return the same as a number."""
    return float(f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}") if isinstance(value, float) else value


def share(share: float) -> str:
    """Return a share from 0 to 1 with two digits after the decimal point; only exactly 1 becomes 1."""
    if share > 1 - 1e-9:
        return "1"
    return "> 0.99" if share >= 0.995 else f"{share:.2f}"


def title(report: Report, language: str) -> str:
    """Return the title of the spec, or else the algorithms and the graphs."""
    given = mapping(report.spec).get("title")
    if several := mapping(given):
        given = several.get(language) or next(iter(several.values()))
    return given[:LONGEST] if isinstance(given, str) and given.strip() else what(report, language)


def what(report: Report, language: str) -> str:
    """Return the algorithms and the graphs swept, and the number of runs."""
    names = sorted({group.algorithm for group in report.groups}, key=lambda name: (place(name), name))
    graphs = list(dict.fromkeys(group.topology for group in report.groups))
    return word(
        "lab.swept.what",
        language,
        algorithms=_some([algorithm(name, language) for name in names], language),
        graphs=_some([topology(name, language) for name in graphs], language),
        runs=three_digits(report.runs),
    )


def _some(names: list[str], language: str) -> str:
    """Return the first names, and the number of the others."""
    if len(names) <= NAMED + 1:
        return JOIN[language].join(names)
    return word("lab.swept.more", language, names=JOIN[language].join(names[:NAMED]), count=len(names) - NAMED)


def when(file: Path) -> datetime:
    """Return when a report was written, in UTC."""
    return datetime.fromtimestamp(int(file.stat().st_mtime), UTC)
