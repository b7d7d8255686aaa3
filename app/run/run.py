"""A run is a value: the run that a key names. ``record`` computes it; all other modules only read it.

Worlds share their structure, so keeping them costs only what changed; a run that is kept for long can be thinned.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any

from msgspec import structs

from app.core.kernel.enabled import faults, options
from app.core.kernel.step import step
from app.core.model.algorithm import Kind
from app.core.model.notes import Changed, N, Note, Output, Received, Restored, Returned, Sent, only
from app.core.model.recorded_state import channels as recorded_channels
from app.core.model.recorded_state import open_channels
from app.core.model.recorded_state import parts as recorded_parts
from app.core.model.system import System
from app.core.model.value import Frozen, Value
from app.core.model.values import (
    Action,
    BluecutError,
    Heal,
    Join,
    Json,
    Leave,
    Message,
    Part,
    Partition,
    Refused,
    Start,
    World,
)
from app.core.oracle import checks
from app.core.oracle.checks import CHECKS, Verdict
from app.core.oracle.history import History
from app.forms.yaml_source import SourceError
from app.run.barrier_deadlock import deadlock
from app.run.recovery_line import Fall, fall_json, falls
from app.run.stable_property import holds, stable_property
from app.run.worlds import Worlds
from app.scenario.format import Words
from app.scenario.run_key import RunKey
from app.scenario.scenario import Scenario
from app.schedules.program_events import events, with_starts
from app.schedules.protocol import Schedule, concerned
from app.schedules.repeat import Follow
from app.schedules.timed import Timed


class Step(Value):
    """One step, counted from 1: the action, what happened, the script's line, if any, and, under a timed schedule, the
    virtual time ``at`` in ticks."""

    number: int
    action: Action
    notes: tuple[Note, ...]
    entry: int | None = None
    at: int | None = None


class Astray(Frozen):
    """In ``step`` the system rolled back to ``snapshot``, which is wrong; the history that ended there is number
    ``life`` of its lives."""

    step: int
    snapshot: int
    life: int


@dataclass(frozen=True)
class Run:
    """A finished run. ``full`` says that it stopped at the limit of its steps or its work, with more to do; ``work`` is
    its total effort (see ``effort``). ``missed`` counts, in a run that repeats another one under another algorithm,
    what the programs did there and could not do here."""

    scenario: Scenario
    key: RunKey
    system: System
    worlds: Worlds
    end: World
    steps: tuple[Step, ...]
    history: History = field(repr=False)
    full: bool = False
    work: int = 0
    missed: int = 0

    def world(self, number: int) -> World:
        """Return the world after ``number`` steps."""
        return self.worlds[number]

    @property
    def begin(self) -> World:
        """Return the first world."""
        return self.worlds[0]

    def standing(self, world: World) -> "Run":
        """Return a run of no steps in a world of this system."""
        worlds = Worlds(self.system, world)
        return replace(self, worlds=worlds, end=world, steps=(), history=History(self.history.names))

    def thinned(self) -> "Run":
        """Return the same run in less than half of the memory: asked for a world, it may have to make it anew."""
        return replace(self, worlds=self.worlds.thinned())

    def rest(self) -> None:
        """Forget what was made for those who have read the run, and is made again in a moment for the next."""
        self.worlds.rest()
        self.history.drop_index()

    @cached_property
    def verdicts(self) -> dict[int, Verdict]:
        """Return the oracle's verdict on each snapshot, by id."""
        return {number: self._oracle.judge(self.end, number) for number in sorted(self.history.recordings)}

    @cached_property
    def _oracle(self) -> checks.Oracle:
        return checks.Oracle(self.system, self.history)

    @cached_property
    def falls(self) -> tuple[Fall, ...]:
        """Return the outcome of each crash."""
        if not self.system.recovers:
            return ()
        return falls(self.system, ((step.action, step.notes, self.world(step.number)) for step in self.steps))

    @cached_property
    def undisturbed(self) -> bool:
        """Check I6: are the application events legal without any snapshot, and has none been prevented? Without
        snapshots, none prevents anything. What comes after a rollback to a wrong snapshot is not judged: it cannot be
        what the program alone would have done."""
        prevented = self.missed and not self.key.choices and self.system.algorithm.KIND is not Kind.ITEMS
        astray = self.astray
        history = self.history if astray is None else self.history.lives[astray.life]
        return not prevented and self._oracle.undisturbed(history)

    @cached_property
    def astray(self) -> "Astray | None":
        """Return the first time that the system rolled back to a snapshot that is itself wrong."""
        life = 0
        for each in self.steps if self.history.lives else ():
            for note in each.notes:
                if isinstance(note, Restored) and note.snapshot and _wrong(self.verdicts[note.snapshot]):
                    return Astray(each.number, note.snapshot, life)
                life += isinstance(note, Restored | Returned)
        return None

    def steps_of(self, kind: type[Action]) -> Iterator[Step]:
        """Yield the steps whose action is of one kind."""
        return (step for step in self.steps if isinstance(step.action, kind))

    def told(self, kind: type[N], until: int | None = None, since: int = 0) -> Iterator[tuple[int, N]]:
        """Yield the notes of one kind, each with its step; only those of the first steps, if there is an ``until``, and
        without those of the first ``since``."""
        return ((each.number, note) for each in self.steps[since:until] for note in only(kind, each.notes))

    @cached_property
    def digest(self) -> str:
        """Return a text that two runs share when they are the same, step for step."""
        facts = [[s.number, s.action.written, [[n.key, *map(repr, n.values())] for n in s.notes]] for s in self.steps]
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()

    def caption(self, step: int) -> Words | None:
        """Return the author's words for a step. They are about the author's run, so they end where another one begins;
        the last step has the scenario's ending."""
        entry = self.steps[step - 1].entry if step else None
        words = None if entry is None else self.scenario.captions[entry]
        if step and step == len(self.steps) and not self.key.choices:
            words = self.scenario.form.ending or words
        if words is None or not self.scenario.own(structs.replace(self.key, choices=())):
            return None
        return None if self.key.choices and step > self.key.choices[0][0] else words

    def question(self, step: int) -> str | None:
        """Return what kind of thing the author asks visitors after a step; only the author's own run has questions."""
        entry = self.steps[step - 1].entry if step else None
        return None if entry is None or not self.scenario.own(self.key) else self.scenario.questions[entry]

    def stable(self, number: int) -> Json:
        """Return whether the program's stable property held when the snapshot started, in what it recorded, and when it
        was complete.

        None where the program has none or the snapshot is not complete. Source: Chandy and Lamport 1985, section 5.
        """
        seen = self.history.recordings[number]
        name = stable_property(self.system, self.scenario.form.tags)
        if seen.completed is None or name is None:
            return None
        true, before, after = holds(self.system, name), self.world(seen.started - 1), self.world(seen.completed)
        return {
            "before": true(members(before), before.in_flight()),
            "recorded": true(*recorded_state(self, number)),
            "after": true(members(after), after.in_flight()),
        }


