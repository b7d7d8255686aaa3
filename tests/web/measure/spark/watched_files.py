"""The files of a watched query, as it and Spark write them."""

import json
from pathlib import Path

from app.core.model.values import Json

SETTINGS = '{"batchWatermarkMs":0,"batchTimestampMs":1795293814612,"conf":{"spark.sql.shuffle.partitions":"1"}}'
VALUES = {
    "P1": ("b", 1),
    "P2": ("c", 8),
    "P3": ("a", 6),
    "P4": ("b", 4),
    "Q1": ("c", 2),
    "Q2": ("a", 9),
    "Q3": ("b", 7),
}


def logs(folder: Path) -> None:
    """Write four items of P and three of Q."""
    (folder / "source").mkdir(parents=True)
    for log in "PQ":
        rows = [
            {"n": int(name[1:]), "key": key, "value": value} for name, (key, value) in VALUES.items() if name[0] == log
        ]
        (folder / "source" / f"{log}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def intend(folder: Path, batch: int, upto: Json) -> None:
    """An entry of the offset log."""
    log = folder / "checkpoint" / "offsets"
    log.mkdir(parents=True, exist_ok=True)
    (folder / "checkpoint" / "commits").mkdir(exist_ok=True)
    (log / str(batch)).write_text(f"v1\n{SETTINGS}\n{json.dumps(upto)}")


def commit(folder: Path, batch: int) -> None:
    """An entry of the commit log."""
    (folder / "checkpoint" / "commits" / str(batch)).write_text('v1\n{"nextBatchWatermarkMs":0}')


def sink(folder: Path, batch: int, life: int, rows: list[tuple[str, int, int]]) -> None:
    """Write rows to both sinks: name of the item, count and sum of its key."""
    place = folder / "exact" / str(batch)
    place.mkdir(parents=True, exist_ok=True)
    told = [
        {
            "log": name[0],
            "n": int(name[1:]),
            "key": VALUES[name][0],
            "value": VALUES[name][1],
            "count": count,
            "sum": total,
        }
        for name, count, total in rows
    ]
    (place / "rows.json").write_text(json.dumps({"life": life, "pid": 70 + life, "rows": told}))
    with (folder / "plain.jsonl").open("a") as plain:
        for row in told:
            plain.write(
                json.dumps({"batch": batch, "life": life} | {k: row[k] for k in ("log", "n", "key", "value")}) + "\n"
            )


def live(folder: Path, life: int, stage: str, batch: int | None) -> None:
    """A life begins, and says what it does."""
    with (folder / "lives.jsonl").open("a") as lives:
        lives.write(json.dumps({"life": life, "pid": 70 + life}) + "\n")
    now = {"stage": stage, "batch": batch, "life": life, "pid": 70 + life, "mistake": None}
    (folder / "now.json").write_text(json.dumps(now))


FIRST = [("P1", 1, 1), ("P2", 1, 8), ("P3", 1, 6), ("Q1", 2, 10), ("Q2", 2, 15)]
SECOND = [("P4", 2, 5), ("Q3", 3, 12)]


def killed(folder: Path) -> None:
    """Batch 0 is committed; batch 1 is in both sinks and not in the commit log, and its process is gone."""
    logs(folder)
    live(folder, 1, "written", 1)
    intend(folder, 0, {"P": 3, "Q": 2})
    sink(folder, 0, 1, FIRST)
    commit(folder, 0)
    intend(folder, 1, {"P": 4, "Q": 3})
    sink(folder, 1, 1, SECOND)
    stored(folder, 0, {"a": (2, 15), "b": (1, 1), "c": (2, 10)})
    (folder / "process.json").write_text(json.dumps({"pid": 71, "facts": None}))
    (folder / "killed.json").write_text(json.dumps({"pid": 71}))


def stored(folder: Path, batch: int, totals: dict[str, tuple[int, int]]) -> None:
    """Spark has read its state store after a batch."""
    (folder / "store").mkdir(exist_ok=True)
    rows = [{"key": key, "count": count, "sum": total} for key, (count, total) in totals.items()]
    told = {"batch": batch, "life": 1, "rows": rows, "mistake": None}
    (folder / "store" / f"{batch}.json").write_text(json.dumps(told))


def repeated(folder: Path) -> None:
    """The same, and a second life has made batch 1 again and committed it."""
    killed(folder)
    live(folder, 2, "ended", None)
    sink(folder, 1, 2, SECOND)
    commit(folder, 1)
