"""The report: bounded, and the same for the same rows."""

import json
from pathlib import Path
from typing import Any

from app.pipeline.measure.report import LEAST, MOST, ROOM, fitting, histogram, report, short, write, written

SAMPLE: dict[str, Any] = {
    "group": 0,
    "run": 5,
    "url": "/run/x?step=3",
    "snapshot": 1,
    "broken": ["cost"],
    "duration": 3,
    "ticks": None,
    "controls": 2,
    "recorded": 0,
    "bytes": 0,
    "paused": 0,
    "blocked": 0,
    "loss": None,
}

PATHS = {0: "/run/x", 1: "/run/c", 2: "/run/x"}


def test_a_report_has_as_many_samples_as_it_has_room_for_the_first_ones_first() -> None:
    size = len(written(SAMPLE)) - len("/run/x") + 1
    many = [SAMPLE | {"snapshot": number} for number in range(1, 10)]
    assert [one["snapshot"] for one in fitting(many, 3 * size, PATHS)] == [1, 2, 3]
    assert fitting(many, size - 1, PATHS) == []


def test_samples_are_in_the_order_of_their_groups() -> None:
    some = [SAMPLE | {"group": 2}, SAMPLE | {"group": 1, "url": "/run/b"}, SAMPLE | {"group": 1, "url": "/run/a"}]
    assert [(one["group"], one["url"]) for one in fitting(some, 10_000, PATHS)] == [
        (1, "/run/a"),
        (1, "/run/b"),
        (2, "?step=3"),
    ]


def test_a_run_without_snapshots_can_be_a_sample() -> None:
    bare = SAMPLE | {"snapshot": None, "broken": []}
    assert [one["snapshot"] for one in fitting([SAMPLE, bare], 10_000, PATHS)] == [None, 1]


def test_the_whole_stays_within_its_bounds_and_is_written_whole(tmp_path: Path) -> None:
    verdicts = {"by": "simulator", "snapshots": 0, "checks": 0, "disagree": None}
    made = report({"engine": 3, "spec": {}}, verdicts, [], [], [SAMPLE] * 5_000, [])
    assert ROOM - 400 < len(written(made)) <= ROOM
    crowded = report({"engine": 3, "spec": "x" * ROOM}, verdicts, [], [], [SAMPLE] * 5_000, [])
    assert LEAST - 400 < len(written(crowded["samples"])) <= LEAST + 1
    assert json.loads(write(tmp_path, made).read_bytes()) == made
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]


def test_numbers_are_as_short_as_they_can_be() -> None:
    assert [short(2.0), short(0.12345), short(1 / 3, 6), short(-0.0)] == [2, 0.123, 0.333333, 0]


def test_a_histogram_is_exact_and_rounded_only_where_it_would_be_too_long() -> None:
    assert histogram([(3, 2), (1_234_567, 1)]) == {"values": [3, 1_234_567], "counts": [2, 1]}
    many = histogram([(value, 2) for value in range(10_000, 10_000 + 10 * MOST)])
    assert many["about"] is True
    assert many["values"] == list(range(10_000, 14_001, 100))
    assert isinstance(many["counts"], list) and sum(many["counts"]) == 2 * 10 * MOST
