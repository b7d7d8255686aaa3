"""Rooms as rows of the journal: its tables, the statements that write, and what is read when the server starts."""

import logging
from collections.abc import Callable, Iterator
from typing import TypeAlias

import msgspec

from app.compact_json import compact
from app.core.model.values import BluecutError
from app.course.activity_store import Activities
from app.web.teach.rooms.live_room import LiveRoom
from app.web.teach.rooms.play import Done, Group, Play
from app.web.teach.rooms.room import Room

TABLES = """
CREATE TABLE IF NOT EXISTS room (
  code TEXT PRIMARY KEY, token TEXT NOT NULL, opened REAL NOT NULL, document TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS seat (
  code TEXT, number INTEGER, token TEXT NOT NULL, PRIMARY KEY (code, number)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS vote (
  code TEXT, poll INTEGER, round INTEGER, seat INTEGER, turn INTEGER NOT NULL, answer TEXT NOT NULL,
  PRIMARY KEY (code, poll, round, seat)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS role (
  code TEXT, seat INTEGER, team INTEGER NOT NULL, role TEXT NOT NULL, PRIMARY KEY (code, seat)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS deed (
  code TEXT, round INTEGER, team INTEGER, place INTEGER, choice INTEGER NOT NULL, seat INTEGER, turn INTEGER,
  PRIMARY KEY (code, round, team, place)) WITHOUT ROWID;
"""

Cell: TypeAlias = str | int | float
Row: TypeAlias = tuple[Cell, ...]
Statement: TypeAlias = tuple[str, Row]

logger = logging.getLogger("bluecut")


def read(
    select: Callable[[str], list[Row]],
    activities: Activities,
    until: Callable[[float], float],
    clock: Callable[[], float],
) -> dict[str, LiveRoom]:
    """Return the rooms by their codes, as ``select`` finds them; ``until`` says when a room ends that was opened at a
    time of day, and the rounds of activities end by the ``clock``. What cannot be read is left out."""
    found: dict[str, LiveRoom] = {}

    def room(code: Cell, token: Cell, opened: Cell, text: Cell) -> None:
        document = msgspec.json.decode(str(text), type=Room)
        found[str(code)] = LiveRoom(str(code), str(token), float(opened), document, until(float(opened)))

    def seat(code: Cell, number: Cell, token: Cell) -> None:
        if str(code) in found:
            found[str(code)].seats[str(token)] = int(number)

    def vote(code: Cell, poll: Cell, round_: Cell, seat: Cell, turn: Cell, answer: Cell) -> None:
        if str(code) in found:
            given = int(turn), msgspec.json.decode(str(answer), type=tuple[str, ...])
            found[str(code)].votes.setdefault((int(poll), int(round_)), {})[int(seat)] = given

    for table, take in (("room", room), ("seat", seat), ("vote", vote)):
        _take_all(select(f"SELECT * FROM {table}"), take)
    _read_plays(select, activities, clock, found)
    for live in found.values():
        live.kept = live.room.version
        live.publish()
    return found


def _take_all(rows: list[Row], take: Callable[..., None]) -> None:
    """Take in rows. One of another version, or damaged, must not keep everybody out of all rooms."""
    wrong: list[Exception] = []
    for row in rows:
        try:
            take(*row)
        except (msgspec.MsgspecError, TypeError, ValueError) as error:
            wrong.append(error)
    if wrong:
        logger.warning("%d rows of rooms cannot be read, and are left out: %s", len(wrong), wrong[0])


def _read_plays(
    select: Callable[[str], list[Row]], activities: Activities, clock: Callable[[], float], found: dict[str, LiveRoom]
) -> None:
    """Read the activities that are going on."""
    for live in found.values():
        now = live.room.playing
        known = activities.known().get(now.name) if now is not None else None
        if now is not None and known is not None and now.round < len(known.form.rounds):
            live.play = Play(known, now.groups, clock)
            live.play.round, live.play.stage, live.play.frozen = now.round, now.stage, now.frozen
            live.play.ends, live.play.backs = now.ends, now.again
    for code, seat, team, role in select("SELECT * FROM role"):
        if (there := found.get(str(code))) is not None and there.play is not None:
            there.play.group(int(team)).roles[int(seat)] = str(role)
    for code, round_, team, _, choice, seat, turn in select("SELECT * FROM deed ORDER BY place"):
        there = found.get(str(code))
        if there is not None and there.play is not None:
            try:
                there.play.group(int(team)).read(int(round_), there.play.round, (int(choice), int(seat), int(turn)))
            except (BluecutError, IndexError) as error:  # of an earlier version, or damaged
                logger.warning("the activity of a room cannot go on: %s", error)
                there.play = None


