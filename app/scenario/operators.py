"""The operators of a dataflow, as a scenario describes them."""

from typing import Any

from app.core.model.topology import Topology
from app.forms.yaml_source import Path, Source
from app.programs.dataflow import COORDINATOR, OPERATOR, SINK, SOURCE, Operator, Record
from app.scenario.expected_fields import ExpectForm
from app.scenario.format import FilterForm, MapForm, OperatorForm, ScenarioForm

ROLES = ("coordinator", "source", "sink")
KEEPS = ("sum", "count", "join")
DEALING = ("map", "filter", "emit")
"""What only an operator between sources and sinks does."""


def operator(name: str, form: OperatorForm) -> Operator:
    """Return the operator that a form describes; ``name`` is that of its process."""
    keep = next((one for one in KEEPS if getattr(form, one)), None)
    turned, passed = form.map or MapForm(), form.filter or FilterForm()
    return Operator(
        role=_role(form),
        records=tuple(_record(name, i, one) for i, one in enumerate(form.source or (), 1)),
        ends=form.ends,
        keep=keep,
        keyed=keep is not None and getattr(form, keep) == "key",
        result=(form.emit or "result") == "result" and keep in ("sum", "count"),
        times=turned.times,
        plus=turned.plus,
        above=passed.above,
        below=passed.below,
        modulo=None if passed.modulo is None else (passed.modulo, passed.remainder),
        route=form.route,
        sink=form.sink or "plain",
        batch=form.batch,
        timeout=form.timeout,
    )


def _role(form: OperatorForm) -> str:
    if form.coordinator:
        return COORDINATOR
    if form.source is not None:
        return SOURCE
    return SINK if form.sink else OPERATOR


def _record(name: str, number: int, form: int | dict[str, int]) -> Record:
    """Return the ``number``-th item of a source, from 1."""
    if isinstance(form, int):
        return Record(f"{name}.{number}", form)
    ((key, value),) = form.items()
    return Record(f"{name}.{number}", value, key)


def check_operators(source: Source, form: ScenarioForm, topology: Topology) -> None:
    """Check that each operator has one role, and stands where it can have it. Raises SourceError."""
    _check_recovery(source, form)
    _check_outside(source, form)
    operators = form.operators
    if operators is None:
        for i, entry in enumerate(form.script):
            if entry.read is not None:
                raise source.error(("script", i, "read"), "only a source of a dataflow program can be read; write send")
        return
    for name, one in operators.items():
        path: Path = ("program", "operators", name)
        _check_kind(source, path, one)
        inputs = tuple(c for c in topology.processes[name].inputs if not _steers(operators, topology, c))
        outputs = topology.processes[name].outputs
        if one.coordinator and topology.processes[name].inputs:
            raise source.error(path, "a coordinator has no inputs; remove {channels}", channels=inputs)
        if one.source is not None and inputs:
            if not any(other.coordinator for other in operators.values()):
                raise source.error(
                    path,
                    "a source's only input is its coordinator's; remove {channels}, or write {cure} in operators",
                    channels=inputs,
                    cure=f"{topology.channels[inputs[0]].source}: {{coordinator: true}}",
                )
            raise source.error(path, "a source's only input is its coordinator's; remove {channels}", channels=inputs)
        if one.sink and outputs:
            raise source.error(path, "a sink has no outputs; remove {channels}", channels=outputs)
        if one.join and len(inputs) != 2:
            raise source.error(path, "a join has two inputs; this one has {count}", count=len(inputs))
        if _steers(operators, topology, *outputs):
            wrong = tuple(c for c in outputs if operators.get(topology.channels[c].target, NONE).source is None)
            if wrong:
                raise source.error(path, "a coordinator's channels lead to sources; {channels} do not", channels=wrong)
    for i, entry in enumerate(form.script):
        if entry.read is not None and (entry.read not in operators or operators[entry.read].source is None):
            raise source.error(("script", i, "read"), "{process} is not a source", process=entry.read)
        if entry.send is not None or entry.change is not None:
            raise source.error(("script", i), "a dataflow program acts by itself; write read or deliver")


NONE = OperatorForm()


def _steers(operators: dict[str, OperatorForm], topology: Topology, *channels: str) -> bool:
    """Do the channels come from a coordinator?"""
    return any(operators.get(topology.channels[c].source, NONE).coordinator for c in channels)


def _check_kind(source: Source, path: Path, form: OperatorForm) -> None:
    """Check that nothing is given that belongs to another kind of operator. Raises SourceError."""
    roles = tuple(one for one in ROLES if getattr(form, one) is not None)
    keeps = tuple(one for one in KEEPS if getattr(form, one) is not None)
    if len(roles) > 1:
        raise source.error(path, "an operator is one of {kinds}; this one is {given}", kinds=ROLES, given=roles)
    if len(keeps) > 1:
        raise source.error(path, "an operator keeps one of {kinds}; this one {given}", kinds=KEEPS, given=keeps)
    given: set[Any] = form.model_fields_set
    for field in (*KEEPS, *DEALING):
        if roles and field in given:
            raise source.error((*path, field), "a {role} has no {field}; leave it out", role=roles[0], field=field)
    if "batch" in given and not form.coordinator:
        raise source.error((*path, "batch"), "only a coordinator says how much is in a batch; leave it out")
    if "ends" in given and form.source is None:
        raise source.error((*path, "ends"), "only a source ends; leave it out")
    if "timeout" in given and form.sink != "transactional":
        raise source.error((*path, "timeout"), "only a transactional sink has a timeout; leave it out")
    if "emit" in given and not keeps:
        raise source.error((*path, "emit"), "only a sum or count has a result to emit; leave it out")


def _check_outside(source: Source, form: ScenarioForm) -> None:
    """Check that things leave only at the sinks of a dataflow, and that only a dataflow has a ledger. Raises
    SourceError."""
    operators = form.operators or {}
    expect = form.expect or ExpectForm()
    for name in (expect.final.outside or ()) if expect.final else ():
        if not operators.get(name, NONE).sink:
            raise source.error(("expect", "final", "outside", name), "{process} is not a sink", process=name)
    for path, given in ((("files",), form.files), (("expect", "files"), expect.files)):
        if given and form.operators is None:
            raise source.error(path, "only a dataflow has checkpoint files; leave it out")
    if expect.ledger and form.operators is None:
        raise source.error(("expect", "ledger"), "only a dataflow has a ledger; leave it out")


def _check_recovery(source: Source, form: ScenarioForm) -> None:
    """Check that a system that recovers keeps the order of its channels and has no newcomers. Raises SourceError."""
    recovers = form.recovery if form.recovery is not None else form.operators is not None
    if recovers and ("causal" in (form.discipline, *form.disciplines.values()) or form.newcomers):
        raise source.error(
            ("recovery",) if form.recovery else ("program",),
            "a system that recovers has fifo or any order and no newcomers; change that, or set recovery to false",
        )
    for i, entry in enumerate(form.script):
        if not recovers and (entry.restore is not None or entry.restart is not None):
            field = "restore" if entry.restore is not None else "restart"
            raise source.error(("script", i, field), "nobody comes back in this system; set recovery to true")
        if entry.what is not None and entry.wake is None and entry.forget is None:
            raise source.error(("script", i, "what"), "only wake and forget say what; leave it out")
