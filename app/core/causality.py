"""What happened before what: the application events of a run, their vector clocks, and cuts.

No process can see any of this. It is built from notes by an observer that stands outside the system.

Sources: L. Lamport, "Time, Clocks, and the Ordering of Events in a Distributed System", CACM 21(7), 1978; F. Mattern,
"Virtual Time and Global States of Distributed Systems", 1989 (vector clocks, consistent cuts).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from app.core.model import APP, MARKER, Action, Message
from app.core.notes import Changed, Closed, Completed, Done, Note, Received, Recorded, Sent, Started, Unreachable

SEND, RECEIVE, INTERNAL = "send", "receive", "internal"


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
    process before it recorded."""

    id: int
    started: int
    initiators: list[str] = field(default_factory=list)
    cut: dict[str, int] = field(default_factory=dict)
    recorded: dict[str, int] = field(default_factory=dict)
    records: dict[str, int] = field(default_factory=dict)
    closed: dict[str, int] = field(default_factory=dict)
    done: dict[str, int] = field(default_factory=dict)
    markers: dict[str, int] = field(default_factory=dict)
    completed: int | None = None
    unreachable: tuple[str, ...] = ()


class History:
    """The application events of a run in the order in which they happened, and the snapshots taken meanwhile."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(names)
        self.events: list[Event] = []
        self.counts = dict.fromkeys(self.names, 0)
        self.sends: dict[int, Event] = {}
        self.receives: dict[int, Event] = {}
        self.recordings: dict[int, Recording] = {}
        self.steps = 0

    def watch(self, action: Action, notes: Iterable[Note]) -> None:
        """See one more step."""
        self.steps += 1
        sent = received = None
        for note in notes:
            if isinstance(note, Sent):
                if note.message.kind == APP:
                    sent = note
                elif note.message.kind == MARKER:
                    self._marker(note)
            elif isinstance(note, Received):
                if note.message.kind == APP:
                    received = note
            elif isinstance(note, Changed):
                self._event(action, note, sent, received)
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
            (self.sends if sent else self.receives)[message.id] = event

    def _marker(self, note: Sent) -> None:
        number = note.message.snapshot
        if number is not None:
            markers = self._recording(number).markers
            markers[note.channel] = markers.get(note.channel, 0) + 1

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
        elif isinstance(note, Closed):
            self._recording(note.snapshot).closed.setdefault(note.channel, self.steps)
        elif isinstance(note, Done):
            self._recording(note.snapshot).done.setdefault(note.process, self.steps)
        elif isinstance(note, Completed):
            self._recording(note.snapshot).completed = self.steps

    def _recording(self, number: int) -> Recording:
        return self.recordings.setdefault(number, Recording(number, self.steps))

    def inside(self, event: Event, cut: dict[str, int]) -> bool:
        """Did ``event`` happen before its process recorded? (It is *prerecording* in the paper's words.)"""
        return event.index <= cut[event.process]

    @cached_property
    def clocks(self) -> dict[int, tuple[int, ...]]:
        """The vector clock of each application event, by its step: how many events of each process it knows of."""
        place = {name: i for i, name in enumerate(self.names)}
        current = {name: (0,) * len(self.names) for name in self.names}
        clocks: dict[int, tuple[int, ...]] = {}
        for event in self.events:
            mine = list(current[event.process])
            if event.kind == RECEIVE and event.message is not None:
                mine = list(map(max, mine, clocks[self.sends[event.message.id].step]))
            mine[place[event.process]] = event.index
            clocks[event.step] = current[event.process] = tuple(mine)
        return clocks

    def consistent(self, cut: dict[str, int]) -> bool:
        """Does no event inside the cut know of an event outside it?"""
        limits = tuple(cut[name] for name in self.names)
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
            and not self.inside(self.sends[e.message.id], cut)
        ]

    def crossing(self, cut: dict[str, int]) -> dict[str, list[Message]]:
        """By channel, the messages sent inside the cut and not received inside it, in the order sent."""
        found: dict[str, list[Message]] = {}
        for event in self.events:
            if event.kind == SEND and event.message and event.channel and self.inside(event, cut):
                arrival = self.receives.get(event.message.id)
                if arrival is None or not self.inside(arrival, cut):
                    found.setdefault(event.channel, []).append(event.message)
        return found

    def reordered(self, cut: dict[str, int]) -> tuple[list[Event], int]:
        """The run of Theorem 1, and where in it the cut lies: all prerecording events, then all others.

        Neighbours that are out of place are swapped until none is; the order of two events of one process, and of
        a send and its receipt, never changes when the cut is consistent. The result is a stable partition.
        """
        before = [e for e in self.events if self.inside(e, cut)]
        after = [e for e in self.events if not self.inside(e, cut)]
        return before + after, len(before)