def of_room(live: LiveRoom) -> Iterator[Statement]:
    """Yield all that is known of a room, for a new file."""
    yield insert_room(live)
    for token, number in live.seats.items():
        yield insert_seat(live, number, token)
    for (poll, round_), votes in live.votes.items():
        for seat, (turn, answer) in votes.items():
            yield insert_vote(live, poll, round_, seat, turn, answer)
    if (play := live.play) is not None:
        for group in play.groups:
            yield from (insert_role(live, seat, group) for seat in group.roles)
            yield from insert_deeds(live, play, group, 0)
            for round_, deeds in group.past.items():
                yield from _done(live, group, round_, deeds)


def insert_room(live: LiveRoom) -> Statement:
    """Return what writes a new room."""
    return "REPLACE INTO room VALUES (?, ?, ?, ?)", (live.code, live.token, live.opened, _text(live.room))


def _text(room: Room) -> str:
    return msgspec.json.encode(room).decode()


def update_document(live: LiveRoom) -> Statement:
    """Return what writes a room's document."""
    return "UPDATE room SET document = ? WHERE code = ?", (_text(live.room), live.code)


def update_opened(live: LiveRoom) -> Statement:
    """Return what writes when a room was opened, after the clock was set."""
    return "UPDATE room SET opened = ? WHERE code = ?", (live.opened, live.code)


def insert_seat(live: LiveRoom, number: int, token: str) -> Statement:
    """Return what writes who has a seat."""
    return "REPLACE INTO seat VALUES (?, ?, ?)", (live.code, number, token)


def insert_vote(live: LiveRoom, poll: int, round_: int, seat: int, turn: int, answer: tuple[str, ...]) -> Statement:
    """Return what writes a vote; of two of a seat, the one of the later turn stays."""
    return (
        "INSERT INTO vote VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE "
        "SET turn = excluded.turn, answer = excluded.answer WHERE excluded.turn > turn",
        (live.code, poll, round_, seat, turn, compact(list(answer))),
    )


def insert_deeds(live: LiveRoom, play: Play, group: Group, begin: int) -> Iterator[Statement]:
    """Yield what writes the steps of a group in this round, from the one at ``begin``."""
    yield from _done(live, group, play.round, group.deeds(), begin)


def _done(live: LiveRoom, group: Group, round_: int, deeds: list[Done], begin: int = 0) -> Iterator[Statement]:
    for place, deed in enumerate(deeds[begin:], begin):
        yield "REPLACE INTO deed VALUES (?, ?, ?, ?, ?, ?, ?)", (live.code, round_, group.number, place, *deed)


def delete_undone_deeds(live: LiveRoom, play: Play, group: Group) -> Statement:
    """Return what removes the steps of a group that the presenter has undone."""
    return (
        "DELETE FROM deed WHERE code = ? AND team = ? AND (round > ? OR (round = ? AND place >= ?))",
        (live.code, group.number, play.round, play.round, len(group.run.choices)),
    )


def insert_role(live: LiveRoom, seat: int, group: Group) -> Statement:
    """Return what writes the role of a seat."""
    return "REPLACE INTO role VALUES (?, ?, ?, ?)", (live.code, seat, group.number, group.roles[seat])


def delete_votes(code: str, least: int = 0) -> Statement:
    """Return what removes the votes of the crowd of an activity in polls below the ``least``."""
    return "DELETE FROM vote WHERE code = ? AND poll < ?", (code, least)


def delete(table: str, code: str) -> Statement:
    """Return what removes a room from a table."""
    return f"DELETE FROM {table} WHERE code = ?", (code,)
