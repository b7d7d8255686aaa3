"""The run without failures: what took effect in a run of a dataflow happens again, in the same order, and nothing
fails.

No process crashes, nothing is lost, and no checkpoint is taken, for none is needed. Sources read, and items arrive, in
the order of the events that still count in the run (see ``app.core.oracle.history``: what a recovery undid does not),
each as often as it can; then all that is still in flight arrives, and every source is read to its end. So a correct
recovery leads to exactly the same states, not only to those that some order of the items would have given.

An event that cannot happen here, such as the second arrival of a duplicated item, is skipped; whatever stands in front
of an item in its channel arrives first. An algorithm that resends messages keeps no order among them, so there an item
arrives when it did in the run, whatever stands in front of it.
"""

from dataclasses import dataclass, field, replace

from app.algorithms.registry import ALGORITHMS, standing_for
from app.analysis.possible_results import Arrival, Case, Result, arrived
from app.core.kernel.enabled import hindrance, obstacle
from app.core.kernel.step import step
from app.core.model.system import System
from app.core.model.values import Action, Deed, Deliver, Move, World
from app.core.oracle.history import RECEIVE
from app.forms.fields import STEPS
from app.programs.dataflow import Dataflow
from app.run.run import Run
from app.schedules.in_flight import Flight, reading

ALGORITHM = standing_for("at-most-once")
"""The algorithm used: it records nothing and sends nothing of its own, so without a failure it makes no difference."""


@dataclass(slots=True)
class Calm:
    """The run without failures. ``arrivals`` are the items that arrived, by channel, in order; ``full`` says that it
    stopped at a limit, with more to do."""

    case: Case
    world: World
    flight: Flight
    steps: int = 0
    full: bool = False
    arrivals: list[Arrival] = field(default_factory=list)

    @property
    def system(self) -> System:
        """Return the system that runs."""
        return self.case.system

    @property
    def result(self) -> Result:
        """Return the result of the run."""
        return Result(self.world.states, tuple(self.arrivals))

    def do(self, action: Action) -> None:
        """Make a step; then pass on what processes have to pass on, as far as there is room: it waits only for room."""
        next_: Action | None = action
        while next_ is not None:
            self.world, notes = step(self.system, self.world, next_)
            self.flight.saw(notes)
            self.steps += 1
            self.arrivals += arrived(notes)
            next_ = self.onward() if self.system.capacity else None

    def onward(self) -> Move | None:
        """Return a move that can pass something on now."""
        urges = (self.urge(name) for name in self.system.topology.names)
        return next((move for move in urges if move and hindrance(self.system, self.world, move) is None), None)

    def room(self, move: Move) -> bool:
        """Let what is in flight arrive until the move is possible. False where it never is."""
        while hindrance(self.system, self.world, move) or self.urge(move.process):
            action = self.flight.message(self.world)
            if action is None:
                return False
            self.do(action)
        return True

    def urge(self, name: str) -> Move | None:
        """Return the move that passes on what the process still has from its last input."""
        return self.case.program.urge(self.system.process(self.world, name), self.world.states[name])

    def read(self, name: str, offset: int) -> None:
        """Let a source read on, up to an offset."""
        move = Move(name, None, None, Deed.READ)
        while (self.world.states[name].offset or 0) < offset and self.room(move):
            self.do(move)

    def arrive(self, channel: str, identity: object) -> None:
        """Let an item arrive, after what stands in front of it; do nothing where it is not in the channel."""
        while (at := self.place(channel, identity)) is not None:
            ahead = 0 if self.system.ordered(channel) else at
            if obstacle(self.system, self.world, channel, ahead) is not None:
                return
            self.do(Deliver(channel, ahead))
            if ahead == at:
                return

    def place(self, channel: str, identity: object) -> int | None:
        """Return the position of the item in its channel."""
        queue = self.world.queues.get(channel, ())
        return next((i for i, message in enumerate(queue) if identified(message.payload) == identity), None)


def calm(run: Run) -> Calm:
    """Return the run without failures that belongs to a run of a dataflow."""
    case = quiet(run)
    system = case.system
    made = Calm(case, system.begin(), Flight(system))
    for event in run.history.events:
        if event.kind == RECEIVE and event.channel is not None and event.message is not None:
            made.arrive(event.channel, identified(event.message.payload))
        elif event.kind == RECEIVE or event.action.reads:
            made.read(event.process, event.state.offset)
    while action := made.flight.quiet(made.world) or reading(system, made.world):
        if made.steps >= STEPS:
            made.full = True
            break
        made.do(action)
    return made


def quiet(run: Run) -> Case:
    """Return the system of a run, with no failures: the same for every algorithm, schedule and fault."""
    again, system = run.system.algorithm.RECOVERY.repeats, replace(run.system, algorithm=ALGORITHMS[ALGORITHM])
    if again:
        system = replace(system, discipline="any", exceptions={})
    graph, program = system.topology, system.program
    assert isinstance(program, Dataflow)
    orders = system.discipline, *system.exceptions.items()
    steps = repr(program.operators), program.logs, program.batches
    rest = *system.capacity.items(), *system.newcomers.items(), system.recovers
    return Case((graph.names, *graph.channels, orders, steps, rest), system)


def identified(payload: object) -> object:
    """Return the identity of an item; the end of a stream is its own."""
    return getattr(payload, "id", payload)
