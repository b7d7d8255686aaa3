"""The report of a sweep: one JSON file, bounded in size, that says all that the Lab page shows.

``version``    2; grows when a field that is read changes its meaning or goes
``engine``     the version of the simulator's behaviour, with which the addresses of the samples lead to the same runs
``spec``       what was swept
``runs``, ``snapshots``  how many there are
``verdicts``   {by, snapshots, checks, disagree}: ``by`` is ``verifiers`` where the two verifiers have judged the
               rows, else ``simulator``; how many ``snapshots`` were judged, by how many ``checks`` in all that apply;
               and on how many verdicts both verifiers and the simulator did not agree (null: nobody compared)
``groups``     what runs with the same settings have in common:
    {id, algorithm, topology, processes, channels, diameter, program, discipline, delay, interval, scenario, url,
    runs, snapshots, complete, judged, broken, unjudged, measures}: ``url`` is the path of its runs, null where no
    sample is of this group; ``complete`` counts completed snapshots; ``judged`` and ``broken`` count, for each of the
    checks consistent, channels, conserved, cost, and for ``any`` of them, the snapshots to which it applies, and those
    that broke it; ``unjudged`` counts those that nobody judged, by the reason: ``aborted`` (given up), ``unfinished``
    (never complete), ``unasked`` (no check applies). What is 0 is left out; judged by any, and unjudged, are all
    ``snapshots`` together. ``measures`` has, for each that was measured, {values, counts}: the values from small to
    large, and how many times each was measured; with ``about`` true where there were more different values than it has
    room for, and neighbours are put together, as their mean; the least and the greatest value are exact
``samples``    [{group, run, url, snapshot, broken, duration, ticks, controls, recorded, bytes, paused, blocked, loss}]:
               single snapshots to look at, those that broke a check, ordinary ones and extreme ones, and a run of each
               group without snapshots; ``run`` is its number in the sweep; ``url`` is relative to that of its group:
               what names the run, and the step; ``broken`` lists checks; the last three are those of its run; null is
               what was not measured

The measures: ``duration`` steps and ``ticks`` of virtual time from the start of a snapshot to its completion;
``controls`` messages sent for it; ``recorded`` messages in its channels, and their ``bytes`` as compact JSON;
``paused`` steps of a run after which a program was held up, and ``blocked`` ones after which an input was; ``loss``
records of a run that had to be taken once more after crashes.
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from app.compact import compact
from app.core.model import BluecutError, Json
from app.pipeline.measure.distribution import MEASURES
from app.pipeline.measure.taken import BROKEN, GROUP

VERSION = 2

ROOM = 400_000
"""Bytes of a report, so long as its groups leave something for samples."""

LEAST = 200_000
"""Bytes that its samples have in any case, and the paths of their groups."""

LARGEST = 15_000_000
"""Bytes of a report without its samples. (The Lab reads 16,000,000.)"""

SHARED = 6_000_000
"""Bytes that the values of all histograms have together, where LARGEST leaves so many."""

FEWEST, MOST = 3, 400
"""Different values that a histogram has room for: in any case, where there are many histograms; and at most."""

UNJUDGED = ("aborted", "unfinished", "unasked")
"""Why a snapshot was not judged."""

FILE = "report.json"

EMPTY: dict[str, Json] = {"values": [], "counts": [], "about": True}
"""A histogram before its values, as long as it can be."""

Row = Mapping[str, Any]

Counted = Sequence[tuple[int, int]]
"""(value, how many times it was measured), from small to large."""


def report(
    plan: Mapping[str, Json],
    verdicts: Mapping[str, Json],
    groups: Iterable[Row],
    values: Iterable[Row],
    samples: Iterable[Row],
) -> dict[str, Json]:
    """The report. ``plan`` has the ``engine`` and the ``spec``; the rows are those of the tables, the values in
    order, and the samples with the most telling first."""
    counted = {
        key: [(row["value"], row["n"]) for row in rows]
        for key, rows in groupby(values, key=lambda row: (row["group"], row["measure"]))
    }
    shown = list(samples)
    paths: dict[int, str] = {}
    for row in shown:
        paths.setdefault(row["group"], row["url"].partition("?")[0])
    made = [group(row) for row in groups]
    measures: dict[int, dict[str, Json]] = {each["id"]: each["measures"] for each in made}
    whole: dict[str, Json] = {
        "version": VERSION,
        "engine": plan["engine"],
        "spec": plan["spec"],
        "runs": sum(each["runs"] for each in made),
        "snapshots": sum(each["snapshots"] for each in made),
        "verdicts": dict(verdicts),
        "groups": [*made],
        "samples": [],
    }
    # ``whole`` has these very groups, so it is always as long as what has been filled in.
    for number, name in sorted(counted, key=lambda key: MEASURES.index(key[1])):
        measures[number][name] = EMPTY
    most = fair(counted.values(), min(SHARED, LARGEST - len(written(whole))))
    for (number, name), each in counted.items():
        measures[number][name] = histogram(each, most)
    found = fitting(shown, max(LEAST, ROOM - len(written(whole))), paths)
    seen = {one["group"] for one in found}
    for one in made:
        one["url"] = paths[one["id"]] if one["id"] in seen else None
    return whole | {"samples": [*found]}


def group(row: Row) -> dict[str, Any]:
    """One group, as yet without what was measured and without the path of its runs."""
    checks = (*BROKEN, "any")
    return {
        "id": row["group"],
        **{name: row[name] for name in GROUP if name != "cell"},
        "url": None,
        "runs": row["runs"],
        "snapshots": row["snapshots"],
        "complete": row["complete"],
        "judged": {name: count for name in checks if (count := row[f"judged_{name}"])},
        "broken": {name: count for name in checks if (count := row[f"broken_{name}"])},
        "unjudged": {name: count for name in UNJUDGED if (count := row[f"unjudged_{name}"])},
        "measures": {},
    }


def fair(histograms: Iterable[Counted], room: int) -> int:
    """How many different values each histogram may have, so that all of them fit into ``room`` bytes: the same for all,
    and what small ones leave is for the others. At least FEWEST, at most MOST."""
    sizes = [(len(each), len(str(each[-1][0])) + len(str(sum(count for _, count in each))) + 2) for each in histograms]
    may = range(FEWEST, MOST + 1)
    fit = bisect_right(may, room, key=lambda most: sum(min(most, values) * wide for values, wide in sizes))
    return may[max(0, fit - 1)]


def histogram(counted: Counted, most: int = MOST) -> dict[str, Json]:
    """How many times each value was measured, from (value, how many) with the values from small to large. Where there
    are more than ``most`` values, which is at least 3, neighbours are put together; the least and the greatest stay by
    themselves."""
    if len(counted) <= most:
        return {"values": [value for value, _ in counted], "counts": [count for _, count in counted]}
    first, *inner, last = counted
    kept = [first, *together(inner, most - 2), last]
    return {"values": [value for value, _ in kept], "counts": [count for _, count in kept], "about": True}


def together(counted: Counted, most: int) -> list[tuple[int, int]]:
    """Neighbours put together, as their mean, into at most ``most`` values with about as many measurements each. What
    is as frequent as that stays by itself."""
    kept: list[tuple[int, int]] = []
    left = sum(count for _, count in counted)
    many = total = 0
    for value, count in counted:
        room = most - len(kept)
        if many and room > 1 and count * (room - 1) >= left - many:
            kept.append((mean(total, many), many))
            left, room, many, total = left - many, room - 1, 0, 0
        many, total = many + count, total + value * count
        if many * room >= left:
            kept.append((mean(total, many), many))
            left, many, total = left - many, 0, 0
    return kept


def mean(total: int, many: int) -> int:
    """The whole number next to the mean, which is never less than the least nor more than the greatest value."""
    return (2 * total + many) // (2 * many)


def sample(row: Row, path: str) -> dict[str, Json]:
    """A snapshot to look at; ``path`` is that of its group."""
    told = {"group": row["group"], "run": row["run"], "url": row["url"].removeprefix(path), "snapshot": row["snapshot"]}
    return told | {"broken": list(row["broken"])} | {name: row[name] for name in MEASURES}


def fitting(samples: Iterable[Row], room: int, paths: Mapping[int, str]) -> list[dict[str, Json]]:
    """The first samples, as many as ``room`` bytes hold together with the ``paths`` of their groups, by groups."""
    found, seen = [], set[int]()
    for row in samples:
        number, path = row["group"], paths[row["group"]]
        made = sample(row, path)
        room -= len(written(made)) + 1 + (0 if number in seen else len(written(path)))
        if room < 0:
            break
        seen.add(number)
        found.append(made)
    return sorted(found, key=lambda one: (one["group"], str(one["url"]), one["snapshot"] or 0))


def written(value: Json) -> bytes:
    """A value as compact JSON in UTF-8."""
    return compact(value).encode()


def write(directory: Path, whole: dict[str, Json]) -> Path:
    """Write the report of a sweep, whole or not at all; where it is. Raises BluecutError where it cannot be written."""
    file = directory / FILE
    beside = file.with_suffix(".json.part")
    try:
        beside.write_bytes(written(whole) + b"\n")
        beside.replace(file)
    except OSError as error:
        raise BluecutError("{file}: cannot be written: {reason}", file=file, reason=str(error.strerror)) from None
    return file
