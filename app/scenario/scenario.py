"""A scenario: parsed once, then plain values.

``load`` turns a text into a Scenario or raises SourceError, which names file, line and field and says what would be
right. A Scenario knows how to make the System and the Schedule of a run.
"""

import hashlib
from dataclasses import replace
from typing import Any

from app.algorithms.registry import algorithm
from app.compact_json import compact
from app.core.model.algorithm import AnyAlgorithm, Kind
from app.core.model.program import AnyProgram
from app.core.model.system import DISCIPLINES, System
from app.core.model.topology import Topology, channel_name, named, shortened
from app.core.model.value import Frozen
from app.core.model.values import BluecutError, Phrase
from app.forms.explain import filled
from app.forms.fields import SNAPSHOTS, STEPS, UNLIMITED
from app.forms.yaml_source import Path, Source, read
from app.programs.bank import PLAIN, Bank, freeze
from app.programs.dataflow import COORDINATOR, TRANSACTIONAL, Dataflow
from app.programs.machine import Edge, Machine
from app.programs.scripted import Scripted
from app.programs.token import Token
from app.programs.variables import Variables
from app.scenario.cross_checks import check_names, check_schedule
from app.scenario.format import (
    CHANNELS,
    ENTRIES,
    FILE_BYTES,
    OFFERS,
    PROCESSES,
    REGULAR,
    BankForm,
    DataflowForm,
    DelayForm,
    MachineForm,
    ScenarioForm,
    TokenForm,
    TopologyForm,
    VariablesForm,
    Words,
)
from app.scenario.operators import check_operators, operator
from app.scenario.run_key import RunKey
from app.scenario.script_lines import check_quantities, script
from app.schedules.delay import Delay, Phase
from app.schedules.manual import Manual
from app.schedules.protocol import Entry, Initiator, Schedule
from app.schedules.recurring import Every, Failures
from app.schedules.script import Script
from app.schedules.seeded import Seeded
from app.schedules.timed import Timed
from app.schedules.unreliable import Unreliable


