"""The stream agrees with the plain verifier about channels, for every scenario and every planted fault."""

from collections.abc import Callable

import pytest

from app.pipeline.rows.channel_fault import fault
from app.pipeline.rows.from_run import Origin, Rows, trace
from app.pipeline.stream.channels import Wrong, sums, wrong
from app.pipeline.stream.orphans import NEEDED, Known, Sent
from app.run.run import record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from tests.each import each
from tests.pipeline import faults, plain
from tests.pipeline.stored import sound


def known(rows: Rows) -> Known:
    """Return all that the stream needs from the rows of a run."""
    found = Known()
    for kind, columns in NEEDED.items():
        found.add((kind, {name: row.get(name) for name in columns}) for row in rows[kind])
    return found


def agrees(rows: Rows) -> None:
    """Check that the stream's counts agree with the plain verifier."""
    own, found = plain.verdicts(rows), known(rows)
    said = sums(found, wrong(found))
    checks = list(own.values())
    assert said["judged"] == sum(one["consistent"] is not None for one in checks)
    assert said["broken_consistent"] == sum(one["consistent"] is False for one in checks)
    assert said["broken_channels"] == sum(one["channels"] is False for one in checks)
    assert said["differs"] == 0


@each("name", LIBRARY.names)
def test_of_each_scenario_it_says_what_the_plain_verifier_says(name: str) -> None:
    rows = trace(record(LIBRARY.scenario(name)), Origin(0, "/run/x"))
    assert known(rows).whole
    agrees(rows)


@pytest.mark.parametrize(
    ("algorithm", "discipline", "right"),
    [
        ("chandy-lamport", "fifo", True),
        ("chandy-lamport", "any", False),
        ("lai-yang", "any", True),
        ("late-marker", "fifo", False),
        ("no-channels", "fifo", False),
        ("photographs", "any", False),
    ],
)
def test_of_drawn_runs_too(algorithm: str, discipline: str, right: bool) -> None:
    broken = 0
    for seed in range(1, 6):
        rows = trace(
            record(LIBRARY.scenario("random-twelve"), RunKey(algorithm, seed, discipline)), Origin(0, "/run/x")
        )
        agrees(rows)
        broken += sums(found := known(rows), wrong(found))["broken_channels"]
    assert (broken == 0) is right


@pytest.mark.parametrize(
    ("planted", "message"), [(faults.missing, 1), (faults.extra, 2), (faults.doubled, 1), (faults.order, 1)]
)
def test_a_planted_fault_is_found_with_its_message(planted: Callable[[Rows], None], message: int) -> None:
    assert list(wrong(known(sound()))) == []
    assert list(wrong(known(faults.planted(planted)))) == [Wrong(0, 1, "a->b", planted.__name__, message)]


def test_a_message_is_looked_at_twice_however_many_channels_there_are() -> None:
    """Once for the orphans of the cut, once for its channel."""
    looks: list[int] = []

    class Looked(Sent):
        @property
        def channel(self) -> int:
            looks.append(self.message)
            return self[2]

    found = known(trace(record(LIBRARY.scenario("random-twelve")), Origin(0, "/run/x")))
    expected = list(wrong(found))
    found.messages = [Looked(*one) for one in found.messages]
    assert len(found.channels) > 10 and len(found.messages) > 10
    assert list(wrong(found)) == expected
    assert sorted(looks) == sorted(2 * [one.message for one in found.messages])


def test_what_is_wrong_with_a_long_queue_is_found_without_comparing_each_with_each() -> None:
    compared: list[int] = []

    class Number(int):
        __hash__ = int.__hash__

        def __eq__(self, other: object) -> bool:
            compared.append(1)
            return int.__eq__(self, other)

    need = [Number(one) for one in range(1_000)]
    assert fault(need, [*need, need[-1]]) == ("doubled", 999)
    assert fault(need, need[::-1]) == ("order", 999)
    assert fault(need, need[:-1]) == ("missing", 999)
    assert fault(need[:-1], need) == ("extra", 999)
    assert len(compared) < 100


def test_a_channel_that_does_not_keep_the_order_may_have_recorded_in_another_one() -> None:
    rows = faults.planted(faults.order)
    rows["channel"][0]["ordered"] = False
    assert list(wrong(known(rows))) == []


def test_a_run_is_whole_when_all_that_was_recorded_has_come_too() -> None:
    rows = trace(record(LIBRARY.scenario("blue-figure")), Origin(0, "/run/x"))
    assert len(rows["recorded"]) > 0 and known(rows).whole
    assert not known(rows | {"recorded": rows["recorded"][1:]}).whole
