"""Causality: the application events of a run, their vector clocks, and cuts.

No process can see any of this. An observer outside the system builds it from notes.

Sources: L. Lamport, "Time, Clocks, and the Ordering of Events in a Distributed System", CACM 21(7), 1978; F. Mattern,
"Virtual Time and Global States of Distributed Systems", 1989 (vector clocks, consistent cuts).
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from operator import itemgetter
from typing import Any

from msgspec.structs import replace

from app.core.model.notes import (
    Aborted,
    Absent,
    Acted,
    Changed,
    Closed,
    Completed,
    Crashed,
    Derived,
    Discarded,
    Done,
    Doubled,
    Joined,
    Left,
    Lost,
    Note,
    Overtook,
    Received,
    Recorded,
    Restored,
    Returned,
    Sent,
    Started,
    Stored,
    Unreachable,
    Unusable,
)
from app.core.model.topology import source_of, target_of
from app.core.model.value import Value
from app.core.model.values import APP, MARKER, Action, Message

SEND, RECEIVE, INTERNAL = "send", "receive", "internal"

NEVER = 1 << 62
"""The index of a sending that did not happen: a rollback removed it."""


class Event(Value):
    """One application event: the ``index``-th (from 1) of its process, made by ``action`` at ``step`` (from 1)."""

    step: int
    process: str
    index: int
    kind: str
    action: Action
    state: Any
    channel: str | None = None
    message: Message | None = None


@dataclass(slots=True)
class Recording:
    """What an observer saw of one snapshot. Steps count from 1; ``cut`` counts the application events of each process
    before it recorded. ``absent`` are the processes that take no part: newcomers after the cut (False), and members
    that left before they recorded (True: all that they did belongs to the past). ``markers`` counts per channel,
    ``controls`` everything else that the algorithm sent for this snapshot."""

    id: int
    started: int
    initiators: list[str] = field(default_factory=list)
    cut: dict[str, int] = field(default_factory=dict)
    recorded: dict[str, int] = field(default_factory=dict)
    records: dict[str, int] = field(default_factory=dict)
    closed: dict[str, int] = field(default_factory=dict)
    done: dict[str, int] = field(default_factory=dict)
    markers: dict[str, int] = field(default_factory=dict)
    controls: int = 0
    completed: int | None = None
    aborted: int | None = None
    unreachable: tuple[str, ...] = ()
    absent: dict[str, bool] = field(default_factory=dict)
    unusable: tuple[str, ...] = ()
    life: "History | None" = None
    """The history to which the snapshot belongs, where a later rollback shortened it."""

    def rejoin(self, process: str) -> None:
        """Forget that the process is absent."""
        self.absent.pop(process, None)
        self.cut.pop(process, None)

    @property
    def whole(self) -> bool:
        """Is it complete, and not undone by a later rollback?"""
        return self.completed is not None and self.aborted is None


@dataclass(slots=True)
class Line:
    """What went through one channel, in order: what was sent, as (index of the event, its place in the history,
    message), and the indices of the events that received. ``latest`` has for each of these the greatest index of a
    sending so far. The first ``kept`` receipts are those of the first messages sent, in their order."""

    source: str
    target: str
    sends: list[tuple[int, int, Message]] = field(default_factory=list)
    receipts: list[int] = field(default_factory=list)
    latest: list[int] = field(default_factory=list)
    kept: int = 0

    def receive(self, index: int, identity: int, sent: int) -> None:
        """Add a receipt: the event's index, the message, and the index of its sending."""
        if self.kept == len(self.receipts) < len(self.sends) and self.sends[self.kept][2].identity == identity:
            self.kept += 1
        self.latest.append(sent if not self.latest or sent > self.latest[-1] else self.latest[-1])
        self.receipts.append(index)


class Index:
    """The events of a history by process, and what went through each channel."""

    def __init__(self, history: "History") -> None:
        self.events: dict[str, list[Event]] = {name: [] for name in history.names}
        self.lines: dict[str, Line] = {}
        for place, event in enumerate(history.events):
            self.events[event.process].append(event)
            if event.channel is None or event.message is None:
                continue
            line = self.lines.get(event.channel)
            if line is None:
                line = self.lines[event.channel] = Line(source_of(event.channel), target_of(event.channel))
            if event.kind == SEND:
                line.sends.append((event.index, place, event.message))
            else:
                identity = event.message.identity
                undone = identity in history.undone
                line.receive(event.index, identity, NEVER if undone else history.sends[identity].index)


