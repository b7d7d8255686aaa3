"""The report of a sweep, within its bounds. ``app.analysis.sweep_report`` describes what is in it.

Its samples are single snapshots to look at: those that broke a check, ordinary ones and extreme ones, and a run of each
group without snapshots.
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from app.analysis.sweep_report import MEASURES, UNJUDGED, VERSION, Group, Histogram, Part, Report, Sample, Verdicts
from app.compact_json import compact
from app.core.model.values import Json
from app.core.oracle.checks import ROW_CHECKS
from app.pipeline.measure.snapshots import GROUP
from app.pipeline.rows.atomic_file import replace_content

ROOM = 400_000
"""Bytes of a report, as long as its groups leave room for samples."""

LEAST = 200_000
"""Bytes that are always left for the samples and the paths of their groups."""

LARGEST = 15_000_000
"""Bytes of a report without its samples. (The Lab reads MOST_BYTES.)"""

SHARED = 6_000_000
"""Bytes for the values of all histograms together, if LARGEST leaves as many."""

FEWEST, MOST = 3, 400
"""How many different values fit in a histogram: at least, however many histograms there are; and at most."""

FILE = "report.json"

EMPTY: dict[str, Json] = {"values": [], "counts": [], "about": True}
"""A histogram without values, in its longest form."""

Row = Mapping[str, Any]

Counted = Sequence[tuple[int, int]]
"""(value, how many times it was measured), from small to large."""


def report(
    plan: Mapping[str, Json],
    verdicts: Mapping[str, Json],
    groups: Iterable[Row],
    values: Iterable[Row],
    samples: Iterable[Row],
) -> Report:
    """Return the report. ``plan`` has the ``engine`` and the ``spec``; the rows are those of the tables, the values in
    order, and the most informative samples first."""
    counted = {
        key: [(row["value"], row["n"]) for row in rows]
        for key, rows in groupby(values, key=lambda row: (row["group"], row["measure"]))
    }
    shown = list(samples)
    paths: dict[int, str] = {}
    for row in shown:
        paths.setdefault(row["group"], row["url"].partition("?")[0])
    made = [_group(row) for row in groups]
    whole = Report(
        version=VERSION,
        engine=plan["engine"],
        spec=plan["spec"],
        runs=sum(each.runs for each in made),
        snapshots=sum(each.snapshots for each in made),
        verdicts=Verdicts.model_validate(verdicts),
        groups=tuple(made),
        samples=(),
    )
    names = sum(len(written({name: EMPTY})) - 1 for _, name in counted)
    most = fair(counted.values(), min(SHARED, LARGEST - len(written(whole)) - names))
    measures: dict[int, dict[str, Histogram]] = {each.id: {} for each in made}
    for number, name in sorted(counted, key=lambda key: MEASURES.index(key[1])):
        measures[number][name] = histogram(counted[number, name], most)
    made = [each.model_copy(update={"measures": measures[each.id]}) for each in made]
    whole = whole.model_copy(update={"groups": tuple(made)})
    found = fitting(shown, max(LEAST, ROOM - len(written(whole))), paths)
    seen = {one.group for one in found}
    made = [each.model_copy(update={"url": paths[each.id] if each.id in seen else None}) for each in made]
    return whole.model_copy(update={"groups": tuple(made), "samples": tuple(found)})


def _group(row: Row) -> Group:
    """Return one group, still without measures and without the path of its runs."""
    checks = (*ROW_CHECKS, "any")
    return Group(
        id=row["group"],
        **{name: row[name] for name in GROUP if name != "cell"},
        url=None,
        runs=row["runs"],
        snapshots=row["snapshots"],
        complete=row["complete"],
        judged={name: count for name in checks if (count := row[f"judged_{name}"])},
        broken={name: count for name in checks if (count := row[f"broken_{name}"])},
        unjudged={name: count for name in UNJUDGED if (count := row[f"unjudged_{name}"])},
        measures={},
    )


def fair(histograms: Iterable[Counted], room: int) -> int:
    """Return how many different values each histogram may have so that all fit into ``room`` bytes: the same for all,
    while large ones use what small ones leave. At least FEWEST, at most MOST."""
    sizes = [(len(each), len(str(each[-1][0])) + len(str(sum(count for _, count in each))) + 2) for each in histograms]
    may = range(FEWEST, MOST + 1)
    fit = bisect_right(may, room, key=lambda most: sum(min(most, values) * wide for values, wide in sizes))
    return may[max(0, fit - 1)]


def histogram(counted: Counted, most: int = MOST) -> Histogram:
    """Return how many times each value was measured, from (value, how many) pairs in ascending order. If there are more
    than ``most`` values (at least 3), neighbours are merged; the least and the greatest stay separate."""
    if len(counted) <= most:
        values, counts = zip(*counted, strict=True)
        return Histogram(values=values, counts=counts)
    first, *inner, last = counted
    values, counts = zip(first, *_together(inner, most - 2), last, strict=True)
    return Histogram(values=values, counts=counts, about=True)


def _together(counted: Counted, most: int) -> list[tuple[int, int]]:
    """Merge neighbours into their mean: at most ``most`` values with about equally many measurements each. A value
    that is frequent enough stays separate."""
    kept: list[tuple[int, int]] = []
    left = sum(count for _, count in counted)
    many = total = 0
    for value, count in counted:
        room = most - len(kept)
        if many and room > 1 and count * (room - 1) >= left - many:
            kept.append((_mean(total, many), many))
            left, room, many, total = left - many, room - 1, 0, 0
        many, total = many + count, total + value * count
        if many * room >= left:
            kept.append((_mean(total, many), many))
            left, many, total = left - many, 0, 0
    return kept


def _mean(total: int, many: int) -> int:
    """Return the mean rounded to a whole number; it lies between the least and the greatest value."""
    return (2 * total + many) // (2 * many)


def _sample(row: Row, path: str) -> Sample:
    """Return a snapshot to look at; ``path`` is that of its group."""
    return Sample(
        group=row["group"],
        run=row["run"],
        url=row["url"].removeprefix(path),
        snapshot=row["snapshot"],
        broken=tuple(row["broken"]),
        **{name: row[name] for name in MEASURES},
    )


def fitting(samples: Iterable[Row], room: int, paths: Mapping[int, str]) -> list[Sample]:
    """Return as many of the first samples as fit into ``room`` bytes with the ``paths`` of their groups, by group."""
    found, seen = [], set[int]()
    for row in samples:
        number, path = row["group"], paths[row["group"]]
        made = _sample(row, path)
        room -= len(written(made)) + 1 + (0 if number in seen else len(written(path)))
        if room < 0:
            break
        seen.add(number)
        found.append(made)
    return sorted(found, key=lambda one: (one.group, one.url, one.snapshot or 0))


def written(value: Part | Json) -> bytes:
    """Return a value as compact JSON in UTF-8."""
    return compact(value.written() if isinstance(value, Part) else value).encode()


def write(directory: Path, whole: Report) -> Path:
    """Write the report of a sweep atomically; return where. Raises BluecutError if it cannot be written."""
    file = directory / FILE
    replace_content(file, written(whole) + b"\n")
    return file
