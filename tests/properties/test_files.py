"""Checkpoint files in random runs with crashes, restores and aborted checkpoints: the existing files give what was
recorded, nothing that is needed is ever deleted, and nothing else is kept."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from app.analysis.checkpoint_sizes import BASE, DELTA, FLIGHT, FULL, INCREMENTAL, RUNNING, WAYS, Store
from app.core.kernel.enabled import enabled
from app.core.kernel.step import step
from app.core.model import recorded_state as recorded
from app.core.model.notes import Aborted, Completed, Done, Recorded, Restored
from app.core.model.system import System
from app.core.model.values import Action, Message, Part, World
from app.programs.dataflow import State
from app.run.run import Step, record
from app.scenario import state_text
from app.scenario.run_key import RunKey
from tests.often import some
from tests.tiny import made

STEPS = 220
SEEDS = range(4)
MATTERS = (Recorded, Done, Completed, Aborted, Restored)
ODDS = {
    "Deliver": 5.0,
    "Collect": 1.0,
    "Wake": 3.0,
    "Move": 0.7,
    "Restore": 1.0,
    "Start": 0.2,
    "Abandon": 0.03,
    "Crash": 0.05,
}
"""How often each kind of action is taken if it is possible."""
LATEST = {"Restore": 0.7}
"""How often the system rolls back to its latest checkpoint and to no other."""
LOG = [{"a": 1}, {"b": 2}, {"a": 3}, {"c": 4}, {"a": 5}, {"a": 6}, {"b": 7}, {"d": 8}] * 3
POLICIES: tuple[dict[str, int], ...] = ({}, {"retain": 3}, {"retain": 2, "base": 3}, {"retain": 1, "base": 2})

Parts = dict[str, Part]
Channels = dict[str, tuple[Message, ...]]


def flow(algorithm: str, files: dict[str, int], *, loop: bool = False) -> dict[str, Any]:
    """Return two sources into a keyed count and a join, or one source into a loop."""
    if loop:
        channels = ["JM->s", "s->H", "H->T", "T->H", "T->out"]
        operators: dict[str, Any] = {
            "s": {"source": LOG},
            "H": {"sum": "key", "emit": "record"},
            "T": {"map": {"plus": -2}, "filter": {"above": 0}},
        }
        names = ["JM", "s", "H", "T", "out"]
    else:
        channels = ["JM->s1", "JM->s2", "s1->sum", "s2->sum", "s1->join", "s2->join", "sum->out", "join->out"]
        operators = {
            "s1": {"source": LOG},
            "s2": {"source": LOG[::-1], "ends": True},
            "sum": {"sum": "key"},
            "join": {"join": "key"},
        }
        names = ["JM", "s1", "s2", "sum", "join", "out"]
    operators |= {
        "JM": {"coordinator": True} | ({"batch": 2} if algorithm == "micro-batch" else {}),
        "out": {"sink": "plain" if loop else "transactional"},
    }
    return {
        "topology": {"processes": names, "channels": channels},
        "program": {"kind": "dataflow", "operators": operators},
        "algorithm": algorithm,
        "files": files,
        "schedule": {"kind": "manual"},
    }


SYSTEMS = [
    (algorithm, policy, algorithm == "loops")
    for algorithm in ("aligned", "unaligned", "aligned-timeout", "at-least-once", "loops", "micro-batch")
    for policy in POLICIES
]


class Walk:
    """A random run, watched by both ways of writing; ``known`` is what each complete checkpoint recorded, ``done`` what
    happened."""

    def __init__(self, values: dict[str, Any], seed: int) -> None:
        scenario = made(values)
        self.system: System = scenario.system(RunKey())
        self.rng, self.world = Random(seed), self.system.begin()
        self.run = record(scenario, most=1).standing(self.world)
        self.stores = {way: Store(self.run, way) for way in WAYS}
        self.steps: list[Step] = []
        self.known: dict[int, tuple[Parts, Channels]] = {}
        self.done: Counter[str] = Counter()

    def next(self) -> dict[str, Store] | None:
        """Take one step; return None if nothing more can happen."""
        kinds: dict[str, list[Action]] = {}
        for action in enabled(self.system, self.world):
            if (kind := type(action).__name__) in ODDS:
                kinds.setdefault(kind, []).append(action)
        if not kinds:
            return None
        (kind,) = self.rng.choices(list(kinds), [ODDS[kind] for kind in kinds])
        action = kinds[kind][-1] if self.rng.random() < LATEST.get(kind, 0) else self.rng.choice(kinds[kind])
        self.world, notes = step(self.system, self.world, action)
        for note in notes:
            self.done[note.key] += 1
            if isinstance(note, Completed):
                self.known[note.snapshot] = self.recorded(self.world, note.snapshot)
            self.done["back"] += isinstance(note, Restored) and note.snapshot > 0
        self.steps.append(Step(len(self.steps) + 1, action, notes))
        for store in self.stores.values():
            store.watch(notes, self.world, len(self.steps))
        touched = any(isinstance(note, MATTERS) for note in notes)
        return self.stores if touched else {}

    def recorded(self, world: World, number: int) -> tuple[Parts, Channels]:
        """Return what a snapshot recorded."""
        parts = recorded.parts(self.system, world, number)
        return parts, recorded.channels(self.system, parts)


def put_together(store: Store, number: int, name: str) -> State:
    """Return the state of a process from the existing files, following the newest back to its base."""
    there = {held.file.place: held.file for held in store.living}
    own = [file for one in store.weights if one.number == number for file in one.read if file.of == name]
    halves = []
    file = own[-1] if own else None
    while file is not None:
        halves.append(state_text.read(there[file.place].data))
        file = there[file.upon, name] if file.upon is not None else None
    keys: dict[Any, Any] = {}
    for changed, _ in reversed(halves):
        keys.update(changed)
    return state_text.state(keys, halves[0][1] if halves else {})


def watch(values: dict[str, Any], seed: int) -> Walk:
    """Return a walk, after checking its every step."""
    walk = Walk(values, seed)
    for _ in range(STEPS):
        found = walk.next()
        if found is None:
            break
        for store in found.values():
            sound(walk, store)
        if found:
            lighter(found[INCREMENTAL], found[FULL])
    return walk


def sound(walk: Walk, store: Store) -> None:
    """Check that retained states can be restored, and that exactly the needed files exist."""
    for held in store.held:
        assert bool(held.needed) == (held.deleted is None), held.file.place
    retained = [one.number for one in store.weights if one.retained]
    assert len(retained) <= store.retain
    for number in retained:
        parts, channels = walk.known[number]
        for name, part in parts.items():
            assert put_together(store, number, name) == part.state, (number, name)
        flights = {held.file.of: held.file for held in store.living if held.file.place[0] == number}
        for channel, messages in channels.items():
            got = state_text.read_flight(flights[channel].data) if channel in flights else ()
            assert got == tuple((message.payload, message.tag) for message in messages)
    for one in store.weights:
        if one.fate not in (RUNNING, "complete"):
            mine = [held for held in store.living if held.file.checkpoint == one.number]
            assert all(one.number not in held.needed for held in mine)
    if store.base is not None:
        for one in store.weights:
            assert max(Counter(file.of for file in one.read).values(), default=0) <= store.base


def lighter(increments: Store, whole: Store) -> None:
    """Check that no increment is larger than the full file, or without a counterpart."""
    size = {held.file.place: held.file for held in whole.held}
    for held in increments.held:
        file = held.file
        assert file.raw <= size[file.place].raw and file.keys <= size[file.place].keys
    assert sum(held.file.raw for held in increments.held) <= sum(held.file.raw for held in whole.held)


@pytest.mark.parametrize(("algorithm", "policy", "loop"), some(SYSTEMS, 6))
def test_what_the_living_files_say_is_what_was_recorded_and_nothing_else_lives(
    algorithm: str, policy: dict[str, int], loop: bool
) -> None:
    for seed in SEEDS:
        watch(flow(algorithm, policy, loop=loop), seed)


def test_walks_of_these_tests_do_everything_that_matters() -> None:
    done: Counter[str] = Counter()
    for algorithm, loop in (("aligned", False), ("unaligned", False), ("loops", True)):
        for seed in SEEDS:
            walk = watch(flow(algorithm, {"retain": 1}, loop=loop), seed)
            done += walk.done
            store = walk.stores[INCREMENTAL]
            done.update(held.file.kind for held in store.held)
            done["lapsed"] += len(store.lapsed)
            done["late"] += sum(one.checkpoint != weight.number for weight in store.weights for one in weight.read)
            done["wasted"] += len(store.wasted)
    assert done[Completed.key] > 40 and done["lapsed"] > 0
    assert min(done[word] for word in (BASE, DELTA, FLIGHT, "back", "aborted", "wasted", "late")) > 8