def members(world: World) -> Mapping[str, Any]:
    """Return the states of all processes except those that have gone for good."""
    if not world.gone:
        return world.states
    return {name: state for name, state in sorted(world.states.items()) if name not in world.gone}


def recorded_state(run: Run, number: int) -> tuple[dict[str, Any], dict[str, tuple[Message, ...]]]:
    """Return the global state that a snapshot recorded: states, and the messages in channels. A newcomer that takes no
    part is at its beginning; a process that left before is missing."""
    seen, recorded = run.history.recordings[number], recorded_parts(run.system, run.end, number)
    states = {n: run.begin.states[n] for n in run.system.topology.names if not seen.absent.get(n)}
    return states | {n: part.state for n, part in recorded.items()}, recorded_channels(run.system, recorded)


def complete(run: Run) -> Iterator[tuple[int, dict[str, Part]]]:
    """Yield the number and the parts of each complete snapshot to which every process contributed, in the order of
    their numbers."""
    for number, seen in sorted(run.history.recordings.items()):
        if seen.completed is None:
            continue
        parts = recorded_parts(run.system, run.end, number)
        if len(parts) == len(run.system.topology.names):
            yield number, parts


def _wrong(verdict: Verdict) -> bool:
    """Is a snapshot one from which the system cannot continue as if nothing had happened? Its cost does not matter."""
    return any(CHECKS[check].of_state for check in verdict.broken)


WORK = 1_000_000
"""How much work a run may be (see ``effort``); then it stops, ``full``. With a few channels per process, 20,000 steps
are a quarter of it."""

OWN = RunKey()
"""The key of the run that the scenario's author wrote."""


def record(
    scenario: Scenario, key: RunKey = OWN, *, most: int | None = None, most_work: int = WORK, own: Run | None = None
) -> Run:
    """Return the run that ``key`` names. Raises BluecutError for a choice or a script line that is impossible.

    ``most`` is a limit of steps below the scenario's own, ``most_work`` one of work. ``own`` is the run of
    ``repeated``, if it is known.
    """
    system = scenario.system(key)
    if scenario.follows(key):
        own = own or record(scenario, repeated(key), most=most, most_work=most_work)
        schedule: Schedule = _follow(scenario, key, system, own)
    else:
        schedule = scenario.schedule(key, system)
    history = History(system.topology.names)
    world = system.begin()
    worlds = Worlds(system, world)
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
            if index is None and not scenario.own(key) and _passed_over(action, entry):
                continue
            line = scenario.entries[entry].line if entry is not None else None
            field = f"script[{entry}]" if entry is not None else ""
            raise SourceError(scenario.name, line, field, refused.phrase) from None
        schedule.saw(action, world, notes)
        history.watch(action, notes)
        at = schedule.now if isinstance(schedule, Timed) else None
        steps.append(Step(history.steps, action, notes, entry, at))
        work += effort(system, world, action, notes)
        worlds.add(action, world, work)
        full = work > most_work and not scenario.large
        if full:
            break
    if chosen:
        raise BluecutError(
            "choices: step {step} is past the end; the run has {steps} steps", step=min(chosen), steps=len(steps)
        )
    missed = schedule.missed if isinstance(schedule, Follow) else 0
    return Run(scenario, key, system, worlds, world, tuple(steps), history, full, work, missed)