class Scenario(Frozen):
    """A scenario that has been read and checked. ``name`` is its id in the library, or the file it came from."""

    name: str
    form: ScenarioForm
    topology: Topology
    program: AnyProgram
    entries: tuple[Entry, ...]
    captions: tuple[Words | None, ...]
    questions: tuple[str | None, ...]
    digest: str

    @property
    def large(self) -> bool:
        """Is it larger than a server takes, so that only the command line runs it?"""
        return len(self.entries) > ENTRIES or self.form.steps > STEPS

    def algorithm(self, key: RunKey) -> str:
        """Return the name of the algorithm that a run with this key uses."""
        return key.algorithm or self.form.algorithm

    def discipline(self, key: RunKey) -> str:
        """Return the order in which channels deliver."""
        return key.discipline or self.form.discipline

    def seed(self, key: RunKey) -> int:
        """Return the seed of the schedule."""
        return self.form.schedule.seed if key.seed is None else key.seed

    def draws(self, key: RunKey) -> bool:
        """Does a run with this key make random draws, so that its seed matters? If it repeats what the programs did
        under another algorithm, the arrival of its own algorithm's messages is drawn."""
        return self.form.schedule.kind in ("seeded", "timed") or self.follows(key)

    @property
    def unreliable(self) -> Unreliable:
        """Return how many messages the channels lose and duplicate."""
        names = self.topology.channels

        def each(given: int | dict[str, int]) -> dict[str, int]:
            return dict.fromkeys(names, given) if isinstance(given, int) and given else dict(given or {})

        return Unreliable(each(self.form.loss), each(self.form.duplication))

    @property
    def capacity(self) -> dict[str, int]:
        """Return how many program messages each channel holds, where that is limited."""
        given = self.form.capacity
        if isinstance(given, int):
            return dict.fromkeys(self.topology.channels, given)
        return dict(given or {})

    @property
    def recovers(self) -> bool:
        """Does a process that crashes come back? In a dataflow it does unless the author says otherwise."""
        return self.form.recovery if self.form.recovery is not None else self.program.EAGER

    @property
    def starter(self) -> str:
        """Return the process that starts the first snapshot, or the first process where the scenario names none."""
        first = min(self.form.initiators, key=lambda one: one.at, default=None)
        scripted = (line.start for line in self.form.script if line.start)
        return first.process if first else next(scripted, self.topology.names[0])

    def follows(self, key: RunKey) -> bool:
        """Does a run with this key repeat what the programs did under the scenario's own algorithm?

        In a dataflow in virtual time it need not: the input is given, and the question is how long it takes.
        """
        kind = self.form.schedule.kind
        given = kind == "manual" or (kind == "timed" and self.program.EAGER)
        other = self.algorithm(key) != self.form.algorithm
        return other and not key.drain and not key.manual and not given

    def own(self, key: RunKey) -> bool:
        """Is this the run that the scenario's author wrote, and to which ``expect`` applies?"""
        return (
            not key.choices
            and not key.drain
            and not key.manual
            and self.algorithm(key) == self.form.algorithm
            and self.discipline(key) == self.form.discipline
            and (not self.draws(key) or self.seed(key) == self.form.schedule.seed)
        )

    def system(self, key: RunKey) -> System:
        """Return the system of a run. Raises BluecutError for an unknown algorithm or discipline."""
        discipline = self.discipline(key)
        if discipline not in DISCIPLINES:
            raise BluecutError("unknown discipline {name!r}; one of {known}", name=discipline, known=DISCIPLINES)
        rules = algorithm(self.algorithm(key))
        if reason := unfit(rules, self.topology, self.program):
            raise BluecutError("{algorithm} cannot run here: {reason}", algorithm=rules.NAME, reason=reason)
        first = self.form.first_snapshot if rules.MARKERS else 1  # without ids on the wire, processes count from 1
        exceptions = self.form.disciplines if key.discipline is None else {}
        program = self.program
        if isinstance(program, Dataflow) and rules.DATAFLOW.logs:
            program = replace(program, logs=True, batches=rules.DATAFLOW.batches)
        return System(
            self.topology,
            program,
            rules,
            discipline,
            self.form.collect,
            first,
            REGULAR if rules.DATAFLOW.logs or any(i.every for i in self.form.initiators) else SNAPSHOTS,
            exceptions,
            self.form.newcomers,
            {} if rules.DATAFLOW.batches else self.capacity,  # between stages a batch lies in files, whatever its size
            self.recovers and rules.RECOVERY.way != "none",
        )

    def schedule(self, key: RunKey, system: System) -> Schedule:
        """Return a fresh schedule of a run."""
        form = self.form.schedule
        initiators = tuple(Initiator(i.process, i.at) for i in self.form.initiators if not i.every)
        failures = form.failures
        strict = self.own(key)
        if key.manual:
            return Manual()
        if key.drain:
            return Script(system, (), strict=False)
        if form.kind == "seeded":
            return Seeded(system, self.seed(key), form.moves, initiators, self.unreliable)
        if form.kind == "timed":
            return Timed(
                system,
                self.seed(key),
                delay=_delay(form.delay),
                per_channel={c: _delay(d) for c, d in form.delays.items()},
                one_per_sender=form.one_per_sender,
                entries=self.entries,
                initiators=initiators,
                budget=form.moves,
                gap=_delay(form.gap) if form.gap else None,
                service=form.service,
                put_off=_delay(form.put_off) if form.put_off else None,
                takes={word: _delay(one) for word, one in form.takes.items()},
                stops=tuple(form.stops),
                phases=tuple(Phase(one.ticks, _delay(one.gap)) for one in form.phases),
                every=tuple(Every(i.process, i.at, i.every) for i in self.form.initiators if i.every),
                failures=Failures(failures.mean, tuple(failures.processes), failures.back) if failures else None,
                strict=strict,
                unreliable=self.unreliable,
            )
        if form.kind == "manual":
            return Manual()
        return Script(system, self.entries, strict=strict)


