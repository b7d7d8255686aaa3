"""What happens in the moments in which a room waits for its disk."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from starlette.requests import Request

from app.course.live_run import Gone
from app.web.base.store import Unkept
from app.web.teach.rooms import crowd, presenter_routes
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


def test_a_room_that_is_ended_while_an_activity_begins_has_none(tmp_path: Path) -> None:
    async def trial() -> None:
        rooms = Rooms(tmp_path)
        for first in ("begin", "end"):
            live = rooms.live[await playing(rooms)]
            asked = {"begin": rooms.begin(live, ACTIVITY), "end": rooms.end(live)}
            begun = asyncio.create_task(asked.pop(first))
            await asyncio.sleep(0)
            told = await asyncio.gather(*asked.values(), begun, return_exceptions=True)
            assert [str(each) for each in told if each] == ["this room has ended"]
            assert live.room.ended and live.play is None and live.room.playing is None
            assert not [
                row for table in ("seat", "role", "deed") for row in rooms.journal.rows(f"SELECT * FROM {table}")
            ]

    asyncio.run(trial())


def test_a_vote_of_the_crowd_that_was_undone_stays_gone_if_the_disk_refuses_that_at_first(tmp_path: Path) -> None:
    async def trial() -> None:
        rooms = Rooms(tmp_path)
        live = rooms.live[await playing(rooms)]
        play = live.play
        assert play is not None
        await rooms.made(live, play, play.now())
        await rooms.vote(live, 4, crowd.poll_of(0), crowd.VERDICT, 1, ("right",))
        with closing(sqlite3.connect(rooms.journal.file)) as disk:
            disk.execute("CREATE TRIGGER refuses BEFORE DELETE ON vote BEGIN SELECT RAISE(ABORT, 'no'); END")
            with pytest.raises(Unkept):
                await rooms.back(live, play, again=True)
            disk.execute("DROP TRIGGER refuses")
        await rooms.keep_stage(live, play)
        again = Rooms(tmp_path).live[live.code]
        assert again.play is not None and not again.play.groups[0].run.choices and not again.votes

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


def test_a_floor_that_two_presenters_open_in_one_instant_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presenter_routes, "_offered", lambda request, now: ("start P",))

    async def trial() -> None:
        rooms = Rooms(tmp_path)
        live, _ = await rooms.open(Room("/run/blue-figure"), "teacher")
        request = cast(Request, SimpleNamespace(app=SimpleNamespace(state=SimpleNamespace(rooms=rooms))))
        opening = (presenter_routes.turn(request, live, presenter_routes.Turn(phase="floor")) for _ in range(2))
        assert [document["poll"] for document in await asyncio.gather(*opening)] == [1, 1]

    asyncio.run(trial())


def test_rooms_that_are_opened_in_one_instant_keep_to_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.web.teach.rooms.rooms.MOST", 2)

    async def trial() -> None:
        rooms = Rooms(tmp_path)
        await asyncio.gather(*(rooms.open(Room("/run/blue-figure"), "teacher") for _ in range(6)))
        assert len(rooms.live) == len(rooms.journal.rows("SELECT * FROM room")) == 2

    asyncio.run(trial())


def test_what_cannot_be_written_at_all_is_refused_and_the_next_is_written(tmp_path: Path) -> None:
    async def trial() -> None:
        journal = Journal(tmp_path)
        with pytest.raises(Unkept):
            await journal.write(("REPLACE INTO seat VALUES (?, ?, ?)", ("ABCDEF", 2**70, "a")))
        await journal.write(("REPLACE INTO seat VALUES (?, ?, ?)", ("ABCDEF", 1, "a")))
        assert journal.rows("SELECT * FROM seat") == [("ABCDEF", 1, "a")]

    asyncio.run(asyncio.wait_for(trial(), 30))
