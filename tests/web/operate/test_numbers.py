"""What is counted, and how late the event loop is."""

import asyncio
import time

import pytest

from app.web.operate import numbers as module
from app.web.operate.numbers import BOUNDS, Numbers, Times, watched_loop


def test_a_time_counts_in_its_class_and_in_all_above() -> None:
    times = Times()
    for seconds in (0.001, 0.005, 0.3, 99):
        times.add(seconds)
    counts = dict(times.buckets)
    assert (counts["0.005"], counts["0.25"], counts["0.5"], counts[str(BOUNDS[-1])], counts["+Inf"]) == (2, 2, 3, 3, 4)
    assert times.sum == pytest.approx(99.306)


def test_a_loop_that_is_held_up_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "EVERY", 0.01)
    numbers = Numbers("1")

    async def trial() -> None:
        watching = asyncio.create_task(watched_loop(numbers))
        await asyncio.sleep(0)  # it has begun to wait
        time.sleep(0.2)  # noqa: ASYNC251 (this is what holds it up)
        await asyncio.sleep(0.05)
        watching.cancel()

    asyncio.run(trial())
    assert numbers.delay.sum > 0.15


def test_the_line_of_the_workers_is_told() -> None:
    class Line:
        places, waiting, busy = 3, 2, 1

    text = Numbers("1", Line()).written()[0].decode()
    assert "bluecut_workers 3.0\n" in text
    assert "bluecut_workers_waiting 2.0\n" in text
    assert "bluecut_workers_busy 1.0\n" in text
