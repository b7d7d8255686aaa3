"""The stateful half of the stream: one run at a time, its rows in any order and in any portions.

Spark calls ``Following`` for each run of a micro-batch (``transformWithState``), with the run's new rows. Most runs
arrive complete, and then nothing is stored. For the others, the state stores what is known until the last row has
arrived: the row of the run says how many there are. Then the state is cleared.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from pyspark.sql import Row
from pyspark.sql.streaming.stateful_processor import (
    ListState,
    StatefulProcessor,
    StatefulProcessorHandle,
    ValueState,
)

from app.pipeline.stream.channels import wrong
from app.pipeline.stream.orphans import NEEDED, About, Channel, Cut, Known, Recorded, Sent, Snapshot
from app.pipeline.stream.results import BROKEN
from app.pipeline.stream.run_totals import sums

ALERT = {
    "run": "BIGINT",
    "url": "STRING",
    "algorithm": "STRING",
    "discipline": "STRING",
    "scenario": "STRING",
    "life": "INT",
    "snapshot": "INT",
    "fault": "STRING",
    "message": "BIGINT",
    "channel": "STRING",
    "sent": "INT",
    "source_cut": "INT",
    "received": "INT",
    "target_cut": "INT",
}
"""What is wrong with a snapshot, with the run and where it can be seen. If the ``fault`` is orphan, the columns are
those of ``app.pipeline.stream.orphans.Orphan``, otherwise those of ``app.pipeline.stream.channels.Wrong``."""

RUN = {
    "run": "BIGINT",
    "url": "STRING",
    "algorithm": "STRING",
    "discipline": "STRING",
    "scenario": "STRING",
    "cell": "INT",
    "events": "INT",
    "messages": "INT",
    "snapshots": "INT",
    "judged": "INT",
    "differs": "INT",
    **dict.fromkeys(BROKEN.values(), "INT"),
}
"""A run whose rows have all arrived. The columns are those of ``app.pipeline.stream.run_totals.Sums``."""

WHOSE = ("url", "algorithm", "discipline", "scenario")
"""What both say about the run."""

COLUMNS = {"table": "STRING"} | ALERT | RUN
"""Rows of both tables in one frame, so that one job writes both; the other table's columns are null."""

STATE = {
    "messages": (
        Sent,
        "life SMALLINT, message BIGINT, channel INT, sent INT, received INT, lost BOOLEAN, copied INT",
    ),
    "cuts": (Cut, "life SMALLINT, snapshot INT, process INT, cut INT, part BOOLEAN, absent BOOLEAN, step INT"),
    "channels": (Channel, "life SMALLINT, channel INT, name STRING, source INT, target INT, ordered BOOLEAN"),
    "recorded": (Recorded, "life SMALLINT, snapshot INT, channel INT, place INT, message BIGINT"),
    "snapshots": (
        Snapshot,
        "life SMALLINT, snapshot INT, open BOOLEAN, done BOOLEAN, recorded INT, verdicts ARRAY<BOOLEAN>",
    ),
}
"""The lists in a run's state."""

ABOUT = (
    "url STRING, algorithm STRING, discipline STRING, scenario STRING, cell INT, processes INT, channels INT, "
    "lives INT, events INT, messages INT, cuts INT, snapshots INT"
)


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
                yield _row("runs", named | {"cell": about.cell, "events": about.events} | sums(now, channels).row())
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
