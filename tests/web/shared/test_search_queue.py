"""Searches beside the pages: bounded, kept, and never more than a few."""

import asyncio
import threading
from collections.abc import Iterator

import pytest

from app.core.model.values import BluecutError, World
from app.core.oracle.checks import Verdict
from app.run.explore import explore
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.scenario.scenario import Scenario
from app.web.shared import search_queue
from app.web.shared.search_queue import Found, Searches, too_large

NEVER = RunKey()


def nothing(_world: World, _number: int, _verdict: Verdict) -> bool:
    return False


def broken(_world: World, _number: int, verdict: Verdict) -> bool:
    return bool(verdict.broken)


def ask(made: Searches, name: str, what: object = "any", key: RunKey = NEVER) -> Found | None:
    return asyncio.run(made.found(LIBRARY.scenario(name), key, what, broken))


def test_nothing_found_in_the_whole_system_is_a_proof() -> None:
    found = ask(Searches(), "token-late")
    assert found and found.choices is None and found.states == 64
    assert found.proof and not found.bounded


def test_a_run_that_is_found_proves_nothing() -> None:
    found = ask(Searches(), "token-late", key=RunKey("no-channels"))
    assert found and found.choices and not found.proof


def test_where_no_snapshot_completes_nothing_is_proved() -> None:
    found = ask(Searches(), "chain-from-b")
    assert found and found.choices is None and found.complete == 0 and not found.proof


def test_a_search_stops_when_its_time_is_over() -> None:
    clock = iter(float(second) for second in range(1_000))
    found = ask(Searches(seconds=20.0, clock=lambda: next(clock)), "blue-figure")
    assert found and found.bounded and found.states < 40 and not found.proof


def test_a_search_stops_at_its_number_of_states() -> None:
    found = ask(Searches(most_states=30), "token-late")
    assert found and found.bounded and found.states == 30


def test_the_same_search_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[str] = []

    def counting(scenario: Scenario, *rest: object, **more: object) -> object:
        counted.append(scenario.name)
        return explore(scenario, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr("app.web.shared.search_queue.explore", counting)
    made = Searches()
    first = ask(made, "token-late")
    assert ask(made, "token-late") is first
    assert counted == ["token-late"]
    ask(made, "token-late", "other")
    ask(made, "token-late", key=RunKey("no-channels"))
    assert len(counted) == 3


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[threading.Event, list[int]]]:
    """Searches that wait; how many were under way at once."""
    release, busy, most = threading.Event(), [0], [0]
    lock = threading.Lock()

    def waiting(*rest: object, **more: object) -> object:
        with lock:
            busy[0] += 1
            most[0] = max(most[0], busy[0])
        release.wait(10)
        with lock:
            busy[0] -= 1
        return explore(*rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr("app.web.shared.search_queue.explore", waiting)
    yield release, most
    release.set()


def test_more_than_a_few_are_refused_at_once_and_one_works_at_a_time(slow: tuple[threading.Event, list[int]]) -> None:
    release, most = slow

    async def all_of_them() -> list[Found | None]:
        made = Searches(waiting=2)
        scenario = LIBRARY.scenario("token-late")
        asked = [asyncio.ensure_future(made.found(scenario, RunKey(), number, nothing)) for number in range(8)]
        await asyncio.sleep(0.1)
        refused = [task for task in asked if task.done()]
        assert len(refused) == 5 and all(task.result() is None for task in refused)
        release.set()
        return list(await asyncio.gather(*asked))

    answers = asyncio.run(all_of_them())
    assert [answer is None for answer in answers] == [False] * 3 + [True] * 5
    assert most == [1]


def test_who_goes_away_does_not_stop_the_others(slow: tuple[threading.Event, list[int]]) -> None:
    release, _ = slow

    async def two() -> Found | None:
        made, scenario = Searches(), LIBRARY.scenario("token-late")
        gone = asyncio.ensure_future(made.found(scenario, RunKey(), "same", nothing))
        stays = asyncio.ensure_future(made.found(scenario, RunKey(), "same", nothing))
        await asyncio.sleep(0.05)
        gone.cancel()
        await asyncio.sleep(0.05)
        release.set()
        return await stays

    found = asyncio.run(two())
    assert found and found.states == 64


def test_a_search_that_fails_is_told_and_not_kept() -> None:
    made = Searches()
    for _ in range(search_queue.WAITING + 3):
        with pytest.raises(BluecutError):
            ask(made, "token-late", key=RunKey("paxos"))
    assert ask(made, "token-late")


def test_a_dozen_processes_are_too_many() -> None:
    assert too_large(LIBRARY.scenario("random-twelve"))
    assert not too_large(LIBRARY.scenario("three-banks"))
