"""The report of a sweep: one JSON file of bounded size with everything that the Lab page shows.

``version``    2; grows when a field that is read changes its meaning or disappears
``engine``     the version of the simulator's behaviour, with which the addresses of the samples lead to the same runs
``spec``       what was swept
``runs``, ``snapshots``  how many there are
``verdicts``   {by, snapshots, checks, disagree}: ``by`` is ``verifiers`` where the two verifiers have judged the
               rows, else ``simulator``; how many ``snapshots`` were judged, how many ``checks`` apply to them in all;
               and on how many verdicts the verifiers and the simulator disagree (null: not compared)
``groups``     what runs with the same settings have in common:
    {id, algorithm, topology, processes, channels, diameter, program, discipline, delay, interval, scenario, url,
    runs, snapshots, complete, judged, broken, unjudged, measures}: ``url`` is the path of its runs, null where no
    sample is from this group; ``complete`` counts completed snapshots; ``judged`` and ``broken`` count, for each of the
    checks consistent, channels, conserved, cost, and for ``any`` of them, the snapshots to which it applies, and those
    that broke it; ``unjudged`` counts those that were not judged, by reason: ``aborted``, ``unfinished`` (never
    complete), ``unasked`` (no check applies). Zeros are left out; judged by any, plus unjudged, make all ``snapshots``.
    ``measures`` has, for each that was measured, {values, counts}: the values from small to large, and how many times
    each was measured; ``about`` is true if there were too many different values and neighbours are merged into their
    mean; the least and the greatest value are exact
``samples``    [{group, run, url, snapshot, broken, duration, ticks, controls, recorded, bytes, paused, blocked, loss}]:
               single snapshots to look at: those that broke a check, ordinary ones and extreme ones, and a run of each
               group without snapshots; ``run`` is its number in the sweep; ``url`` is relative to that of its group:
               it names the run and the step; ``broken`` lists checks; the last three are those of its run; null means
               not measured

The measures: ``duration`` steps and ``ticks`` of virtual time from the start of a snapshot to its completion;
``controls`` messages sent for it; ``recorded`` messages in its channels, and their ``bytes`` as compact JSON;
``paused`` steps of a run after which a program was paused, and ``blocked`` ones after which an input was blocked;
``loss`` items of a run that had to be processed again after crashes.
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
"""Bytes of a report, as long as its groups leave room for samples."""

LEAST = 200_000
"""Bytes that are always left for the samples and the paths of their groups."""

LARGEST = 15_000_000
"""Bytes of a report without its samples. (The Lab reads 16,000,000.)"""

SHARED = 6_000_000
"""Bytes for the values of all histograms together, if LARGEST leaves as many."""

FEWEST, MOST = 3, 400
"""How many different values fit in a histogram: at least, however many histograms there are; and at most."""

UNJUDGED = ("aborted", "unfinished", "unasked")
"""Why a snapshot was not judged."""

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
) -> dict[str, Json]:
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
    # ``whole`` contains these same groups, so its length always includes what has been filled in.
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
    """Return one group, still without measures and without the path of its runs."""
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
    """Return how many different values each histogram may have so that all fit into ``room`` bytes: the same for all,
    while large ones use what small ones leave. At least FEWEST, at most MOST."""
    sizes = [(len(each), len(str(each[-1][0])) + len(str(sum(count for _, count in each))) + 2) for each in histograms]
    may = range(FEWEST, MOST + 1)
    fit = bisect_right(may, room, key=lambda most: sum(min(most, values) * wide for values, wide in sizes))
    return may[max(0, fit - 1)]


def histogram(counted: Counted, most: int = MOST) -> dict[str, Json]:
    """Return how many times each value was measured, from (value, how many) pairs in ascending order. If there are more
    than ``most`` values (at least 3), neighbours are merged; the least and the greatest stay separate."""
    if len(counted) <= most:
        return {"values": [value for value, _ in counted], "counts": [count for _, count in counted]}
    first, *inner, last = counted
    kept = [first, *together(inner, most - 2), last]
    return {"values": [value for value, _ in kept], "counts": [count for _, count in kept], "about": True}


def together(counted: Counted, most: int) -> list[tuple[int, int]]:
    """Merge neighbours into their mean: at most ``most`` values with about equally many measurements each. A value
    that is frequent enough stays separate."""
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
    """Return the mean rounded to a whole number; it lies between the least and the greatest value."""
    return (2 * total + many) // (2 * many)


def sample(row: Row, path: str) -> dict[str, Json]:
    """Return a snapshot to look at; ``path`` is that of its group."""
    told = {"group": row["group"], "run": row["run"], "url": row["url"].removeprefix(path), "snapshot": row["snapshot"]}
    return told | {"broken": list(row["broken"])} | {name: row[name] for name in MEASURES}


def fitting(samples: Iterable[Row], room: int, paths: Mapping[int, str]) -> list[dict[str, Json]]:
    """Return as many of the first samples as fit into ``room`` bytes with the ``paths`` of their groups, by group."""
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
    """Return a value as compact JSON in UTF-8."""
    return compact(value).encode()


def write(directory: Path, whole: dict[str, Json]) -> Path:
    """Write the report of a sweep atomically; return where. Raises BluecutError if it cannot be written."""
    file = directory / FILE
    beside = file.with_suffix(".json.part")
    try:
        beside.write_bytes(written(whole) + b"\n")
        beside.replace(file)
    except OSError as error:
        raise BluecutError("{file}: cannot be written: {reason}", file=file, reason=str(error.strerror)) from None
    return file
