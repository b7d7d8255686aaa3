"""The real thing: processes, a deadline, and clients that go away."""

import asyncio
import multiprocessing
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import psutil
import pytest
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from app.web.app import Settings, create_app
from app.web.workers import pool as pool_module
from app.web.workers.asked import Asked
from app.web.workers.fair_line import Crowded
from app.web.workers.pool import Pool
from app.web.workers.worker import answered
from tests.until import lives, until


def stuck() -> None:
    """Return long after everybody has lost patience."""
    time.sleep(60)


def nap() -> None:
    """Return after a moment."""
    time.sleep(0.3)


def reading() -> None:
    """Fail as a connection does that is closed while it reads."""
    raise TypeError("an integer is required (got type NoneType)")


class Unreadable:
    """An answer that cannot be read."""

    def __reduce__(self) -> tuple[Callable[[], None], tuple[()]]:
        return reading, ()


def toy() -> ASGIApp:
    """Return an application that says which process answers: below /nap after a moment, at /sleep only after a minute,
    at /die never."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/sleep":
            stuck()
        if scope["path"].startswith("/nap"):
            nap()
        if scope["path"] == "/die":
            os._exit(1)
        await PlainTextResponse(f"{os.getpid()} {scope['path']}")(scope, receive, send)

    return app


def asked(path: str) -> Asked:
    """Return a question."""
    return Asked("http", "", path, path.encode(), b"", (("accept-language", "en"),))


@pytest.fixture
def pool() -> Iterator[Pool]:
    """Yield a pool of two that has only a few seconds for an answer."""
    pool = Pool(toy, 2, deadline=5.0)
    yield pool
    pool.close()


def test_other_processes_answer_and_equal_questions_are_asked_once(pool: Pool) -> None:
    async def trial() -> list[bytes]:
        return [one.body for one in await asyncio.gather(*(pool.answer(asked("/a"), f"c{i}") for i in range(5)))]

    bodies = asyncio.run(trial())
    assert len(set(bodies)) == 1  # one flight
    assert bodies[0].split()[1] == b"/a"
    assert int(bodies[0].split()[0]) != os.getpid()


@pytest.mark.slow
def test_what_takes_too_long_or_dies_is_refused_and_the_others_are_answered(pool: Pool) -> None:
    async def trial() -> None:
        first = int((await pool.answer(asked("/a"), "x")).body.split()[0])
        for path in ("/sleep", "/die"):
            with pytest.raises(Crowded):
                await pool.answer(asked(path), "greedy")
        assert (await pool.answer(asked("/b"), "x")).body.endswith(b"/b")
        assert first

    asyncio.run(trial())


def test_an_answer_that_cannot_be_read_is_refused_and_the_next_one_is_given(pool: Pool) -> None:
    async def trial() -> None:
        with pytest.raises(Crowded):
            await pool.call("x", Unreadable)
        assert (await pool.answer(asked("/b"), "x")).body.endswith(b"/b")

    asyncio.run(trial())


@pytest.mark.slow
def test_what_nobody_waits_for_is_stopped() -> None:
    pool = Pool(toy, 1, deadline=200.0)

    async def trial() -> None:
        first = int((await pool.answer(asked("/a"), "x")).body.split()[0])
        waiting = [asyncio.create_task(pool.answer(asked("/sleep"), name)) for name in "xy"]
        await asyncio.sleep(0.2)
        for each in waiting:
            each.cancel()
        assert (await pool.answer(asked("/b"), "x")).body.endswith(b"/b")
        assert not psutil.pid_exists(first)

    try:
        asyncio.run(trial())
    finally:
        pool.close()


def close_while_one_begins() -> None:
    """Close the only pool of this process, and say which process it had not heard of."""
    pool_module.ENDING = 0.0
    pool = Pool(toy, 1)
    pool.warm()
    begun = multiprocessing.get_context("forkserver").Process(target=stuck)
    begun.start()
    pool.close()
    print(begun.pid)


@pytest.mark.slow
def test_a_process_that_the_pool_has_not_heard_of_ends_with_it() -> None:
    run = f"from {__name__} import close_while_one_begins; close_while_one_begins()"
    said = subprocess.run([sys.executable, "-c", run], capture_output=True, text=True)
    until(lambda: not lives(int(said.stdout)), seconds=20)


@pytest.mark.slow
def test_a_pool_that_is_closed_lets_those_of_other_pools_go_on(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.web.workers.pool.ENDING", 0.0)
    other = Pool(toy, 1)
    other.warm()

    async def trial() -> None:
        await pool.answer(asked("/a"), "x")
        nap = asyncio.create_task(pool.answer(asked("/nap"), "x"))
        await asyncio.sleep(0.1)
        await asyncio.to_thread(other.close)
        assert (await nap).body.endswith(b"/nap")

    asyncio.run(trial())


def test_who_hangs_up_at_once_costs_no_process() -> None:
    pool = Pool(toy, 1, deadline=200.0)

    async def trial() -> None:
        first = (await pool.answer(asked("/a"), "x")).body.split()[0]
        leaving = asyncio.create_task(pool.answer(asked("/nap"), "x"))
        await asyncio.sleep(0.1)
        leaving.cancel()
        assert (await pool.answer(asked("/b"), "y")).body.split()[0] == first

    try:
        asyncio.run(trial())
    finally:
        pool.close()


@pytest.mark.slow
def test_who_asks_for_what_waits_in_the_line_of_a_greedy_client_does_not_wait_there(pool: Pool) -> None:
    async def trial() -> None:
        await pool.answer(asked("/a"), "x")
        naps = [asyncio.create_task(pool.answer(asked(f"/nap/{at}"), "greedy")) for at in range(8)]
        last = asyncio.create_task(pool.answer(asked("/popular"), "greedy"))
        await asyncio.sleep(0.05)
        mine = await pool.answer(asked("/popular"), "x")
        assert sum(each.done() for each in naps) < 4, "there is a place that the greedy client cannot have"
        assert await last == mine, "it is computed once"
        await asyncio.gather(*naps)
        assert not pool.line.busy and not pool.line.waiting

    asyncio.run(trial())


def test_only_the_client_with_too_many_in_line_is_refused_what_others_get(pool: Pool) -> None:
    async def trial() -> None:
        await pool.answer(asked("/a"), "x")
        naps = [asyncio.create_task(pool.answer(asked(f"/nap/{at}"), "greedy")) for at in range(pool.line.share + 1)]
        others = [asyncio.create_task(pool.answer(asked(f"/nap/{at}/other"), "other")) for at in range(2)]
        await asyncio.sleep(0.05)
        mine = asyncio.create_task(pool.answer(asked("/popular"), "x"))
        await asyncio.sleep(0)
        with pytest.raises(Crowded) as refused:
            await pool.answer(asked("/popular"), "greedy")
        assert refused.value.mine
        assert (await mine).body.endswith(b"/popular")
        for each in (*naps, *others):
            each.cancel()
        await asyncio.gather(*naps, *others, return_exceptions=True)
        await asyncio.sleep(0)

    asyncio.run(trial())
    assert not pool.line.waiting


@pytest.mark.slow
def test_a_worker_answers_what_the_application_answers(tmp_path: Path) -> None:
    question = asked("/compare/queue")
    pool = Pool(partial(create_app, Settings(data=tmp_path, keep=0)), 1, deadline=200.0)
    try:
        there = asyncio.run(pool.answer(question, "x"))
    finally:
        pool.close()
    here = asyncio.run(answered(create_app(Settings(data=tmp_path, keep=0)), question.scope()))
    assert (there.status, there.headers, there.body) == (here.status, here.headers, here.body)
    assert there.status == 200
