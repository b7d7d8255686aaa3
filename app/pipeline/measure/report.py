"""The report of a sweep: one JSON file, bounded in size, that says all that the Lab page shows.

``version``    2; grows when a field changes its meaning or goes
``engine``     the version of the simulator's behaviour, with which the addresses of the samples lead to the same runs
``spec``       what was swept
``runs``, ``snapshots``  how many there are
``verdicts``   {by, snapshots, checks, disagree}: ``by`` is ``verifiers`` where the two verifiers have judged the
               rows, else ``simulator``; how many ``snapshots`` were judged, by how many ``checks`` in all that apply;
               and on how many verdicts both verifiers and the simulator did not agree (null: nobody compared)
``groups``     what runs with the same settings have in common:
    {id, algorithm, topology, processes, channels, diameter, program, discipline, delay, interval, scenario, url,
    runs, snapshots, complete, judged, broken, unjudged, measures}: ``url`` is the path of its runs; ``complete`` counts
    completed snapshots; ``judged`` and ``broken`` count, for each of the checks consistent, channels, conserved, cost,
    and for ``any`` of them, the snapshots to which it applies, and those that broke it; ``unjudged`` counts those that
    nobody judged, by the reason: ``aborted`` (given up), ``unfinished`` (never complete), ``unasked`` (no check
    applies). What is 0 is left out; judged by any, and unjudged, are all ``snapshots`` together. ``measures`` has, for
    each that was measured, {values, counts}: the values from small to large, and how many times each was measured;
    with ``about`` true where there were more than MOST different values, and these are rounded
``samples``    [{group, run, url, snapshot, broken, duration, ticks, controls, recorded, bytes, paused, blocked, loss}]:
               single snapshots to look at, those that broke a check, ordinary ones and extreme ones, and a run of each
               group without snapshots; ``run`` is its number in the sweep; ``url`` is relative to that of its group:
               what names the run, and the step; ``broken`` lists checks; the last three are those of its run; null is
               what was not measured
``fits``       [{algorithm, discipline, measure, against, slope, intercept, r2, n}]: lines by least squares through all
               completed snapshots of an algorithm on channels of this order

The measures: ``duration`` steps and ``ticks`` of virtual time from the start of a snapshot to its completion;
``controls`` messages sent for it; ``recorded`` messages in its channels, and their ``bytes`` as compact JSON;
``paused`` steps of a run after which a program was held up, and ``blocked`` ones after which an input was; ``loss``
records of a run that had to be taken once more after crashes.
"""

from collections.abc import Iterable, Mapping
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

LEAST = 60_000
"""Bytes that its samples have in any case."""

MOST = 400
"""Different values that a measure of a group has in a report; where there are more, they are rounded."""

UNJUDGED = ("aborted", "unfinished", "unasked")
"""Why a snapshot was not judged."""

FILE = "report.json"

Row = Mapping[str, Any]


def report(
    plan: Mapping[str, Json],
    verdicts: Mapping[str, Json],
    groups: Iterable[Row],
    values: Iterable[Row],
    samples: Iterable[Row],
    fits: Iterable[Row],
) -> dict[str, Json]:
    """The report. ``plan`` has the ``engine`` and the ``spec``; the rows are those of the tables, the values in
    order, and the samples with the most telling first."""
    measured: dict[int, dict[str, Json]] = {}
    for (number, name), rows in groupby(values, key=lambda row: (row["group"], row["measure"])):
        measured.setdefault(number, {})[name] = histogram([(row["value"], row["n"]) for row in rows])
    shown = list(samples)
    paths: dict[int, str] = {}
    for row in shown:
        paths.setdefault(row["group"], row["url"].partition("?")[0])
    made = [group(row, measured.get(row["group"], {}), paths.get(row["group"])) for row in groups]
    lines: list[Json] = [line(row) for row in fits]
    whole: dict[str, Json] = {
        "version": VERSION,
        "engine": plan["engine"],
        "spec": plan["spec"],
        "runs": sum(each["runs"] for each in made),
        "snapshots": sum(each["snapshots"] for each in made),
        "verdicts": dict(verdicts),
        "groups": [*made],
        "samples": [],
        "fits": lines,
    }
    room = max(LEAST, ROOM - len(written(whole)))
    return whole | {"samples": [*fitting(shown, room, paths)]}


def group(row: Row, measured: dict[str, Json], path: str | None) -> dict[str, Any]:
    """One group; its measures are in the order of MEASURES. ``path`` is that of its runs, None where none is shown."""
    checks = (*BROKEN, "any")
    return {
        "id": row["group"],
        **{name: row[name] for name in GROUP if name != "cell"},
        "url": path,
        "runs": row["runs"],
        "snapshots": row["snapshots"],
        "complete": row["complete"],
        "judged": {name: count for name in checks if (count := row[f"judged_{name}"])},
        "broken": {name: count for name in checks if (count := row[f"broken_{name}"])},
        "unjudged": {name: count for name in UNJUDGED if (count := row[f"unjudged_{name}"])},
        "measures": {name: measured[name] for name in MEASURES if name in measured},
    }


def histogram(counted: list[tuple[int, int]]) -> dict[str, Json]:
    """How many times each value was measured, from (value, how many) with the values from small to large."""
    kept, digits = dict(counted), 4
    while len(kept) > MOST and digits > 1:
        digits -= 1
        kept = {}
        for value, count in counted:
            rounded = int(float(f"{value:.{digits}g}"))
            kept[rounded] = kept.get(rounded, 0) + count
    told: dict[str, Json] = {"values": [*kept], "counts": [*kept.values()]}
    return told if digits == 4 else told | {"about": True}


def line(row: Row) -> dict[str, Json]:
    """A fitted line."""
    named = {name: row[name] for name in ("algorithm", "discipline", "measure", "against")}
    return named | {name: short(row[name], 6) for name in ("slope", "intercept", "r2")} | {"n": row["n"]}


def sample(row: Row, path: str) -> dict[str, Json]:
    """A snapshot to look at; ``path`` is that of its group."""
    told = {"group": row["group"], "run": row["run"], "url": row["url"].removeprefix(path), "snapshot": row["snapshot"]}
    return told | {"broken": list(row["broken"])} | {name: row[name] for name in MEASURES}


def fitting(samples: Iterable[Row], room: int, paths: Mapping[int, str]) -> list[dict[str, Json]]:
    """The first samples, as many as ``room`` bytes hold, by groups, the paths of which are given."""
    found = []
    for row in samples:
        made = sample(row, paths[row["group"]])
        room -= len(written(made)) + 1
        if room < 0:
            break
        found.append(made)
    return sorted(found, key=lambda one: (one["group"], str(one["url"]), one["snapshot"] or 0))


def short(number: float, digits: int = 3) -> int | float:
    """A number with so many digits behind the point; a whole one without a point."""
    rounded = round(number, digits)
    return int(rounded) if rounded == int(rounded) else rounded


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
