"""A scenario: parsed once, then only values.

``load`` turns a text into a Scenario or raises SourceError, which names file, line and field and says what would be
right. A Scenario knows how to make the System and the Schedule of a run.
"""

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from app.algorithms.registry import ALGORITHMS, algorithm
from app.core.kernel import DISCIPLINES, System
from app.core.model import Action, BluecutError, Deliver, Json, Move, Start, Wake
from app.core.program import Program
from app.core.topology import Topology, named, shortened
from app.programs.bank import Bank, freeze
from app.programs.machine import Edge, Machine
from app.programs.scripted import Scripted, Telegram, text
from app.programs.token import TOKEN, Token
from app.programs.variables import Letter, Variables
from app.simulator.format import (
    CHANNELS,
    FILE_BYTES,
    PROCESSES,
    SNAPSHOTS,
    BankForm,
    DelayForm,
    EntryForm,
    MachineForm,
    ScenarioForm,
    ScriptedForm,
    SendForm,
    TokenForm,
    TopologyForm,
    VariablesForm,
    Words,
)
from app.simulator.key import RunKey
from app.simulator.schedule import Delay, Entry, Initiator, Manual, Schedule, Script, Seeded, Timed
from app.simulator.source import Path, Source, SourceError, read


@dataclass(frozen=True)
class Scenario:
    """A scenario that has been read and found right. ``name`` is its id in the library, or the file it came from."""

    name: str
    form: ScenarioForm
    topology: Topology
    program: Program
    entries: tuple[Entry, ...]
    captions: tuple[Words | None, ...]
    digest: str

    def algorithm(self, key: RunKey) -> str:
        """The name of the algorithm that a run with this key uses."""
        return key.algorithm or self.form.algorithm

    def discipline(self, key: RunKey) -> str:
        """The order in which channels deliver."""
        return key.discipline or self.form.discipline

    def seed(self, key: RunKey) -> int:
        """The seed of the schedule."""
        return self.form.schedule.seed if key.seed is None else key.seed

    def own(self, key: RunKey) -> bool:
        """Is this the run that the scenario's author wrote, and ``expect`` speaks of?"""
        return (
            not key.choices
            and not key.drain
            and self.algorithm(key) == self.form.algorithm
            and self.discipline(key) == self.form.discipline
            and self.seed(key) == self.form.schedule.seed
        )

    def system(self, key: RunKey) -> System:
        """The system of a run. Raises BluecutError for an unknown algorithm or discipline."""
        discipline = self.discipline(key)
        if discipline not in DISCIPLINES:
            raise BluecutError(f"unknown discipline {discipline!r}; one of {', '.join(DISCIPLINES)}")
        return System(
            self.topology,
            self.program,
            algorithm(self.algorithm(key)),
            discipline,
            self.form.collect,
            self.form.first_snapshot,
            SNAPSHOTS,
        )

    def schedule(self, key: RunKey, system: System) -> Schedule:
        """The schedule of a run, fresh."""
        form = self.form.schedule
        initiators = tuple(Initiator(i.process, i.at) for i in self.form.initiators)
        strict = self.own(key)
        if key.drain:
            return Script(system, (), strict=False)
        if form.kind == "seeded":
            return Seeded(system, self.seed(key), form.moves, initiators)
        if form.kind == "timed":
            return Timed(
                system,
                self.seed(key),
                delay=delay(form.delay),
                per_channel={c: delay(d) for c, d in form.delays.items()},
                one_per_sender=form.one_per_sender,
                entries=self.entries,
                initiators=initiators,
                moves=form.moves,
                gap=delay(form.gap) if form.gap else None,
                strict=strict,
            )
        if form.kind == "manual":
            return Manual()
        return Script(system, self.entries, strict=strict)


def delay(form: DelayForm | None) -> Delay:
    """The delay that a form describes."""
    if form is None:
        return Delay()
    if form.digits is not None:
        return Delay(digits=form.digits)
    if form.uniform is not None:
        return Delay(min(form.uniform), max(form.uniform))
    return Delay(form.constant or 0, form.constant or 0)


