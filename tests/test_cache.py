"""A cache that threads share."""

import sys
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.cache import Cache, memory
from app.pictures.render import stage
from app.run.run import record
from app.scenario.library import LIBRARY
from tests.often import some


@pytest.fixture
def hasty() -> Iterator[None]:
    """Let threads take turns as often as possible."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def size(value: int) -> int:
    return value


@given(most=st.integers(0, 20), requests=st.lists(st.integers(1, 9), max_size=30))
def test_it_holds_the_values_requested_last_that_fit(most: int, requests: list[int]) -> None:
    cache = Cache[int, int](most, size)
    model: list[int] = []  # the last one is the newest
    for key in requests:
        computed: list[int] = []
        assert cache.get(key, lambda key=key, computed=computed: computed.append(key) or key) == key  # type: ignore
        assert bool(computed) == (key not in model)
        model = [other for other in model if other != key] + [key]
        while computed and sum(model) > most and len(model) > 1:
            del model[0]
        assert cache.bytes == sum(model)
    assert [key for key in range(1, 10) if cache.peek(key)] == sorted(model)


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("most", some([60, 0, 10_000], 3))
def test_threads_get_the_right_value_or_its_error_and_compute_each_value_once_at_a_time(most: int) -> None:
    cache = Cache[int, int](most, size)
    present, computed, lock = Counter[int](), Counter[int](), threading.Lock()

    def compute(key: int) -> int:
        with lock:
            present[key] += 1
            computed[key] += 1
            assert present[key] == 1, "two threads compute the same value"
        try:
            if key % 5 == 0:
                raise ValueError(key)
            return key
        finally:
            with lock:
                present[key] -= 1

    def request(number: int) -> int:
        key = number * 7 % 40
        try:
            return cache.get(key, lambda: compute(key))
        except ValueError as error:
            return -int(error.args[0])

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(request, range(8_000)))
    assert answers == [key if key % 5 else -key for key in (number * 7 % 40 for number in range(8_000))]
    held = [key for key in range(40) if cache.peek(key)]
    assert cache.bytes == sum(held) and (cache.bytes <= most or len(held) == 1)
    assert not any(key % 5 == 0 for key in held)
    if most == 10_000:
        assert all(computed[key] == 1 for key in range(40) if key % 5)


def test_who_waits_for_a_computation_that_fails_hears_its_error_and_the_next_one_computes_again() -> None:
    cache = Cache[str, int](10, size)
    begun, go = threading.Event(), threading.Event()

    def fail() -> int:
        begun.set()
        assert go.wait(10)
        raise KeyboardInterrupt

    with ThreadPoolExecutor(4) as pool:
        first = pool.submit(cache.get, "a", fail)
        assert begun.wait(10)
        waiting = [pool.submit(cache.get, "a", lambda: 1) for _ in range(3)]
        go.set()
        errors = [each.exception(10) for each in (first, *waiting)]
    # A thread that comes after the failure computes the value itself.
    assert isinstance(errors[0], KeyboardInterrupt) and set(map(type, errors[1:])) <= {KeyboardInterrupt, type(None)}
    assert cache.get("a", lambda: 2) in (1, 2)


def test_a_value_whose_size_cannot_be_measured_is_an_error() -> None:
    cache = Cache[str, object](1_000)
    for _ in range(2):
        with pytest.raises(Exception, match="pickle"):
            cache.get("a", threading.Lock)
    assert cache.bytes == 0


def test_a_computation_may_be_refused_or_run_elsewhere() -> None:
    cache = Cache[str, int](10, size)

    def refuse(work: object) -> None:
        raise OverflowError

    assert isinstance(cache.future("a", lambda: 1, refuse).exception(10), OverflowError)
    futures: list[Future[int]] = []

    def in_a_thread(work: object) -> None:
        threading.Thread(target=work).start()  # type: ignore[arg-type]

    futures = [cache.future("a", lambda: 1, in_a_thread) for _ in range(2)]
    assert futures[0] is futures[1] and futures[0].result(10) == 1
    assert cache.peek("a") == 1 and cache.peek("b") is None


def test_the_size_of_a_value_grows_with_its_content() -> None:
    assert memory("x" * 1_000) > 1_000 and memory(("x" * 1_000, "y" * 1_000)) > 2 * 1_000


@pytest.mark.usefixtures("hasty")
def test_stages_of_many_runs_can_be_drawn_at_once() -> None:
    runs = [record(LIBRARY.scenario(name)) for name in LIBRARY.names()]
    with ThreadPoolExecutor(8) as pool:
        drawn = list(pool.map(lambda run: stage(run, 0, "en"), runs))
    assert drawn == [stage(run, 0, "en") for run in runs]
