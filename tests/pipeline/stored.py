"""Rows that tests make, as the files of a sweep; and verdicts as plain values."""

from collections.abc import Iterable
from copy import deepcopy
from pathlib import Path
from typing import Any

from app.pipeline.rows.from_run import Rows
from app.pipeline.rows.schema import KINDS, VERDICT_COLUMNS
from app.pipeline.rows.tables import batches as batches_of
from app.pipeline.rows.tables import shares, store

Verdict = tuple[bool | None, str | None]
"""Does it hold, and the witness."""

Key = tuple[int, int, int | None, str]
"""Run, life, snapshot, check."""


def sound() -> Rows:
    """Return a run of two processes with a correct snapshot: a sends m0, m1, records and sends m2; b receives m0 and
    records; m1 is in the channel. a has 10 at first, and each message is worth its number plus one."""
    rows: Rows = {kind: [] for kind in KINDS}
    rows["run"] = [
        {"url": "/run/two", "scenario": "two", "algorithm": "chandy-lamport", "discipline": "fifo", "processes": 2,
         "channels": 2, "snapshots": 1, "conserves": True, "steps": 9},
    ]  # fmt: skip
    rows["process"] = [{"process": 0, "name": "a"}, {"process": 1, "name": "b"}]
    rows["channel"] = [
        {"channel": 0, "name": "a->b", "source": 0, "target": 1, "ordered": True},
        {"channel": 1, "name": "b->a", "source": 1, "target": 0, "ordered": True},
    ]
    rows["message"] = [
        {"message": 0, "channel": 0, "sent": 1, "received": 1, "lost": False},
        {"message": 1, "channel": 0, "sent": 2, "received": 2, "lost": False},
        {"message": 2, "channel": 0, "sent": 3, "received": None, "lost": False},
    ]
    rows["event"] = [
        *({"process": 0, "position": n + 1, "event": "send", "message": n, "step": n} for n in range(3)),
        *({"process": 1, "position": n + 1, "event": "receive", "message": n, "step": 5 + n} for n in range(2)),
    ]
    rows["cut"] = [
        {"snapshot": 1, "process": 0, "cut": 2, "step": 3, "records": 1, "part": True, "unusable": False},
        {"snapshot": 1, "process": 1, "cut": 1, "step": 6, "records": 1, "part": True, "unusable": False},
    ]
    rows["recorded"] = [{"snapshot": 1, "channel": 0, "place": 0, "message": 1}]
    rows["marker"] = [{"snapshot": 1, "channel": 0, "count": 1}, {"snapshot": 1, "channel": 1, "count": 1}]
    rows["stock"] = [
        {"process": 0, "quantity": "", "amount": 10, "last": 4},
        {"process": 1, "quantity": "", "amount": 0, "last": 3},
    ]
    rows["holding"] = [
        {"snapshot": 1, "process": 0, "quantity": "", "amount": 7},
        {"snapshot": 1, "process": 1, "quantity": "", "amount": 1},
    ]
    rows["worth"] = [{"message": n, "quantity": "", "amount": n + 1} for n in range(3)]
    rows["snapshot"] = [
        {"snapshot": 1, "started": 3, "completed": 8, "aborted": False, "marked": True,
         **dict.fromkeys(VERDICT_COLUMNS.values(), True)},
    ]  # fmt: skip
    return numbered(rows, 0)


def numbered(rows: Rows, run: int, **about: Any) -> Rows:
    """Return the rows as those of another run with one life; ``about`` changes the row of the run."""
    made = deepcopy(rows)
    for kind, each in made.items():
        for row in each:
            row["run"] = run
            if "life" in KINDS[kind]:
                row.setdefault("life", 0)
    made["run"][0].update(about)
    return made


def stored(directory: Path, traces: Iterable[Rows]) -> Path:
    """Return the folder, with the rows in it."""
    store(directory, traces)
    return directory


def filed(directory: Path) -> dict[Key, Verdict]:
    """Return what the file-local verifier says, without Spark."""
    from app.pipeline.verify.arrays.verifier import answers

    found: dict[Key, Verdict] = {}
    for share in shares(batches_of(directory)):
        for batch in answers(share):
            for row in batch.to_pylist():
                found[row["run"], row["life"], row["snapshot"], row["check"]] = (row["holds"], row["witness"])
    return found
