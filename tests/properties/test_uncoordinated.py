"""Uncoordinated checkpoints in random runs with crashes: when all rollbacks are over, what remains is a run that could
have happened without a crash, and no process has rolled back further than the recovery line."""

from collections import Counter
from itertools import product
from random import Random
from typing import Any

import pytest

from app.core.kernel.enabled import enabled
from app.core.kernel.step import step
from app.core.model.notes import Down, Note, Returned, Stored
from app.core.model.system import System
from app.core.model.values import (
    Action,
    Collect,
    Crash,
    Deliver,
    Drop,
    Duplicate,
    Heal,
    Move,
    Overtake,
    Partition,
    Restart,
    Start,
    Wake,
    World,
)
from app.core.oracle import replay
from app.core.oracle.history import RECEIVE, History
from app.run.recovery_line import Line, falls, line, useless
from app.scenario.run_key import RunKey
from tests.often import seeds, some
from tests.tiny import made

TOPOLOGIES: tuple[dict[str, Any], ...] = (
    {"complete": 3},
    {"ring": 4},
    {"chain": 3},
    {"processes": ["P1", "P2"], "channels": ["P1->P2", "P2->P1"]},
)
PROGRAMS: tuple[dict[str, Any], ...] = (
    {"kind": "bank", "everyone": 5, "amounts": [1]},
    {"kind": "token", "holders": {"P1": 2}},
    {"kind": "variables", "values": {"P1": {"X": 0}, "P2": {"Y": 1}}},
)
NETWORK = (Drop, Duplicate, Overtake, Partition, Heal)
SEEDS, STEPS, LAST = range(8), 120, 3_000


def system(program: dict[str, Any], topology: dict[str, Any]) -> System:
    values = {"topology": topology, "program": program, "algorithm": "uncoordinated", "recovery": True}
    return made({**values, "schedule": {"kind": "manual"}}).system(RunKey())


class Walk:
    """A random run: its actions, its history, and what an observer has seen."""

    def __init__(self, of: System, seed: int) -> None:
        self.system, self.rng, self.world = of, Random(seed), of.begin()
        self.history = History(of.topology.names)
        self.steps: list[tuple[Action, tuple[Note, ...], World]] = []

    def do(self, action: Action) -> tuple[Note, ...]:
        self.world, notes = step(self.system, self.world, action)
        self.history.watch(action, notes)
        self.steps.append((action, notes, self.world))
        return notes

    def wander(self, *, crashes: float, steps: int = STEPS) -> None:
        """Take any actions except network faults; every kind equally often."""
        for _ in range(steps):
            kinds: dict[type, list[Action]] = {}
            for action in enabled(self.system, self.world):
                if isinstance(action, NETWORK) or (isinstance(action, Crash) and self.rng.random() > crashes):
                    continue
                kinds.setdefault(type(action), []).append(action)
            if not kinds:
                return
            self.do(self.rng.choice(self.rng.choice(list(kinds.values()))))

    def settle(self, *kinds: type) -> None:
        """Continue until none of these kinds is possible."""
        for _ in range(LAST):
            left = [a for a in enabled(self.system, self.world) if isinstance(a, kinds)]
            if not left:
                return
            self.do(self.rng.choice(left))
        raise AssertionError("it does not come to an end")


EVERYTHING = some(product(PROGRAMS, TOPOLOGIES, SEEDS), 3)


@pytest.mark.parametrize(("program", "topology", "seed"), EVERYTHING)
def test_after_any_crashes_what_is_left_could_have_happened_without_them(
    program: dict[str, Any], topology: dict[str, Any], seed: int
) -> None:
    walk = Walk(system(program, topology), seed)
    walk.wander(crashes=0.3)
    walk.settle(Deliver, Collect, Wake, Restart)
    history, end = walk.history, walk.world
    assert not end.queues and not end.wakes and not end.down
    assert history.consistent(history.counts) and not history.orphans(history.counts)
    assert not history.crossing(history.counts), "a message whose sending stands has not come again"
    assert replay.undisturbed(walk.system, history)
    last = {event.process: event.state for event in history.events}
    starts = {n: walk.system.program.start(p) for n, p in walk.system.topology.processes.items()}
    assert dict(end.states) == starts | last
    if program["kind"] == "bank":
        amounts = Counter[str]()
        for state in end.states.values():
            amounts.update(walk.system.program.amounts(state) or {})
        assert amounts[""] == 5 * len(starts)


@pytest.mark.parametrize(("program", "topology", "seed"), EVERYTHING)
def test_nobody_goes_further_back_than_the_line_however_much_happens_meanwhile(
    program: dict[str, Any], topology: dict[str, Any], seed: int
) -> None:
    walk = Walk(system(program, topology), seed)
    walk.wander(crashes=0.3)
    walk.settle(Deliver, Collect, Wake, Restart)
    told = falls(walk.system, walk.steps)
    assert [fall.exact for fall in told] == [True] * len(told)
    crashes = [note for _, notes, _ in walk.steps for note in notes if isinstance(note, Down)]
    assert bool(told) == bool(crashes)


