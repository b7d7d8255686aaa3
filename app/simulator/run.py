"""A run is a value: what a key names. ``record`` computes it; everybody else only reads it.

Every world of the run is kept; worlds share their structure, so this costs what changed.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any

from app.core import oracle
from app.core.causality import History
from app.core.enabled import faults, options
from app.core.kernel import step
from app.core.model import Action, BluecutError, Json, Part, Refused, Start, World
from app.core.notes import Changed, Note, Output, Received, Sent
from app.core.oracle import Verdict
from app.core.recorded import channels as recorded_channels
from app.core.recorded import open_channels
from app.core.system import System
from app.simulator.deadlock import deadlock
from app.simulator.events import events, with_starts
from app.simulator.follow import Follow
from app.simulator.format import Words
from app.simulator.key import RunKey
from app.simulator.line import Fall, falls
from app.simulator.line import told as fallen
from app.simulator.scenario import Scenario
from app.simulator.schedule import concerned
from app.simulator.source import SourceError
from app.simulator.timed import Timed


@dataclass(frozen=True, slots=True)
class Step:
    """One step, counted from 1: the action, what happened, the world after it, the script's line, if any, and, under a
    schedule that knows one, the virtual time ``at`` in ticks."""

    number: int
    action: Action
    notes: tuple[Note, ...]
    world: World
    entry: int | None = None
    at: int | None = None


@dataclass(frozen=True)
class Run:
    """A finished run. ``full`` says that it stopped at the limit of its steps or its work, with more to do; ``work``
    is what it took (see ``effort``). ``missed`` counts, in a run that repeats another one under another algorithm, what
    the programs did there and could not do here."""

    scenario: Scenario
    key: RunKey
    system: System
    begin: World
    steps: tuple[Step, ...]
    history: History = field(repr=False)
    full: bool = False
    work: int = 0
    missed: int = 0

    def world(self, number: int) -> World:
        """The world after ``number`` steps."""
        return self.steps[number - 1].world if number else self.begin

    @property
    def end(self) -> World:
        """The last world."""
        return self.world(len(self.steps))

    @cached_property
    def verdicts(self) -> dict[int, Verdict]:
        """The oracle's verdict on each snapshot, by id."""
        return {
            number: oracle.judge(self.system, self.history, self.end, number)
            for number in sorted(self.history.recordings)
        }

    @cached_property
    def falls(self) -> tuple[Fall, ...]:
        """What became of each crash."""
        return falls(self.system, ((step.action, step.notes, step.world) for step in self.steps))

    @cached_property
    def undisturbed(self) -> bool:
        """I6: do the application events stand without any snapshot, and has none been prevented? Where no snapshots
        are taken, none of them prevents anything."""
        prevented = self.missed and self.system.algorithm.SNAPSHOTS
        return not prevented and oracle.undisturbed(self.system, self.history)

    @cached_property
    def digest(self) -> str:
        """A text that two runs share when they are the same, step for step."""
        facts = [[s.number, repr(s.action), [[n.key, *map(repr, n.values())] for n in s.notes]] for s in self.steps]
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()

    def caption(self, step: int) -> Words | None:
        """The author's words for a step. They are about the author's run, so they end where another one begins."""
        entry = self.steps[step - 1].entry if step else None
        if entry is None or not self.scenario.own(replace(self.key, choices=())):
            return None
        if self.key.choices and step > self.key.choices[0][0]:
            return None
        return self.scenario.captions[entry]

    def stable(self, number: int) -> Json:
        """The program's stable property when the snapshot started, in what it recorded, and when it was complete.

        None where the program has none or the snapshot is not complete. Source: Chandy and Lamport 1985, section 5.
        """
        seen = self.history.recordings[number]
        if seen.completed is None:
            return None
        recorded = oracle.parts(self.system, self.end, number)
        states = {name: part.state for name, part in recorded.items()}
        channels = recorded_channels(self.system, recorded)
        program = self.system.program
        now = program.stable(states, channels)
        if now is None:
            return None
        before, after = self.world(seen.started - 1), self.world(seen.completed)
        return {
            "before": program.stable(before.states, before.in_flight()),
            "recorded": now,
            "after": program.stable(after.states, after.in_flight()),
        }


WORK = 1_000_000
"""How much work a run may be (see ``effort``); then it stops, ``full``. With a few channels a process, 20,000 steps
are a quarter of it."""

OWN = RunKey()
"""The key of the run that the scenario's author wrote."""


def record(scenario: Scenario, key: RunKey = OWN, *, most: int | None = None) -> Run:
    """The run that ``key`` names. Raises BluecutError for a choice or a script line that is impossible.

    ``most`` is a limit of steps below the scenario's own.
    """
    system = scenario.system(key)
    schedule = follow(scenario, key, system, most) if scenario.follows(key) else scenario.schedule(key, system)
    history = History(system.topology.names)
    begin = world = system.begin()
    limit = min(scenario.form.steps, most or scenario.form.steps)
    chosen = dict(key.choices)
    steps: list[Step] = []
    full, work = False, 0
    while True:
        index = chosen.pop(len(steps), None)
        if index is not None:
            found, looked = choice(system, world, len(steps), index)
            work += looked // LOOKS
            action: Action | None = found
            entry = None
        else:
            action = schedule.next(world)
            entry = schedule.entry
        if action is None:
            break
        if len(steps) == limit:
            full = True
            break
        try:
            world, notes = step(system, world, action)
        except Refused as refused:
            if not scenario.own(key) and passed_over(action, entry):
                continue
            line = scenario.entries[entry].line if entry is not None else None
            field = f"script[{entry}]" if entry is not None else ""
            raise SourceError(scenario.name, line, field, refused.phrase) from None
        schedule.saw(action, world, notes)
        history.watch(action, notes)
        at = schedule.now if isinstance(schedule, Timed) else None
        steps.append(Step(len(steps) + 1, action, notes, world, entry, at))
        work += effort(system, world, action, notes)
        full = work > WORK
        if full:
            break
    if chosen:
        raise BluecutError(
            "choices: step {step} is past the end; the run has {steps} steps", step=min(chosen), steps=len(steps)
        )
    missed = schedule.missed if isinstance(schedule, Follow) else 0
    return Run(scenario, key, system, begin, tuple(steps), history, full, work, missed)


