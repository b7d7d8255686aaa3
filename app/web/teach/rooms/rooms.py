"""All rooms of a server: who is in them, what was voted, and who hears of it."""

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from app.cache import Cache
from app.core.model.values import BluecutError
from app.course.activity_store import Activities
from app.course.live_run import Gone
from app.course.question import Question
from app.web.base.errors import NoSuchStep
from app.web.base.quota import Quota
from app.web.base.store import Full, TooOften, Unkept
from app.web.teach.rooms import crowd, rows, secret
from app.web.teach.rooms.hub import BEAT
from app.web.teach.rooms.journal import Journal
from app.web.teach.rooms.live_room import LiveRoom
from app.web.teach.rooms.play import Group, Made, Play, groups_for
from app.web.teach.rooms.room import CROWD, KEPT, MadeRun, Playing, Room, ended

MOST = 200
"""The most rooms of a server."""
PER_HOUR = 20
"""The most rooms that one client opens in an hour."""
SEATS = 5_000
"""The most seats of a room."""
LASTS = 4 * 3_600
"""Seconds after which a room ends by itself."""
SET = 60.0
"""Seconds by which the time of day must jump before the disk is told."""
PAGES = 32_000_000
"""The most bytes of the pages that are the same for all phones."""
QUESTIONS = 8
"""The most questions about runs that are kept: each vote is compared with one. A question can hold on to its run."""

logger = logging.getLogger("bluecut")


