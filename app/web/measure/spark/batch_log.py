"""What the files of a watched query say: batch by batch, what was intended, what the sinks have, and what is committed.

The files are those of ``python -m app.pipeline.demo_query.query`` and of Spark's checkpoint. They change while they are
read, so incomplete entries are ignored.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from app.core.model.value import Frozen
from app.core.model.values import Json
from app.formats import spark_checkpoint
from app.forms.json_shape import mapping
from app.web.shared.subprocesses import read


class Record(Frozen):
    """An item: its log, its number there, its key and its value."""

    log: str
    n: int
    key: str
    value: int


class Cell(Frozen):
    """An item in a sink, and whether the sink already had it."""

    record: Record
    doubled: bool


class Writing(Frozen):
    """What one life of the query appended for a batch."""

    life: int
    cells: tuple[Cell, ...]


class Range(Frozen):
    """The items of a log that a batch reads: those after ``start``, up to ``end``."""

    log: str
    start: int
    end: int


class Epoch(Frozen):
    """A batch. ``ranges`` is its entry in the offset log, ``exact`` the output in the exact sink and ``life`` the
    life that wrote it last, ``plain`` what was appended, ``totals`` (key, count, sum) the exact sink's last total
    of each key, ``stored`` the same as Spark reads it from its state store (None: it has not, or cannot), ``sums`` the
    sum of the totals and that of the items below its offsets."""

    number: int
    ranges: tuple[Range, ...]
    exact: tuple[Record, ...] | None
    life: int | None
    plain: tuple[Writing, ...]
    committed: bool
    totals: tuple[tuple[str, int, int], ...]
    stored: tuple[tuple[str, int, int], ...] | None
    sums: tuple[int, int] | None

    @property
    def doubled(self) -> int:
        """How many duplicates the plain sink has."""
        return sum(cell.doubled for writing in self.plain for cell in writing.cells)

    @property
    def agrees(self) -> bool:
        """Do the state store and the exact sink say the same?"""
        return self.stored == self.totals

    @property
    def again(self) -> bool:
        """Was it written more than once?"""
        return len(self.plain) > 1


class Tape(Frozen):
    """A log: its items, and how many of them are committed, and intended, by the offsets."""

    log: str
    records: tuple[Record, ...]
    committed: int
    planned: int


class Query(Frozen):
    """All of it: the batches, the logs, the lives as (number, process id), what the query says that it does, and the
    process killed from here, if any."""

    epochs: tuple[Epoch, ...]
    tapes: tuple[Tape, ...]
    lives: tuple[tuple[int, int], ...]
    now: dict[str, Any]
    killed: int | None = None

    @property
    def tail(self) -> Epoch | None:
        """The batch in the offset log that is not in the commit log."""
        last = self.epochs[-1] if self.epochs else None
        return last if last is not None and not last.committed else None

    @property
    def repeated(self) -> tuple[Epoch, ...]:
        """The batches that were written more than once."""
        return tuple(epoch for epoch in self.epochs if epoch.again)


LOGS = ("P", "Q")


def query(folder: Path) -> Query:
    """Return what the files of a folder say."""
    records = {
        log: tuple(
            Record(log, one["n"], one["key"], one["value"]) for one in _lines(folder / "source" / f"{log}.jsonl")
        )
        for log in LOGS
    }
    offsets, commits = _logs(folder / "checkpoint")
    plain = _appended(folder / "plain.jsonl")
    epochs: list[Epoch] = []
    before = dict.fromkeys(LOGS, 0)
    totals: dict[str, tuple[int, int]] = {}
    for number in sorted(offsets):
        upto = offsets[number]
        ranges = tuple(Range(log, before[log], upto[log]) for log in LOGS)
        sink = read(folder / "exact" / str(number) / "rows.json")
        rows = sink["rows"] if sink else []
        totals = totals | {row["key"]: (row["count"], row["sum"]) for row in rows}  # the last row of a key counts
        below = sum(one.value for log in LOGS for one in records[log][: upto[log]])
        epochs.append(
            Epoch(
                number,
                ranges,
                tuple(Record(row["log"], row["n"], row["key"], row["value"]) for row in rows) if sink else None,
                sink["life"] if sink else None,
                plain.get(number, ()),
                number in commits,
                tuple((key, *totals[key]) for key in sorted(totals)) if sink else (),
                _stored(folder, number),
                (sum(total for _, total in totals.values()), below) if sink else None,
            )
        )
        before = upto
    committed = next((offsets[epoch.number] for epoch in reversed(epochs) if epoch.committed), {})
    tapes = tuple(Tape(log, records[log], committed.get(log, 0), before[log]) for log in LOGS)
    lives = tuple((one["life"], one["pid"]) for one in _lines(folder / "lives.jsonl"))
    killed = read(folder / KILLED).get("pid")
    now = read(folder / "now.json")
    return Query(tuple(epochs), tapes, lives, now, killed if isinstance(killed, int) else None)


def _stored(folder: Path, batch: int) -> tuple[tuple[str, int, int], ...] | None:
    """Return the state after a batch as Spark has read it; None if it has not, or could not."""
    told = read(folder / "store" / f"{batch}.json")
    if not told or told.get("mistake"):
        return None
    return tuple(sorted((row["key"], row["count"], row["sum"]) for row in told["rows"]))


KILLED = "killed.json"
"""The process killed from here, as ``{"pid"}``: any other that is gone has died without it."""


def _logs(folder: Path) -> tuple[dict[int, dict[str, int]], frozenset[int]]:
    """Return Spark's offset log, by batch, and the batches in its commit log. The state is not read: its files
    change."""
    offsets = {}
    intents, commits = spark_checkpoint.logs(folder)
    for number, entry in intents.items():
        upto = entry.offsets[0].value if entry and entry.offsets else None
        ends = {log: end for log in LOGS if isinstance(end := mapping(upto).get(log), int)}
        if len(ends) == len(LOGS):
            offsets[number] = ends
    return offsets, frozenset(commits)


class Entry(Frozen):
    """A file of a log of the checkpoint: its path there, and its text, truncated after LONGEST characters."""

    path: str
    text: str


ENTRIES = 4
"""The most files shown of each log."""

LONGEST = 3_000
"""The most characters of each; the settings in an entry of the offset log are half of it."""


def entries(folder: Path, log: str) -> tuple[Entry, ...]:
    """Return the last files of a log, ``offsets`` or ``commits``, the latest first."""
    place = folder / "checkpoint" / log
    found: list[Entry] = []
    for number in spark_checkpoint.numbers(place)[: -ENTRIES - 1 : -1]:
        try:
            with (place / str(number)).open(encoding="utf-8", errors="replace") as opened:
                text = opened.read(LONGEST + 1)
        except OSError:
            continue  # Spark deletes old ones
        found.append(Entry(f"{log}/{number}", text if len(text) <= LONGEST else f"{text[:LONGEST]}…"))
    return tuple(found)


def _appended(sink: Path) -> dict[int, tuple[Writing, ...]]:
    """Return the contents of the plain sink, by batch, and within a batch by life."""
    seen: set[Record] = set()
    found: dict[int, dict[int, list[Cell]]] = {}
    for one in _lines(sink):
        record = Record(one["log"], one["n"], one["key"], one["value"])
        found.setdefault(one["batch"], {}).setdefault(one["life"], []).append(Cell(record, record in seen))
        seen.add(record)
    return {batch: tuple(Writing(life, tuple(cells)) for life, cells in by.items()) for batch, by in found.items()}


def _lines(path: Path) -> Iterator[dict[str, Json]]:
    try:
        text = path.read_text("utf-8")
    except OSError:
        return
    for line in text.split("\n")[:-1]:
        try:
            yield json.loads(line)
        except ValueError:
            continue  # a kill left it unfinished
