"""Checks that the parts of a scenario agree: names, kinds of schedules and programs."""

from collections.abc import Iterable

from app.algorithms.registry import ALGORITHMS, no_algorithm
from app.core.model.topology import Topology, channel_name, shortened
from app.forms.json_shape import mapping
from app.forms.yaml_source import Path, Source
from app.scenario.expected_fields import ExpectForm
from app.scenario.format import (
    DelayForm,
    EntryForm,
    ExploreForm,
    MachineForm,
    ScenarioForm,
    ScriptedForm,
    VariablesForm,
)


def check_names(source: Source, form: ScenarioForm, topology: Topology) -> None:
    """Check that every process and channel that the file names exists, and the algorithm, too. Raises SourceError."""
    if form.algorithm not in ALGORITHMS:
        raise source.error(("algorithm",), "{reason}", reason=no_algorithm(form.algorithm))
    for path, name in _processes_named(form):
        if name not in topology.processes:
            raise source.error(path, "no process {name}; known: {known}", name=name, known=shortened(topology.names))
    for path, name in _channels_named(form):
        if name not in topology.channels:
            known = shortened(topology.channels)
            raise source.error(path, "no channel {name}; known: {known}", name=name, known=known)
    _check_newcomers(source, form, topology)
    if isinstance(form.program, MachineForm):
        for name, edges in form.program.edges.items():
            for i, edge in enumerate(edges):
                _check_edge(source, ("program", "edges", name, i), name, edge.send, edge.receive, edge.on, topology)


def _processes_named(form: ScenarioForm) -> Iterable[tuple[Path, str]]:
    for field in ("holders", "accounts", "values", "first", "edges", "states", "operators"):
        for name in getattr(form.program, field, None) or ():
            yield ("program", field, name), name
    for name, parent in form.newcomers.items():
        yield ("newcomers", name), name
        yield ("newcomers", name), parent
    for name in form.schedule.service:
        yield ("schedule", "service", name), name
    for i, name in enumerate(form.schedule.failures.processes if form.schedule.failures else ()):
        yield ("schedule", "failures", "processes", i), name
    for i, initiator in enumerate(form.initiators):
        yield ("initiators", i, "process"), initiator.process
    yield from _processes_in_script(form)
    for i, name in enumerate(form.explore.starts or () if form.explore else ()):
        yield ("explore", "starts", i), name
    yield from _processes_expected(form)


def _processes_in_script(form: ScenarioForm) -> Iterable[tuple[Path, str]]:
    for i, entry in enumerate(form.script):
        if entry.start is not None:
            yield ("script", i, "start"), entry.start
        for field in ("wake", "read", "crash", "join", "leave", "forget", "restart"):
            if (name := getattr(entry, field)) is not None:
                yield ("script", i, field), name
        if entry.change:
            yield ("script", i, "change", "process"), entry.change.process


def _processes_expected(form: ScenarioForm) -> Iterable[tuple[Path, str]]:
    fallen = form.expect.line if form.expect else None
    for field in ("places", "useless"):
        for name in getattr(fallen, field, None) or ():
            yield ("expect", "line", field, name), name
    for path, part in _states_expected(form):
        for field in ("initiators", "unreachable", "absent", "unusable"):
            for i, name in enumerate(getattr(part, field, None) or ()):
                yield (*path, field, i), name
        for field in ("processes", "outside"):
            for name in getattr(part, field, None) or ():
                yield (*path, field, name), name
    for path, name in _kept_files(form):
        if "->" not in name:
            yield path, name
    ledger = form.expect.ledger if form.expect else None
    for field in ("taken", "counted", "possible"):
        for name in getattr(ledger, field, None) or ():
            yield ("expect", "ledger", field, name), name


