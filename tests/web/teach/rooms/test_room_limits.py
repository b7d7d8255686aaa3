"""The limits of rooms, at their values and one beyond; and a clock that jumps."""

import asyncio
from pathlib import Path

import pytest
from starlette.types import Message

from app.core.model.values import BluecutError
from app.course.question import Question
from app.course.quiz import quiz
from app.run.run import Run
from app.web.base.store import TooOften, Unkept
from app.web.teach.rooms import subject
from app.web.teach.rooms.hub import STUCK, Hub
from app.web.teach.rooms.room import Room
from app.web.teach.rooms.rooms import LASTS, MOST, PAGES, PER_HOUR, QUESTIONS, SEATS, NoRoom, Rooms
from app.web.teach.rooms.secret import WRONG_PER_SECOND
from app.wire.run_url import Address
from tests.web.teach.rooms.people import leave, opened, phone

RUN = Room("/run/blue-figure")
DAY = 86_400.0


class Clock:
    """A clock that is set."""

    now = 1_000 * DAY

    def __call__(self) -> float:
        return self.now


def test_a_server_has_200_rooms_and_the_oldest_empty_one_gives_way(tmp_path: Path) -> None:
    async def trial() -> None:
        rooms = Rooms(tmp_path)
        codes = [(await rooms.open(RUN, f"client {n // PER_HOUR}"))[0].code for n in range(MOST)]
        assert len(rooms.live) == MOST and rooms.find(codes[0])
        await rooms.open(RUN, "another")
        assert len(rooms.live) == MOST
        with pytest.raises(NoRoom):
            rooms.find(codes[0])
        assert rooms.find(codes[1])
        readers = [asyncio.create_task(each.followers.send_to(_never, _nothing)) for each in rooms.live.values()]
        await asyncio.sleep(0)
        with pytest.raises(Unkept, match="has 200 rooms"):
            await rooms.open(RUN, "another")
        for each in readers:
            each.cancel()

    asyncio.run(trial())


async def _never() -> Message:
    await asyncio.sleep(3_600)
    return {"type": "http.disconnect"}


async def _nothing(message: Message) -> None:
    """Take it at once."""


def test_who_guesses_20_codes_in_a_second_is_told_only_of_rooms_of_those_who_are_at_the_address(tmp_path: Path) -> None:
    async def trial() -> None:
        going = Clock()
        rooms = Rooms(tmp_path, going=going)
        live, _ = await rooms.open(RUN, "teacher")
        for number in range(WRONG_PER_SECOND):
            assert rooms.find(live.code, "guesser") is live
            with pytest.raises(NoRoom):
                rooms.find(f"1{number}", "guesser")
        for code in ("1", live.code):
            with pytest.raises(TooOften, match="too many codes"):
                rooms.find(code, "guesser")
        assert rooms.find(live.code, "another") is live
        assert rooms.find(live.code, "guesser", lambda room: room is live) is live
        assert rooms.find(live.code, "guesser") is live
        with pytest.raises(TooOften) as often:
            rooms.find("1", "guesser")
        going.now += often.value.seconds
        with pytest.raises(NoRoom):
            rooms.find("1", "guesser")

    asyncio.run(trial())


def test_a_room_has_5_000_seats(tmp_path: Path) -> None:
    async def trial() -> None:
        rooms = Rooms(tmp_path)
        live, _ = await rooms.open(RUN, "teacher")
        seats = await asyncio.gather(*(rooms.seat(live, None) for _ in range(SEATS)))
        assert [number for number, _ in seats] == [*range(1, SEATS + 1)]
        with pytest.raises(BluecutError, match="5,000 seats, and all are taken"):
            await rooms.seat(live, None)
        assert await rooms.seat(live, seats[-1][1]) == seats[-1]

    asyncio.run(trial())


def test_a_room_ends_after_four_hours_and_outlives_a_clock_that_jumps(tmp_path: Path) -> None:
    async def trial() -> None:
        clock, going = Clock(), Clock()
        rooms = Rooms(tmp_path, clock, going=going)
        live, _ = await rooms.open(RUN, "teacher")
        for days in (0, -400, 400):
            clock.now = (1_000 + days) * DAY
            assert rooms.find(live.code) is live
            assert await rooms.seat(live, None)
            await rooms.keep_time()
            going.now += LASTS / 4
            clock.now += LASTS / 4
            again = Rooms(tmp_path, clock, going=going)  # a server that starts while the clock is wrong
            assert again.find(live.code).code == live.code
        for each in (rooms, again):
            going.now = 1_000 * DAY + LASTS - 1
            assert each.find(live.code)
            going.now += 1
            with pytest.raises(NoRoom):
                each.find(live.code)

    asyncio.run(trial())


def test_the_hour_of_a_client_begins_anew_where_the_clock_jumps(tmp_path: Path) -> None:
    async def trial() -> None:
        clock = Clock()
        rooms = Rooms(tmp_path, clock)
        for jump in (0.0, -DAY, DAY):
            clock.now += jump
            for _ in range(PER_HOUR):
                await rooms.open(RUN, "teacher")
            with pytest.raises(TooOften) as often:
                await rooms.open(RUN, "teacher")
            clock.now += often.value.seconds - 1
            with pytest.raises(TooOften):
                await rooms.open(RUN, "teacher")
            clock.now += 1
            await rooms.open(RUN, "teacher")

    asyncio.run(trial())


def test_a_phone_that_takes_nothing_for_a_minute_is_dropped() -> None:
    async def trial() -> None:
        clock = Clock()
        hub = Hub(clock=clock)

        async def stuck(message: Message) -> None:
            await asyncio.sleep(3_600)

        reading = asyncio.create_task(hub.send_to(_never, stuck))
        await asyncio.sleep(0)
        for later, readers in ((STUCK, 1), (1, 0)):
            clock.now += later
            hub.beat()
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            assert hub.readers == readers
        assert reading.done()

    asyncio.run(trial())


def test_what_is_the_same_for_all_phones_has_its_room(tmp_path: Path) -> None:
    assert Rooms(tmp_path).pages.most == PAGES


def test_a_question_about_a_run_is_made_once_however_many_vote_and_eight_are_kept(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []

    def counted(run: Run, address: Address, number: int, kinds: tuple[str, ...]) -> Question | None:
        made.append(number)
        return quiz(run, address, number, kinds)

    monkeypatch.setattr(subject, "quiz", counted)
    lead = opened(server, "/quiz/three-banks?seed=77")
    lead.post("/phase", {"phase": "vote"})
    people = [phone(lead) for _ in range(5)]
    for each in people:
        assert each.vote("none of them").status_code == 400
    assert made == [0]
    assert lead.post("/phase", {"phase": "follow"}).status_code == 200
    for number in range(2, QUESTIONS + 2):
        assert lead.post("/show", {"at": f"/quiz/three-banks?seed=77&n={number}"}).status_code == 200
    assert lead.post("/show", {"at": "/quiz/three-banks?seed=77"}).status_code == 200
    assert made == [*range(QUESTIONS + 1), 0], "one more than are kept: the first is made again"
    leave()
