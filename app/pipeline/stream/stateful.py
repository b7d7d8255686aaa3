"""The stateful half of the stream: one run at a time, its rows in any order and in any portions.

Spark calls ``Following`` for each run of a micro-batch (``transformWithState``), with the run's new rows. Most runs
arrive complete, and then nothing is stored. For the others, the state stores what is known until the last row has
arrived: the row of the run says how many there are. Then the state is cleared.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from pyspark.sql import Row
from pyspark.sql.streaming.stateful_processor import (
    ListState,
    StatefulProcessor,
    StatefulProcessorHandle,
    ValueState,
)

from app.pipeline.rows.schema import SQL, TYPES
from app.pipeline.stream.channels import sums, wrong
from app.pipeline.stream.orphans import NEEDED, About, Channel, Cut, Known, Recorded, Sent, Snapshot
from app.pipeline.stream.results import TABLES

WHOSE = ("url", "algorithm", "discipline", "scenario")
"""What both tables say about the run."""

_TYPES = {
    **dict.fromkeys((*WHOSE, "table", "fault", "channel"), "STRING"),
    **dict.fromkeys(("run", "message"), "BIGINT"),
}
"""The types of columns; all others are whole numbers."""

COLUMNS = {name: _TYPES.get(name, "INT") for name in ("table", *TABLES["alerts"], *TABLES["runs"])}
"""Rows of both tables in one frame, so that one job writes both; the other table's columns are null.

``alerts`` says what is wrong with a snapshot: if the ``fault`` is orphan, the columns are those of
``app.pipeline.stream.orphans.Orphan``, otherwise those of ``app.pipeline.stream.channels.Wrong``. ``runs`` has a row
for each run whose rows have all arrived, with what ``app.pipeline.stream.channels.sums`` says.
"""


def _state(kind: type[NamedTuple]) -> str:
    """Return the fields of a part of a run's state in Spark's notation."""
    own = {"open": "BOOLEAN", "done": "BOOLEAN", "verdicts": "ARRAY<BOOLEAN>"}
    return ", ".join(f"{name} {own.get(name) or SQL[TYPES[name]]}" for name in kind._fields)


ABOUT = _state(About)
STATE = {
    name: (kind, _state(kind))
    for name, kind in (
        ("messages", Sent),
        ("cuts", Cut),
        ("channels", Channel),
        ("recorded", Recorded),
        ("snapshots", Snapshot),
    )
}
"""The lists in a run's state."""


def ddl(columns: dict[str, str]) -> str:
    """Return columns in Spark's notation."""
    return ", ".join(f"`{name}` {kind}" for name, kind in columns.items())


class Following(StatefulProcessor):
    """What is known about a run whose rows have not all arrived. ``rows`` says how many have.

    It takes one column for each kind that is NEEDED, a struct; each row has one of them, and the others are null.
    """

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Open the state."""
        self.rows = handle.getValueState("rows", "rows INT")
        self.about = handle.getValueState("about", ABOUT)
        self.lists: dict[str, ListState] = {
            name: handle.getListState(name, columns) for name, (_, columns) in STATE.items()
        }

    def handleInputRows(self, key: tuple[int], rows: Iterable[Row], timerValues: object) -> Iterator[Row]:
        """Yield new alerts, and the row of the run if it is now complete."""
        before, new = self.known(), Known()
        new.add((kind, one[kind]) for one in rows for kind in NEEDED if one[kind] is not None)
        now = before.and_(new) if before else new
        about = now.about
        if about is not None:
            named = {"run": key[0], **{name: getattr(about, name) for name in WHOSE}}
            found = now.orphans() - before.orphans() if before else now.orphans()
            for orphan in sorted(found, key=lambda one: one[:3]):
                yield _row("alerts", named | {"fault": "orphan"} | orphan._asdict())
            if now.whole:
                channels = list(wrong(now))
                for channel in channels:
                    yield _row("alerts", named | channel._asdict())
                yield _row("runs", named | {"cell": about.cell, "events": about.events} | sums(now, channels))
        if now.whole:
            self.let_go(before)
        else:
            self.keep(now, new)

    def known(self) -> Known | None:
        """Return what the state says; None if there is none."""
        rows = self.rows.get()
        if rows is None:
            return None
        about = self.about.get()
        lists: dict[str, Any] = {
            name: [kind(*one) for one in self.lists[name].get()] for name, (kind, _) in STATE.items()
        }
        return Known(rows[0], About(*about) if about else None, **lists)

    def keep(self, now: Known, new: Known) -> None:
        """Add what is new to the state."""
        self.rows.update((now.rows,))
        if new.about:
            self.about.update(tuple(new.about))
        for name, state in self.lists.items():
            if came := getattr(new, name):
                state.appendList([tuple(one) for one in came])

    def let_go(self, before: Known | None) -> None:
        """Forget the run."""
        if before:
            states: tuple[ValueState | ListState, ...] = (self.rows, self.about, *self.lists.values())
            for state in states:
                state.clear()


def _row(table: str, values: dict[str, object]) -> Row:
    """Return a row of the frame that holds both tables."""
    values = values | {"table": table}
    return Row(**{name: values.get(name) for name in COLUMNS})
