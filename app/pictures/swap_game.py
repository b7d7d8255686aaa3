"""Theorem 1 as a game: swap neighbouring events of a run during a snapshot until all those before the cut come first.

Everything is judged by replaying the events in their new order without the algorithm
(``app.core.oracle.replay.Replay``).

Source: Chandy and Lamport 1985, section 4 (Theorem 1: postrecording events that stand just before prerecording ones are
swapped with them).
"""

from collections.abc import Mapping, Sequence
from copy import copy
from functools import cached_property

from app.core.model import recorded_state
from app.core.model.value import Frozen
from app.core.model.values import BluecutError, Message
from app.core.oracle.history import RECEIVE, SEND, Event
from app.core.oracle.replay import Replay
from app.forms.whole_number import whole_numbers
from app.run.reordered_key import MOST as FAR
from app.run.reordered_key import reordered
from app.run.run import Run
from app.scenario.run_key import RunKey
from app.wire.event_words import described
from app.words.catalogues import readable, word

MOST = 40
"""The most events shown."""
SWAPS = 400
"""The most swaps in an address."""

Told = tuple[tuple[str, str], ...]
"""A global state: the state of each process, and the contents of each channel that is not empty."""


class Gap(Frozen):
    """Between the ``at``-th event (from 1) and the next: can they be swapped, and if not, ``why``; ``helps``: they are
    out of order. ``moment`` is the state there, ``recorded`` whether it is the recorded one."""

    at: int
    possible: bool
    why: str
    helps: bool
    moment: Told
    recorded: bool


