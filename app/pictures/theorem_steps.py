"""Theorem 1 step by step: what each step of its proof says of the events of one snapshot.

Nothing is judged here: the oracle and a replay (``app.core.oracle.checks``) say whether a step holds.

Source: Chandy and Lamport 1985, sections 3.3 (termination) and 4 (Theorem 1). The numbers of the steps are ours.
"""

from collections.abc import Iterable
from functools import cached_property
from itertools import pairwise

from app.core.model.notes import Note, Received, Recorded, Sent, only
from app.core.model.value import Frozen
from app.core.model.values import MARKER, Message
from app.core.oracle import checks
from app.core.oracle.history import RECEIVE, SEND, Event
from app.core.oracle.replay import Replay
from app.pictures.swap_game import MOST, Game, Told, fork
from app.run.run import Run
from app.words.catalogues import readable

STEPS = ("kinds", "apart", "message", "swap", "order", "processes", "channels", "reached")
"""The steps of the proof."""
RESTS = ("message", "swap", "channels")
"""Those that rest on markers and on channels that keep the order of messages."""
HOLDS, FAILS, LATER = "holds", "fails", "later"
"""The status of a step in a run; ``later``: an earlier one has failed."""


class Item(Frozen):
    """An event as the proof calls it: e with an ``index`` (from 0), its description, and its side of the cut."""

    index: int
    event: Event
    early: bool
    said: str


class Pair(Frozen):
    """Neighbours out of order. ``states`` are those before, between and after them, ``swapped`` the state between them
    after the swap. ``channel`` is the one on which the first of them sends, and ``marker`` the step in which a marker
    was sent on it before that, None if there was none."""

    first: Item
    second: Item
    states: tuple[Told, Told, Told]
    swapped: Told | None
    channel: str | None
    marker: int | None


class Orphan(Frozen):
    """A message that breaks the third step: the steps in which it was sent and received, those of the marker on its
    channel, the step in which its receiver recorded, and ``cause``: there was no marker (``none``), it was sent
    ``late``, the message ``overtook`` it, the receiver ``ignored`` it, or the sending was ``undone``."""

    said: str
    channel: str
    sender: str
    receiver: str
    sent: int
    received: int
    marker: int | None
    arrived: int | None
    recorded: int | None
    cause: str


class State(Frozen):
    """The recorded state of a process, and its state after its prerecording events."""

    name: str
    recorded: str
    here: str
    same: bool


class Flow(Frozen):
    """The messages that prerecording events sent and received on a channel, the difference, and the recorded ones."""

    name: str
    sent: str
    received: str
    left: str
    recorded: str
    same: bool


class Reason(Frozen):
    """When and why a process recorded: something arrived on ``channel``, a ``marker`` or another message; None if it
    recorded spontaneously. ``step`` is None if it never recorded."""

    name: str
    step: int | None
    channel: str | None
    marker: bool


class Markers(Frozen):
    """The markers of a snapshot: how many channels have one, on how many it arrived, when the last one did, and the
    channels on which it never did."""

    sent: int
    arrived: int
    last: int | None
    missing: tuple[str, ...]


