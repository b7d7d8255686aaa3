"""Rows of a correct run, and one planted fault of each kind."""

import json
from collections.abc import Callable
from typing import Any

from app.pipeline.rows.from_run import Rows
from tests.pipeline.stored import sound

Witness = dict[str, Any]


def orphan(rows: Rows) -> None:
    rows["cut"][0]["cut"] = 0


def missing(rows: Rows) -> None:
    rows["recorded"].clear()


def extra(rows: Rows) -> None:
    rows["recorded"].append({"run": 0, "life": 0, "snapshot": 1, "channel": 0, "place": 1, "message": 2})


def doubled(rows: Rows) -> None:
    rows["recorded"].append({"run": 0, "life": 0, "snapshot": 1, "channel": 0, "place": 1, "message": 1})


def order(rows: Rows) -> None:
    rows["cut"][1]["cut"] = 0
    rows["recorded"].append({"run": 0, "life": 0, "snapshot": 1, "channel": 0, "place": 1, "message": 0})


def amount(rows: Rows) -> None:
    rows["holding"][0]["amount"] = 5


def marker_twice(rows: Rows) -> None:
    rows["marker"][1]["count"] = 2


def marker_never(rows: Rows) -> None:
    rows["marker"].pop()


def recorded_twice(rows: Rows) -> None:
    rows["cut"][1]["records"] = 2


def other_events(rows: Rows) -> None:
    rows["message"][1]["received"] = 3


FAULTS: dict[Callable[[Rows], None], tuple[str, Witness]] = {
    orphan: ("consistent", {"fault": "orphan", "channel": 0, "message": 0}),
    missing: ("channels", {"fault": "missing", "channel": 0, "message": 1}),
    extra: ("channels", {"fault": "extra", "channel": 0, "message": 2}),
    doubled: ("channels", {"fault": "doubled", "channel": 0, "message": 1}),
    order: ("channels", {"fault": "order", "channel": 0, "message": 1}),
    amount: ("conserved", {"fault": "amount", "quantity": "", "missing": 2}),
    marker_twice: ("cost", {"fault": "markers", "channel": 1, "count": 2}),
    marker_never: ("cost", {"fault": "markers", "channel": 1, "count": 0}),
    recorded_twice: ("cost", {"fault": "records", "process": 1, "count": 2}),
    other_events: ("rows", {"fault": "rows", "process": 1, "position": 2, "message": 1}),
}
"""By fault, the check that it breaks, and the witness."""


def planted(fault: Callable[[Rows], None]) -> Rows:
    """Return the rows with this fault."""
    rows = sound()
    fault(rows)
    return rows


def compact(witness: Witness) -> str:
    """Return a witness as verifiers write it."""
    return json.dumps(witness, separators=(",", ":"))
