"""One run of the stream, its rows in any order and in any portions, without a JVM."""

from collections.abc import Iterator
from itertools import permutations
from random import Random
from typing import Any

import pytest
from pyspark.sql import Row
from pyspark.sql.streaming.tws_tester import TwsTester

from app.pipeline.rows.schema import VERDICT_COLUMNS
from app.pipeline.stream.channels import Wrong, sums, wrong
from app.pipeline.stream.orphans import NEEDED, Known, Orphan
from app.pipeline.stream.stateful import COLUMNS, STATE, Following

RUN: dict[str, Any] = {"url": "/run/x", "algorithm": "late-marker", "scenario": "two", "cell": 0, "processes": 2}
RUN |= {"discipline": "fifo", "channels": 1, "lives": 1, "events": 2, "messages": 1, "cuts": 2, "snapshots": 1}
CHANNEL: dict[str, Any] = {"life": 0, "channel": 0, "name": "P->Q", "source": 0, "target": 1}
CHANNEL |= {"ordered": True}
MESSAGE: dict[str, Any] = {"life": 0, "message": 7, "channel": 0, "sent": 2, "received": 3}
MESSAGE |= {"lost": False, "copied": None}
CUT: dict[str, Any] = {"life": 0, "snapshot": 1, "cut": 1, "part": True, "absent": None, "step": 4}
SNAPSHOT: dict[str, Any] = {"life": 0, "snapshot": 1, "aborted": False, "completed": 9, "recorded": 0}
SNAPSHOT |= dict(zip(VERDICT_COLUMNS.values(), (False, None, None, False), strict=True))
ROWS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("run", RUN),
    ("channel", CHANNEL),
    ("message", MESSAGE),
    ("cut", CUT | {"process": 0}),
    ("cut", CUT | {"process": 1, "cut": 3}),
    ("snapshot", SNAPSHOT),
)
"""P recorded after its first event and Q after its third: the message that P sent as its second is an orphan."""

ORPHAN = Orphan(life=0, snapshot=1, message=7, channel="P->Q", sent=2, source_cut=1, received=3, target_cut=3)


def known(*rows: tuple[str, dict[str, Any]]) -> Known:
    found = Known()
    found.add(rows)
    return found


def instead(kind: str, **values: Any) -> Known:
    """Return the rows, with other values in those of a kind."""
    return known(*((name, row | values if name == kind else row) for name, row in ROWS))


def counted(found: Known) -> dict[str, int]:
    return sums(found, wrong(found))


def given(kind: str, row: dict[str, Any]) -> Row:
    """Return the row as Spark passes it: a struct for its kind, and null for the others."""
    return Row(number=5, **{name: Row(**row) if name == kind else None for name in NEEDED})


def test_a_message_that_the_cut_has_received_and_not_sent_is_an_orphan() -> None:
    assert known(*ROWS).orphans() == {ORPHAN}
    said = counted(known(*ROWS))
    assert said["broken_consistent"] == 1 and said["differs"] == 0


def test_it_is_none_where_it_was_sent_before_the_cut_or_received_after_it_or_not_at_all() -> None:
    assert instead("message", sent=1).orphans() == set()
    assert instead("message", received=4).orphans() == set()
    assert instead("message", received=None).orphans() == set()


def test_it_is_one_too_where_its_sending_was_taken_back() -> None:
    assert instead("message", sent=None).orphans() == {ORPHAN._replace(sent=None)}


def test_nothing_is_judged_while_a_part_is_missing_or_where_it_was_given_up() -> None:
    assert instead("cut", part=False).orphans() == set()
    assert instead("cut", step=None).orphans() == set()
    assert instead("snapshot", aborted=True, completed=None).orphans() == set()
    assert instead("snapshot", completed=None).orphans() == {ORPHAN}


def test_a_snapshot_is_judged_in_its_own_life() -> None:
    assert instead("message", life=1).orphans() == set()


def test_another_verdict_than_that_of_the_simulator_is_counted() -> None:
    assert counted(instead("snapshot", verdict_consistent=True))["differs"] == 1
    assert counted(instead("snapshot", verdict_consistent=None))["differs"] == 1


def test_the_rows_of_a_run_may_come_in_any_order_one_by_one() -> None:
    said = set()
    for order in permutations(ROWS):
        tester = TwsTester(Following())
        told = [[tuple(row) for row in tester.test(5, [given(*one)])] for one in order]
        assert not any(told[:-1]) or all(row[0] == "alerts" for rows in told[:-1] for row in rows)
        said.add(tuple(row for rows in told for row in rows))
        assert all(tester.peekListState(name, 5) == [] for name in STATE) and tester.peekValueState("rows", 5) is None
    (alert, run), *others = said
    assert others == []
    assert dict(zip(COLUMNS, alert, strict=True))["message"] == 7
    assert dict(zip(COLUMNS, run, strict=True))["broken_consistent"] == 1


def test_they_may_come_in_any_portions() -> None:
    draw = Random(1985)
    whole = [tuple(row) for row in TwsTester(Following()).test(5, [given(*one) for one in ROWS])]
    assert [row[0] for row in whole] == ["alerts", "runs"]
    for _ in range(200):
        order = draw.sample(ROWS, len(ROWS))
        cut = sorted(draw.sample(range(1, len(ROWS)), 2))
        tester = TwsTester(Following())
        portions = (order[: cut[0]], order[cut[0] : cut[1]], order[cut[1] :])
        assert [tuple(row) for some in portions for row in tester.test(5, [given(*one) for one in some])] == whole


def test_an_alert_does_not_wait_for_the_last_row() -> None:
    tester = TwsTester(Following())
    lives = ("run", RUN | {"messages": 2})
    (alert,) = tester.test(5, [given(*lives), *(given(*one) for one in ROWS[1:])])
    assert alert["table"] == "alerts" and alert["url"] == "/run/x" and alert["run"] == 5
    assert tester.peekValueState("rows", 5) == (6,)
    (run,) = tester.test(5, [given("message", MESSAGE | {"message": 8, "received": None})])
    assert (run["table"], run["messages"], run["broken_consistent"]) == ("runs", 2, 1)


def test_the_channels_of_a_run_are_judged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[int] = []

    def watched(known: Known) -> Iterator[Wrong]:
        judged.append(known.rows)
        yield from wrong(known)

    monkeypatch.setattr("app.pipeline.stream.stateful.wrong", watched)
    told = TwsTester(Following()).test(5, [given(*one) for one in ROWS])
    assert [row["table"] for row in told] == ["alerts", "runs"]
    assert judged == [len(ROWS)]
