"""Readers get what is newest, once; slow ones miss what is old, and those that take nothing are dropped."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from app.web.teach.rooms.hub import BEATING, STUCK, Hub, event
from app.web.teach.rooms.room import Room
from app.web.teach.rooms.rooms import Rooms


class Reader:
    """A connection that takes pieces only while it is open."""

    def __init__(self) -> None:
        self.got: list[bytes] = []
        self.open = asyncio.Event()
        self.open.set()
        self.gone = asyncio.Event()

    async def send(self, message: Any) -> None:
        """Take a piece."""
        await self.open.wait()
        self.got.append(message["body"])

    async def receive(self) -> Any:
        """Wait until the connection is lost."""
        await self.gone.wait()
        return {"type": "http.disconnect"}


async def rested() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def ran(test: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(test(), 30))


def test_everybody_gets_the_newest_and_who_is_slow_misses_what_is_old() -> None:
    async def test() -> None:
        hub, quick, slow = Hub(), Reader(), Reader()
        hub.publish(b"1")
        tasks = [asyncio.create_task(hub.send_to(each.receive, each.send)) for each in (quick, slow)]
        await rested()
        slow.open.clear()
        for number in (b"2", b"3", b"4"):
            hub.publish(number)
            await rested()
        slow.open.set()
        await rested()
        assert quick.got == [b"1", b"2", b"3", b"4"]
        assert slow.got == [b"1", b"2", b"4"], "the one that was on its way, then the newest"
        for each in (quick, slow):
            each.gone.set()
        await asyncio.gather(*tasks)
        assert hub.readers == 0

    ran(test)


def test_a_sign_of_life_comes_between_events_and_a_stuck_reader_is_dropped() -> None:
    async def test() -> None:
        now = [0.0]
        hub, reader, stuck = Hub(clock=lambda: now[0]), Reader(), Reader()
        hub.publish(b"1")
        task = asyncio.create_task(hub.send_to(reader.receive, reader.send))
        stuck.open.clear()
        other = asyncio.create_task(hub.send_to(stuck.receive, stuck.send))
        await rested()
        assert hub.readers == 2
        hub.beat()
        await rested()
        assert reader.got == [b"1", BEATING]
        now[0] = STUCK + 1
        hub.beat()
        await other
        assert hub.readers == 1
        hub.close()
        await task
        assert reader.got[-1] == b""

    ran(test)


def test_a_reader_that_the_server_cancels_is_cancelled() -> None:
    async def test() -> None:
        hub, reader = Hub(), Reader()
        task = asyncio.create_task(hub.send_to(reader.receive, reader.send))
        await rested()
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled() and hub.readers == 0

    ran(test)


def test_an_event_is_one_line_of_json() -> None:
    assert event({"at": "/run/a b", "step": 3}) == b'event:room\ndata:{"at":"/run/a b","step":3}\n\n'


def test_who_reads_a_group_gets_signs_of_life_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async def test() -> None:
        monkeypatch.setattr("app.web.teach.rooms.rooms.BEAT", 0.01)
        rooms, reader = Rooms(tmp_path), Reader()
        live, _ = await rooms.open(Room("/run/blue-figure"), "")
        await rooms.begin(live, "eighty-coins")
        assert live.play is not None
        living = asyncio.create_task(rooms.living())
        reading = asyncio.create_task(live.play.groups[0].hub.send_to(reader.receive, reader.send))
        await asyncio.sleep(0.1)
        assert BEATING in reader.got
        await rooms.forget(live)
        await reading
        living.cancel()

    ran(test)
