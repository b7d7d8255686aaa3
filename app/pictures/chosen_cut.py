"""Cuts that a visitor chooses through the application events of a run, judged by the oracle's vector clocks.

A cut counts the events of each process before it. In an address it is ``cut=2,1,0``, in the order of the processes.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import groupby
from math import prod

from app.core.model.value import Frozen
from app.core.model.values import BluecutError, Json, Message
from app.core.oracle.history import RECEIVE, SEND, Event, History
from app.core.oracle.lattice import Lattice, above, below
from app.forms.whole_number import whole_number, whole_numbers
from app.pictures.spacetime.options import Chosen, Dot
from app.run.run import Run
from app.wire.event_words import described
from app.words.catalogues import readable, word

MOST_STEPS = 400
"""A longer run is not drawn as a whole."""

LONGEST = 2_000
"""The most digits of a number of events; one that is too large is told how many there are."""

COUNTED = 5_000
"""The consistent cuts of a run with more cuts than this are not counted here."""

Cut = dict[str, int]
Named = tuple[str, int]
"""An event: its process, and its index from 1."""


class Letter(Frozen):
    """An application message: the events between which it travels, and whether it was lost. ``sent`` is None if the
    sending was removed, ``received`` if it is still in flight."""

    identity: int
    said: str
    channel: str
    sent: Named | None
    received: Named | None
    lost: bool


class Judged(Frozen):
    """What the oracle says of a cut: the orphans, and the messages that cross it by channel."""

    consistent: bool
    orphans: tuple[Letter, ...]
    crossing: tuple[tuple[str, tuple[Letter, ...]], ...]


class Cone(Frozen):
    """The events that could influence an event, those that it could influence, and the rest."""

    event: Event
    past: tuple[Named, ...]
    future: tuple[Named, ...]
    beside: tuple[Named, ...]


class Cutting:
    """A run through which a visitor chooses cuts."""

    def __init__(self, run: Run, language: str) -> None:
        self.run, self.language = run, language
        self.history: History = run.history
        self.names = run.system.topology.names

    @property
    def drawn(self) -> bool:
        """Is the run short enough to be drawn as a whole?"""
        return len(self.run.steps) <= MOST_STEPS

    @property
    def undone(self) -> bool:
        """Was everything taken back, so that there is nothing to cut?"""
        return bool(self.history.lives) and not self.history.events

    @property
    def all(self) -> int:
        """How many cuts there are."""
        return prod(self.history.counts[name] + 1 for name in self.names)

    @cached_property
    def good(self) -> int | None:
        """How many of them are consistent, if that is quickly counted."""
        if self.all > COUNTED:
            return None
        levels = Lattice(self.history).levels()
        return levels.count if levels.whole else None

    # events and messages

    @cached_property
    def lines(self) -> dict[str, list[Event]]:
        """The events of each process, in order."""
        found: dict[str, list[Event]] = {name: [] for name in self.names}
        for event in self.history.events:
            found[event.process].append(event)
        return found

    @cached_property
    def at(self) -> dict[Named, float]:
        """Where each event lies, in steps; the events of a process in one step lie beside each other."""
        places: dict[Named, float] = {}
        for events in self.lines.values():
            for _, same in groupby(events, key=lambda event: event.step):
                group = list(same)
                for i, event in enumerate(group):
                    places[event.process, event.index] = event.step + 0.6 * i / len(group)
        return places

    @cached_property
    def letters(self) -> dict[int, Letter]:
        """The messages by identity, in the order of sending; then the network's copies, and messages that no process
        sent."""
        history, found = self.history, {}
        sent = [(e, e.message) for e in history.events if e.kind == SEND and e.message]
        sent += [(history.sends[identity], message) for identity, message in history.twins.items()]
        kept = [*(m.identity for _, m in sent[: len(sent) - len(history.twins)]), *history.twins]
        for identity, (event, message) in zip(kept, sent, strict=True):
            found[identity] = self.letter(identity, message, event)
        for event in history.events:
            if event.kind == RECEIVE and event.message and event.message.identity not in found:
                found[event.message.identity] = self.letter(event.message.identity, event.message, None)
        return found

    def last(self, event: Event) -> bool:
        """Is it the last event of its step at its process? There is room for one clock per step."""
        line = self.lines[event.process]
        return event.index == len(line) or line[event.index].step != event.step

    def letter(self, identity: int, message: Message, sent: Event | None) -> Letter:
        """Return a message of the run."""
        arrival = self.history.receives.get(identity)
        about = sent or arrival
        return Letter(
            identity,
            readable(self.run.system.program.show(message.payload), self.language),
            (about.channel if about else None) or "",
            _named(sent) if sent else None,
            _named(arrival) if arrival else None,
            self.history.lost(identity),
        )

    def tell(self, event: Event) -> str:
        """Describe an event in words."""
        key, fields = described(self.run, event)
        return word("cuts.event", self.language, step=event.step, event=word(key, self.language, **fields))

    # cuts

    def read(self, given: Iterable[str]) -> Cut:
        """Return the cut that an address names. Raises BluecutError."""
        parts = [part.strip() for text in given for part in text.split(",")]
        numbers = whole_numbers(parts, digits=LONGEST)
        if numbers is None or len(numbers) != len(self.names):
            raise BluecutError(
                "cut: as many whole numbers as there are processes, {count}, as in {example}",
                count=len(self.names),
                example=written(self.names, dict.fromkeys(self.names, 0)),
            )
        counts, cut = self.history.counts, dict(zip(self.names, numbers, strict=True))
        for name, count in cut.items():
            if count > counts[name]:
                raise BluecutError(
                    "cut: {process} has {count} events in this run, so its number is at most {count}",
                    process=name,
                    count=counts[name],
                )
        return cut

    def instant(self, step: int) -> Cut:
        """Return the cut after so many steps."""
        return {name: sum(event.step <= step for event in self.lines[name]) for name in self.names}

    @cached_property
    def recorded(self) -> dict[int, Cut]:
        """The cuts, by snapshot, of those in which every participating process recorded."""
        counts = self.history.counts
        return {
            number: {name: min(seen.cut[name], counts[name]) for name in self.names}
            for number, seen in sorted(self.history.recordings.items())
            if set(seen.cut) >= set(self.names) and seen.recorded and seen.life is None
        }

    def first(self) -> Cut:
        """Return the cut to begin with: the first recorded one, otherwise the middle of the run."""
        return next(iter(self.recorded.values()), None) or self.instant(len(self.run.steps) // 2)

    def judge(self, cut: Cut) -> Judged:
        """Return what the oracle says of a cut."""
        crossing, channels = self.history.crossing(cut), self.run.system.topology.channels
        return Judged(
            self.history.consistent(cut),
            tuple(self.letters[m.identity] for m in self.history.orphans(cut)),
            tuple((c, tuple(self.letters[m.identity] for m in crossing[c])) for c in channels if c in crossing),
        )

    def above(self, cut: Cut) -> Cut | None:
        """Return the smallest consistent cut that contains ``cut``."""
        return above(self.history, cut)

    def below(self, cut: Cut) -> Cut:
        """Return the largest consistent cut inside ``cut``."""
        return below(self.history, cut)

    # where a cut lies

    @cached_property
    def known(self) -> list[tuple[Cut, tuple[float, ...]]]:
        """Cuts with a fixed place, by process in steps: those of snapshots, where they were recorded."""
        found = []
        for number, cut in self.recorded.items():
            seen, middle = self.history.recordings[number], self.middle(cut)
            at = tuple(float(seen.recorded.get(name, middle[i])) for i, name in enumerate(self.names))
            if all(self.between(name, cut[name], x) for name, x in zip(self.names, at, strict=True)):
                found.append((cut, at))
        return found

    def between(self, name: str, index: int, at: float) -> bool:
        """Does ``at`` lie between the ``index``-th event of a process and the next?"""
        return self.at.get((name, index), -1.0) <= at <= self.at.get((name, index + 1), float("inf"))

    def places(self, cut: Cut) -> tuple[float, ...]:
        """Return where a cut meets the lines, in steps: where it was recorded, else at one instant, else between
        events."""
        for known, at in self.known:
            if known == cut:
                return at
        same = [step for step in range(len(self.run.steps) + 1) if self.instants[step] == cut]
        return (same[0] + 0.5,) * len(self.names) if same else self.middle(cut)

    @cached_property
    def instants(self) -> list[Cut]:
        """The cut after each step, from 0."""
        return [self.instant(step) for step in range(len(self.run.steps) + 1)]

    def middle(self, cut: Cut) -> tuple[float, ...]:
        """Return places between the last event inside the cut and the next one."""
        return tuple(self.stops(name)[cut[name]] for name in self.names)

    def stops(self, name: str) -> list[float]:
        """Return the places on a line, in steps: before the first event, after it, and so on."""
        at = [self.at[name, event.index] for event in self.lines[name]]
        if not at:
            return [0.5]
        ends = [*at[1:], at[-1] + 1]
        return [max(0.3, at[0] - 0.5), *((a + min(b, a + 1)) / 2 for a, b in zip(at, ends, strict=True))]

    # causality

    def cone(self, name: str) -> Cone | None:
        """Return what could influence the event that an address calls ``name``, and what it could influence; None if
        there is no such event."""
        process, _, index = name.rpartition(":")
        place = whole_number(index) or 0
        if not 1 <= place <= len(self.lines.get(process, ())):
            return None
        event = self.lines[process][place - 1]
        found: dict[str, list[Named]] = {"before": [], "after": [], "beside": []}
        for other in self.history.events:
            if other is not event:
                found[self.history.relation(other, event)].append(_named(other))
        return Cone(event, *map(tuple, found.values()))

    # pictures

    def chosen(self, cut: Cut, cone: Cone | None, clocks: bool) -> Chosen:
        """Return how to draw a cut."""
        faded = () if cone is None else cone.beside
        return Chosen(
            self.places(cut),
            tuple(cut[name] for name in self.names),
            self.fates(self.judge(cut)),
            tuple(
                Dot(
                    event.process,
                    event.index,
                    event.step,
                    self.at[_named(event)],
                    {"internal": "change"}.get(event.kind, event.kind),
                    _clock(self.history.clocks[_named(event)]) if self.last(event) else "",
                    _named(event) in faded,
                )
                for event in self.history.events
            ),
            tuple(
                letter.identity
                for letter in self.letters.values()
                if cone is not None and (_outside(letter.sent, faded) or _outside(letter.received, faded))
            ),
            clocks,
        )

    def fates(self, judged: Judged) -> Mapping[int, str]:
        """Return what a cut does to messages, by identity, without those that it does not affect."""
        fates = {letter.identity: "crossing" for _, letters in judged.crossing for letter in letters}
        return fates | {letter.identity: "orphan" for letter in judged.orphans}

    def plan(self) -> Json:
        """Return what a browser needs to judge any cut itself: see ``static/js/cuts/model.js``."""
        return {
            "names": list(self.names),
            "clocks": [[list(self.history.clocks[_named(e)]) for e in self.lines[name]] for name in self.names],
            "events": [[self.tell(event) for event in self.lines[name]] for name in self.names],
            "at": [[self.at[_named(event)] for event in self.lines[name]] for name in self.names],
            "stops": [self.stops(name) for name in self.names],
            "channels": list(self.run.system.topology.channels),
            "letters": [
                {
                    "id": letter.identity,
                    "said": letter.said,
                    "channel": letter.channel,
                    "sent": self.placed(letter.sent),
                    "received": self.placed(letter.received),
                    "lost": letter.lost,
                }
                for letter in self.letters.values()
            ],
            "known": [[[cut[name] for name in self.names], list(at)] for cut, at in self.known],
            "instants": [[cut[name] for name in self.names] for cut in self.instants],
        }

    def placed(self, event: Named | None) -> list[int] | None:
        """Return an event by the row of its process and its index."""
        return None if event is None else [self.names.index(event[0]), event[1]]


def _named(event: Event) -> Named:
    """Return the process and the index of an event."""
    return event.process, event.index


def _outside(event: Named | None, faded: Iterable[Named]) -> bool:
    """Is an end of a message faded? A missing end is not."""
    return event is not None and event in faded


def _clock(values: Iterable[int]) -> str:
    """Return a vector clock as text."""
    return f"({','.join(map(str, values))})"


def written(names: Iterable[str], cut: Mapping[str, int]) -> str:
    """Return a cut as an address writes it."""
    return ",".join(str(cut[name]) for name in names)