def load(source_text: str, name: str, *, limit: int = FILE_BYTES) -> Scenario:
    """The scenario that ``source_text`` describes. Raises SourceError."""
    return build(read(source_text, name, limit=limit))


def build(source: Source) -> Scenario:
    """The scenario made of values that have been read. Raises SourceError."""
    if not isinstance(source.values, dict):
        raise source.error((), "a scenario is a mapping with topology, program, script, …")
    try:
        form = ScenarioForm.model_validate(source.values)
    except ValidationError as error:
        raise explained(source, error) from None
    topology = graph(source, form.topology)
    check_names(source, form, topology)
    program = program_of(source, form, topology)
    entries = script(source, form, topology)
    captions = tuple(entry.say for entry in form.script)
    return Scenario(source.name, form, topology, program, entries, captions, digest(source.values))


def digest(values: Json) -> str:
    """Twelve hexadecimal digits that change when anything that matters to a run changes (words do not)."""
    matters = {k: v for k, v in values.items() if k not in ("title", "surprise", "story", "tags", "expect", "explore")}
    canonical = json.dumps(matters, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:12]


def explained(source: Source, error: ValidationError) -> SourceError:
    """The first mistake that pydantic found, with its line, and what would be right."""
    problem = error.errors()[0]
    path: Path = tuple(p for p in problem["loc"] if real(source.values, p, problem["loc"]))
    known = "; known here: " + ", ".join(fields_at(source, path[:-1])) if problem["type"] == "extra_forbidden" else ""
    says = {
        "extra_forbidden": "unknown field" + known,
        "missing": "missing; it must be given",
    }.get(problem["type"], problem["msg"])
    if problem["type"] in ("string_pattern_mismatch", "union_tag_invalid", "literal_error"):
        says += f", not {str(problem.get('input'))[:60]!r}"
    return source.error(path, says)


def real(values: Json, part: str | int, loc: tuple[str | int, ...]) -> bool:
    """Is ``part`` of a pydantic location a field of the file? (Names of union members are not.)"""
    here: Any = values
    for key in loc:
        inside = key in here if isinstance(here, dict) else isinstance(key, int) and isinstance(here, list)
        if inside:
            if key == part:
                return True
            here = here[key]
        elif key == part:
            return key == loc[-1] and isinstance(here, dict)
    return False


def fields_at(source: Source, path: Path) -> list[str]:
    """The names of the fields that a mapping at ``path`` may have."""
    model: Any = ScenarioForm
    for key in path:
        if isinstance(key, int):
            continue
        annotation = (
            model.model_fields[key].annotation if hasattr(model, "model_fields") and key in model.model_fields else None
        )
        model = form_in(annotation, source, path)
    return list(model.model_fields) if hasattr(model, "model_fields") else []


def form_in(annotation: Any, source: Source, path: Path) -> Any:
    """The form inside an annotation such as ``list[EntryForm] | None``."""
    forms = {
        "token": TokenForm,
        "bank": BankForm,
        "variables": VariablesForm,
        "machine": MachineForm,
        "scripted": ScriptedForm,
    }
    if path[:1] == ("program",) and isinstance(source.values.get("program"), dict):
        return forms.get(str(source.values["program"].get("kind")), TokenForm)
    if hasattr(annotation, "model_fields"):
        return annotation
    for inner in getattr(annotation, "__args__", ()):
        found = form_in(inner, source, path)
        if hasattr(found, "model_fields"):
            return found
    return None


SHAPES = ("chain", "ring", "star", "complete", "random")


