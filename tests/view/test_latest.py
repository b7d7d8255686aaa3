"""A cache that threads share."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from app.simulator.library import LIBRARY
from app.simulator.run import record
from app.view.latest import Latest
from app.view.picture import stage


@pytest.fixture
def hasty() -> Iterator[None]:
    """Let threads take turns as often as possible."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_the_latest_are_known_and_the_oldest_is_forgotten() -> None:
    made: list[int] = []

    def make(value: int) -> int:
        made.append(value)
        return value

    latest = Latest[int](2)
    for value in (1, 2, 1, 3, 2, 1):
        assert latest.get(value, lambda value=value: make(value)) == value  # type: ignore[misc]
    assert made == [1, 2, 3, 1]


@pytest.mark.usefixtures("hasty")
def test_threads_that_fill_it_at_once_do_not_disturb_each_other() -> None:
    latest = Latest[int](3)
    with ThreadPoolExecutor(8) as pool:
        got = pool.map(lambda value: latest.get(value % 40, lambda: value % 40), range(20_000))
        assert list(got) == [value % 40 for value in range(20_000)]


@pytest.mark.usefixtures("hasty")
def test_stages_of_many_runs_can_be_drawn_at_once() -> None:
    runs = [record(LIBRARY.scenario(name)) for name in LIBRARY.names()]
    with ThreadPoolExecutor(8) as pool:
        drawn = list(pool.map(lambda run: stage(run, 0, "en"), runs))
    assert drawn == [stage(run, 0, "en") for run in runs]
