"""Messages in space and time: when each was sent, and its fate."""

import math

from msgspec.structs import replace

from app.core.model.notes import Doubled, Lost, Received, Restored, Returned, Sent
from app.core.model.value import Value
from app.core.model.values import Message
from app.run.asked_again import asked_again
from app.run.run import Run

LATER, REACHES, LOST = 1.1, 0.85, 0.6
"""How many steps after the end of the run what never arrives would arrive; how far it comes until then; and how far
what is lost has come."""


_TELLING = {Sent, Received, Lost, Doubled, Returned, Restored}
"""The notes that tell of messages; most others are looked at no further."""


class Flight(Value):
    """A message in space and time: when it was sent and when it was received or lost, infinity if it was not. A copy
    that the network made leaves the line of its ``twin`` in the step ``forked``; without a twin, ``forked`` marks a
    message that had arrived and is put back as recorded. ``undone``: it was not lost but taken back. ``first`` is the
    step in which the original was first sent; its own if it repeats nothing."""

    message: Message
    source: int
    target: int
    sent: int
    received: float
    lost: float = math.inf
    forked: float = math.inf
    twin: int | None = None
    undone: bool = False
    first: int = 0

    @property
    def begins(self) -> float:
        """The step at which it first appears."""
        return self.sent if self.forked == math.inf else self.forked

    @property
    def ends(self) -> float:
        """The step after which nothing moves any more."""
        return min(self.received, self.lost)

    def goal(self, steps: int) -> tuple[float, float]:
        """Return where its arrow ends in a run of so many steps: when, and after which part of its way."""
        end = self.ends if self.ends < math.inf else steps + LATER
        return end, 1.0 if self.received < math.inf else LOST if self.lost < math.inf else REACHES

    def origin(self, twin: "Flight | None", steps: int) -> float:
        """Return after which part of its way its arrow begins: 0 unless it is a copy, of its ``twin``, or put back."""
        if self.forked == math.inf:
            return 0.0
        if twin is None:
            return 0.5
        end, _ = twin.goal(steps)
        return max(0.1, min(0.8, (self.forked - twin.sent) / (end - twin.sent)))


@asked_again
def flights(run: Run) -> tuple[Flight, ...]:
    """Return all messages of the run, including markers and parts, in the order of sending; those put back appear
    twice."""
    order = run.system.topology.process_order
    channels = run.system.topology.channels
    found: dict[int, Flight] = {}
    before: list[Flight] = []
    for step in run.steps:
        for note in step.notes:
            if type(note) not in _TELLING:
                continue
            match note:
                case Sent():
                    ends = order[note.process], order[channels[note.channel].target]
                    repeated = found.get(note.message.identity)
                    first = repeated.sent if repeated else step.number
                    found[note.message.id] = Flight(note.message, *ends, step.number, math.inf, first=first)
                case Received():
                    found[note.message.id] = replace(found[note.message.id], received=step.number)
                case Lost():
                    found[note.message.id] = replace(found[note.message.id], lost=step.number)
                case Doubled():
                    whole = replace(found[note.message.id], message=note.copy, forked=step.number, twin=note.message.id)
                    found[note.copy.id] = replace(whole, received=math.inf, lost=math.inf)
                case Returned():
                    for _, message in note.retracted:
                        found[message.id] = replace(found[message.id], lost=step.number, undone=True)
                case Restored():
                    kept = {message.id for _, messages in note.queues for message in messages}
                    for number, flight in found.items():
                        if flight.ends == math.inf and number not in kept:
                            found[number] = replace(flight, lost=step.number, undone=True)
                        elif flight.ends < math.inf and number in kept:
                            before.append(flight)
                            again = replace(flight, received=math.inf, lost=math.inf, undone=False)
                            found[number] = replace(again, forked=step.number, twin=None)
    return tuple(sorted([*before, *found.values()], key=lambda flight: flight.begins))


@asked_again
def carriers(run: Run) -> dict[int, int]:
    """Return, by the id of each message, the identity of what it carries; among repeats, the first to arrive, or else
    the first of all, stands for it; the others have unique numbers."""
    found: dict[int, Flight] = {}
    last = {flight.message.id: flight for flight in flights(run)}.values()
    for flight in last:
        known = found.setdefault(flight.message.identity, flight)
        if known.received == math.inf != flight.received:
            found[flight.message.identity] = flight
    carry = {flight.message.id: identity for identity, flight in found.items()}
    return {flight.message.id: carry.get(flight.message.id, -1 - flight.message.id) for flight in last}


class Progress:
    """How far the messages of a run have come at a step, as the space-time diagram draws it."""

    def __init__(self, run: Run) -> None:
        self.steps = len(run.steps)
        self.flights: dict[int, list[Flight]] = {}
        for flight in flights(run):
            self.flights.setdefault(flight.message.id, []).append(flight)

    def come(self, message: int, step: int) -> float | None:
        """Return the part of its way that a message has behind it after ``step`` steps; None if it was never sent."""
        known = [flight for flight in self.flights.get(message, ()) if flight.begins <= step]
        if not known:
            return None
        flight, now = known[-1], step + 0.5
        twin = self.flights[flight.twin][-1] if flight.twin is not None else None
        begin, (end, goal) = flight.origin(twin, self.steps), flight.goal(self.steps)
        done = max(0.0, min(1.0, (now - flight.begins) / (end - flight.begins)))
        return begin + (max(begin, goal) - begin) * done
