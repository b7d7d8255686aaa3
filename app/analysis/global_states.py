"""The global states of a run: those it went through, those it recorded, and all others in which it could have been.

Sources: Chandy and Lamport 1985, section 4 (Theorem 1: the recorded state lies on a path from the state in which the
snapshot began to the one in which it ended); Mattern 1989.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate

from immutables import Map
from msgspec import structs
from msgspec.structs import replace

from app.core.kernel.enabled import options
from app.core.kernel.step import step
from app.core.model.conditions import usual
from app.core.model.notes import Sent, only
from app.core.model.values import APP, Action, Deliver, Move, World
from app.core.oracle.history import RECEIVE, SEND, Event, Recording
from app.core.oracle.lattice import Cut, Lattice, larger
from app.run.run import Run
from app.scenario.run_key import MOST_CHOICES, RunKey

REPLAYED = 60_000
"""The limit for spelling out a path through a state: its steps times the processes and channels."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A complete snapshot as a state: its ``cut``. ``consistent``: it is one; ``exact``: what it recorded of the
    channels is what was in them, so the recorded state is this state."""

    number: int
    cut: Cut
    consistent: bool
    exact: bool
    run: Run = field(repr=False, compare=False)
    lattice: Lattice = field(repr=False, compare=False)

    @property
    def passage(self) -> tuple[Cut, ...]:
        """Return, for a consistent cut, the states from the start of the snapshot through this one to its end, by
        Theorem 1."""
        if not self.consistent:
            return ()
        return passage(self.run, self.lattice, self.run.history.recordings[self.number])


def spine(run: Run, lattice: Lattice) -> tuple[Cut, ...]:
    """Return the states that the run went through, event by event, if they are states (after a rollback, removed events
    have not happened)."""
    cuts = [lattice.bottom]
    for event in run.history.events:
        if not lattice.possible(cuts[-1], lattice.place[event.process]):
            break
        cuts.append(larger(cuts[-1], lattice.place[event.process]))
    return tuple(cuts)


def moments(run: Run, lattice: Lattice) -> dict[Cut, int]:
    """Return the states in which the run really was, each with the first step after which it was: of a step with
    several events only the last."""
    cuts = spine(run, lattice)
    found = {lattice.bottom: 0}
    for at, event in enumerate(run.history.events[: len(cuts) - 1], 1):
        if at == len(run.history.events) or run.history.events[at].step != event.step:
            found.setdefault(cuts[at], event.step)
    return found if not run.history.lives else dict(_stayed(run, found))


def _stayed(run: Run, found: dict[Cut, int]) -> Iterator[tuple[Cut, int]]:
    """Yield, of states by step, those in which the run really was then: before a rollback, the events that it removed
    had happened, too."""
    events = iter(run.history.events)
    states = {name: run.begin.states[name] for name in run.history.names}
    waiting: dict[int, None] = {}
    at = 0
    for cut, number in found.items():
        while at < sum(cut):
            event = next(events)
            states[event.process] = event.state
            at += 1
            if event.message is None or run.history.lost(event.message.identity):
                continue
            if event.kind == SEND:
                waiting[event.message.identity] = None
            else:
                waiting.pop(event.message.identity, None)
        then = run.world(number)
        there = {message.identity for queue in then.queues.values() for message in queue}
        if waiting.keys() <= there and all(then.states[name] == state for name, state in states.items()):
            yield cut, number


def taken(run: Run, lattice: Lattice) -> tuple[Taken, ...]:
    """Return the complete snapshots, by number; those of a removed life are left out."""
    return tuple(
        snapshot(run, lattice, seen)
        for number, seen in sorted(run.history.recordings.items())
        if seen.completed is not None and seen.life is None
    )


def snapshot(run: Run, lattice: Lattice, seen: Recording) -> Taken:
    """Return a complete snapshot as a state."""
    cut = lattice.cut(seen.cut)
    if not lattice.consistent(cut):
        return Taken(seen.id, cut, False, False, run, lattice)
    exact = run.verdicts[seen.id].checks["channels"] is True
    return Taken(seen.id, cut, True, exact, run, lattice)


def passage(run: Run, lattice: Lattice, seen: Recording) -> tuple[Cut, ...]:
    """Return the states of Theorem 1: from the start of the snapshot, first what its cut contains, then the rest up to
    its end."""
    events, ended = run.history.events, seen.completed or 0
    meanwhile = [event for event in events if seen.started <= event.step <= ended]
    before = [event for event in meanwhile if run.history.inside(event, seen.cut)]
    after = [event for event in meanwhile if not run.history.inside(event, seen.cut)]
    begun = lattice.cut(Counter(event.process for event in events if event.step < seen.started))
    places = [lattice.place[event.process] for event in (*before, *after)]
    return tuple(accumulate(places, larger, initial=begun))


def world(run: Run, lattice: Lattice, cut: Cut) -> World:
    """Return the world of a state: each process after its last event inside, and in the channels what was sent inside
    and received outside. What the network lost for good is left out; no snapshot is in progress."""
    limits = lattice.named(cut)
    states = {name: run.begin.states[name] for name in lattice.names}
    states |= {event.process: event.state for event in run.history.events if run.history.inside(event, limits)}
    queues = {channel: tuple(messages) for channel, messages in run.history.crossing(limits).items()}
    unborn = tuple(name for name in run.begin.unborn if not limits[name])
    conditions = usual(structs.replace(run.begin.conditions, unborn=unborn))
    return structs.replace(run.begin, states=Map(states), queues=Map(queues), conditions=conditions)


def inside(run: Run, lattice: Lattice, cut: Cut) -> Iterator[Event]:
    """Yield the events inside a cut, in the order in which they happened."""
    limits = lattice.named(cut)
    return (event for event in run.history.events if run.history.inside(event, limits))


def route(run: Run, lattice: Lattice, cut: Cut) -> RunKey | None:
    """Return the key of a run without snapshots that goes through a state: first what is inside, then, where a person
    could choose it, the rest. After as many steps as the cut has events it is there.

    None where a person could not choose what happened (a script may do what no choice can), and where the path is
    longer than a key can say or than REPLAYED.
    """
    order, boundary = run.history.reordered(lattice.named(cut))
    most = _longest(run)
    if boundary > most or run.history.lives:
        return None
    here = run.system.begin()
    chosen: list[tuple[int, int]] = []
    known: dict[int, int] = {}
    for event in order[:most]:
        possible = [action for action, reason in options(run.system, here) if reason is None]  # faults come last
        action = _same(run, here, possible, event, known)
        if action is None:
            break
        after, notes = step(run.system, here, action)
        if after.states[event.process] != event.state:
            break
        sent = [note.message.id for note in only(Sent, notes) if note.message.kind == APP]
        if event.kind == SEND and event.message is not None and sent:
            known[event.message.identity] = sent[0]
        chosen.append((len(chosen), possible.index(action)))
        here = after
    if len(chosen) < boundary:
        return None
    return replace(run.key, choices=tuple(chosen), drain=False, manual=True)


def _longest(run: Run) -> int:
    """Return how many events a path may have."""
    graph = run.system.topology
    return min(MOST_CHOICES, REPLAYED // (len(graph.names) + len(graph.channels)))


def hindrance(run: Run, lattice: Lattice, cut: Cut) -> str:
    """Return why a state has no ``route``: the system went ``back``, the path is too ``long``, the ``network`` repeated
    something or let it overtake, or the ``script`` did what no choice can do."""
    history = run.history
    if history.lives:
        return "back"
    if sum(cut) > _longest(run):
        return "long"
    received = [e for e in inside(run, lattice, cut) if e.kind == RECEIVE and e.message is not None]
    unasked = any(e.channel in history.disordered or e.message.identity in history.twins for e in received if e.message)
    return "network" if unasked else "script"


def _same(run: Run, here: World, possible: list[Action], event: Event, known: dict[int, int]) -> Action | None:
    """Return the possible action that lets an event happen again, or None; ``known`` has the new ids of messages. Of
    the moves of a process it is the one that leads to the same state."""
    match event.action:
        case Move() as wanted if event.kind != RECEIVE:
            ways, process = (wanted.process, wanted.channel, wanted.payload), run.system.process(here, event.process)
            for action in possible:
                match action:
                    case Move(name, channel, payload) if (name, channel, payload) == ways:
                        if run.system.program.act(process, here.states[event.process], action) == event.state:
                            return action
            return None
    if event.channel is None or event.message is None:
        return None
    identity = known.get(event.message.identity)
    queue = here.queues.get(event.channel, ())
    found = (Deliver(event.channel, i) for i, message in enumerate(queue) if message.id == identity)
    return next((action for action in found if action in possible), None)
