"""What the rows of a run say of I1 while they are still coming: the orphans of its snapshots, whatever the order.

An *orphan* is a message that was received before the cut, and not sent before it. Which orphans are known only grows
with the rows that are known, and does not depend on the order in which they came: what is new is what is known now and
was not known before. So whoever takes rows in portions finds every orphan once, in whichever portion it becomes known.

Only what happened counts (rows of kind message) and where processes recorded (rows of kind cut), not the verdict of the
simulator, with which the own one is compared in the end.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from app.pipeline.rows.schema import CHECKS

NEEDED: Mapping[str, tuple[str, ...]] = {
    "run": (
        *("url", "algorithm", "scenario", "cell", "processes", "channels", "lives", "events", "messages", "cuts"),
        "snapshots",
    ),
    "channel": ("life", "channel", "name", "source", "target"),
    "message": ("life", "message", "channel", "sent", "received"),
    "cut": ("life", "snapshot", "process", "cut", "part", "absent", "step"),
    "snapshot": ("life", "snapshot", "aborted", "completed", *CHECKS),
}
"""The kinds of rows that are needed, and the columns of each."""


class About(NamedTuple):
    """What the row of the run says: where it is, and how many rows of each kind belong to it."""

    url: str
    algorithm: str
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
        """How many rows of the kinds that are NEEDED the run has."""
        return 1 + self.channels * self.lives + self.messages + self.cuts + self.snapshots


class Channel(NamedTuple):
    """A channel in one life of the run: its ends are places of processes."""

    life: int
    channel: int
    name: str
    source: int
    target: int


class Received(NamedTuple):
    """A message that was received. ``sent`` is None where its sending was taken back."""

    life: int
    message: int
    channel: int
    sent: int | None
    received: int


class Cut(NamedTuple):
    """Where a process recorded. ``there`` says whether it has a part or takes none, ``stepped`` whether it recorded in
    a step of the run."""

    life: int
    snapshot: int
    process: int
    cut: int
    there: bool
    stepped: bool


class Snapshot(NamedTuple):
    """A snapshot: was it given up, and what did its simulator say of the checks?"""

    life: int
    snapshot: int
    open: bool
    consistent: bool | None
    complete: bool | None
    conserved: bool | None
    cost: bool | None


class Orphan(NamedTuple):
    """A message that the cut of a snapshot has received and not sent: ``received`` <= ``target_cut``, and ``sent`` >
    ``source_cut`` or None where that was taken back. Positions count the application events of a process from 1."""

    life: int
    snapshot: int
    message: int
    channel: str
    sent: int | None
    source_cut: int
    received: int
    target_cut: int


@dataclass(slots=True)
class Known:
    """What is known of one run so far. ``rows`` counts those that came, the messages never received among them."""

    rows: int = 0
    about: About | None = None
    channels: list[Channel] = field(default_factory=list)
    messages: list[Received] = field(default_factory=list)
    cuts: list[Cut] = field(default_factory=list)
    snapshots: list[Snapshot] = field(default_factory=list)

    def add(self, rows: Iterable[tuple[str, Any]]) -> None:
        """Take rows, each with its kind; they have the columns that are NEEDED of it, by name."""
        for kind, row in rows:
            self.rows += 1
            match kind:
                case "run":
                    self.about = About(*(row[name] for name in About._fields))
                case "channel":
                    self.channels.append(Channel(*(row[name] for name in Channel._fields)))
                case "message":
                    if row["received"] is not None:
                        self.messages.append(Received(*(row[name] for name in Received._fields)))
                case "cut":
                    there = row["part"] or row["absent"] is not None
                    life, snapshot, process, cut = (row[name] for name in ("life", "snapshot", "process", "cut"))
                    self.cuts.append(Cut(life, snapshot, process, cut, bool(there), row["step"] is not None))
                case "snapshot":
                    given_up = row["aborted"] and row["completed"] is None
                    verdicts = (row[name] for name in CHECKS)
                    self.snapshots.append(Snapshot(row["life"], row["snapshot"], not given_up, *verdicts))

    def and_(self, other: "Known") -> "Known":
        """Both together."""
        return Known(
            self.rows + other.rows,
            self.about or other.about,
            self.channels + other.channels,
            self.messages + other.messages,
            self.cuts + other.cuts,
            self.snapshots + other.snapshots,
        )

    @property
    def whole(self) -> bool:
        """Have all rows of the run come?"""
        return self.about is not None and self.rows == self.about.rows

    def judged(self) -> dict[tuple[int, int], dict[int, int]]:
        """By life and snapshot, the cut of each process, where there is one to judge: it was not given up, and every
        process has a part, or takes none."""
        if self.about is None:
            return {}
        found: dict[tuple[int, int], dict[int, int]] = {}
        stepped: set[tuple[int, int]] = set()
        for cut in self.cuts:
            if cut.there:
                found.setdefault((cut.life, cut.snapshot), {})[cut.process] = cut.cut
            if cut.stepped:
                stepped.add((cut.life, cut.snapshot))
        wanted = [(one.life, one.snapshot) for one in self.snapshots if one.open]
        return {
            key: found[key]
            for key in wanted
            if key in stepped and key in found and len(found[key]) == self.about.processes
        }

    def orphans(self) -> set[Orphan]:
        """All orphans that are known."""
        judged = self.judged()
        ends = {(one.life, one.channel): one for one in self.channels}
        by_life: dict[int, list[tuple[Received, Channel]]] = {}
        for message in self.messages:
            if channel := ends.get((message.life, message.channel)):
                by_life.setdefault(message.life, []).append((message, channel))
        return {
            Orphan(life, snapshot, one.message, at.name, one.sent, cut[at.source], one.received, cut[at.target])
            for (life, snapshot), cut in judged.items()
            for one, at in by_life.get(life, ())
            if one.received <= cut[at.target] and (one.sent is None or one.sent > cut[at.source])
        }


@dataclass(frozen=True, slots=True)
class Sums:
    """A run of which all rows have come, in numbers. ``inconsistent`` are its snapshots with orphans, ``differs`` those
    of which the simulator says otherwise; the other three are those that fail a check in the simulator's words."""

    messages: int
    snapshots: int
    judged: int
    inconsistent: int
    differs: int
    complete: int
    conserved: int
    cost: int


def sums(known: Known) -> Sums:
    """The numbers of a run that is known whole."""
    judged, orphaned = known.judged(), {(one.life, one.snapshot) for one in known.orphans()}

    def own(one: Snapshot) -> bool | None:
        key = (one.life, one.snapshot)
        return None if key not in judged else key not in orphaned

    return Sums(
        messages=known.about.messages if known.about else 0,
        snapshots=len(known.snapshots),
        judged=len(judged),
        inconsistent=len(orphaned),
        differs=sum(own(one) is not one.consistent for one in known.snapshots),
        complete=sum(one.complete is False for one in known.snapshots),
        conserved=sum(one.conserved is False for one in known.snapshots),
        cost=sum(one.cost is False for one in known.snapshots),
    )