class Game:
    """The events during snapshot ``number`` of a run, after ``swaps``. ``state`` says what is possible: ``play``,
    ``orphan`` (one can play but not win), ``open`` (no cut), ``long`` or ``unlike`` (it cannot be replayed)."""

    def __init__(self, run: Run, number: int, language: str, swaps: tuple[int, ...] = ()) -> None:
        self.run, self.number, self.language = run, number, language
        self.seen = run.history.recordings[number]
        self.history = self.seen.life or run.history
        self.parts = recorded_state.parts(run.system, run.end, number)
        self.channels = recorded_state.channels(run.system, self.parts)
        self.swaps: tuple[int, ...] = ()
        self.refused: tuple[int, str] | None = None
        self.order = list(self.events)
        if self.state in ("play", "orphan"):
            self.play(swaps)

    # what there is

    @cached_property
    def state(self) -> str:
        """What is possible."""
        holds = self.run.verdicts[self.number].checks["consistent"]
        if holds is None or self.seen.completed is None:
            return "open"
        if len(self.events) > MOST:
            return "long"
        replay = Replay(self.run.system, self.history)
        if not all(replay.happen(event) is None for event in (*self.before, *self.events)):
            return "unlike"
        return "play" if holds else "orphan"

    @cached_property
    def events(self) -> list[Event]:
        """The events during the snapshot; if there are too many, those from the first to the last that is out of order,
        or if none is, those around the cut."""
        last = self.seen.completed or self.run.steps[-1].number if self.run.steps else 0
        during = [e for e in self.history.events if self.seen.started <= e.step <= last]
        if len(during) <= MOST:
            return during
        after = next((i for i, event in enumerate(during) if not self.early(event)), len(during))
        before = max((i for i, event in enumerate(during) if self.early(event)), default=-1)
        if before < after:
            return during[max(0, after - MOST // 2) : after + MOST // 2]
        return during[after : before + 1]

    @cached_property
    def before(self) -> list[Event]:
        """The events before them."""
        at = self.history.events.index(self.events[0]) if self.events else self.quiet
        return self.history.events[:at]

    @cached_property
    def opened(self) -> Replay:
        """The system just before the first of the events."""
        replay = Replay(self.run.system, self.history)
        for event in self.before:
            replay.happen(event)
        return replay

    def early(self, event: Event) -> bool:
        """Is the event before the cut: a prerecording event?"""
        return self.history.inside(event, self.seen.cut)

    @property
    def boundary(self) -> int:
        """How many of the events are before the cut."""
        return sum(map(self.early, self.order))

    @property
    def fewest(self) -> int:
        """The fewest swaps needed from the original order: the number of pairs out of order."""
        return inversions([self.early(event) for event in self.events])

    @property
    def left(self) -> int:
        """How many pairs are out of order now."""
        return inversions([self.early(event) for event in self.order])

    @property
    def won(self) -> bool:
        """Do all events before the cut come first, and is the system then in the recorded state?"""
        return self.state == "play" and not self.left and self.moments[self.boundary][1]

    # swapping

    def play(self, swaps: tuple[int, ...]) -> None:
        """Perform the swaps of an address up to the first impossible one, which becomes ``refused``."""
        for at in swaps:
            if not 1 <= at < len(self.order):
                raise BluecutError(
                    "swaps: {at} is not the place of an event with another after it; there are {count} events",
                    at=at,
                    count=len(self.order),
                )
            if why := self.why(at):
                self.refused = (at, why)
                return
            self.order[at - 1], self.order[at] = self.order[at], self.order[at - 1]
            self.swaps += (at,)

    def why(self, at: int, replay: Replay | None = None) -> str:
        """Return why the ``at``-th event and the next cannot be swapped, in words; empty if they can. ``replay`` is the
        system just before them."""
        first, second = self.order[at - 1], self.order[at]
        if first.process == second.process:
            return word("swap.why.same", self.language, process=first.process)
        if _caused(first, second):
            return word("swap.why.cause", self.language, message=self.message(second), process=second.process)
        trial = fork(replay or self.moved(at - 1))
        for event in (second, first):
            if fault := trial.happen(event):
                said = self.tell(event)
                return word("swap.why.refused", self.language, event=said, why=fault.get("why", fault["fault"]))
        return ""

    def moved(self, count: int) -> Replay:
        """Return the system after the first ``count`` of the events."""
        replay = fork(self.opened)
        for event in self.order[:count]:
            replay.happen(event)
        return replay

    @cached_property
    def gaps(self) -> list[Gap]:
        """Return, between the events: can they be swapped, and in what state is the system there?"""
        found: list[Gap] = []
        replay = fork(self.opened)
        for at in range(1, len(self.order)):
            why = self.why(at, replay)
            helps = not self.early(self.order[at - 1]) and self.early(self.order[at])
            replay.happen(self.order[at - 1])
            found.append(Gap(at, not why, why, helps, *self.moments[at]))
        return found

    @cached_property
    def moments(self) -> list[tuple[Told, bool]]:
        """The global state before the first event, after it, and so on; each with whether it is the recorded one."""
        replay = fork(self.opened)
        found = [self.moment(replay)]
        for event in self.order:
            replay.happen(event)
            found.append(self.moment(replay))
        return found

    def moment(self, replay: Replay) -> tuple[Told, bool]:
        """Return the state of a replay."""
        graph, queues = self.run.system.topology, dict[str, list[Message]]()
        for channel in graph.channels:
            queue = replay.queues.get(channel, ())
            wait = set(replay.waiting(queue))
            queues[channel] = [message for message in queue if message.identity in wait]
        states = {name: replay.states[name] for name in graph.names}
        return self.told(states, queues), replay.differs(self.parts, self.channels) is None

    @property
    def recorded(self) -> Told:
        """The recorded state S*."""
        return self.told({name: part.state for name, part in self.parts.items()}, self.channels)

    def told(self, states: Mapping[str, object], queues: Mapping[str, Sequence[Message]]) -> Told:
        """Return a global state in words."""
        program, language = self.run.system.program, self.language
        found = [(name, readable(program.view(state), language)) for name, state in states.items()]
        shown = {channel: [program.show(m.payload) for m in queue] for channel, queue in queues.items() if queue}
        return (*found, *((channel, readable(here, language)) for channel, here in shown.items()))

    @property
    def really(self) -> RunKey | None:
        """The key of the run that happens in this order, if a visitor can perform it."""
        if self.order == self.events or len(self.before) != self.quiet:
            return None
        return reordered(self.run, self.seen.started - 1, self.order)

    @property
    def unseen(self) -> str:
        """Why a visitor cannot perform this order: the system has rolled ``back`` since, the run is too ``long``,
        several of the events happened ``together`` in a step, or only the ``script`` performs them. Empty if it
        happened in this order."""
        if self.order == self.events:
            return ""
        if self.seen.life is not None:
            return "back"
        if len(self.before) != self.quiet or self.seen.started - 1 + len(self.events) > FAR:
            return "long"
        return "together" if len({event.step for event in self.events}) < len(self.events) else "script"

    @property
    def quiet(self) -> int:
        """How many events had happened when the snapshot started."""
        return sum(event.step < self.seen.started for event in self.history.events)

    @property
    def orphan(self) -> tuple[str, str, str] | None:
        """The first orphan of the cut: its text, its receiver and its sender."""
        orphans = self.history.orphans(self.seen.cut)
        if not orphans:
            return None
        send, arrival = self.history.sends[orphans[0].identity], self.history.receives[orphans[0].identity]
        return self.message(arrival), arrival.process, send.process

    # words

    def message(self, event: Event) -> str:
        """Return the message of an event, as people read it."""
        return readable(self.run.system.program.show(event.message.payload), self.language) if event.message else ""

    def tell(self, event: Event) -> str:
        """Describe an event in words."""
        key, fields = described(self.run, event)
        return word(key, self.language, **fields)


def _caused(first: Event, second: Event) -> bool:
    """Does ``second`` receive what ``first`` sends?"""
    if first.kind != SEND or second.kind != RECEIVE or first.message is None or second.message is None:
        return False
    return first.message.identity == second.message.identity


def inversions(early: list[bool]) -> int:
    """Count the pairs in which an event after the cut precedes one before it."""
    late = total = 0
    for is_early in early:
        total += late if is_early else 0
        late += not is_early
    return total


def fork(replay: Replay) -> Replay:
    """Return a copy of the system that can continue differently."""
    other = copy(replay)
    other.states = dict(replay.states)
    other.queues = {channel: list(queue) for channel, queue in replay.queues.items()}
    return other


def read(text: str) -> tuple[int, ...]:
    """Return the swaps that an address names. Raises BluecutError if they cannot be read."""
    places = whole_numbers(text.split(",") if text else (), digits=4)
    if places is None or len(places) > SWAPS:
        raise BluecutError("swaps: places of events, at most {most} of them, as in 3,5", most=SWAPS)
    return places


def written(swaps: tuple[int, ...]) -> str:
    """Return swaps as an address writes them."""
    return ",".join(map(str, swaps))


def begins(run: Run) -> int | None:
    """Return the snapshot to begin with: the first with something to swap, else the first with a cut; None without
    any."""
    known = [number for number, verdict in run.verdicts.items() if verdict.checks["consistent"] is not None]
    for number in known:
        game = Game(run, number, "en")
        if game.state == "play" and game.fewest:
            return number
    return next(iter(known or run.verdicts), None)