class Proof:
    """The proof for snapshot ``number`` of a run."""

    def __init__(self, run: Run, number: int, language: str) -> None:
        self.run, self.number, self.language = run, number, language
        self.game = Game(run, number, language)
        self.seen, self.history = self.game.seen, self.game.history
        self.checks = run.verdicts[number].checks

    @property
    def argued(self) -> bool:
        """Does the argument apply: are there markers, and does each channel keep the order of its messages?"""
        return self.run.system.algorithm.MARKERS and self.run.system.discipline == "fifo"

    @property
    def open(self) -> bool:
        """Is the snapshot incomplete, so that there is nothing to prove?"""
        return self.checks["consistent"] is None or self.seen.completed is None

    # which steps hold

    @cached_property
    def fails(self) -> str | None:
        """The first step that fails here, None if all hold."""
        if self.checks["consistent"] is False:
            return "message"
        if not self.replays:
            return "swap"
        if not all(row.same for row in self.processes):
            return "processes"
        if self.checks["channels"] is False:
            return "channels"
        return None if self.checks["reachable"] else "reached"

    def status(self, step: str) -> str:
        """Return the status of a step here."""
        if self.fails is None or STEPS.index(step) < STEPS.index(self.fails):
            return HOLDS
        return FAILS if step == self.fails else LATER

    @cached_property
    def replays(self) -> bool:
        """Can the events be replayed without the algorithm, in the order in which they happened?"""
        replay = Replay(self.run.system, self.history)
        return all(replay.happen(event) is None for event in self.history.events[: self.ends])

    # the events

    @property
    def begins(self) -> int:
        """The index of the first event after the start of the snapshot."""
        return self.game.quiet

    @cached_property
    def ends(self) -> int:
        """The index of the first event after its end."""
        return sum(event.step <= (self.seen.completed or 0) for event in self.history.events)

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """The events between; if there are too many, those that are out of order or around the cut."""
        first = len(self.game.before)
        return tuple(self.item(first + at, event) for at, event in enumerate(self.game.events))

    def item(self, index: int, event: Event) -> Item:
        """Return an event of the proof."""
        return Item(index, event, self.game.early(event), self.game.tell(event))

    @property
    def listed(self) -> bool:
        """Are there few enough to list?"""
        return len(self.items) <= MOST

    @cached_property
    def early(self) -> int:
        """How many events of the whole run are prerecording: the k of the theorem."""
        return sum(map(self.game.early, self.history.events))

    @cached_property
    def chain(self) -> bool:
        """Is each of the events in the causal past of the next, so that no other order is possible?"""
        between = self.history.events[self.begins : self.ends]
        return all(self.history.relation(before, after) == "before" for before, after in pairwise(between))

    # neighbours out of place

    @cached_property
    def pair(self) -> Pair | None:
        """The first neighbours out of order."""
        if not self.swaps:
            return None
        at = self.swaps[0]
        first, second = self.items[at - 1 : at + 1]
        replay = self.game.moved(at - 1)
        states, swapped = [self.game.moment(replay)[0]], fork(replay)
        for item in (first, second):
            replay.happen(item.event)
            states.append(self.game.moment(replay)[0])
        between = self.game.moment(swapped)[0] if swapped.happen(second.event) is None else None
        channel = first.event.channel if first.event.kind == SEND else None
        marker = self.markers.get(channel or "", (None, None))[0]
        if marker is not None and marker > first.event.step:
            marker = None
        return Pair(first, second, (states[0], states[1], states[2]), between, channel, marker)

    @cached_property
    def swaps(self) -> tuple[int, ...]:
        """Swaps of neighbours, as ``app.pictures.swap_game`` counts them, after which nothing is out of order."""
        kinds, found = [item.early for item in self.items], []
        while (at := next((i for i in range(1, len(kinds)) if kinds[i] and not kinds[i - 1]), None)) is not None:
            kinds[at - 1], kinds[at] = kinds[at], kinds[at - 1]
            found.append(at)
        return tuple(found)

    @cached_property
    def sorted(self) -> tuple[Item, ...]:
        """The events after these swaps."""
        return tuple(sorted(self.items, key=lambda item: not item.early))

    # messages

    @cached_property
    def late(self) -> int:
        """How many messages postrecording events send."""
        return sum(event.kind == SEND and not self.game.early(event) for event in self.history.events)

    @cached_property
    def orphan(self) -> Orphan | None:
        """The first message that a postrecording event sends and a prerecording one receives."""
        orphans = self.history.orphans(self.seen.cut)
        if not orphans:
            return None
        identity = orphans[0].identity
        send, arrival = self.history.sends[identity], self.history.receives[identity]
        channel = arrival.channel or ""
        marker, arrived = self.markers.get(channel, (None, None))
        if identity in self.history.undone:
            cause = "undone"
        elif marker is None:
            cause = "none"
        elif marker > send.step:
            cause = "late"
        else:
            cause = "ignored" if arrived is not None and arrived < arrival.step else "overtook"
        return Orphan(
            self.game.message(arrival),
            channel,
            send.process,
            arrival.process,
            send.step,
            arrival.step,
            marker,
            arrived,
            self.seen.recorded.get(arrival.process),
            cause,
        )

    @cached_property
    def markers(self) -> dict[str, tuple[int, int | None]]:
        """The steps in which each channel's first marker was sent and arrived."""
        found: dict[str, tuple[int, int | None]] = {}
        for at, note in self.run.told(Note):
            if not isinstance(note, Sent | Received) or note.message.kind != MARKER:
                continue
            if note.message.snapshot != self.number:
                continue
            if isinstance(note, Sent):
                found.setdefault(note.channel, (at, None))
            elif note.channel in found and found[note.channel][1] is None:
                found[note.channel] = (found[note.channel][0], at)
        return found

    # the recorded state

    @cached_property
    def processes(self) -> tuple[State, ...]:
        """What the processes recorded."""
        program, graph = self.run.system.program, self.run.system.topology
        show, after = program.view, {name: program.start(process) for name, process in graph.processes.items()}
        after |= {event.process: event.state for event in self.history.events if self.game.early(event)}
        return tuple(
            State(name, self.text(show(part.state)), self.text(show(after[name])), part.state == after[name])
            for name, part in self.game.parts.items()
        )

    @cached_property
    def flows(self) -> tuple[Flow, ...]:
        """The channels with messages sent before the cut, or recorded."""
        system, history = self.run.system, self.history
        before: dict[tuple[str | None, str], list[Message]] = {}
        for event in history.events:
            if event.message is not None and self.game.early(event):
                before.setdefault((event.channel, event.kind), []).append(event.message)
        recorded = checks.accountable(system, history, self.seen, self.game.channels)
        left = checks.demanded(system, history, self.seen, self.game.channels)
        found = []
        for channel in system.topology.channels:
            sent, received = (before.get((channel, kind), []) for kind in (SEND, RECEIVE))
            kept, rest = recorded.get(channel, []), left.get(channel, [])
            if sent or received or kept or rest:
                same = checks.channel_fault(system, {channel: rest}, {channel: kept}, history) is None
                say = self.messages
                found.append(Flow(channel, say(sent), say(received), say(rest), say(kept), same))
        return tuple(found)

    def messages(self, messages: Iterable[Message]) -> str:
        """Return messages as people read them."""
        return self.text([self.run.system.program.show(message.payload) for message in messages])

    def text(self, value: object) -> str:
        """Return a value as people read it; a dash for a state without a name."""
        return readable(value, self.language) or "–"

    @cached_property
    def ways(self) -> tuple[Told, Told]:
        """The states in which the snapshot began and ended."""
        replay, found = Replay(self.run.system, self.history), []
        for at, event in enumerate((*self.history.events[: self.ends], None)):
            if at == self.begins:
                found.append(self.game.moment(replay)[0])
            if event is not None:
                replay.happen(event)
        return found[0], self.game.moment(replay)[0]

    @cached_property
    def occurred(self) -> int | None:
        """The step after which the run was in the recorded state during the snapshot, 0 if it was when the snapshot
        began, None if it never was."""
        at = next((at for at, (_, recorded) in enumerate(self.game.moments) if recorded), None)
        if at is None:
            return None
        index = len(self.game.before) + at
        return 0 if index == self.begins else self.history.events[index - 1].step

    # termination

    @cached_property
    def reasons(self) -> tuple[Reason, ...]:
        """When each process recorded, and why."""
        first: dict[str, Reason] = {}
        for done in self.run.steps:
            heard = {note.channel for note in only(Received, done.notes) if note.message.kind == MARKER}
            for note in only(Recorded, done.notes):
                if note.snapshot == self.number:
                    because = Reason(note.process, done.number, note.channel, note.channel in heard)
                    first.setdefault(note.process, because)
        names = [name for name in self.history.names if name not in self.seen.absent]
        return tuple(first.get(name, Reason(name, None, None, False)) for name in names)

    @cached_property
    def sent(self) -> Markers | None:
        """Its markers; None if it has none."""
        if not self.markers:
            return None
        arrived = [step for _, step in self.markers.values() if step is not None]
        missing = tuple(channel for channel, (_, step) in self.markers.items() if step is None)
        return Markers(len(self.markers), len(arrived), max(arrived, default=None), missing)
