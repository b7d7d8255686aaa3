"""What is looked up beside the requests: nobody waits for it, and nobody gets what is long out of date."""

import asyncio
import os
import threading
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.course.lesson_list import OWN
from app.paths import STATIC
from app.web.app import Settings, create_app
from app.web.base import fresh
from app.web.base.fresh import Fresh
from tests.until import until


def test_without_a_server_each_request_looks_or_one_of_several() -> None:
    looks = iter(range(10))
    assert [each() for each in [Fresh(lambda: next(looks))] * 2] == [0, 1]
    assert [each() for each in [Fresh(lambda: next(looks), lasts=60)] * 3] == [2, 2, 2]


def test_who_asks_a_server_gets_the_last_look_and_waits_for_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fresh, "APART", 0.01)
    on_disk, lookers = "old", set[str]()

    def look() -> str:
        lookers.add(threading.current_thread().name)
        return on_disk

    async def served() -> None:
        nonlocal on_disk
        found = Fresh(look)
        keeping = asyncio.create_task(found.kept())
        assert found() == "old"
        lookers.clear()
        await asyncio.to_thread(until, lambda: lookers)
        on_disk = "new"
        await asyncio.to_thread(until, lambda: found() == "new")
        assert threading.current_thread().name not in lookers
        keeping.cancel()
        await asyncio.wait((keeping,))
        on_disk = "newest"
        assert found() == "newest"

    asyncio.run(served())


def test_what_nobody_has_asked_for_is_not_looked_up_and_is_looked_up_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fresh, "APART", 0.01)
    monkeypatch.setattr(fresh, "LASTS", 0.1)
    looks: list[int] = []

    async def served() -> None:
        found = Fresh(lambda: looks.append(1))
        keeping = asyncio.create_task(found.kept())
        found()
        await asyncio.sleep(0.3)
        before = len(looks)
        await asyncio.sleep(0.1)
        assert len(looks) == before > 1
        found()
        assert len(looks) == before + 1
        keeping.cancel()

    asyncio.run(served())


def test_no_request_walks_through_the_files_of_a_server_that_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    walks: list[str] = []
    scandir = os.scandir

    def watched(path: str) -> object:
        if path in (str(STATIC), str(OWN)):
            walks.append(threading.current_thread().name)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", watched)
    with TestClient(create_app(Settings(data=tmp_path))) as client:
        client.get("/")
        walks.clear()
        until(lambda: len(walks) >= 2)
        walks.clear()
        assert client.get("/").status_code == client.get("/lessons/vanishing-token").status_code == 200
        until(lambda: len(walks) >= 2)
    # Other tests of this process may have a server that looks, too: its loop is that of uvloop.
    assert all(each.startswith(("asyncio_", "uvloop_")) for each in walks), walks