def _awake() -> float:
    """Return seconds that nobody sets, and that go on while the machine sleeps, where it can say so."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


class NoRoom(NoSuchStep):
    """There is no room with a code."""


class Rooms:
    """The rooms of a server, as its data folder has them."""

    def __init__(
        self,
        folder: Path,
        clock: Callable[[], float] = time.time,
        activities: Activities | None = None,
        going: Callable[[], float] = _awake,
    ) -> None:
        """Begin with what is in the folder. The ``clock`` says how old rooms are that are read; from then on they age,
        and people wait in them, by one that is ``going``, whatever the time of day is set to."""
        self.journal = Journal(folder, self._whole)
        self.clock, self.going = clock, going
        self._apart = clock() - going()
        self.activities = activities or Activities()
        self.pages: Cache[tuple[object, ...], bytes] = Cache(PAGES, len)
        self.questions: Cache[str, Question] = Cache(QUESTIONS, lambda _: 1)
        self._live: dict[str, LiveRoom] | None = None
        self._guesses = Quota(1, going)
        self._openers = Quota(3_600, clock)

    @property
    def live(self) -> dict[str, LiveRoom]:
        """The rooms by their codes."""
        if self._live is None:
            self._live = rows.read(self.journal.rows, self.activities, self._until, self.going)
        return self._live

    def find(self, typed: str, address: str = "", is_in: Callable[[LiveRoom], bool] = lambda live: False) -> LiveRoom:
        """Return the room of a code. Raises NoRoom, or TooOften if too many codes from the address were wrong just now:
        then a right one may be guessed, and is refused, too, unless somebody there ``is_in`` the room."""
        code = secret.typed(typed)
        live = self.live.get(code)
        guesses = self._guesses.reached(secret.WRONG_PER_SECOND, address)
        if live is not None and self.going() < live.until:
            if address not in live.addresses and len(live.addresses) < SEATS and is_in(live):
                live.addresses.add(address)
            if address in live.addresses or not guesses:
                return live
        if guesses:
            raise TooOften("too many codes that are not those of a room; wait a second, and try again", 1)
        self._guesses.spent(secret.WRONG_PER_SECOND, address)
        raise NoRoom(
            "there is no room {code}; look at the code once more: it has six letters and digits", code=code[:12]
        )

    async def open(self, room: Room, client: str) -> tuple[LiveRoom, str]:
        """Return a new room, and the token of its presenter. Raises TooOften, and Full if there is no more place."""
        await self._forget_old()
        self._count(client)
        while len(self.live) >= MOST:  # others are opened while one is forgotten
            empty = [each for each in self.live.values() if not each.followers.readers and not each.presenters.readers]
            if not empty:
                raise Full("this server has {most} rooms, and people are in each; try again later", most=MOST)
            await self.forget(min(empty, key=lambda each: each.opened))
        code = secret.new_code()
        while code in self.live:
            code = secret.new_code()
        token = secret.new_token()
        live = LiveRoom(code, secret.digest(token), self.clock(), room, self.going() + LASTS)
        live.addresses.add(client)
        self.live[code] = live
        try:
            await self.journal.write(rows.insert_room(live))
        except Unkept:
            self.live.pop(code, None)
            raise
        live.kept = room.version
        live.publish()
        return live, token

    async def change(self, live: LiveRoom, room: Room, *also: rows.Statement) -> None:
        """Let a room go on: everybody is told at once, and the caller when it is on the disk, with what else is to be
        written. Raises BluecutError if the room is ended."""
        if room != live.room:
            if live.room.ended:
                raise BluecutError("this room has ended")
            live.room = replace(room, version=live.room.version + 1)
            live.publish()
        if live.kept < (version := live.room.version) or also:
            await self.journal.write(*also, rows.update_document(live))
            live.kept = max(live.kept, version)

    async def seat(self, live: LiveRoom, token: str | None) -> tuple[int, str]:
        """Return the seat of a token, or a new one with its token. Raises BluecutError if all are taken."""
        if token is not None and (known := live.seats.get(secret.digest(token))) is not None:
            return known, token
        number = next(reversed(live.seats.values()), 0) + 1
        if len(live.seats) >= SEATS:
            raise BluecutError("a room has {most:,} seats, and all are taken", most=SEATS)
        token = secret.new_token()
        mine = secret.digest(token)
        live.seats[mine] = number
        try:
            await self.journal.write(rows.insert_seat(live, number, mine))
        except Unkept:
            live.seats.pop(mine, None)
            raise
        return number, token

    async def vote(
        self, live: LiveRoom, seat: int, poll: int, round_: int, turn: int, answer: tuple[str, ...]
    ) -> tuple[int, tuple[str, ...]]:
        """Count an answer to a poll, and return what is counted for the seat now, with its turn: a later answer
        replaces an earlier one, and a repeated request changes nothing."""
        mine = live.votes.setdefault((poll, round_), {})
        known = mine.get(seat)
        if known is not None and known[0] >= turn:
            return known
        await self.journal.write(rows.insert_vote(live, poll, round_, seat, turn, answer))
        if seat not in mine or mine[seat][0] < turn:
            mine[seat] = (turn, answer)
        live.count_soon()
        return mine[seat]

    # --- activities -------------------------------------------------------------------------------------------------

    async def begin(self, live: LiveRoom, name: str) -> None:
        """Let the class be the system: everybody gets a role. Raises BluecutError if the room is ended meanwhile."""
        await self.stop(live)
        activity = self.activities.known()[name]
        roles = activity.scenario.topology
        groups = groups_for(len(live.seats), len(roles.names) + len(roles.channels))
        play = Play(activity, groups, self.going)
        seats = sorted(live.seats.values())
        await self.journal.write(*(rows.insert_role(live, seat, play.seated(seat)) for seat in seats))
        if live.room.ended:
            await self.journal.write(rows.delete("role", live.code))
            raise BluecutError("this room has ended")
        _let_go(live)  # of another request, in the meantime
        live.play = play
        await self.change(live, replace(live.room, playing=Playing(name, groups, begun=live.room.version)))

    async def join(self, live: LiveRoom, seat: int) -> Group:
        """Return the group of a seat, which gets a role if it has none."""
        play = live.play
        assert play is not None
        known = any(seat in group.roles for group in play.groups)
        group = play.seated(seat)
        if not known:
            try:
                await self.journal.write(rows.insert_role(live, seat, group))
            except Unkept:
                group.roles.pop(seat, None)
                raise
        return group

    async def made(
        self, live: LiveRoom, play: Play, made: Made, seat: int | None = None, turn: int | None = None
    ) -> None:
        """Write what was done, for whom, and let the presenter know. Raises Gone if the activity was ended meanwhile,
        of which nothing may be written any more."""
        groups = [play.groups[number] for number in dict.fromkeys(number for number, _ in made)]
        if seat:
            for group in groups:
                group.by[len(group.run.choices) - 1] = seat, turn or 0
        live.count_soon()
        await self.keep_stage(live, play)
        for group in groups:
            await self.keep_deeds(live, play, group)

    async def keep_deeds(self, live: LiveRoom, play: Play, group: Group) -> None:
        """Write what a group has done, as far as it is not on the disk yet. Raises Gone, see ``made``."""
        _still(live, play)
        run, end = group.run, len(group.run.choices)
        if group.kept < end:
            await self.journal.write(*rows.insert_deeds(live, play, group, group.kept))
            if group.run is run:
                group.kept = max(group.kept, end)

    async def keep_stage(self, live: LiveRoom, play: Play) -> None:
        """Let the document say where the activity is, and the disk forget what was undone. Raises Gone as ``made``."""
        now = _still(live, play)
        told = replace(now, round=play.round, stage=play.stage, frozen=play.frozen, ends=play.ends, again=play.backs)
        cut = [group for group in play.groups if group.cut]
        gone = [rows.delete_undone_deeds(live, play, group) for group in cut]
        if cut:
            gone.append(rows.delete_votes(live.code, min([0, *(poll for poll, _ in live.votes)])))
        await self.change(live, replace(live.room, playing=told), *gone)
        for group in cut:
            group.cut = False

    async def back(self, live: LiveRoom, play: Play, again: bool) -> None:
        """Undo what the presenter has led to last in the activity, or play the round ``again``. Votes of the crowd on
        what is gone are forgotten."""
        before = play.round
        if again:
            play.again()
        else:
            play.undo()
        least = crowd.poll_of(play.round) + (play.round == before)
        live.votes = {key: votes for key, votes in live.votes.items() if key[0] >= least}
        await self.keep_stage(live, play)

    async def stop(self, live: LiveRoom) -> None:
        """End the activity, but not the room."""
        await self._without_play(live, live.room)

    async def end(self, live: LiveRoom) -> None:
        """End a room: seats are forgotten, counts and runs stay until the room is too old."""
        live.seats.clear()
        await self._without_play(live, ended(live.room), rows.delete("seat", live.code))
        live.followers.close()

    async def _without_play(self, live: LiveRoom, room: Room, *also: rows.Statement) -> None:
        """Let a room go on without its activity. Nobody sees it half done, and who repeats the request if the disk
        refuses it ends it there, too."""
        room = replace(room, made=(*room.made, *_made(live))[-KEPT:])
        _let_go(live)
        live.votes = {key: votes for key, votes in live.votes.items() if key[0] > 0}
        gone = (rows.delete(table, live.code) for table in ("role", "deed"))
        await self.change(live, replace(room, playing=None), *gone, rows.delete_votes(live.code), *also)

    async def forget(self, live: LiveRoom) -> None:
        """Let nothing of a room remain."""
        self.live.pop(live.code, None)
        for hub in live.hubs:
            hub.close()
        await self.journal.write(*(rows.delete(table, live.code) for table in ("room", "seat", "vote", "role", "deed")))

    async def living(self) -> None:
        """Send signs of life, and forget old rooms, as long as the server runs."""
        while True:
            await asyncio.sleep(BEAT)
            if self._live:
                await self.keep_time()
                for live in list(self._live.values()):
                    for hub in live.hubs:
                        hub.beat()
                await self._forget_old()

    async def keep_time(self) -> None:
        """Let the disk say anew when rooms were opened, if the time of day was set: else a restart would take them for
        older than they are, and forget them."""
        apart = self.clock() - self.going()
        by, self._apart = apart - self._apart, apart
        if abs(by) < SET:
            return
        for live in self.live.values():
            live.opened += by
        with suppress(Unkept):  # it is written with the next file
            await self.journal.write(*(rows.update_opened(live) for live in self.live.values()))

    async def playing(self) -> None:
        """Let happen, once a second, what waits for nobody, as long as the server runs."""
        while True:
            await asyncio.sleep(1)
            for live in list((self._live or {}).values()):
                try:
                    await self._go_on(live)
                except Unkept:  # the journal has said so; what was made is written with what comes next
                    continue
                except Exception:  # the other rooms go on
                    logger.exception("a room cannot go on by itself")

    async def _go_on(self, live: LiveRoom) -> None:
        if (play := live.play) is None:
            return
        if made := play.moved(live.votes.get((crowd.poll_of(play.round), crowd.NEXT))):
            with suppress(Gone):
                await self.made(live, play, made)

    def close(self) -> None:
        """Let all readers go."""
        for live in (self._live or {}).values():
            for hub in live.hubs:
                hub.close()

    async def _forget_old(self) -> None:
        """Forget the rooms that are too old."""
        for live in [each for each in self.live.values() if self.going() >= each.until]:
            with suppress(Unkept):  # the next start forgets it
                await self.forget(live)

    def _count(self, client: str) -> None:
        if self._openers.spent(PER_HOUR, client):
            left = self._openers.left
            raise TooOften("you have opened {most} rooms in this hour; go on in one of them", left, most=PER_HOUR)

    def _until(self, opened: float) -> float:
        """Return when a room ends that was opened at a time of day."""
        return self.going() + LASTS - max(0.0, self.clock() - opened)

    def _whole(self) -> list[rows.Statement]:
        """Return all that is known, for a new file."""
        return [one for live in (self._live or {}).values() for one in rows.of_room(live)]


def _made(live: LiveRoom) -> list[MadeRun]:
    """Return the runs that people have made in the activity, if there is one."""
    if live.play is None or live.room.playing is None:
        return []
    name, several = live.room.playing.name, len(live.play.groups) > 1
    return [
        MadeRun(address, name, number, (CROWD if group.crowd else group.number) if several else None)
        for number, group, address in live.play.runs()
    ]


def _let_go(live: LiveRoom) -> None:
    """End the activity for those who play it, if there is one."""
    for group in live.play.groups if live.play is not None else ():
        group.hub.close()
    live.play = None


def _still(live: LiveRoom, play: Play) -> Playing:
    """Return what the document says of an activity. Raises Gone if it is not that of the room any more."""
    if live.play is not play or live.room.playing is None:
        raise Gone("the presenter has stopped the round")
    return live.room.playing