def _channels_named(form: ScenarioForm) -> Iterable[tuple[Path, str]]:
    for name in form.schedule.delays:
        yield ("schedule", "delays", name), name
    for field in ("disciplines", "loss", "duplication", "capacity"):
        for name in mapping(getattr(form, field)):
            yield (field, name), name
    for i, entry in enumerate(form.script):
        for field in ("deliver", "collect", "drop", "duplicate", "overtake", "partition", "heal"):
            if (name := getattr(entry, field)) is not None:
                yield ("script", i, field), name
        if entry.send:
            yield ("script", i, "send", "on"), entry.send.on
    for path, name in _kept_files(form):
        if "->" in name:
            yield path, name
    for path, part in _states_expected(form):
        for i, name in enumerate(getattr(part, "open", None) or ()):
            yield (*path, "open", i), name
        for name in getattr(part, "channels", None) or ():
            yield (*path, "channels", name), name


def _kept_files(form: ScenarioForm) -> Iterable[tuple[Path, str]]:
    """Yield the processes and channels whose checkpoint files ``expect`` names."""
    files = form.expect.files if form.expect else None
    for way in ("full", "incremental"):
        for name in getattr(getattr(files, way, None), "kept", None) or ():
            yield ("expect", "files", way, "kept", name), name


def _states_expected(form: ScenarioForm) -> Iterable[tuple[Path, object]]:
    """Yield the parts of ``expect`` and ``explore`` that describe global states."""
    expect, explore = form.expect or ExpectForm(), form.explore or ExploreForm()
    for i, snapshot in enumerate(expect.snapshots or ()):
        yield ("expect", "snapshots", i), snapshot
    if expect.final:
        yield ("expect", "final"), expect.final
    for i, outcome in enumerate(explore.outcomes or ()):
        yield ("explore", "outcomes", i), outcome


def _check_newcomers(source: Source, form: ScenarioForm, topology: Topology) -> None:
    """Check that a newcomer shares channels with its parent, both ways, and with no other process. Raises
    SourceError."""
    for name, parent in form.newcomers.items():
        path: Path = ("newcomers", name)
        if parent in form.newcomers and list(form.newcomers).index(parent) > list(form.newcomers).index(name):
            raise source.error(path, "{parent} is a newcomer itself; list it before {name}", parent=parent, name=name)
        process = topology.processes[name]
        theirs = [other for other, of in form.newcomers.items() if of == name]
        ends = {topology.channels[c].source for c in process.inputs} | {
            topology.channels[c].target for c in process.outputs
        }
        needed = (channel_name(name, parent), channel_name(parent, name))
        if not all(channel in topology.channels for channel in needed):
            raise source.error(path, "a newcomer needs {channels} with its parent", channels=needed)
        if strangers := tuple(sorted(ends - {parent, *theirs})):
            raise source.error(
                path,
                "a newcomer has channels only with its parent; remove those with {strangers}",
                strangers=strangers,
            )
    if form.newcomers and len(form.newcomers) == len(topology.names):
        raise source.error(("newcomers",), "some process must be a member from the start; not all can be newcomers")


def _check_edge(
    source: Source, path: Path, name: str, send: str | None, receive: str | None, on: str | None, topology: Topology
) -> None:
    """Check that an edge sends on an output, receives on an input, or does neither. Raises SourceError."""
    if send and receive:
        raise source.error(path, "an edge sends or receives, not both; make two edges")
    if (send or receive) and on is None:
        raise source.error(path, "on is missing; name the channel")
    process = topology.processes[name]
    if send and on not in process.outputs:
        raise source.error(
            path,
            "{process} cannot send on {channel}; its outputs: {outputs}",
            process=name,
            channel=on,
            outputs=shortened(process.outputs),
        )
    if receive and on not in process.inputs:
        raise source.error(
            path,
            "{process} cannot receive on {channel}; its inputs: {inputs}",
            process=name,
            channel=on,
            inputs=shortened(process.inputs),
        )