@pytest.mark.parametrize(("program", "topology", "seed"), EVERYTHING)
def test_a_cascade_that_nothing_interrupts_ends_exactly_on_the_line(
    program: dict[str, Any], topology: dict[str, Any], seed: int
) -> None:
    walk = Walk(system(program, topology), seed)
    for again in range(3):
        walk.wander(crashes=0, steps=30)
        walk.settle(Wake)
        names = walk.system.topology.names
        crashing = walk.rng.sample(names, 1 + (again + seed) % len(names))
        for name in crashing:
            walk.do(Crash(name))
        expected = by_the_rule(walk.history, crashing)
        assert line(walk.history, crashing) == expected
        begun = len(walk.steps)
        walk.settle(Restart, Wake)
        came: Line = dict.fromkeys(names)
        for _, notes, _ in walk.steps[begun:]:
            came |= {n.process: n.saved for n in notes if isinstance(n, Returned)}
        assert came == expected
        assert walk.history.consistent(walk.history.counts)


@pytest.mark.parametrize("seed", seeds(24))
def test_whoever_sends_what_it_owed_while_it_falls_falls_on(seed: int) -> None:
    """Outputs are full, so what was saved has pending items: they are sent as soon as there is room."""
    operators = {"s": {"source": [1, 2, 3, 4]}, "o": {"sum": "all"}, "p": {"map": {"plus": 1}}, "k": {"sink": "plain"}}
    values = {
        "topology": {"processes": list(operators), "channels": ["s->o", "o->p", "p->k"]},
        "program": {"kind": "dataflow", "operators": operators},
        "algorithm": "uncoordinated",
        "capacity": 1,
        "schedule": {"kind": "manual"},
    }
    walk = Walk(made(values).system(RunKey()), seed)
    walk.wander(crashes=0.3)
    walk.settle(Deliver, Collect, Wake, Restart, Move)
    history, end = walk.history, walk.world
    assert not end.queues and not end.wakes and not end.down
    assert history.consistent(history.counts) and not history.crossing(history.counts)
    assert replay.undisturbed(walk.system, history)
    assert end.states["s"].offset == 4
    assert [fall.exact for fall in falls(walk.system, walk.steps)].count(False) == 0


def by_the_rule(history: History, down: list[str]) -> Line:
    """Return the line as the rule defines it: crashed processes at their latest checkpoint, all others in the present;
    while a process has received what has not been sent, it rolls back by one checkpoint."""
    saved = {name: (0, *history.saved.get(name, ())) for name in history.names}
    place: Line = {name: len(saved[name]) - 1 if name in down else None for name in history.names}

    def until(name: str) -> int:
        at = place[name]
        return history.counts[name] if at is None else saved[name][at]

    while True:
        orphans = [
            event.process
            for event in history.events
            if event.kind == RECEIVE and event.message and event.index <= until(event.process)
            for send in (history.sends[event.message.identity],)
            if send.index > until(send.process)
        ]
        if not orphans:
            return place
        at = place[orphans[0]]
        place[orphans[0]] = len(saved[orphans[0]]) - 1 if at is None else at - 1


@pytest.mark.parametrize("seed", seeds(20))
def test_a_useless_checkpoint_is_on_no_line_and_a_useful_one_on_some(seed: int) -> None:
    walk = Walk(system(PROGRAMS[0], TOPOLOGIES[seed % len(TOPOLOGIES)]), seed)
    walk.wander(crashes=0, steps=60)
    history = walk.history
    named = useless(history)
    saved = {name: (0, *history.saved.get(name, ())) for name in history.names}
    for name in history.names:
        for number in range(1, len(saved[name])):
            assert (number in named.get(name, ())) is not extends(history, saved, name, number)


def extends(history: History, saved: dict[str, tuple[int, ...]], name: str, number: int) -> bool:
    """Is there a consistent set of checkpoints, or of current states, with this one? A process that has received too
    much rolls back; if that is the process itself, there is none."""
    cut = dict(history.counts) | {name: saved[name][number]}
    while orphans := history.orphans(cut):
        target = history.receives[orphans[0].identity].process
        if target == name:
            return False
        cut[target] = max(count for count in saved[target] if count < cut[target])
    return True


def test_walks_of_these_tests_do_everything_that_can_happen() -> None:
    done: Counter[type] = Counter()
    returns = 0
    for seed in SEEDS:
        walk = Walk(system(PROGRAMS[0], TOPOLOGIES[0]), seed)
        walk.wander(crashes=0.3)
        walk.settle(Deliver, Collect, Wake, Restart)
        done.update(type(action) for action, _, _ in walk.steps)
        returns += sum(isinstance(note, Returned) for _, notes, _ in walk.steps for note in notes)
        assert any(isinstance(note, Stored) for _, notes, _ in walk.steps for note in notes)
    assert returns > done[Restart] > 10
    assert done[Start] > 50
