"""What a sweep is called: as its spec says, or by what it sweeps."""

from datetime import UTC, datetime
from pathlib import Path

from app.narration.tell import JOIN, word
from app.web.swept.query import place
from app.web.swept.report import Report
from app.web.swept.words import algorithm, shown, topology

NAMED = 3
"""So many algorithms and graphs are named; of the others it says how many there are."""

LONGEST = 120
"""Characters of a title."""


def title(report: Report, language: str) -> str:
    """The title of the spec, or else the algorithms and the graphs."""
    given = report.spec.get("title") if isinstance(report.spec, dict) else None
    if isinstance(given, dict):
        given = given.get(language) or next(iter(given.values()), None)
    return given[:LONGEST] if isinstance(given, str) and given.strip() else what(report, language)


def what(report: Report, language: str) -> str:
    """The algorithms and the graphs that were swept, and how many runs there are."""
    names = sorted({group.algorithm for group in report.groups}, key=lambda name: (place(name), name))
    graphs = list(dict.fromkeys(group.topology for group in report.groups))
    return word(
        "lab.swept.what",
        language,
        algorithms=some([algorithm(name, language) for name in names], language),
        graphs=some([topology(name, language) for name in graphs], language),
        runs=shown(report.runs),
    )


def some(names: list[str], language: str) -> str:
    """The first names, and how many there are besides."""
    if len(names) <= NAMED + 1:
        return JOIN[language].join(names)
    return word("lab.swept.more", language, names=JOIN[language].join(names[:NAMED]), count=len(names) - NAMED)


def when(file: Path) -> datetime:
    """When a report was written, in universal time."""
    return datetime.fromtimestamp(int(file.stat().st_mtime), UTC)