def repeated(key: RunKey) -> RunKey:
    """Return the key of the run whose programs do what the run under another algorithm repeats."""
    return structs.replace(key, algorithm=None, choices=())


def _follow(scenario: Scenario, key: RunKey, system: System, own: Run) -> Follow:
    """Return the schedule of a run under another algorithm: it repeats what the programs did under the scenario's
    own."""
    seed = scenario.seed(key)
    lines = (None if step.entry is None else scenario.entries[step.entry].action for step in own.steps)
    wanted = events((step.action, next(lines), step.notes, own.world(step.number - 1)) for step in own.steps)
    return Follow(system, with_starts(system, wanted, seed), seed)


def _passed_over(action: Action, entry: int | None) -> bool:
    """May a run other than the author's continue without ``action``? Lines of the script, yes. A run under another
    algorithm names no line; there, so may starts, joins, leaves, partitions and heals."""
    return entry is not None or isinstance(action, Start | Join | Leave | Partition | Heal)


WAKES, LOOKS, HELD, KNOWN = 8, 4, 16, 8
"""How many deferred steps, actions looked at for a choice, items held, or channels of which a process knows what was
sent on them are as much work as one channel."""


def effort(system: System, world: World, action: Action, notes: Iterable[Note]) -> int:
    """Return what a step costs to make and to keep: its notes, the queues that it wrote anew, the deferred steps, and
    the channels of the processes concerned; once more for a program with a new state, because its next moves are
    computed; and what causal channels remember. What an operator holds, and what has left the system, is written anew
    each time that it grows."""
    processes, eager = system.topology.processes, system.eager
    process = processes[concerned(system, action)]
    total = 1 + len(process.inputs) + len(process.outputs) + len(world.wakes) // WAKES
    queues = world.queues
    if world.conditions.known:
        total += len(world.conditions.known.get(process.name, ())) // KNOWN
    for note in notes:
        total += 1
        if type(note) is Changed:
            process = processes[note.process]
            total += len(process.inputs) + len(process.outputs)
            total += eager.held(note.state) // HELD if eager else 0
        elif type(note) is Sent or type(note) is Received:
            total += len(queues.get(note.channel, ()))
        elif type(note) is Output:
            total += len(note.outside) // HELD
    return total


def choice(system: System, world: World, number: int, index: int) -> tuple[Action, int]:
    """Return the action that a person chose, and how many had to be looked at. Raises BluecutError for an index without
    an action."""
    count = 0
    every = chain(options(system, world), ((fault, None) for fault in faults(system, world)))
    for looked, (action, reason) in enumerate(every, 1):
        if reason is None:
            if count == index:
                return action, looked
            count += 1
    raise BluecutError(
        "choices: {step}:{index} does not exist; after step {step} there are {count} actions, counted from 0",
        step=number,
        index=index,
        count=count,
    )


def replay(system: System, actions: Iterable[Action]) -> World:
    """Return the world after the actions of a run."""
    world = system.begin()
    for action in actions:
        world, _ = step(system, world, action)
    return world


# --- a run in JSON -----------------------------------------------------------------------------------------------


def summary(run: Run) -> Json:
    """Return what ``bluecut run --json`` prints."""
    return {
        "scenario": run.scenario.name,
        "algorithm": run.system.algorithm.NAME,
        "steps": len(run.steps),
        "final": final(run.system, run.end),
        "undisturbed": run.undisturbed,
        **({"astray": {"step": run.astray.step, "snapshot": run.astray.snapshot}} if run.astray else {}),
        "snapshots": [snapshot(run, number) for number in run.verdicts],
        **({"falls": [fall_json(fall) for fall in run.falls]} if run.falls else {}),
    }


def final(system: System, world: World) -> Json:
    """Return the processes' states, the channels' application messages and, of a dataflow, what has become visible at
    its sinks."""
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
    """Return one snapshot: what was recorded, and the oracle's verdict."""
    system, seen, verdict = run.system, run.history.recordings[number], run.verdicts[number]
    recorded = recorded_parts(system, run.end, number)
    told: dict[str, Json] = {
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
        told["property"] = stable_property(system, run.scenario.form.tags)
    if (stuck := deadlock(system, run.end, number)) is not None:
        told["deadlock"] = stuck.as_json(system)
    return told


def channels(system: System, recorded: Mapping[str, Part]) -> dict[str, list[Json]]:
    """Return the channels whose recorded state is final, in the scenario's order."""
    still = set(open_channels(recorded))
    found = recorded_channels(system, recorded)
    return {c: [system.program.show(m.payload) for m in messages] for c, messages in found.items() if c not in still}
