"""Random dataflows under barriers: every checkpoint is correct, and rolling back to it loses and duplicates nothing,
whatever crashes when."""

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest

from app.algorithms.registry import algorithm
from app.core.kernel.enabled import enabled, options, restorable
from app.core.kernel.step import step
from app.core.model import recorded_state
from app.core.model.system import System
from app.core.model.topology import Topology, channel_name
from app.core.model.values import Abandon, Action, Collect, Crash, Deliver, Move, Restore, Start, Wake, World
from app.core.oracle import checks
from app.core.oracle.history import History
from app.programs.dataflow import COORDINATOR, SINK, SOURCE, TRANSACTIONAL, Dataflow, Operator, Record, State
from tests.often import seeds

ROOT, OUT = "JM", "out"
BOUND = 6_000
"""More steps than any of these runs takes; a run with more hangs."""


@dataclass
class Flow:
    """A random dataflow: its graph, what each process does, and how much a channel holds."""

    names: list[str]
    links: list[tuple[str, str]]
    operators: dict[str, Operator]
    capacity: dict[str, int]

    def system(self, name: str) -> System:
        """Return the dataflow under an algorithm."""
        topology = Topology(self.names, self.links, layers=True)
        program = Dataflow.on(topology, self.operators)
        return System(topology, program, algorithm(name), capacity=self.capacity, recovers=True, collect=False)


def flow(rng: random.Random, *, loops: bool) -> Flow:
    """Draw one to three sources, one to four operators, a transactional sink; with ``loops``, one or two channels lead
    back, and their items die out."""
    sources = [f"s{i}" for i in range(1, rng.randint(1, 3) + 1)]
    middle = [f"o{i}" for i in range(1, rng.randint(1, 4) + 1)]
    links = [(ROOT, source) for source in sources]
    operators = {ROOT: Operator(COORDINATOR), OUT: Operator(SINK, sink=TRANSACTIONAL)}
    for source in sources:
        values = [(rng.randint(1, 4), rng.choice("ab")) for _ in range(rng.randint(0, 5))]
        records = tuple(Record(f"{source}.{i}", value, key) for i, (value, key) in enumerate(values, 1))
        operators[source] = Operator(SOURCE, records, ends=rng.random() < 0.4)
    for i, name in enumerate(middle):
        before = [*sources, *middle[:i]]
        inputs = rng.sample(before, min(len(before), rng.randint(1, 3)))
        links += [(one, name) for one in before if one in inputs]
        operators[name] = operator(rng, join=len(inputs) == 2 and not loops, grow=not loops)
    for name in [*sources, *middle]:
        if not any(source == name for source, _ in links):
            links.append((name, OUT))
    if loops:
        for _ in range(rng.randint(1, 2)):
            tail = rng.choice(middle)
            head = rng.choice(middle[: middle.index(tail)] or middle)
            if head != tail and (tail, head) not in links and reaches(links, head, tail):
                links.append((tail, head))
                operators[tail] = Operator(keep="count", plus=-1, above=0)
    if not any(target == OUT for _, target in links):
        links.append((middle[-1], OUT))
    held = () if loops else [channel_name(a, b) for a, b in links if a != ROOT and rng.random() < 0.6]
    return Flow([ROOT, *sources, *middle, OUT], links, operators, {c: rng.randint(1, 3) for c in held})


def operator(rng: random.Random, *, join: bool, grow: bool) -> Operator:
    """Draw what an operator does, independent of the order of its items."""
    if join and rng.random() < 0.4:
        return Operator(keep="join", keyed=True)
    keep = rng.choice((None, "sum", "count"))
    keyed, route = rng.random() < 0.5, rng.choice(("all", "all", "key"))
    if not grow:
        return Operator(keep=keep, keyed=keyed, route="all")
    times, above = rng.choice((1, 1, 2)), rng.choice((None, None, 2))
    modulo = rng.choice((None, None, (2, 0)))
    return Operator(keep=keep, keyed=keyed, times=times, above=above, modulo=modulo, route=route)


def reaches(links: list[tuple[str, str]], start: str, aim: str) -> bool:
    """Does a path lead from ``start`` to ``aim``?"""
    seen = [start]
    for here in seen:
        seen += [target for source, target in links if source == here and target not in seen]
    return aim in seen


