"""The result of a query for download: tables whose columns name their content and its unit."""

from collections.abc import Iterator

from app.analysis.sweep_report import UNJUDGED, Group, Report
from app.core.model.value import Frozen
from app.core.model.values import Json
from app.core.oracle.checks import ROW_CHECKS
from app.csv_text import csv_text
from app.web.measure.lab.distribution import SUMMED, Distribution
from app.web.measure.lab.query import Query

SETTINGS: dict[str, tuple[str, str]] = {
    "algorithm": ("algorithm", ""),
    "graph": ("topology", ""),
    "processes": ("processes", ""),
    "channels": ("channels", ""),
    "diameter": ("diameter", "channels"),
    "program": ("program", ""),
    "order": ("discipline", ""),
    "delay_ticks": ("delay", "ticks"),
    "snapshot_interval": ("interval", "ticks, or steps where messages have no delay"),
}
"""By the name of a column: the field of a group, and the unit."""

MEASURED: dict[str, tuple[str, str]] = {
    "duration": ("duration_steps", "steps"),
    "ticks": ("duration_ticks", "ticks"),
    "controls": ("control_messages", "messages"),
    "recorded": ("recorded_messages", "messages"),
    "bytes": ("recorded_bytes", "bytes"),
    "paused": ("paused_steps", "steps of the run"),
    "blocked": ("blocked_steps", "steps of the run"),
    "loss": ("loss_records", "records of the run"),
}
"""By measure: the name of its column, and the unit."""


class Columns(Frozen):
    """A table: the name and the unit of each column, the unit empty if nothing is measured; and the rows."""

    columns: tuple[tuple[str, str], ...]
    rows: tuple[tuple[Json, ...], ...]

    def as_csv(self) -> str:
        """Return the table as text; missing values are empty."""
        return csv_text([[name for name, _ in self.columns], *self.rows])

    def as_json(self) -> dict[str, Json]:
        """Return {columns: [{name, unit}], rows: [[…]]}; missing values are null."""
        return {
            "columns": [{"name": name, "unit": unit} for name, unit in self.columns],
            "rows": [[*row] for row in self.rows],
        }


def points(report: Report, query: Query, base: str) -> Columns:
    """Return the single snapshots that the query leaves, one per row; ``base`` is the address of this server."""
    columns = [(name, unit) for name, (_, unit) in SETTINGS.items()]
    columns += [("run", ""), ("snapshot", ""), ("broken_checks", ""), *MEASURED.values(), ("url", "")]
    rows = tuple(
        (
            *_settings(group),
            sample.run,
            sample.snapshot,
            " ".join(sample.broken),
            *(sample.value(name) for name in MEASURED),
            base + sample.at(group),
        )
        for group, sample in query.samples(report)
    )
    return Columns(tuple(columns), rows)


def combinations(report: Report, query: Query) -> Columns:
    """Return the combinations of settings that the query leaves, one per row: how many snapshots were judged and
    broken, and the distribution of each measure."""
    columns = [(name, unit) for name, (_, unit) in SETTINGS.items()]
    columns += [("runs", "runs"), ("snapshots", "snapshots")]
    columns += [(f"{kind}_{check}", "snapshots") for check in ("any", *ROW_CHECKS) for kind in ("judged", "broken")]
    columns += [(f"not_judged_{reason}", "snapshots") for reason in UNJUDGED]
    for name, unit in MEASURED.values():
        columns += [(f"{name}_{part}", "values" if part == "n" else unit) for part in SUMMED]
    return Columns(tuple(columns), tuple(tuple(_combination(group)) for group in query.groups(report)))


def _combination(group: Group) -> Iterator[Json]:
    yield from _settings(group)
    yield group.runs
    yield group.snapshots
    for check in ("any", *ROW_CHECKS):
        yield group.judged.get(check, 0)
        yield group.broken.get(check, 0)
    for reason in UNJUDGED:
        yield group.unjudged.get(reason, 0)
    for name in MEASURED:
        found = Distribution.of([group.measures[name]] if name in group.measures else [])
        if found is None:
            yield from (None for _ in SUMMED)
        else:
            yield from (found.n, found.min, *found.edges, found.max, round(found.mean, 6))


def _settings(group: Group) -> tuple[Json, ...]:
    return tuple(getattr(group, field) for field, _ in SETTINGS.values())