def unfit(rules: AnyAlgorithm, topology: Topology, program: AnyProgram | None = None) -> Phrase | None:
    """Return the reason why the algorithm cannot run on the graph, or with the program, or None."""
    if rules.DATAFLOW.logs and (reason := _unlogged(rules, topology, program)):
        return reason
    if rules.GRAPH == "strong" and not topology.strong:
        return Phrase("it needs a path from every process to every other")
    if rules.GRAPH == "both-ways" and not topology.both_ways:
        return Phrase("it needs a channel in the other direction beside every channel")
    if rules.GRAPH == "complete" and not topology.complete:
        return Phrase("it needs a channel from every process to every other")
    if rules.GRAPH == "rooted" and topology.root is None:
        return Phrase("it needs a coordinator: one process without inputs from which a path leads to every other")
    if rules.KIND is Kind.ITEMS and not topology.layers:
        return Phrase("it takes no snapshots; it makes each item of a dataflow safe")
    return None


def _unlogged(rules: AnyAlgorithm, topology: Topology, program: AnyProgram | None) -> Phrase | None:
    """Return the reason why an engine whose coordinator writes logs cannot run a program, or None."""
    operators = program.operators if isinstance(program, Dataflow) else {}
    root = operators.get(topology.root or "")
    if root is None or root.role != COORDINATOR:
        return Phrase("it needs a dataflow with a coordinator, which writes the logs")
    if rules.DATAFLOW.batches and topology.back_edges:
        return Phrase("its stages run one after another, so there can be no loop")
    if rules.DATAFLOW.maps:
        if any(one.keep for one in operators.values()):
            return Phrase("it knows only operators that keep nothing: no sum, no count, no join")
        if any(one.sink == TRANSACTIONAL for one in operators.values()):
            return Phrase("its output leaves item by item: there is no transaction")
    return None


def _delay(form: DelayForm | None) -> Delay:
    if form is None:
        return Delay()
    if form.digits is not None:
        return Delay(digits=form.digits)
    if form.uniform is not None:
        return Delay(min(form.uniform), max(form.uniform))
    return Delay(form.constant or 0, form.constant or 0)


def load(source_text: str, name: str, *, limit: int | None = FILE_BYTES) -> Scenario:
    """Return the scenario that ``source_text`` describes, of at most ``limit`` bytes; without a limit, its script and
    its run may also be larger than a server takes. Raises SourceError."""
    return build(read(source_text, name, limit=limit), limited=limit is not None)


def build(source: Source, *, limited: bool = True) -> Scenario:
    """Return the scenario made of values that have been read. Raises SourceError."""
    if not isinstance(source.values, dict):
        raise source.error((), "a scenario is a mapping with topology, program, script, …")
    form = filled(source, ScenarioForm, None if limited else UNLIMITED)
    topology = _graph(source, form.topology, layers=form.operators is not None)
    check_names(source, form, topology)
    check_schedule(source, form)
    check_operators(source, form, topology)
    program = _program_of(source, form, topology)
    entries = script(source, form)
    captions = tuple(entry.say for entry in form.script)
    questions = tuple(entry.predict for entry in form.script)
    return Scenario(source.name, form, topology, program, entries, captions, questions, _digest(form))


WORDS = {
    *("title", "surprise", "story", "ending", "tags", "lessons", "assumptions", "expect", "explore", "challenge"),
    *("files", "pause"),
}


LATER = (
    *("service", "put_off", "capacity", "recovery", "batch"),
    *("takes", "stops", "phases", "failures", "every"),
    *("read", "abandon", "forget", "restore", "restart", "what"),
)
"""Fields that were added later: where they say nothing, addresses stay as they were."""


def _said(part: dict[str, object]) -> dict[str, Any]:
    """Return a part of a form without the later fields that say nothing."""
    return {field: value for field, value in part.items() if field not in LATER or value not in (None, {}, [])}


def _digest(form: ScenarioForm) -> str:
    """Return twelve hexadecimal digits that change when anything that matters to a run changes (words do not).

    The order of names counts, because it matters: of processes, of channels, of variables the first comes first. A
    value that equals the default counts as left out.
    """
    matters = form.model_dump(by_alias=True, exclude=WORDS | {"script"})
    matters = _said(matters | {"schedule": _said(matters["schedule"])})
    matters["initiators"] = [_said(one) for one in matters["initiators"]]
    matters["script"] = [_said(entry.model_dump(by_alias=True, exclude={"say", "predict"})) for entry in form.script]
    canonical = compact(matters)
    return hashlib.sha256(canonical.encode()).hexdigest()[:12]


