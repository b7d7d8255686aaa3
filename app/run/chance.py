"""How likely it is that a random run breaks a check: the states of a small system, each with its probability.

``explore`` says what is possible. Here every draw of the seeded schedule is followed to all its results, and states
that no continuation can tell apart are one, as there. So the probability of every outcome is exact, up to the rounding
of floating-point numbers, and no run is drawn.

Source of the method: probabilistic model checking of a discrete-time Markov chain (C. Baier, J.-P. Katoen, "Principles
of Model Checking", 2008, chapter 10).
"""

from collections import defaultdict
from collections.abc import Hashable, Iterator
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import chain
from math import prod
from sys import maxsize
from typing import Any, TypeVar, cast

from app.core.model.notes import Lost, Recorded, Sent
from app.core.model.system import System
from app.core.model.values import APP, MARKER, Action, BluecutError, Deliver, Start
from app.core.oracle.checks import Oracle
from app.core.oracle.history import History
from app.run.explore import MOST_STATES, Node, fingerprint, first_node, node_after
from app.run.run import OWN
from app.scenario.format import ExploreForm
from app.scenario.run_key import RunKey
from app.scenario.scenario import Scenario
from app.schedules.seeded import Seeded
from app.schedules.unreliable import RELIABLE, Unreliable

Chances = dict[frozenset[str], float]
"""By the checks that fail in a run, for any of its snapshots: its probability."""


@dataclass(slots=True)
class _State:
    """A state after some steps: its probability, a path to it, the schedule there, and what the verdicts may still
    depend on."""

    chance: float
    node: Node
    schedule: Seeded
    owed: tuple[Hashable, ...] = ()


@dataclass(slots=True)
class _Draws:
    """Stands for the random numbers: the first draws are ``given``, the others are 0. ``asked`` says from how many each
    was drawn."""

    given: tuple[int, ...] = ()
    asked: list[int] = field(default_factory=list)

    def random(self) -> "_Draws":
        """Return what is multiplied by how many there are to draw from."""
        return self

    def __mul__(self, count: int) -> int:
        self.asked.append(count)
        place = len(self.asked) - 1
        return self.given[place] if place < len(self.given) else 0


def chances(scenario: Scenario, key: RunKey = OWN, *, most: int = MOST_STATES) -> Chances:
    """Return the probability of each set of checks that fail in a random run of the scenario.

    Raises BluecutError if the schedule is not seeded, if the run repeats another one under another algorithm, or if
    there are more than ``most`` states. Parts are not collected, so that takes none of the scenario's steps.
    """
    system = replace(scenario.system(key), collect=False)  # collecting never changes what is recorded
    schedule = scenario.schedule(key, system)
    if not isinstance(schedule, Seeded) or scenario.follows(key):
        raise BluecutError("only a seeded schedule has chances that can be counted")
    schedule.unreliable = RELIABLE  # what channels do is counted separately: a draw from a hundred has few results
    first = first_node(system, ExploreForm(moves=0, starts=[]), ())
    states: dict[Hashable, _State] = {None: _State(1.0, first, schedule)}
    found: defaultdict[frozenset[str], float] = defaultdict(float)
    seen = 0
    for _ in range(scenario.form.steps):
        after: dict[Hashable, _State] = {}
        for state in states.values():
            for action, chance in _next(state, scenario.unreliable).items():
                if action is None:
                    found[_failing(system, state.node)] += state.chance * chance
                    continue
                later = _after(system, state, action, state.chance * chance)
                known = after.setdefault(_mark(system, later), later)
                if known is not later:
                    known.chance += later.chance
        seen += len(after)
        if seen > most:
            raise BluecutError("more than {most:,} states; only the chances of small systems can be counted", most=most)
        states = after
    for state in states.values():
        found[_failing(system, state.node)] += state.chance
    return dict(found)


def _next(state: _State, unreliable: Unreliable) -> dict[Action | None, float]:
    """Return what may happen next, each with its probability; None where nothing is left to do."""
    found: defaultdict[Action | None, float] = defaultdict(float)
    schedule, starts = state.schedule, state.schedule.starts
    todo: list[tuple[int, ...]] = [()]
    while todo:
        draws = _Draws(todo.pop())
        schedule.rng = schedule.parts = cast(Any, draws)
        schedule.starts = list(starts)
        action, chance = schedule.next(state.node.world), 1 / prod(draws.asked)
        for other, part in unreliable.chances(action).items() if isinstance(action, Deliver) else [(action, 1.0)]:
            found[other] += chance * part
        zeros = (0,) * (len(draws.asked) - len(draws.given))
        for place in range(len(draws.given), len(draws.asked)):
            before = (draws.given + zeros)[:place]
            todo += [(*before, other) for other in range(1, draws.asked[place])]
    schedule.starts = starts
    return found


def _after(system: System, state: _State, action: Action, chance: float) -> _State:
    node = node_after(system, state.node, action)
    schedule = _forked(state.schedule)
    schedule.flight = _forked(schedule.flight)
    if isinstance(action, Start):
        del schedule.starts[0]
    schedule.saw(action, node.world, node.notes)
    owed = list(state.owed)
    for fact, often in _owed(node):
        if owed.count(fact) < often:
            owed.append(fact)
    return _State(chance, node, schedule, tuple(sorted(owed, key=repr)))


T = TypeVar("T")


def _forked(thing: T) -> T:
    """Return a copy that changes on its own: what it keeps in collections is copied, too; the items never change."""
    other = copy(thing)
    for name, value in vars(thing).items():
        if isinstance(value, list | dict | set):
            setattr(other, name, copy(value))
    return other


def _owed(node: Node) -> Iterator[tuple[Hashable, int]]:
    """Yield what happened in the last step of which the state keeps no trace, though a verdict may depend on it, and
    how often that counts: markers and recorded states, of which one is right and two are wrong, and lost messages."""
    for note in node.notes:
        match note:
            case Sent() if note.message.kind == MARKER:
                yield (note.channel, note.message.snapshot), 2
            case Recorded():
                yield (note.process, note.snapshot), 2
            case Lost() if note.message.kind == APP:
                yield (note.channel, note.message.payload, node.debt.outside.get(note.message.identity)), maxsize


def _mark(system: System, state: _State) -> Hashable:
    """Return a value that two states share when the same may follow with the same probabilities."""
    schedule = state.schedule
    waiting = frozenset(schedule.deferred), frozenset(schedule.timers)
    return fingerprint(system, state.node), schedule.left, len(schedule.starts), schedule.steps, waiting, state.owed


def _failing(system: System, node: Node) -> frozenset[str]:
    """Return the checks that fail for some snapshot of the run that ends there."""
    history = History(system.topology.names)
    for action, notes in node.path():
        history.watch(action, notes)
    oracle = Oracle(system, history)
    return frozenset(chain.from_iterable(oracle.judge(node.world, n).broken for n in history.recordings))