class History:
    """The application events of a run in the order in which they happened, and the snapshots taken meanwhile.

    ``sends`` and ``receives`` are indexed by the identity of the message, which copies that a transport resends share.
    A copy that the network makes is a message of its own, sent where the first was. ``twins`` are those copies;
    ``vanished`` is what the network lost, a process discarded or a rollback forgot; ``disordered`` are the channels on
    which something overtook.

    When the system rolls back to a snapshot, what came after its cut has not happened: those events are removed, and
    the history as it was is one of the ``lives``. ``undone`` are the messages whose sending was removed.

    ``came`` and ``went`` are the steps in which newcomers joined and members left for good, ``copied`` those in which
    the network made the twins.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(names)
        self.events: list[Event] = []
        self.counts = dict.fromkeys(self.names, 0)
        self.sends: dict[int, Event] = {}
        self.receives: dict[int, Event] = {}
        self.recordings: dict[int, Recording] = {}
        self.twins: dict[int, Message] = {}
        self.vanished: dict[int, int] = {}
        self.disordered: dict[str, int] = {}
        self.controls = 0
        self.steps = 0
        self.lives: list[History] = []
        self.undone: set[int] = set()
        self.saved: dict[str, tuple[int, ...]] = {}
        self.came: dict[str, int] = {}
        self.went: dict[str, int] = {}
        self.copied: dict[int, int] = {}
        self._index: Index | None = None

    @property
    def index(self) -> Index:
        """Return the events by process and channel; made once, until another step is watched."""
        index = self._index
        if index is None:
            index = self._index = Index(self)
        return index

    def drop_index(self) -> None:
        """Forget the index."""
        self._index = None

    def watch(self, action: Action, notes: Iterable[Note]) -> None:
        """Observe one more step."""
        self.steps += 1
        self._index = None
        sent = received = aside = None
        doing = action
        for note in notes:
            if type(note) is Changed:
                if aside is not None:
                    self._event(aside, note, sent, None)
                    sent = aside = None
                else:
                    self._event(doing, note, sent, received)
                    sent = received = None
                continue
            match note:
                case Sent():
                    if note.control:
                        self._control(note)
                    elif note.message.kind == APP:
                        sent = note
                case Received() if note.message.kind == APP:
                    received = note
                case Acted() if received is not None:
                    aside = note.move  # a move that takes effect before what has arrived
                case Acted():
                    doing = note.move
                case _:
                    if isinstance(note, Discarded):
                        received = None  # its program never sees it
                    if observe := _OBSERVED.get(type(note)):
                        observe(self, note)

    def _event(self, action: Action, changed: Changed, sent: Sent | None, received: Received | None) -> None:
        name = changed.process
        self.counts[name] += 1
        about = sent or received
        kind = SEND if sent else RECEIVE if received else INTERNAL
        channel, message = (about.channel, about.message) if about else (None, None)
        event = Event(self.steps, name, self.counts[name], kind, action, changed.state, channel, message)
        self.events.append(event)
        if message is not None:
            (self.sends if sent else self.receives).setdefault(message.identity, event)

    def _control(self, note: Sent) -> None:
        message = note.message
        self.controls += 1
        if message.snapshot is not None:
            seen = self._recording(message.snapshot)
            if message.kind == MARKER:
                seen.markers[note.channel] = seen.markers.get(note.channel, 0) + 1
            else:
                seen.controls += 1

    def _overtook(self, note: Overtook) -> None:
        self.disordered.setdefault(note.channel, self.steps)

    def _doubled(self, note: Doubled) -> None:
        if note.message.kind == APP:
            self.twins[note.copy.id] = note.message
            self.copied[note.copy.id] = self.steps
            self.disordered.setdefault(note.channel, self.steps)  # a copy may take the place of the first
            self.sends[note.copy.id] = self.sends[note.message.identity]

    def _lost(self, note: Lost | Discarded) -> None:
        if note.message.kind == APP:
            self.vanished.setdefault(note.message.identity, self.steps)

    def _stored(self, note: Stored) -> None:
        self.saved[note.process] = (*self.saved.get(note.process, ()), self.counts[note.process])

    def _returned(self, note: Returned) -> None:
        mine = self.saved[note.process] = self.saved.get(note.process, ())[: note.saved]
        there = tuple(self.receives)
        self._cut_back(self.counts | {note.process: mine[-1] if mine else 0})
        for identity in there:
            if identity not in self.receives:  # it has left the channel, and no process has it
                self.vanished.setdefault(identity, self.steps)

    def _restored(self, note: Restored) -> None:
        cut = dict(self.recordings[note.snapshot].cut) if note.snapshot else {}
        cut |= {name: self.counts[name] for name in note.kept}
        self._cut_back({name: cut.get(name, 0) for name in self.names})
        saves = sum(seen.id <= note.snapshot and seen.whole for seen in self.recordings.values())
        self.saved = {name: mine[:saves] for name, mine in self.saved.items()}
        back = {m.identity for _, messages in note.queues for m in messages}
        self.vanished = {identity: step for identity, step in self.vanished.items() if identity not in back}
        for identity in self.sends:  # what the snapshot has in no state and no channel has vanished
            if not (identity in back or identity in self.receives or identity in self.undone):
                self.vanished.setdefault(identity, self.steps)

    def _cut_back(self, cut: dict[str, int]) -> None:
        """Remove what is outside the cut, and count the clocks anew."""
        life = copy(self)
        life.recordings = {}
        self.lives.append(life)
        for seen in self.recordings.values():
            seen.life = seen.life or (life if seen.completed or seen.aborted else None)
        kept = [e for e in self.events if self.inside(e, cut)]
        out = {e.message.identity for e in self.events if e.kind == SEND and e.message and not self.inside(e, cut)}
        out |= {copy for copy, message in self.twins.items() if message.identity in out}
        self.events, self.counts, self.undone = kept, dict(cut), self.undone | out
        self.receives = {e.message.identity: e for e in kept if e.kind == RECEIVE and e.message}
        self.vanished = {identity: step for identity, step in self.vanished.items() if identity not in self.undone}
        self.twins = {copy: message for copy, message in self.twins.items() if copy not in self.undone}
        self.disordered = dict(self.disordered)
        self.sends, self.saved = dict(self.sends), dict(self.saved)
        self.__dict__.pop("clocks", None)

    def lost(self, identity: int) -> bool:
        """Was the message lost for good, in flight or discarded? A copy may have arrived in its place."""
        return identity in self.vanished and identity not in self.receives

    def _started(self, note: Started) -> None:
        self._recording(note.snapshot).initiators.append(note.process)

    def _unreachable(self, note: Unreachable) -> None:
        self._recording(note.snapshot).unreachable = note.processes

    def _recorded(self, note: Recorded) -> None:
        seen = self._recording(note.snapshot)
        seen.records[note.process] = seen.records.get(note.process, 0) + 1
        if note.process in seen.absent:  # who records takes part, whatever the algorithm says
            seen.rejoin(note.process)
        seen.cut.setdefault(note.process, self.counts[note.process])
        seen.recorded.setdefault(note.process, self.steps)

    def _closed(self, note: Closed | Derived) -> None:
        self._recording(note.snapshot).closed.setdefault(note.channel, self.steps)

    def _done(self, note: Done) -> None:
        self._recording(note.snapshot).done.setdefault(note.process, self.steps)

    def _completed(self, note: Completed) -> None:
        self._recording(note.snapshot).completed = self.steps

    def _aborted(self, note: Aborted) -> None:
        self._recording(note.snapshot).aborted = self.steps

    def _absent(self, note: Absent) -> None:
        seen = self._recording(note.snapshot)
        seen.absent[note.process] = note.inside
        seen.cut.setdefault(note.process, self.counts[note.process] if note.inside else 0)

    def _joined(
        self, note: Joined
    ) -> None:  # it takes part in every snapshot for which this step does not say otherwise
        self.came[note.process] = self.steps
        for seen in self.recordings.values():
            seen.rejoin(note.process)

    def _departed(self, note: Crashed | Left) -> None:
        self.went[note.process] = self.steps

    def _unusable(self, note: Unusable) -> None:
        seen = self._recording(note.snapshot)
        seen.unusable = (*seen.unusable, note.process)

    def _recording(self, number: int) -> Recording:
        seen = self.recordings.get(number)
        if seen is None:
            seen = self.recordings[number] = Recording(number, self.steps)
        return seen

    def inside(self, event: Event, cut: dict[str, int]) -> bool:
        """Did ``event`` happen before its process recorded? The paper calls such an event *prerecording*."""
        return event.index <= cut.get(event.process, 0)

    @cached_property
    def clocks(self) -> dict[tuple[str, int], tuple[int, ...]]:
        """Return the vector clock of each application event, by process and index: how many events of each process it
        knows of. No clock counts a sending that was removed."""
        place = {name: i for i, name in enumerate(self.names)}
        current = {name: (0,) * len(self.names) for name in self.names}
        clocks: dict[tuple[str, int], tuple[int, ...]] = {}
        for event in self.events:
            mine = list(current[event.process])
            if event.kind == RECEIVE and event.message is not None and event.message.identity not in self.undone:
                send = self.sends[event.message.identity]
                mine = list(map(max, mine, clocks[send.process, send.index]))
            mine[place[event.process]] = event.index
            clocks[event.process, event.index] = current[event.process] = tuple(mine)
        return clocks

    def relation(self, left: Event, right: Event) -> str:
        """Return ``before`` if the left event happened before the right one, ``after`` if it is the other way round,
        and ``beside`` if neither holds."""
        if self._knows(right, left):
            return "before"
        return "after" if self._knows(left, right) else "beside"

    def _knows(self, event: Event, other: Event) -> bool:
        return self.clocks[event.process, event.index][self.names.index(other.process)] >= other.index

    def consistent(self, cut: dict[str, int]) -> bool:
        """Is nothing received inside the cut that was sent outside it? Then no event inside knows of one outside."""
        return all(
            not count or line.latest[count - 1] <= cut.get(line.source, 0)
            for line in self.index.lines.values()
            for count in (bisect_right(line.receipts, cut.get(line.target, 0)),)
        )

    def orphans(self, cut: dict[str, int]) -> list[Message]:
        """Return the messages received inside the cut whose sending is outside it or was removed."""
        return [
            e.message
            for e in self.events
            if e.kind == RECEIVE
            and e.message
            and self.inside(e, cut)
            and (e.message.identity in self.undone or not self.inside(self.sends[e.message.identity], cut))
        ]

    def crossing(self, cut: dict[str, int]) -> dict[str, list[Message]]:
        """Return, by channel, the messages sent inside the cut and neither received inside it nor lost, in the order
        sent; copies that the network made come last."""
        sent: list[tuple[int, str, Message]] = []
        for channel, line in self.index.lines.items():
            arrived = bisect_right(line.receipts, cut.get(line.target, 0))
            inside = bisect_right(line.sends, cut.get(line.source, 0), key=itemgetter(0))
            between = islice(line.sends, min(arrived, line.kept), inside)
            sent += ((place, channel, message) for _, place, message in between)
        sent.sort(key=itemgetter(0))
        for identity, message in self.twins.items():
            event = self.sends[identity]
            if event.channel and self.inside(event, cut):
                sent.append((NEVER, event.channel, replace(message, id=identity, origin=None)))
        found: dict[str, list[Message]] = {}
        for _, channel, message in sent:
            if not self.lost(message.identity):
                arrival = self.receives.get(message.identity)
                if arrival is None or not self.inside(arrival, cut):
                    found.setdefault(channel, []).append(message)
        return found

    def reordered(self, cut: dict[str, int]) -> tuple[list[Event], int]:
        """Return the run of Theorem 1 and the position of the cut in it: all prerecording events, then all others.

        Neighbours in the wrong order are swapped until none are left; the order of two events of one process, and of a
        send and its receipt, never changes when the cut is consistent. The result is a stable partition.
        """
        before = [e for e in self.events if self.inside(e, cut)]
        after = [e for e in self.events if not self.inside(e, cut)]
        return before + after, len(before)


_OBSERVED: dict[type[Note], Callable[[History, Any], None]] = {
    Aborted: History._aborted,
    Absent: History._absent,
    Closed: History._closed,
    Completed: History._completed,
    Crashed: History._departed,
    Derived: History._closed,
    Discarded: History._lost,
    Done: History._done,
    Doubled: History._doubled,
    Joined: History._joined,
    Left: History._departed,
    Lost: History._lost,
    Overtook: History._overtook,
    Recorded: History._recorded,
    Restored: History._restored,
    Returned: History._returned,
    Started: History._started,
    Stored: History._stored,
    Unreachable: History._unreachable,
    Unusable: History._unusable,
}
"""What the observer does with a note, except those that make up an event; all others tell it nothing."""
