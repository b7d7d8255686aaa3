"""What is known about a run while its rows are still arriving, and what they say about I1: its snapshots' orphans.

An *orphan* is a message that was received before the cut, but not sent before it. The set of known orphans only grows
with the rows, whatever their order: new orphans are those known now and not before. So each orphan is found exactly
once, however the rows are divided into portions. What was recorded in the channels (I2) can be judged only when all
rows are there: see ``app.pipeline.stream.channels``.

Only what happened (rows of kind message) and where processes recorded (rows of kind cut) count, not the simulator's
verdict, which is compared with this one in the end.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from app.core.oracle.checks import ROW_CHECKS
from app.pipeline.rows.schema import VERDICT_COLUMNS


class About(NamedTuple):
    """What the row of the run says: the run's address and origin, and how many rows of each kind belong to it."""

    url: str
    algorithm: str
    discipline: str
    scenario: str
    cell: int
    processes: int
    channels: int
    lives: int
    events: int
    messages: int
    cuts: int
    snapshots: int

    @property
    def rows(self) -> int:
        """Return how many rows of the NEEDED kinds the run has, except those of kind recorded: each snapshot says how
        many of these it has."""
        return 1 + self.channels * self.lives + self.messages + self.cuts + self.snapshots


class Channel(NamedTuple):
    """A channel in one life of the run: its ends are places of processes. ``ordered``: does it keep message order?"""

    life: int
    channel: int
    name: str
    source: int
    target: int
    ordered: bool


class Sent(NamedTuple):
    """A message. ``sent`` is None if its sending was undone, ``received`` if it never arrived; ``copied`` is the step
    in which the network made it as a copy of another, None for an original."""

    life: int
    message: int
    channel: int
    sent: int | None
    received: int | None
    lost: bool
    copied: int | None

    def inside(self, cut: "Cut") -> bool:
        """Was it sent before the sender's cut?"""
        return self.sent is not None and self.sent <= cut.cut

    def arrived(self, cut: "Cut") -> bool:
        """Was it received before the receiver's cut?"""
        return self.received is not None and self.received <= cut.cut


class Cut(NamedTuple):
    """Where a process recorded for a snapshot: after which of its events, and in which ``step`` (None: it did not).
    ``part``: does it have a part? ``absent`` is None if it takes part, and otherwise says whether it has left."""

    life: int
    snapshot: int
    process: int
    cut: int
    part: bool
    absent: bool | None
    step: int | None


class Recorded(NamedTuple):
    """A message that a snapshot recorded in a channel."""

    life: int
    snapshot: int
    channel: int
    place: int
    message: int


class Snapshot(NamedTuple):
    """A snapshot. ``open``: was it never aborted? ``done``: was it complete? ``recorded`` counts the messages in its
    channels; ``verdicts`` are the simulator's, in the order of ROW_CHECKS."""

    life: int
    snapshot: int
    open: bool
    done: bool
    recorded: int
    verdicts: Sequence[bool | None]

    def verdict(self, check: str) -> bool | None:
        """Return the simulator's verdict on a check."""
        return self.verdicts[ROW_CHECKS.index(check)]


class Orphan(NamedTuple):
    """A message that was received but not sent before the cut of a snapshot: ``received`` <= ``target_cut``, and
    ``sent`` > ``source_cut``, or None if the sending was undone. Positions count the application events of a process
    from 1."""

    life: int
    snapshot: int
    message: int
    channel: str
    sent: int | None
    source_cut: int
    received: int
    target_cut: int


LISTS: Mapping[str, tuple[str, Callable[..., Any], tuple[str, ...]]] = {
    "channel": ("channels", Channel, Channel._fields),
    "message": ("messages", Sent, Sent._fields),
    "cut": ("cuts", Cut, Cut._fields),
    "recorded": ("recorded", Recorded, Recorded._fields),
}
"""By kind of rows, where ``Known`` has them, what a row becomes there, and from which columns."""

NEEDED: Mapping[str, tuple[str, ...]] = {
    "run": About._fields,
    **{kind: columns for kind, (_, _, columns) in LISTS.items()},
    "snapshot": ("life", "snapshot", "aborted", "completed", "recorded", *VERDICT_COLUMNS.values()),
}
"""The kinds of rows that are needed, and the columns of each."""


@dataclass(slots=True)
class Known:
    """What is known about one run so far. ``rows`` counts those that have arrived."""

    rows: int = 0
    about: About | None = None
    channels: list[Channel] = field(default_factory=list)
    messages: list[Sent] = field(default_factory=list)
    cuts: list[Cut] = field(default_factory=list)
    recorded: list[Recorded] = field(default_factory=list)
    snapshots: list[Snapshot] = field(default_factory=list)

    def add(self, rows: Iterable[tuple[str, Any]]) -> None:
        """Add rows, each with its kind and the columns that are NEEDED of that kind, by name."""
        for kind, row in rows:
            self.rows += 1
            if kind == "run":
                self.about = About(*(row[name] for name in About._fields))
            elif kind == "snapshot":
                done = row["completed"] is not None
                verdicts = [row[name] for name in VERDICT_COLUMNS.values()]
                said = (row["life"], row["snapshot"], done or not row["aborted"], done, row["recorded"] or 0)
                self.snapshots.append(Snapshot(*said, verdicts))
            else:
                place, made, columns = LISTS[kind]
                getattr(self, place).append(made(*(row[name] for name in columns)))

    def and_(self, other: "Known") -> "Known":
        """Return both together."""
        return Known(
            self.rows + other.rows,
            self.about or other.about,
            self.channels + other.channels,
            self.messages + other.messages,
            self.cuts + other.cuts,
            self.recorded + other.recorded,
            self.snapshots + other.snapshots,
        )

    @property
    def whole(self) -> bool:
        """Have all rows of the run arrived?"""
        if self.about is None or len(self.snapshots) < self.about.snapshots:
            return False
        return self.rows == self.about.rows + sum(one.recorded for one in self.snapshots)

    def judged(self) -> dict[tuple[int, int], dict[int, Cut]]:
        """Return by life and snapshot the cut of each process, for the snapshots that can be judged: not aborted, and
        with a part of every process that takes part."""
        if self.about is None:
            return {}
        found: dict[tuple[int, int], dict[int, Cut]] = {}
        stepped: set[tuple[int, int]] = set()
        for cut in self.cuts:
            if cut.part or cut.absent is not None:
                found.setdefault((cut.life, cut.snapshot), {})[cut.process] = cut
            if cut.step is not None:
                stepped.add((cut.life, cut.snapshot))
        wanted = [(one.life, one.snapshot) for one in self.snapshots if one.open]
        return {
            key: found[key]
            for key in wanted
            if key in stepped and key in found and len(found[key]) == self.about.processes
        }

    def orphans(self) -> set[Orphan]:
        """Return all known orphans."""
        judged = self.judged()
        ends = {(one.life, one.channel): one for one in self.channels}
        by_life: dict[int, list[tuple[Sent, Channel]]] = {}
        for message in self.messages:
            if message.received is not None and (channel := ends.get((message.life, message.channel))):
                by_life.setdefault(message.life, []).append((message, channel))
        return {
            Orphan(life, snapshot, one.message, at.name, one.sent, left.cut, one.received or 0, right.cut)
            for (life, snapshot), cut in judged.items()
            for one, at in by_life.get(life, ())
            if one.arrived(right := cut[at.target]) and not one.inside(left := cut[at.source])
        }
