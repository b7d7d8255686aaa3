"""The report: bounded, and the same for the same rows."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.analysis.sweep_report import MEASURES, MOST_BYTES, UNJUDGED, Histogram
from app.core.oracle.checks import ROW_CHECKS
from app.pipeline.measure.report import (
    FEWEST,
    LARGEST,
    LEAST,
    MOST,
    ROOM,
    fair,
    fitting,
    histogram,
    report,
    write,
    written,
)
from app.pipeline.sweep.spec import BYTES, CELLS
from app.web.measure.lab.report import report as shown
from app.web.measure.lab.routes import SHIPPED

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
    path = len('"/run/x"')
    assert [one.snapshot for one in fitting(many, 3 * size + path, PATHS)] == [1, 2, 3]
    assert [one.snapshot for one in fitting(many, 3 * size + path - 1, PATHS)] == [1, 2]
    assert fitting(many, size + path - 1, PATHS) == []


def test_samples_are_in_the_order_of_their_groups() -> None:
    some = [SAMPLE | {"group": 2}, SAMPLE | {"group": 1, "url": "/run/b"}, SAMPLE | {"group": 1, "url": "/run/a"}]
    assert [(one.group, one.url) for one in fitting(some, 10_000, PATHS)] == [
        (1, "/run/a"),
        (1, "/run/b"),
        (2, "?step=3"),
    ]


def test_a_run_without_snapshots_can_be_a_sample() -> None:
    bare = SAMPLE | {"snapshot": None, "broken": []}
    assert [one.snapshot for one in fitting([SAMPLE, bare], 10_000, PATHS)] == [None, 1]


def test_the_whole_stays_within_its_bounds_and_is_written_whole(tmp_path: Path) -> None:
    verdicts = {"by": "simulator", "snapshots": 0, "checks": 0, "disagree": None}
    made = report({"engine": 3, "spec": {}}, verdicts, [], [], [SAMPLE] * 5_000)
    assert ROOM - 400 < len(written(made)) <= ROOM
    crowded = report({"engine": 3, "spec": "x" * ROOM}, verdicts, [], [], [SAMPLE] * 5_000)
    assert LEAST - 400 < len(written([one.written() for one in crowded.samples])) <= LEAST + 1
    assert json.loads(write(tmp_path, made).read_bytes()) == json.loads(written(made))
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]


def test_what_is_read_is_written_again_byte_by_byte() -> None:
    assert written(shown(SHIPPED)) + b"\n" == SHIPPED.read_bytes()


def test_a_histogram_is_exact_and_neighbours_are_put_together_only_where_it_would_be_too_long() -> None:
    assert histogram([(3, 2), (1_234_567, 1)]) == Histogram(values=(3, 1_234_567), counts=(2, 1))
    exact = [(value, 2) for value in range(MOST)]
    assert "about" not in histogram(exact).written()
    many = histogram([(value, 2) for value in range(10_000, 10_000 + 10 * MOST)])
    values, counts = many.values, many.counts
    assert many.about is True
    assert len(values) == len(counts) == MOST and sum(counts) == 2 * 10 * MOST
    assert (values[0], values[1], values[-2], values[-1]) == (10_000, 10_006, 13_994, 13_999)


def test_what_is_put_together_keeps_its_mean_and_what_is_frequent_stays_by_itself() -> None:
    counted = [(0, 1), (1, 1), (2, 1), (10, 90), (20, 2), (40, 2), (90, 1)]
    assert histogram(counted, 5) == Histogram(values=(0, 2, 10, 30, 90), counts=(1, 2, 90, 4, 1), about=True)
    assert histogram(counted, FEWEST) == Histogram(values=(0, 11, 90), counts=(1, 96, 1), about=True)
    for most in range(FEWEST, 30):
        uneven = histogram([(value, 1 + 1_000 * (value % 7 == 3)) for value in range(30)], most)
        values, counts = uneven.values, uneven.counts
        assert len(values) <= most and sum(counts) == 30 + 4_000
        assert list(values) == sorted(set(values)) and (values[0], values[-1]) == (0, 29)


def test_histograms_share_their_room_and_small_ones_leave_theirs_to_the_others() -> None:
    small, large = [(1, 1)], [(value, 1) for value in range(10, 90)]  # 4 bytes per value, and 6
    assert fair([small, large, large], 4 + 2 * 6 * 50) == 50
    assert fair([small, large, large], 4 + 2 * 6 * 50 - 1) == 49
    assert fair([small, large, large], 0) == FEWEST
    assert fair([small, large, large], 4 + 2 * 6 * 80) == fair([], 0) == MOST


@pytest.mark.slow
def test_the_report_of_the_largest_grid_is_one_that_the_lab_reads(tmp_path: Path) -> None:
    checks = (*ROW_CHECKS, "any")
    counts = {f"{what}_{check}": 90_000 for what in ("judged", "broken") for check in checks}
    unjudged = {f"unjudged_{reason}": 1_000 for reason in UNJUDGED}
    kind: dict[str, Any] = {
        "algorithm": "micro-batch-speculation",
        "topology": "random-20-2147483647",
        "program": "dataflow",
    }
    kind |= {"discipline": "causal", "delay": "10000-10000", "interval": 2_000, "runs": 100_000, "snapshots": 93_000}
    kind |= {"scenario": "random-20-2147483647-60-dataflow-crashes-1000000"}
    kind |= {"processes": 60, "channels": 1_200, "diameter": 59, "complete": 93_000}
    groups = [kind | counts | unjudged | {"group": number} for number in range(CELLS)]
    wide = [{"value": 10_000_000 + value, "n": 10_000} for value in range(5)]
    values = ({"group": n, "measure": name, **one} for n in range(CELLS) for name in MEASURES for one in wide)
    verdicts = {"by": "verifiers", "snapshots": 90_000 * CELLS, "checks": 90_000 * CELLS, "disagree": 0}
    samples = [SAMPLE | {"group": n, "url": f"/run/1.{n:04}{'x' * 4_000}?step=3"} for n in range(2_000)]
    made = report({"engine": 3, "spec": "x" * BYTES}, verdicts, groups, values, samples)
    size = len(written(made))
    assert LARGEST // 2 < size <= LARGEST + LEAST < MOST_BYTES
    read = shown(write(tmp_path, made))
    assert len(read.groups) == CELLS and len(read.samples) == LEAST // 4_200
    assert {len(one.values) for each in read.groups for one in each.measures.values()} <= {FEWEST, FEWEST + 1}
    assert all(one.about for each in read.groups for one in each.measures.values())
    assert {each.id for each in read.groups if each.url} == {sample.group for sample in read.samples}
