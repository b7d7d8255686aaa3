"""The name of a sweep: its spec's title, or a list of what it sweeps."""

from datetime import UTC, datetime
from pathlib import Path

from app.analysis.sweep_report import Report
from app.forms.json_shape import mapping
from app.web.measure.lab.labels import algorithm, three_digits, topology
from app.web.measure.lab.query import place
from app.words.catalogues import JOIN, word

NAMED = 3
"""The most algorithms and graphs in a title; the others are only counted."""

LONGEST = 120
"""The most characters of a title."""


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