@dataclass
class Walk:
    """A random run with an observer."""

    system: System
    rng: random.Random
    world: World = field(init=False)
    history: History = field(init=False)
    steps: int = 0
    crashes: int = 0

    def __post_init__(self) -> None:
        self.world = self.system.begin()
        self.history = History(self.system.topology.names)

    def does(self, action: Action) -> None:
        """Take one step."""
        self.world, notes = step(self.system, self.world, action)
        self.history.watch(action, notes)
        self.steps += 1
        assert self.steps < BOUND, "it hangs"

    def ordinary(self) -> list[Action]:
        """Return the actions that are not faults."""
        kinds = (Deliver, Collect, Wake, Move)
        return [a for a, reason in options(self.system, self.world) if reason is None and isinstance(a, kinds)]

    def roams(self, length: int) -> None:
        """Take arbitrary actions, including faults: processes crash, even during a checkpoint or right after a
        rollback, and checkpoints are aborted."""
        for _ in range(length):
            chance = self.rng.random()
            possible = enabled(self.system, self.world)
            crash = [a for a in possible if isinstance(a, Crash) and a.process != ROOT]
            if chance < 0.015 and crash:
                self.does(self.rng.choice(crash))
                self.crashes += 1
            elif self.world.down and chance < 0.6:
                self.returns()
            elif chance < 0.08 and Start(ROOT) in possible and len(self.world.snapshots) < 12:
                self.does(Start(ROOT))
            elif chance < 0.09 and (running := [a for a in possible if isinstance(a, Abandon)]):
                self.does(self.rng.choice(running))
            elif ordinary := self.ordinary():
                self.does(self.rng.choice(ordinary))

    def returns(self) -> None:
        """Roll back to the latest checkpoint; doing so twice changes nothing."""
        latest = restorable(self.world)[-1]
        self.does(Restore(latest))
        if self.rng.random() < 0.5:
            before = self.world
            self.does(Crash(self.rng.choice([n for n in self.system.topology.names if n != ROOT])))
            self.does(Restore(latest))
            assert (self.world.states, self.world.queues) == (before.states, before.queues)

    def settles(self) -> None:
        """Bring crashed processes back, and deliver everything in flight."""
        if self.world.down:
            self.returns()
        while ordinary := self.ordinary():
            self.does(self.rng.choice(ordinary))

    def ends(self) -> None:
        """Deliver everything, and take a last checkpoint so that the sink commits what it has."""
        self.settles()
        self.does(Start(ROOT))
        self.settles()


def summed(state: State) -> Any:
    """Return the part of a state that does not depend on the order of items."""
    sides = tuple(Counter(record.id for record in side) for side in state.sides)
    return state.offset, state.total, dict(state.table), sides


def finals(walk: Walk) -> dict[str, Any]:
    """Return the state of each process at the end."""
    return {name: summed(walk.world.states[name]) for name in walk.system.topology.names}


def left(walk: Walk) -> Counter[str]:
    """Return what has left the system and is visible, as a bag."""
    program = walk.system.program
    assert isinstance(program, Dataflow)
    return Counter(record.id for record in program.visible(walk.world.durable.outside.get(OUT)))


def failing(walk: Walk) -> list[tuple[int, tuple[str, ...], Any]]:
    """Return the checks that fail, by snapshot."""
    oracle = checks.Oracle(walk.system, walk.history)
    verdicts = {n: oracle.judge(walk.world, n) for n in walk.history.recordings}
    return [(n, verdict.broken, verdict.witnesses) for n, verdict in verdicts.items() if verdict.broken]


def ran(name: str, seed: int, *, loops: bool) -> tuple[Walk, Walk]:
    """Return a random run with failures, and one of the same dataflow without."""
    rng = random.Random(f"{seed} {loops}")
    dataflow = flow(rng, loops=loops)
    calm = Walk(dataflow.system(name), random.Random(seed))
    calm.ends()
    wild = Walk(dataflow.system(name), random.Random(f"{seed} {name}"))
    wild.roams(rng.randint(40, 220))
    wild.ends()
    return wild, calm


def over(walk: Walk) -> bool:
    """Is every checkpoint complete or aborted?"""
    return not any(walk.world.snapshots[number].running for number in walk.world.snapshots)


RIGHT = ("aligned", "aligned-strict", "unaligned", "aligned-timeout", "loops", "chandy-lamport")
ROUND = ("unaligned", "aligned-timeout", "loops", "chandy-lamport")
SEEDS = seeds(30)


def exactly_once(wild: Walk, calm: Walk) -> None:
    """Check that nothing is lost or duplicate, in states or outside, and that each snapshot passes all checks."""
    assert failing(wild) == [] and failing(calm) == []
    assert over(wild) and over(calm)
    assert finals(wild) == finals(calm)
    assert left(wild) == left(calm)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", RIGHT)
def test_a_dataflow_comes_back_from_any_crash_as_if_nothing_had_happened(name: str, seed: int) -> None:
    exactly_once(*ran(name, seed, loops=False))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", ROUND)
def test_so_does_one_in_which_records_go_round(name: str, seed: int) -> None:
    exactly_once(*ran(name, seed, loops=True))


@pytest.mark.parametrize("seed", SEEDS)
def test_without_waiting_nothing_is_lost(seed: int) -> None:
    wild, calm = ran("at-least-once", seed, loops=False)
    assert over(wild)
    for name in wild.system.topology.names:
        now, then = wild.world.states[name], calm.world.states[name]
        assert now.offset == then.offset
        assert (now.total or 0) >= (then.total or 0)
        assert all(dict(now.table).get(key, 0) >= value for key, value in then.table)
    assert set(left(calm)) <= set(left(wild))


def test_these_runs_are_worth_something() -> None:
    """Enough of them crash, complete checkpoints, and record something in flight."""
    walks = [ran("unaligned", seed, loops=False)[0] for seed in range(20)]
    complete = [(w, n) for w in walks for n, seen in w.history.recordings.items() if seen.completed]
    logs = [part.channels for w, n in complete for part in recorded_state.parts(w.system, w.world, n).values()]
    assert sum(w.crashes for w in walks) > 20
    assert len(complete) > 30
    assert sum(len(messages) for channels in logs for _, messages in channels) > 20