def graph(source: Source, form: TopologyForm) -> Topology:
    """The topology that the form describes."""
    shapes = [shape for shape in SHAPES if getattr(form, shape) is not None]
    listed = form.processes is not None or form.channels is not None
    if len(shapes) + listed != 1:
        raise source.error(("topology",), f"give either processes and channels, or exactly one of {', '.join(SHAPES)}")
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
        raise source.error(("topology",), f"{len(names)} processes; at most {PROCESSES}")
    if len(links) > CHANNELS:
        raise source.error(("topology",), f"{len(links):,} channels; at most {CHANNELS:,}")
    try:
        return Topology(names, links)
    except BluecutError as error:
        raise source.error(("topology", "channels"), str(error)) from None


def check_names(source: Source, form: ScenarioForm, topology: Topology) -> None:
    """Every process and channel that the file names must exist, and so must the algorithm."""
    if form.algorithm not in ALGORITHMS:
        raise source.error(("algorithm",), f"unknown algorithm {form.algorithm!r}; one of {', '.join(ALGORITHMS)}")

    def process(path: Path, name: str | None) -> None:
        if name is not None and name not in topology.processes:
            raise source.error(path, f"no process {name}; known: {shortened(topology.names)}")

    def channel(path: Path, name: str | None) -> None:
        if name is not None and name not in topology.channels:
            raise source.error(path, f"no channel {name}; known: {shortened(topology.channels)}")

    for field in ("holders", "accounts", "values", "first", "edges", "states"):
        for name in getattr(form.program, field, None) or ():
            process(("program", field, name), name)
    if isinstance(form.program, MachineForm):
        for name, edges in form.program.edges.items():
            for i, edge in enumerate(edges):
                check_edge(source, ("program", "edges", name, i), name, edge.send, edge.receive, edge.on, topology)
    for i, initiator in enumerate(form.initiators):
        process(("initiators", i, "process"), initiator.process)
    for name in form.schedule.delays:
        channel(("schedule", "delays", name), name)
    for i, entry in enumerate(form.script):
        process(("script", i, "start"), entry.start)
        process(("script", i, "wake"), entry.wake)
        channel(("script", i, "deliver"), entry.deliver)
        if entry.send:
            channel(("script", i, "send", "on"), entry.send.on)
        if entry.change:
            process(("script", i, "change", "process"), entry.change.process)
    for i, name in enumerate((form.explore.starts or ()) if form.explore else ()):
        process(("explore", "starts", i), name)


def check_edge(
    source: Source, path: Path, name: str, send: str | None, receive: str | None, on: str | None, topology: Topology
) -> None:
    """An edge sends on an output, receives on an input, or does neither."""
    if send and receive:
        raise source.error(path, "an edge sends or receives, not both; make two edges")
    if (send or receive) and on is None:
        raise source.error(path, "on is missing; name the channel")
    process = topology.processes[name]
    if send and on not in process.outputs:
        raise source.error(path, f"{name} cannot send on {on}; its outputs: {shortened(process.outputs) or 'none'}")
    if receive and on not in process.inputs:
        raise source.error(path, f"{name} cannot receive on {on}; its inputs: {shortened(process.inputs) or 'none'}")


def program_of(source: Source, form: ScenarioForm, topology: Topology) -> Program:
    """The program that the form describes."""
    program = form.program
    if isinstance(program, TokenForm):
        return Token(dict(program.holders))
    if isinstance(program, BankForm):
        everyone = {} if program.everyone is None else dict.fromkeys(topology.names, freeze(program.everyone))
        accounts = everyone | {name: freeze(balance) for name, balance in program.accounts.items()}
        quantities = {tuple(name for name, _ in balance) for balance in accounts.values()}
        if len(quantities) > 1:
            raise source.error(
                ("program", "accounts"), "the balances differ in kind; give each account the same quantities"
            )
        return Bank(accounts, tuple(freeze(amount) for amount in program.amounts))
    if isinstance(program, VariablesForm):
        return Variables({name: tuple(values.items()) for name, values in program.values.items()})
    if isinstance(program, MachineForm):
        edges = {
            name: tuple(Edge(e.source, e.to, e.on, e.send, e.receive) for e in edges)
            for name, edges in program.edges.items()
        }
        return Machine(dict(program.first), edges, tuple(program.passive))
    return Scripted({name: text(state) for name, state in program.states.items()})


