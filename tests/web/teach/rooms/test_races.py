"""What happens in the moments in which a room waits for its disk."""

import asyncio
from pathlib import Path

import pytest

from app.course.live_run import Gone
from app.web.base.store import Unkept
from app.web.teach.rooms.journal import Journal
from app.web.teach.rooms.room import Room
from app.web.teach.rooms.rooms import Rooms

ACTIVITY = "eighty-coins"


async def playing(rooms: Rooms) -> str:
    """Let a class of four play; return the code of its room."""
    live, _ = await rooms.open(Room("/run/blue-figure"), "teacher")
    for _ in range(4):
        await rooms.seat(live, None)
    await rooms.begin(live, ACTIVITY)
    return live.code


def test_a_deed_that_is_written_while_the_activity_is_ended_does_not_come_back_in_the_next(tmp_path: Path) -> None:
    async def trial() -> None:
        rooms = Rooms(tmp_path)
        live = rooms.live[await playing(rooms)]
        play = live.play
        assert play is not None
        doing = asyncio.create_task(rooms.made(live, play, play.now()))
        await asyncio.sleep(0)
        await rooms.stop(live)
        with pytest.raises(Gone, match="stopped the round"):
            await doing
        assert rooms.journal.rows("SELECT * FROM deed") == []
        await rooms.begin(live, ACTIVITY)
        again = Rooms(tmp_path).live[live.code].play
        assert again is not None and not again.groups[0].run.choices

    asyncio.run(trial())


def test_an_activity_that_is_begun_twice_at_once_is_one_and_lets_nobody_wait_in_the_other(tmp_path: Path) -> None:
    async def trial() -> None:
        rooms = Rooms(tmp_path)
        live = rooms.live[await playing(rooms)]
        await asyncio.gather(rooms.begin(live, ACTIVITY), rooms.begin(live, ACTIVITY))
        play = live.play
        assert play is not None and live.room.playing is not None
        assert sorted(play.groups[0].roles) == [1, 2, 3, 4]
        again = Rooms(tmp_path).live[live.code].play
        assert again is not None and again.groups[0].roles == play.groups[0].roles

    asyncio.run(trial())


def test_while_roles_are_written_nobody_plays_yet(tmp_path: Path) -> None:
    async def trial() -> None:
        rooms = Rooms(tmp_path)
        live = rooms.live[await playing(rooms)]
        beginning = asyncio.create_task(rooms.begin(live, ACTIVITY))
        await asyncio.sleep(0)
        for _ in range(1_000):
            assert live.play is None or live.room.playing is not None
            await asyncio.sleep(0)
        await beginning
        assert live.play is not None

    asyncio.run(trial())


def test_what_cannot_be_written_at_all_is_refused_and_the_next_is_written(tmp_path: Path) -> None:
    async def trial() -> None:
        journal = Journal(tmp_path)
        with pytest.raises(Unkept):
            await journal.write(("REPLACE INTO seat VALUES (?, ?, ?)", ("ABCDEF", 2**70, "a")))
        await journal.write(("REPLACE INTO seat VALUES (?, ?, ?)", ("ABCDEF", 1, "a")))
        assert journal.rows("SELECT * FROM seat") == [("ABCDEF", 1, "a")]

    asyncio.run(asyncio.wait_for(trial(), 30))
