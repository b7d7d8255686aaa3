"""What happened before what: the application events of a run, their vector clocks, and cuts.

No process can see any of this. It is built from notes by an observer that stands outside the system.

Sources: L. Lamport, "Time, Clocks, and the Ordering of Events in a Distributed System", CACM 21(7), 1978; F. Mattern,
"Virtual Time and Global States of Distributed Systems", 1989 (vector clocks, consistent cuts).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from app.core.model import APP, MARKER, Action, Message
from app.core.notes import (
    Aborted,
    Absent,
    Changed,
    Closed,
    Completed,
    Derived,
    Discarded,
    Done,
    Doubled,
    Joined,
    Lost,
    Merged,
    Note,
    Overtook,
    Received,
    Recorded,
    Sent,
    Started,
    Unreachable,
    Unusable,
)

SEND, RECEIVE, INTERNAL = "send", "receive", "internal"


FAULTS = (Lost, Discarded, Doubled, Overtook)


@dataclass(frozen=True, slots=True)
class Event:
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
    """What an observer saw of one snapshot. Steps count from 1; ``cut`` counts the application events of each
    process before it recorded. ``absent`` take no part: newcomers after the cut (False), and members that went before
    they recorded (True: all that they did belongs to the past). ``markers`` counts by channel, ``controls`` everything
    else that the algorithm said for this snapshot."""

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


class History:
    """The application events of a run in the order in which they happened, and the snapshots taken meanwhile.

    ``sends`` and ``receives`` are by the identity of the message, which the copies that a transport sends again share.
    A copy that the network makes is a message of its own, sent where the first was. ``twins`` are those, ``gone`` what
    the network lost or a process threw away, ``disordered`` the channels on which something overtook.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(names)
        self.events: list[Event] = []
        self.counts = dict.fromkeys(self.names, 0)
        self.sends: dict[int, Event] = {}
        self.receives: dict[int, Event] = {}
        self.recordings: dict[int, Recording] = {}
        self.twins: dict[int, Message] = {}
        self.gone: dict[int, int] = {}
        self.disordered: dict[str, int] = {}
        self.controls = 0
        self.steps = 0

    def watch(self, action: Action, notes: Iterable[Note]) -> None:
        """See one more step."""
        self.steps += 1
        sent = received = None
        for note in notes:
            if isinstance(note, Sent):
                if note.control:
                    self._control(note)
                elif note.message.kind == APP:
                    sent = note
            elif isinstance(note, Received):
                if note.message.kind == APP:
                    received = note
            elif isinstance(note, Changed):
                self._event(action, note, sent, received)
            elif isinstance(note, FAULTS):
                self._fault(note)
            else:
                self._snapshot(note)

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
        """A control message sets out."""
        message = note.message
        self.controls += 1
        if message.snapshot is not None:
            seen = self._recording(message.snapshot)
            if message.kind == MARKER:
                seen.markers[note.channel] = seen.markers.get(note.channel, 0) + 1
            else:
                seen.controls += 1

    def _fault(self, note: Lost | Discarded | Doubled | Overtook) -> None:
        if isinstance(note, Overtook):
            self.disordered.setdefault(note.channel, self.steps)
        elif note.message.kind == APP:
            if isinstance(note, Doubled):
                self.twins[note.copy.id] = note.message
                self.disordered.setdefault(note.channel, self.steps)  # a copy may take the place of the first
                self.sends[note.copy.id] = self.sends[note.message.identity]
            else:
                self.gone.setdefault(note.message.identity, self.steps)

    def lost(self, identity: int) -> bool:
        """Did the message vanish for good, on its way or thrown away? (A copy may have arrived in its place.)"""
        return identity in self.gone and identity not in self.receives

    def _snapshot(self, note: Note) -> None:
        if isinstance(note, Started):
            self._recording(note.snapshot).initiators.append(note.process)
        elif isinstance(note, Unreachable):
            self._recording(note.snapshot).unreachable = note.processes
        elif isinstance(note, Recorded):
            seen = self._recording(note.snapshot)
            seen.records[note.process] = seen.records.get(note.process, 0) + 1
            seen.cut.setdefault(note.process, self.counts[note.process])
            seen.recorded.setdefault(note.process, self.steps)
        elif isinstance(note, Closed | Derived):
            self._recording(note.snapshot).closed.setdefault(note.channel, self.steps)
        elif isinstance(note, Done):
            self._recording(note.snapshot).done.setdefault(note.process, self.steps)
        elif isinstance(note, Completed):
            self._recording(note.snapshot).completed = self.steps
        elif isinstance(note, Aborted):
            self._recording(note.snapshot).aborted = self.steps
        elif isinstance(note, Absent):
            seen = self._recording(note.snapshot)
            seen.absent[note.process] = note.inside
            seen.cut.setdefault(note.process, self.counts[note.process] if note.inside else 0)
        elif isinstance(note, Joined):  # it takes part in whatever this step does not say otherwise of
            for seen in self.recordings.values():
                seen.absent.pop(note.process, None)
                seen.cut.pop(note.process, None)
        elif isinstance(note, Merged):
            seen = self._recording(note.snapshot)
            seen.absent.pop(note.process, None)
            seen.cut.pop(note.process, None)
        elif isinstance(note, Unusable):
            seen = self._recording(note.snapshot)
            seen.unusable = (*seen.unusable, note.process)

    def _recording(self, number: int) -> Recording:
        return self.recordings.setdefault(number, Recording(number, self.steps))

    def inside(self, event: Event, cut: dict[str, int]) -> bool:
        """Did ``event`` happen before its process recorded? (It is *prerecording* in the paper's words.)"""
        return event.index <= cut.get(event.process, 0)

    @cached_property
    def clocks(self) -> dict[int, tuple[int, ...]]:
        """The vector clock of each application event, by its step: how many events of each process it knows of."""
        place = {name: i for i, name in enumerate(self.names)}
        current = {name: (0,) * len(self.names) for name in self.names}
        clocks: dict[int, tuple[int, ...]] = {}
        for event in self.events:
            mine = list(current[event.process])
            if event.kind == RECEIVE and event.message is not None:
                mine = list(map(max, mine, clocks[self.sends[event.message.identity].step]))
            mine[place[event.process]] = event.index
            clocks[event.step] = current[event.process] = tuple(mine)
        return clocks

    def consistent(self, cut: dict[str, int]) -> bool:
        """Does no event inside the cut know of an event outside it?"""
        limits = tuple(cut.get(name, 0) for name in self.names)
        last = {e.process: e for e in self.events if self.inside(e, cut)}
        return all(
            known <= limit
            for event in last.values()
            for known, limit in zip(self.clocks[event.step], limits, strict=True)
        )

    def orphans(self, cut: dict[str, int]) -> list[Message]:
        """The messages received inside the cut and sent outside it."""
        return [
            e.message
            for e in self.events
            if e.kind == RECEIVE
            and e.message
            and self.inside(e, cut)
            and not self.inside(self.sends[e.message.identity], cut)
        ]

    def crossing(self, cut: dict[str, int]) -> dict[str, list[Message]]:
        """By channel, the messages sent inside the cut and neither received inside it nor lost, in the order sent; the
        copies that the network made come last."""
        found: dict[str, list[Message]] = {}
        sent = [(e.channel, e.message) for e in self.events if e.kind == SEND and self.inside(e, cut)]
        twins = [(self.sends[i], replace(m, id=i, origin=None)) for i, m in self.twins.items()]
        sent += [(event.channel, copy) for event, copy in twins if self.inside(event, cut)]
        for channel, message in sent:
            if channel and message and not self.lost(message.identity):
                arrival = self.receives.get(message.identity)
                if arrival is None or not self.inside(arrival, cut):
                    found.setdefault(channel, []).append(message)
        return found

    def reordered(self, cut: dict[str, int]) -> tuple[list[Event], int]:
        """The run of Theorem 1, and where in it the cut lies: all prerecording events, then all others.

        Neighbours that are out of place are swapped until none is; the order of two events of one process, and of
        a send and its receipt, never changes when the cut is consistent. The result is a stable partition.
        """
        before = [e for e in self.events if self.inside(e, cut)]
        after = [e for e in self.events if not self.inside(e, cut)]
        return before + after, len(before)
