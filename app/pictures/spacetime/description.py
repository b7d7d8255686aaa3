"""A space-time diagram in words, as it is drawn: what happens on the line of each process, and where a cut crosses it.

What the diagram does not show is not told: what was recorded where it hides that, the effects of a cut on messages
before they are drawn, and what lies outside its window.
"""

import math
from collections.abc import Iterator
from itertools import groupby

from app.core.model.notes import Crashed, Down, Joined, Left, Note, Restored, Returned
from app.core.model.values import APP
from app.core.oracle.history import RECEIVE, SEND, Event
from app.pictures.in_words import Described, message_name
from app.pictures.spacetime import recovery_line
from app.pictures.spacetime.flights import Flight
from app.pictures.spacetime.options import PLAYER, Look
from app.pictures.spacetime.rollbacks import saves
from app.pictures.spacetime.window import ORPHAN, Window
from app.run.run import Run
from app.words.catalogues import JOIN, word

Act = tuple[float, int, str]
"""When something happens, in steps; its place among what happens in the same step; and what it is."""
COMES: dict[type[Note], str] = {Joined: "joins", Left: "leaves", Crashed: "crashes", Down: "crashes", Returned: "back"}
NEXT = 1e-6
"""A cut crosses a line so much after what happens at its place, in steps."""
LAST = ("records", "records.checkpoint", "saves", "send", "send.flight", "send.lost", "send.undone")
"""What a process does last in a step: it records before it sends its markers."""
FIRST = -1
"""The place of a record within a step whose message is received only after it."""


def description(run: Run, step: int, language: str, look: Look = PLAYER) -> tuple[Described, ...]:
    """Return the diagram after ``step`` steps, line by line."""
    return tuple(_Lines(run, step, language, look).lines())


class _Lines:
    def __init__(self, run: Run, step: int, language: str, look: Look) -> None:
        self.run, self.step, self.language, self.look = run, step, language, look
        self.window = Window(run, step, language, look)
        self.names = run.system.topology.names
        self.acts: dict[str, list[Act]] = {name: [] for name in self.names}
        shown = self.window.snapshot
        seen = None if shown is None else run.history.recordings[shown]
        flights = self.window.visible()
        self.fates = {flight.message.id: self.window.fate(flight, seen) for flight in flights}
        if look.chosen is None:
            self.happened(flights)
        else:
            self.chosen()
        if look.records:
            self.recorded()

    def lines(self) -> Iterator[Described]:
        """Yield the lines, from the top."""
        cuts = self.look.places or recovery_line.line(self.run, self.step) or ()
        for row, name in enumerate(self.names):
            steps = groupby(sorted(self.acts[name], key=lambda act: act[:2]), key=lambda act: act[0])
            told = [
                (at, self.say("step", step=math.floor(at), events=JOIN[self.language].join(what for *_, what in acts)))
                for at, acts in steps
            ]
            if cuts:
                place = min(cuts[row] + NEXT, self.beyond(row, name) - NEXT)
                told.append((place, self.say("cut" if self.look.places else "recovery")))
            parts = tuple(what for _, what in sorted(told, key=lambda one: one[0]))
            yield Described(name, parts or (self.say("still"),), line=True)

    def beyond(self, row: int, name: str) -> float:
        """Return where the first event of a process lies that is not inside the chosen cut: a cut that goes through a
        record point may meet the line at the very step of an event."""
        chosen = self.look.chosen
        if chosen is None:
            return math.inf
        outside = (dot.at for dot in chosen.dots if dot.process == name and dot.index > chosen.counts[row])
        return min(outside, default=math.inf)

    def say(self, key: str, **fields: object) -> str:
        return word(f"drawn.{key}", self.language, **fields)

    def tell(self, name: str, at: float, key: str, place: int | None = None, **fields: object) -> None:
        """Tell what a process does, unless that lies outside the window; ``place``: another than usual within its
        step."""
        if at <= self.step and self.window.inside(self.window.x(at)):
            usual = 1 + LAST.index(key) if key in LAST else 0
            self.acts[name].append((at, usual if place is None else place, self.say(key, **fields)))

    # a cut through events

    def chosen(self) -> None:
        """Tell the events of the program, each by itself: a cut may pass between those of one step."""
        events = {(event.process, event.index): event for event in self.run.history.events}
        for dot in self.look.chosen.dots if self.look.chosen else ():
            self.acts[dot.process].append((dot.at, 0, self.event(events[dot.process, dot.index])))

    def event(self, event: Event) -> str:
        """Return an event of the program."""
        message = event.message
        if message is None or event.channel is None or event.kind not in (SEND, RECEIVE):
            return self.say("change")
        channel, name = self.run.system.topology.channels[event.channel], self.called_by(message.id)
        if event.kind == SEND:
            return self.say("send", message=name, process=channel.target)
        return self.say("receive", message=name, process=channel.source)

    # what has happened

    def happened(self, flights: list[Flight]) -> None:
        """Tell what has happened by now."""
        run = self.run
        for flight in flights:
            self.travels(flight)
        if not run.system.recovers:
            for event in run.history.events:
                if event.kind not in (SEND, RECEIVE):
                    self.tell(event.process, event.step, "change")
        self.come_and_gone()

    def recorded(self) -> None:
        """Tell where states are recorded or saved."""
        received = {(e.process, e.step): e.index for e in self.run.history.events if e.kind == RECEIVE}
        key = "records.checkpoint" if self.run.system.algorithm.COORDINATED else "records"
        for seen in self.run.history.recordings.values():
            for name, at in seen.recorded.items() if self.window.shows(seen) else ():
                after = received.get((name, at), 0) > seen.cut.get(name, 0)
                self.tell(name, at, key, FIRST if after else None, snapshot=seen.id)
        for name, at in saves(self.run, self.step):
            self.tell(name, at, "saves")

    def come_and_gone(self) -> None:
        """Tell which processes come, go, crash and roll back."""
        unseen = max(0, math.floor(self.window.origin / self.window.unit) - 1)
        for at, note in self.run.told(Note, self.step, unseen):
            match note:
                case Joined() | Left() | Crashed() | Down() | Returned():
                    self.tell(note.process, at, COMES[type(note)])
                case Restored():
                    for name in self.names:
                        if name not in note.kept:
                            self.tell(name, at, "back")

    def travels(self, flight: Flight) -> None:
        """Tell how a message is sent and received. A copy of one, and what is put back, was not sent by anybody."""
        source, target = self.names[flight.source], self.names[flight.target]
        name = self.called_by(flight.message.id)
        if flight.forked == math.inf:
            end = "" if flight.received <= self.step else ".lost" if flight.lost <= self.step else ".flight"
            end = ".undone" if end == ".lost" and flight.undone else end
            self.tell(source, flight.sent, f"send{end}", message=name, process=target)
        if flight.received < math.inf:
            self.tell(target, flight.received, "receive", message=name, process=source)

    def called_by(self, number: int) -> str:
        """Return the name of a message, and whether it is drawn as an orphan."""
        message = self.window.flights[number].message
        said = message_name(self.run.system, message, self.language)
        orphan = message.kind == APP and self.fates.get(number) == ORPHAN
        return word("spacetime.orphan", self.language, message=said) if orphan else said
