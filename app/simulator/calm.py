"""The run without failures: what took effect in a run of a dataflow happens again, in the same order, and nothing goes
wrong.

Nobody crashes, nothing is lost, and no checkpoint is taken, for none is needed. Sources read, and records arrive, in
the order of the events that still count in the run (see ``app.core.causality``: what a recovery undid does not), each
as often as it can; then all that is still on its way arrives, and every source is read to its end. So a recovery that
is right leads to the very same states: not only to what some order of the records would have given.

An event that cannot happen here, such as the second arrival of a record that was doubled, is passed over; whatever
stands in front of a record in its channel arrives first.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from app.algorithms.registry import ALGORITHMS
from app.core.causality import RECEIVE, Event
from app.core.enabled import hindrance, obstacle
from app.core.kernel import step
from app.core.model import APP, Action, Deliver, Message, Move, World
from app.core.notes import Received
from app.core.program import READ
from app.core.system import System
from app.simulator.flight import Flight, reading
from app.simulator.form import STEPS
from app.simulator.run import Run

ALGORITHM = "at-most-once"
"""It records nothing and sends nothing of its own: without a failure it makes no difference."""


@dataclass(slots=True)
class Calm:
    """The run without failures. ``received`` are the messages of the program that arrived, by the channel, in order;
    ``full`` says that it stopped at a limit, with more to do."""

    system: System
    world: World
    flight: Flight
    steps: int = 0
    full: bool = False
    received: list[tuple[str, Message]] = field(default_factory=list)

    def do(self, action: Action) -> None:
        """Make a step."""
        self.world, notes = step(self.system, self.world, action)
        self.flight.saw(notes)
        self.steps += 1
        self.received += [(n.channel, n.message) for n in notes if isinstance(n, Received) and n.message.kind == APP]

    def room(self, move: Move) -> bool:
        """Let what is on its way arrive until the move is possible. False where it never is."""
        while hindrance(self.system, self.world, move) or self.busy(move.process):
            action = self.flight.message(self.world)
            if action is None:
                return False
            self.do(action)
        return True

    def busy(self, name: str) -> bool:
        """Has the process still to pass on what it took?"""
        program = self.system.eager
        return (
            program is not None
            and program.urge(self.system.process(self.world, name), self.world.states[name]) is not None
        )

    def read(self, name: str, offset: int) -> None:
        """A source reads on, up to an offset."""
        move = Move(name, None, None, READ)
        while (self.world.states[name].offset or 0) < offset and self.room(move):
            self.do(move)

    def arrive(self, channel: str, identity: object) -> None:
        """A record arrives, after what stands in front of it; where it is not in the channel, nothing does."""
        while (at := self.place(channel, identity)) is not None:
            ahead = 0 if self.system.ordered(channel) else at
            if obstacle(self.system, self.world, channel, ahead) is not None:
                return
            self.do(Deliver(channel, ahead))
            if ahead == at:
                return

    def place(self, channel: str, identity: object) -> int | None:
        """Where the record is in its channel."""
        queue = self.world.queues.get(channel, ())
        return next((i for i, message in enumerate(queue) if identified(message.payload) == identity), None)


def calm(run: Run) -> Calm:
    """The run without failures of a run of a dataflow."""
    system = replace(run.system, algorithm=ALGORITHMS[ALGORITHM])
    made = Calm(system, system.begin(), Flight(system))
    for event in effects(run):
        if event.kind == RECEIVE and event.channel is not None and event.message is not None:
            made.arrive(event.channel, identified(event.message.payload))
        else:
            made.read(event.process, event.state.offset)
    while action := made.flight.quiet(made.world) or reading(system, made.world):
        if made.steps >= STEPS:
            made.full = True
            break
        made.do(action)
    return made


def effects(run: Run) -> Iterator[Event]:
    """The arrivals and readings of a run that still count, in their order."""
    for event in run.history.events:
        action = event.action
        if event.kind == RECEIVE or (isinstance(action, Move) and action.detail == READ):
            yield event


def identified(payload: Any) -> object:
    """What makes a record the record that it is; the end of a stream is the end."""
    return getattr(payload, "id", payload)