def script(source: Source, form: ScenarioForm, topology: Topology) -> tuple[Entry, ...]:
    """The lines of the script as actions."""
    arrivals = states_at_arrival(form)
    entries = []
    for i, entry in enumerate(form.script):
        path: Path = ("script", i)
        given = [f for f in ("start", "send", "deliver", "change", "wake") if getattr(entry, f) is not None]
        if len(given) != 1:
            raise source.error(path, "give exactly one of start, send, deliver, change, wake")
        if entry.at is not None and form.schedule.kind != "timed":
            raise source.error(
                (*path, "at"), "only a timed schedule has times; set schedule.kind to timed or leave it out"
            )
        entries.append(Entry(action(source, path, form, entry, arrivals.get(i)), entry.at or 0, source.line(path)))
    return tuple(entries)


def states_at_arrival(form: ScenarioForm) -> dict[int, str]:
    """For scripted programs: by the line of a send, the state (as text) that its delivery sets.

    The k-th delivery with a ``state`` on a channel belongs to the k-th send there.
    """
    sends: dict[str, list[int]] = {}
    arrivals: dict[int, str] = {}
    for i, entry in enumerate(form.script):
        if entry.send:
            sends.setdefault(entry.send.on, []).append(i)
        elif entry.deliver and "state" in entry.model_fields_set and sends.get(entry.deliver):
            arrivals[sends[entry.deliver].pop(0)] = text(entry.state)
    return arrivals


def action(source: Source, path: Path, form: ScenarioForm, entry: EntryForm, arrival: str | None) -> Action:
    """One line of the script as an action."""
    if entry.start is not None:
        return Start(entry.start)
    if entry.deliver is not None:
        return Deliver(entry.deliver, entry.position)
    if entry.wake is not None:
        return Wake(entry.wake, "")
    if entry.send is not None:
        process = entry.send.on.split("->")[0]
        payload, detail = sending(source, (*path, "send"), form, entry.send, arrival)
        return Move(process, entry.send.on, payload, detail)
    assert entry.change is not None
    change = entry.change
    if isinstance(form.program, VariablesForm):
        if not change.set:
            raise source.error((*path, "change"), "set is missing; give the variables and their new values")
        return Move(change.process, None, None, tuple(change.set.items()))
    if "state" not in change.model_fields_set:
        raise source.error((*path, "change"), "state is missing; give the new state")
    return Move(
        change.process, None, None, text(change.state) if isinstance(form.program, ScriptedForm) else change.state
    )


def sending(source: Source, path: Path, form: ScenarioForm, send: SendForm, arrival: str | None) -> tuple[Any, Any]:
    """The payload of a scripted send, and what the program needs to know beside it."""
    message = send.message
    if isinstance(form.program, TokenForm):
        if message not in (None, TOKEN):
            raise source.error((*path, "message"), f"the only message of a token program is {TOKEN}; leave it out")
        return TOKEN, None
    if isinstance(form.program, BankForm):
        plain_amount = isinstance(message, int) and not isinstance(message, bool)
        named_amounts = isinstance(message, dict) and message and all(type(v) is int for v in message.values())
        if not plain_amount and not named_amounts:
            raise source.error((*path, "message"), "give an amount: a whole number, or quantities with whole numbers")
        return freeze(message), None
    if isinstance(form.program, ScriptedForm):
        detail = text(send.state) if "state" in send.model_fields_set else None
        return Telegram(text(message), arrival), detail
    if not isinstance(message, str) or not 0 < len(message) <= 40:
        raise source.error((*path, "message"), "give the message a name of 1 to 40 characters")
    if isinstance(form.program, VariablesForm):
        return Letter(message, tuple((send.then or {}).items())), tuple((send.set or {}).items())
    return message, None