SHAPES = ("chain", "ring", "star", "complete", "random")


def _graph(source: Source, form: TopologyForm, *, layers: bool = False) -> Topology:
    """Return the topology that the form describes, drawn in ``layers`` or not."""
    shapes = [shape for shape in SHAPES if getattr(form, shape) is not None]
    listed = form.processes is not None or form.channels is not None
    if len(shapes) + listed != 1:
        raise source.error(
            ("topology",), "give either processes and channels, or exactly one of {shapes}", shapes=SHAPES
        )
    if listed:
        if form.processes is None:
            raise source.error(("topology",), "processes is missing; list the names that channels connect")
        links = [(c.split("->")[0], c.split("->")[1]) for c in form.channels or ()]
        names = list(form.processes)
    else:
        shape = shapes[0]
        wanted = form.random.processes if form.random else getattr(form, shape)
        names = [f"P{i + 1}" for i in range(wanted)]
        seed, degree = (form.random.seed, form.random.degree) if form.random else (0, 2)
        links = named(shape, names, seed=seed, degree=degree)
    if len(names) > PROCESSES:
        raise source.error(("topology",), "{count} processes; at most {most}", count=len(names), most=PROCESSES)
    if len(links) > CHANNELS:
        raise source.error(("topology",), "{count:,} channels; at most {most:,}", count=len(links), most=CHANNELS)
    if listed:
        _check_graph(source, names, links)
    return Topology(names, links, layers=layers)


def _check_graph(source: Source, names: list[str], links: list[tuple[str, str]]) -> None:
    """Check that no process or channel appears twice, and that each channel joins two different processes. Raises
    SourceError."""
    for i, name in enumerate(names):
        if name in names[:i]:
            raise source.error(
                ("topology", "processes", i), "{name} is named twice; give each process its own name", name=name
            )
    seen: set[tuple[str, str]] = set()
    for i, link in enumerate(links):
        path: Path = ("topology", "channels", i)
        channel = channel_name(*link)
        for end in link:
            if end not in names:
                raise source.error(path, "no process {name}; known: {known}", name=end, known=shortened(names))
        if link[0] == link[1]:
            raise source.error(path, "{channel} ends where it starts; connect two different processes", channel=channel)
        if link in seen:
            raise source.error(path, "{channel} is given twice; keep one", channel=channel)
        seen.add(link)


def _program_of(source: Source, form: ScenarioForm, topology: Topology) -> AnyProgram:
    program = form.program
    match program:
        case TokenForm():
            return Token(dict(program.holders))
        case BankForm():
            everyone = {} if program.everyone is None else dict.fromkeys(topology.names, freeze(program.everyone))
            accounts = everyone | {name: freeze(balance) for name, balance in program.accounts.items()}
            if len({balance[0][0] == PLAIN for balance in accounts.values()}) > 1:
                raise source.error(
                    ("program", "accounts"),
                    "the balances differ in kind; give each account a number, or each its quantities by name",
                )
            offers = len(program.amounts) * len(topology.channels)
            if offers > OFFERS:
                raise source.error(
                    ("program", "amounts"),
                    "{count:,} channels times {amounts} amounts; at most {most:,} together",
                    count=len(topology.channels),
                    amounts=len(program.amounts),
                    most=OFFERS,
                )
            for i, amount in enumerate(program.amounts if "amounts" in program.model_fields_set else ()):
                check_quantities(source, ("program", "amounts", i), program, amount)
            return Bank(accounts, tuple(freeze(amount) for amount in program.amounts))
        case VariablesForm():
            return Variables({name: tuple(values.items()) for name, values in program.values.items()})
        case MachineForm():
            edges = {
                name: tuple(Edge(e.source, e.to, e.on, e.send, e.receive) for e in edges)
                for name, edges in program.edges.items()
            }
            return Machine(dict(program.first), edges, tuple(program.passive))
        case DataflowForm():
            return Dataflow.on(topology, {name: operator(name, one) for name, one in program.operators.items()})
    return Scripted({name: compact(state) for name, state in program.states.items()})