def follow(scenario: Scenario, key: RunKey, system: System, most: int | None) -> Follow:
    """The schedule of a run under another algorithm: what the programs did under the scenario's own happens again."""
    own = record(scenario, replace(key, algorithm=None, choices=()), most=most)
    seed = scenario.seed(key)
    wanted = events((step.action, step.notes, own.world(step.number - 1)) for step in own.steps)
    return Follow(system, with_starts(system, wanted, seed), seed)


def passed_over(action: Action, entry: int | None) -> bool:
    """May a run that is not the author's go on without ``action``? Its script and its starts are wishes."""
    return entry is not None or isinstance(action, Start)


WAKES, LOOKS, HELD = 16, 4, 16
"""So many steps put off, so many actions looked at for a choice, and so many records held, are as much work as one
channel."""


def effort(system: System, world: World, action: Action, notes: Iterable[Note]) -> int:
    """What a step costs to make and to keep: its notes, the queues that it wrote anew, the steps put off, and the
    channels of whom it concerns; once more where a program has a new state, because what it may do next is asked. What
    an operator holds, and what has left the system, is written anew each time that there is more of it."""
    processes, eager = system.topology.processes, system.eager
    process = processes[concerned(system, action)]
    total = 1 + len(process.inputs) + len(process.outputs) + len(world.wakes) // WAKES
    for note in notes:
        total += 1
        if isinstance(note, Sent | Received):
            total += len(world.queues.get(note.channel, ()))
        elif isinstance(note, Changed):
            process = processes[note.process]
            total += len(process.inputs) + len(process.outputs)
            total += eager.held(note.state) // HELD if eager else 0
        elif isinstance(note, Output):
            total += len(note.outside) // HELD
    return total


def choice(system: System, world: World, number: int, index: int) -> tuple[Action, int]:
    """The action that a person chose, and how many had to be looked at. Raises BluecutError where there is none of
    that index."""
    count = 0
    every = chain(options(system, world), ((fault, None) for fault in faults(system, world)))
    for looked, (action, reason) in enumerate(every, 1):
        if reason is None:
            if count == index:
                return action, looked
            count += 1
    raise BluecutError(
        "choices: {step}:{index} does not exist; after {step} steps there are {count} actions, counted from 0",
        step=number,
        index=index,
        count=count,
    )


def replay(system: System, actions: Iterable[Action]) -> World:
    """The world after the actions of a run."""
    world = system.begin()
    for action in actions:
        world, _ = step(system, world, action)
    return world


# --- a run in JSON -----------------------------------------------------------------------------------------------


def summary(run: Run) -> Json:
    """What ``bluecut run --json`` prints."""
    return {
        "scenario": run.scenario.name,
        "algorithm": run.system.algorithm.NAME,
        "steps": len(run.steps),
        "final": final(run.system, run.end),
        "undisturbed": run.undisturbed,
        "snapshots": [snapshot(run, number) for number in run.verdicts],
        **({"falls": [fallen(fall) for fall in run.falls]} if run.falls else {}),
    }


def final(system: System, world: World) -> Json:
    """The processes' states, the channels' application messages and, of a dataflow, what has become visible at its
    sinks."""
    show = system.program.show
    queues = world.in_flight()
    told = {
        "processes": {name: system.program.view(world.states[name]) for name in system.topology.names},
        "channels": {name: [show(m.payload) for m in queues.get(name, ())] for name in system.topology.channels},
    }
    if program := system.eager:
        ends = [name for name, process in system.topology.processes.items() if not process.outputs]
        told["outside"] = {name: [show(r) for r in program.visible(world.durable.outside.get(name))] for name in ends}
    return told


def snapshot(run: Run, number: int) -> Json:
    """One snapshot: what was recorded, and the oracle's verdict."""
    system, seen, verdict = run.system, run.history.recordings[number], run.verdicts[number]
    recorded = oracle.parts(system, run.end, number)
    told: dict[str, Any] = {
        "id": number,
        "initiators": seen.initiators,
        "complete": seen.completed is not None,
        "processes": {name: system.program.view(part.state) for name, part in recorded.items()},
        "channels": channels(system, recorded),
        "aborted": seen.aborted is not None,
        "absent": list(seen.absent),
        "unusable": list(seen.unusable),
        "markers": sum(seen.markers.values()),
        "controls": seen.controls,
        "checks": verdict.checks,
        "witnesses": verdict.witnesses,
    }
    if (stable := run.stable(number)) is not None:
        told["stable"] = stable
    if (stuck := deadlock(system, run.end, number)) is not None:
        told["deadlock"] = stuck.told(system)
    return told


def channels(system: System, recorded: Mapping[str, Part]) -> dict[str, list[Json]]:
    """The channels whose recorded state is final, in the scenario's order."""
    still = open_channels(recorded)
    found = recorded_channels(system, recorded)
    return {c: [system.program.show(m.payload) for m in messages] for c, messages in found.items() if c not in still}
