"""Measuring beside the pages: each trial once, one experiment after the other, and never too much."""

import asyncio
import threading

import pytest

from app.analysis.durations import Durations
from app.cache import memory
from app.core.model.values import BluecutError
from app.web.measure.costs.measure_queue import MOST_TRIALS, Laboratory, Progress
from app.web.measure.costs.measured_run import Measured, Trial

NOTHING = Measured(Durations((), (), (), (), 0, False))


def trials(*names: str) -> tuple[Trial, ...]:
    return tuple(Trial(name) for name in names)


def test_a_trial_is_measured_once_whoever_asks() -> None:
    seen: list[str] = []

    def measure(one: Trial) -> Measured:
        seen.append(one.text)
        return NOTHING

    made = Laboratory(measure=measure)
    found = asyncio.run(made.results(trials("a", "b", "a"), 5))
    assert found == {Trial("a"): NOTHING, Trial("b"): NOTHING}
    assert asyncio.run(made.results(trials("b", "c"), 5)) == {Trial("b"): NOTHING, Trial("c"): NOTHING}
    assert seen == ["a", "b", "c"]


def test_who_is_impatient_hears_how_far_it_is_and_it_goes_on() -> None:
    release = threading.Event()

    def measure(one: Trial) -> Measured:
        if one.text == "b":
            release.wait(10)
        return NOTHING

    async def ask() -> None:
        made = Laboratory(measure=measure)
        assert await made.results(trials("a", "b"), 0.2) == Progress(1, 2)
        assert await made.results(trials("a", "b"), 0.0) == Progress(1, 2)
        release.set()
        assert await made.results(trials("a", "b"), 5) == {Trial("a"): NOTHING, Trial("b"): NOTHING}

    asyncio.run(ask())


def test_one_experiment_is_made_at_a_time_and_more_than_a_few_are_refused() -> None:
    release, busy, most = threading.Event(), [0], [0]

    def measure(one: Trial) -> Measured:
        busy[0] += 1
        most[0] = max(most[0], busy[0])
        release.wait(10)
        busy[0] -= 1
        return NOTHING

    async def ask() -> None:
        made = Laboratory(waiting=2, measure=measure)
        names = "abcde"
        first = await asyncio.gather(*(made.results(trials(name), 0.1) for name in names))
        assert [isinstance(each, Progress) and each.refused for each in first] == [False, False, False, True, True]
        assert await made.results(trials("a"), 0.0) == Progress(0, 1)  # it is under way, and not begun again
        release.set()
        for name in "abc":
            assert await made.results(trials(name), 5) == {Trial(name): NOTHING}
        assert await made.results(trials("d"), 5) == {Trial("d"): NOTHING}

    asyncio.run(ask())
    assert most == [1]


def test_a_run_that_cannot_be_is_an_error_for_who_asks_and_may_be_tried_again() -> None:
    broken = [True]

    def measure(one: Trial) -> Measured:
        if broken[0]:
            raise BluecutError("no such run")
        return NOTHING

    made = Laboratory(measure=measure)
    with pytest.raises(BluecutError, match="no such run"):
        asyncio.run(made.results(trials("a"), 5))
    broken[0] = False
    assert asyncio.run(made.results(trials("a"), 5)) == {Trial("a"): NOTHING}


def test_one_that_is_closed_measures_no_further_until_it_is_opened_again() -> None:
    release, seen = threading.Event(), list[str]()

    def measure(one: Trial) -> Measured:
        seen.append(one.text)
        release.wait(10)
        return NOTHING

    async def ask() -> None:
        made = Laboratory(measure=measure)
        assert await made.results(trials("a", "b"), 0.2) == Progress(0, 2)
        made.close()
        release.set()
        assert await made.results(trials("a", "b"), 5) == Progress(0, 2, refused=True)
        assert seen == ["a"]
        made.open()
        assert await made.results(trials("a", "b"), 5) == {Trial("a"): NOTHING, Trial("b"): NOTHING}
        assert seen == ["a", "b"]

    asyncio.run(ask())


def test_the_trials_asked_for_last_are_kept() -> None:
    seen: list[str] = []

    def measure(one: Trial) -> Measured:
        seen.append(one.text)
        return NOTHING

    made = Laboratory(most=2 * memory(NOTHING), measure=measure)
    for name in ("a", "b", "a", "c", "a", "b"):
        asyncio.run(made.results(trials(name), 5))
    assert seen == ["a", "b", "c", "b"]


def test_an_experiment_has_a_limit() -> None:
    many = trials(*(str(i) for i in range(MOST_TRIALS + 1)))
    with pytest.raises(ValueError, match="at most"):
        asyncio.run(Laboratory(measure=lambda one: NOTHING).results(many, 1))