def check_schedule(source: Source, form: ScenarioForm) -> None:
    """Check that the file says nothing that its kind of schedule would silently ignore. Raises SourceError."""
    kind = form.schedule.kind
    if form.initiators and kind not in ("seeded", "timed"):
        raise source.error(
            ("initiators",),
            "only a seeded or timed schedule has initiators; this one is {kind}. Write start in the script instead",
            kind=kind,
        )
    if (form.loss or form.duplication) and kind not in ("seeded", "timed"):
        field = "loss" if form.loss else "duplication"
        raise source.error(
            (field,),
            "only a seeded or timed schedule is random; this one is {kind}. Write drop or duplicate in the script",
            kind=kind,
        )
    if form.script and kind not in ("script", "timed"):
        raise source.error(
            ("script",), "only a script or timed schedule follows a script; this one is {kind}", kind=kind
        )
    schedule = form.schedule
    for field in ("service", "put_off", "takes", "stops", "phases", "failures"):
        if getattr(schedule, field) and kind != "timed":
            raise source.error(
                ("schedule", field),
                "only a timed schedule knows how long something takes; this one is {kind}",
                kind=kind,
            )
    eager = form.operators is not None
    for i, one in enumerate(form.initiators):
        if one.every and not (eager and kind == "timed"):
            raise source.error(("initiators", i, "every"), "only a dataflow in virtual time starts at an interval")
    if schedule.failures and not eager:
        raise source.error(("schedule", "failures"), "only a dataflow fails by chance; write crash in the script")
    delays: list[tuple[Path, DelayForm]] = [(("schedule", "delays", name), d) for name, d in schedule.delays.items()]
    delays += [(("schedule", "takes", word), delay) for word, delay in schedule.takes.items()]
    delays += [(("schedule", "phases", i, "gap"), phase.gap) for i, phase in enumerate(schedule.phases)]
    named: list[tuple[Path, DelayForm | None]] = [
        (("schedule", "delay"), schedule.delay),
        (("schedule", "gap"), schedule.gap),
        (("schedule", "put_off"), schedule.put_off),
        *delays,
    ]
    for path, delay in named:
        if delay is not None and (delay.constant, delay.uniform, delay.digits).count(None) != 2:
            raise source.error(path, "give exactly one of constant, uniform, digits")


def check_entry(source: Source, path: Path, form: ScenarioForm, entry: EntryForm) -> None:
    """Check that a line of the script says only what its action and its program can use. Raises SourceError."""
    scripted, variables = isinstance(form.program, ScriptedForm), isinstance(form.program, VariablesForm)
    placed = (entry.deliver, entry.drop, entry.duplicate, entry.overtake)
    if "position" in entry.model_fields_set and all(one is None for one in placed):
        raise source.error(
            (*path, "position"), "only deliver, drop, duplicate and overtake have a position; leave it out"
        )
    if "state" in entry.model_fields_set and (entry.deliver is None or not scripted):
        raise source.error((*path, "state"), "only deliver has a state, and only in a scripted program; leave it out")
    if entry.send:
        given = entry.send.model_fields_set
        for field in sorted(given & {"set", "then"}):
            if not variables:
                raise source.error(
                    (*path, "send", field), "only a variables program has variables to set; leave it out"
                )
        if "state" in given and not scripted:
            raise source.error(
                (*path, "send", "state"), "only a scripted program takes its states from the script; leave it out"
            )
    if entry.change:
        if not scripted and not variables and not isinstance(form.program, MachineForm):
            raise source.error(
                (*path, "change"),
                "a {kind} program changes only by sending and receiving; write send",
                kind=form.program.kind,
            )
        if "set" in entry.change.model_fields_set and not variables:
            raise source.error((*path, "change", "set"), "only a variables program has variables to set; write state")
    for place, process, names in _variables_named(entry):
        known = form.program.values.get(process, {}) if isinstance(form.program, VariablesForm) else names
        for name in names:
            if name not in known:
                raise source.error(
                    (*path, *place, name),
                    "{process} has no variable {name}; it has {known}",
                    process=process,
                    name=name,
                    known=tuple(known),
                )


def _variables_named(entry: EntryForm) -> Iterable[tuple[Path, str, Iterable[str]]]:
    """Yield the places where a line of the script names variables, and the process that must have them."""
    if entry.send:
        source, target = entry.send.on.split("->")
        yield ("send", "set"), source, entry.send.set or ()
        yield ("send", "then"), target, entry.send.then or ()
    if entry.change:
        yield ("change", "set"), entry.change.process, entry.change.set or ()
